/** Answers and evidence that are tables, as tables: with the cells marked that the answer rests on. */

import { claimLink } from "./claims.js";
import { el } from "./dom.js";

/** @typedef {import("./state.js").Result} Result */

/** Between the cells of a printed row. */
const CELLS = /\s{2,}|\s\|\s/;
/** Rows that are shown. */
const MOST = 200;

/**
 * The table that an answer is, each of its rows cited; null for an answer that is none.
 * @param {Result} result @param {(claim: number, citation?: number) => void} choose
 */
export function answerTable(result, choose) {
  const items = result.answer?.items ?? [];
  const made = items.length === 1 && result.claims.length === 1 ? items[0].table : null;
  if (!made) return null;
  const [claim] = result.claims;
  const cited = claim.citations.map((id) => result.citations.find((one) => one.id === id));
  const row = (cells) => {
    const at = cited.findIndex((one) => one && cells.every((cell) => one.quote.includes(cell)));
    const shown = cells.map((cell) => el("td", cell));
    if (at < 0) return el("tr", ...shown, el("td"));
    const show = el(
      "button",
      { type: "button", class: "mark-number", "aria-label": `Evidence ${at + 1}`, on: { click: () => choose(0, at) } },
      at + 1,
    );
    show.dataset.citation = cited[at].id;
    return el("tr", ...shown, el("td.cell-mark", show));
  };
  return framed(
    "The answer",
    [
      ...made.headers.map((header) => el("th", { scope: "col" }, header)),
      el("th", { scope: "col" }, el("span.unseen", "Evidence")),
    ],
    made.rows.slice(0, MOST).map(row),
    claimLink(result, 0, "The whole table", choose),
  );
}

/**
 * Cited lines that are rows of a printed table, with the cell marked that the answer gives; null where there are none.
 * @param {Result} result @param {(claim: number, citation?: number) => void} choose
 */
export function citedTable(result, choose) {
  if (result.claims.length !== 1 || result.citations.length > 4) return null;
  const lines = result.citations.map((one) => ({ ...one, cells: one.quote.split(CELLS) }));
  lines.sort((one, other) => one.line_start - other.line_start);
  const wide = Math.max(0, ...lines.map((one) => one.cells.length));
  const same = lines.length > 1 && lines.every((one) => one.cells.length === wide && !one.quote.includes("\n"));
  if (!same || wide < 3 || new Set(lines.map((one) => one.document)).size > 1) return null;
  const values = (text) => text.match(/\d[\d.,]*\d|\d/g) ?? [];
  const operands = (result.meta.computations ?? []).flatMap((made) => made?.operands ?? []);
  const given = new Set([...values(result.text), ...operands.map((one) => Number(one.value).toLocaleString("en"))]);
  const [head, ...rest] = lines;
  const marked = (cell) => values(cell).length === 1 && given.has(values(cell)[0]);
  const rows = rest.map((one) =>
    el("tr", ...one.cells.map((cell, at) =>
        at ? el("td", { class: marked(cell) ? "is-cited" : "" }, marked(cell) ? el("mark", cell) : cell) : el("th", { scope: "row" }, cell),
      ),
    ),
  );
  const where = result.citations.findIndex((one) => one.id === rest[0].id);
  const show = el("button.quiet.small", { type: "button", on: { click: () => choose(0, where) } }, "Show the row");
  return framed(
    "The cited row",
    head.cells.map((cell, at) => el("th", { scope: "col", class: at && marked(cell) ? "is-cited" : "" }, cell)),
    rows,
    show,
  );
}

/** @param {string} label @param {Node[]} head @param {Node[]} rows @param {Node} below */
function framed(label, head, rows, below) {
  return el("div.answer-table",
    el("div.grid", { tabindex: "0", role: "region", "aria-label": label },
      el("table", el("thead", el("tr", ...head)), el("tbody", ...rows)),
    ),
    el("p", below),
  );
}
