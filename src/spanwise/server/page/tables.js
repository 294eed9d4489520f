/** Answers and evidence that are tables, as tables: with the cells marked that the answer rests on. */

import { claimLink, mark } from "./claims.js";
import { button, el } from "./dom.js";

/** @typedef {import("./state.js").Result} Result */
/** @typedef {(claim: number, citation?: number) => void} Choose */

/** Between the cells of a printed row. */
const CELLS = /\s{2,}|\s\|\s/;
/** Rows that are shown. */
const MOST = 200;
const FIGURE = /^[-–(]?[$€£]?[\d.,]+ ?%?\)?$/;

/** A cell, at its right where it is a figure. @param {string} text @param {string} tag @param {boolean} [cited] */
export function cell(text, tag = "td", cited = false) {
  const kind = `${FIGURE.test(text.trim()) ? "is-figure" : ""} ${cited ? "is-cited" : ""}`.trim();
  const scope = tag === "th" ? "col" : null;
  return el(tag, { class: kind, scope }, cited && tag === "td" ? el("mark", text) : text);
}

/** A table that can be scrolled. @param {string} label @param {Node[]} head @param {Node[]} rows */
export const grid = (label, head, rows) =>
  el("div.grid", { tabindex: "0", role: "region", "aria-label": label },
    el("table", el("thead", el("tr", ...head)), el("tbody", ...rows)),
  );

/**
 * The table that an answer is, each of its rows cited; null for an answer that is none.
 * @param {Result} result @param {Choose} choose
 */
export function answerTable(result, choose) {
  const { items = [] } = result.answer ?? {};
  const made = items.length === 1 && result.claims.length === 1 ? items[0].table : null;
  if (!made) return null;
  const cited = result.claims[0].citations.map((id) => result.citations.findIndex((one) => one.id === id));
  const row = (cells) => {
    const at = cited.findIndex((one) => one >= 0 && cells.every((cell) => result.citations[one].quote.includes(cell)));
    const show = at >= 0 && mark(result, cited[at], () => choose(0, at), at + 1);
    return el("tr", ...cells.map((text) => cell(text)), el("td.cell-mark", show));
  };
  return el("div.answer-table",
    grid(
      "The answer",
      [
        ...made.headers.map((header, at) => headed(header, made.rows[0]?.[at])),
        el("th", { scope: "col" }, el("span.unseen", "Evidence")),
      ],
      made.rows.slice(0, MOST).map(row),
    ),
    el("p", claimLink(result, 0, "The whole table", choose)),
  );
}

/** The head of a column, over its figures. @param {string} text @param {string} [below] @param {boolean} [cited] */
function headed(text, below = "", cited = false) {
  const head = cell(text, "th", cited);
  head.classList.toggle("is-figure", FIGURE.test(below.trim()));
  return head;
}

/**
 * Cited lines that are rows of a printed table, with the cell marked that the answer gives; null where there are none.
 * @param {Result} result @param {Choose} choose
 */
export function citedTable(result, choose) {
  const { citations } = result;
  if (result.claims.length !== 1 || citations.length > 4) return null;
  const cells = (quote) => quote.replace(/^\s*\||\|\s*$/g, " ").trim().split(CELLS);
  const lines = citations.map((one) => ({ ...one, cells: cells(one.quote) }));
  lines.sort((one, other) => one.line_start - other.line_start);
  const wide = Math.max(0, ...lines.map((one) => one.cells.length));
  const same = lines.length > 1 && lines.every((one) => one.cells.length === wide && !one.quote.includes("\n"));
  if (!same || wide < 3 || new Set(lines.map((one) => one.document)).size > 1) return null;
  const values = (text) => text.match(/\d[\d.,]*\d|\d/g) ?? [];
  const operands = (result.meta.computations ?? []).flatMap((made) => made?.operands ?? []);
  const given = new Set([...values(result.text), ...operands.map((one) => Number(one.value).toLocaleString("en"))]);
  const meant = (text) => values(text).length === 1 && given.has(values(text)[0]);
  const [head, ...rest] = lines;
  const row = ([first, ...others]) =>
    el("tr", el("th", { scope: "row" }, first), ...others.map((text) => cell(text, "td", meant(text))));
  const where = citations.findIndex((one) => one.id === rest[0].id);
  return el("div.answer-table",
    grid(
      "The cited row",
      head.cells.map((text, at) => headed(text, at ? rest[0].cells[at] : "", at > 0 && meant(text))),
      rest.map((one) => row(one.cells)),
    ),
    el("p", button("Show the row", () => choose(0, where), "", "quiet.small")),
  );
}
