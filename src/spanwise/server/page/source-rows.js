/** A spreadsheet as a table, and slides as cards: the same numbered lines, as people know them. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { TextView } from "./source-text.js";

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
  /** @param {string} corpus @param {import("./state.js").Entry} entry */
  constructor(corpus, entry) {
    super(corpus, entry, el("table.sheet-rows"));
    this.tabs = el("div.sheet-tabs", { role: "group", "aria-label": "Sheets" });
    this.element.prepend(this.tabs);
    this.element.classList.add("is-sheet");
    this.sheets = [];
    this.named = api.document(corpus, entry.id, entry.sha256).then(({ page_list: pages }) => {
      this.sheets = pages;
      if (pages.length < 2) return;
      const press = (page) => el("button", { type: "button", on: { click: () => this.goTo(page.number) } }, page.label);
      this.tabs.append(...pages.map(press));
    });
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
    [...this.tabs.children].forEach((tab, place) => tab.setAttribute("aria-pressed", String(place === at)));
  }

  row(line) {
    const page = this.sheets.find((one) => one.first_line <= line.number && line.number <= one.last_line);
    const cells = cellsOf(line).slice(0, COLUMNS);
    const wide = cells.length === 1;
    return el("tr.line", { data: { line: line.number, page: line.page } },
      el("th", { scope: "row", class: "line-number" }, page ? line.number - page.first_line + 1 : line.number),
      ...cells.map((cell, at) =>
        el("td", { data: { column: letters(at) }, colspan: wide ? COLUMNS : null, class: /^[-(]?[$€£]?[\d.,]+%?\)?$/.test(cell) ? "is-figure" : "" }, cell),
      ),
    );
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
    const { page_list: pages } = await api.document(this.corpus, this.entry.id, this.entry.sha256);
    if (pages[page - 1]) this.reach({ number: pages[page - 1].first_line });
  }
}
