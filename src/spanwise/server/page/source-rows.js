/** A spreadsheet as a table, and slides as cards: the same numbered lines, as people know them. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { TextView } from "./source-text.js";
import { cell } from "./tables.js";

/** @typedef {import("./state.js").Citation} Citation */

const CELLS = / (?<!\\)\| /;
/** Columns that are shown of one row. */
const COLUMNS = 200;

/** @param {number} at @returns {string} "A", "Z", "AA" */
function letters(at) {
  return at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);
}

/** @param {string} name @returns {number} */
function column(name) {
  return [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** @param {{text: string, role: string}} line @returns {string[]} */
function cellsOf(line) {
  if (line.role !== "table_row") return [line.text];
  return ` ${line.text} `.split(CELLS).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

export class SheetView extends TextView {
  /** The letters of the columns, which citations name. */
  letters = el("tr", el("th"));
  tabs = el("div.sheet-tabs", { role: "group", "aria-label": "Sheets" });
  sheets = [];

  /** @param {import("./state.js").Entry} entry */
  constructor(entry) {
    super(entry);
    this.list.before(el("thead", { "aria-hidden": "true" }, this.letters));
    this.element.prepend(this.tabs);
    this.named = api.document(entry).then(({ page_list: pages }) => {
      this.sheets = pages;
      if (pages.length < 2) return;
      this.tabs.append(...pages.map((page) => el("button", { click: () => this.goTo(page.number) }, page.label)));
    });
  }

  made() {
    return el("table.sheet-rows", el("tbody")).firstChild;
  }

  /** @param {Citation[]} citations @param {number} active */
  async show(citations, active) {
    await this.named;
    await super.show(citations, active);
    const line = citations[active]?.line_start ?? this.sheets[0]?.first_line ?? 1;
    this.current(this.sheets.findIndex((page) => page.first_line <= line && line <= page.last_line));
  }

  /** @param {number} page */
  goTo(page) {
    this.current(page - 1);
    this.reach({ number: this.sheets[page - 1].first_line });
  }

  /** @param {number} at */
  current(at) {
    [...this.tabs.children].forEach((tab, place) => tab.setAttribute("aria-pressed", place === at));
  }

  row(line) {
    const page = this.sheets.find((one) => one.first_line <= line.number && line.number <= one.last_line);
    const cells = cellsOf(line).slice(0, COLUMNS);
    const at = page ? line.number - page.first_line + 1 : line.number;
    for (let more = this.letters.childElementCount - 1; more < cells.length; more += 1)
      this.letters.append(el("th", letters(more)));
    const row = el("tr.line", { class: at === 1 && "is-first", data: { line: line.number, page: line.page } },
      el("th.line-number", { scope: "row" }, at),
      ...cells.map((text) => cell(text)),
    );
    if (cells.length === 1) row.lastChild.colSpan = COLUMNS;
    return row;
  }

  mark(citations, active) {
    super.mark(citations, active);
    for (const cell of this.list.querySelectorAll(".is-cell")) cell.classList.remove("is-cell");
    for (const citation of citations) {
      const [, from, to] = citation.cells?.match(/!\$?([A-Z]+)\$?\d+(?::\$?([A-Z]+)\$?\d+)?$/) ?? [];
      if (!from) continue;
      const [first, last] = [column(from), column(to ?? from)];
      for (const row of this.rows(citation.line_start, citation.line_end))
        for (const cell of [...row.children].slice(first + 1, last + 2)) cell.classList.add("is-cell");
    }
  }
}

export class SlideView extends TextView {
  row(line) {
    const made = super.row(line);
    made.classList.add("on-slide");
    made.dataset.slide = String(line.page);
    return made;
  }

  /** Lines of one slide stand on one card. */
  mark(citations, active) {
    super.mark(citations, active);
    let before = "";
    for (const row of this.list.children) {
      row.classList.toggle("is-first", row.dataset.slide !== before);
      before = row.dataset.slide;
    }
  }

  /** @param {number} page */
  async goTo(page) {
    const { page_list: pages } = await api.document(this.entry);
    if (pages[page - 1]) this.reach({ number: pages[page - 1].first_line });
  }
}
