/** Quotes with their places: what proves an answer, what came nearest to one, and where the sources disagree. */

import { claimLink } from "./claims.js";
import { el, shorten } from "./dom.js";
import { breakable, place } from "./places.js";
import { select } from "./state.js";

/** @typedef {import("./state.js").Citation} Citation */
/** @typedef {import("./state.js").Result} Result */

/** A line of a page that is at least so long goes on in the next one, as far as the eye is concerned. */
const FULL_LINE = /(\S.{55,})\n/g;
/** Quotes that are shown at once. */
const FIRST = 6;
/** Lines that are shown for one side of a conflict; its marks lead to the others. */
const PLACES = 3;

/** The words of a citation, without the line breaks of running text on a page. @param {any} citation */
const blockquote = ({ page, cells, quote }) => el("blockquote", page && !cells ? quote.replace(FULL_LINE, "$1 ") : quote);

/** A quote with its place, which leads there. @param {any} citation @param {() => void} click @param {number} [number] */
export function quoted(citation, click, number) {
  return el("div.quote", { data: { citation: citation.id } },
    el("button.quote-place", { click },
      number > 0 && el("span.number", number),
      el("span.quote-document", ...breakable(citation.document)),
      " ",
      el("span.quote-lines", place(citation)),
    ),
    blockquote(citation),
  );
}

/**
 * @param {string} title @param {Citation[]} citations @param {(position: number) => void} choose
 * @param {string} [note] Instead of numbers.
 */
export function evidence(title, citations, choose, note) {
  const rows = citations.map((one, at) => el("li", quoted(one, () => choose(at), note ? 0 : at + 1)));
  const list = el("ol.quotes");
  const more = shorten(list, rows, FIRST);
  return el("section.evidence", el("h3", title), note && el("p.hint", note), list, more);
}

/** @param {Result} result @returns {boolean} */
export function isConflict(result) {
  return result.decision_reason === "conflicting_evidence" || result.missing?.kind === "conflicting";
}

/**
 * The claims of a conflict as columns; where an answer ships all the same, the lines that contradict each other.
 * @param {Result} result
 * @param {(claim: number, citation?: number) => void} choose
 */
export function sides(result, choose) {
  const columns =
    isConflict(result) && result.claims.length
      ? result.claims.map((claim, position) => side(result, claim, position, choose))
      : result.warning_details.flatMap(({ quotes = [] }) => quotes).map((told) => lineSide(result, told));
  return columns.length ? el("section.conflict.sides", { "aria-label": "What the sources say" }, ...columns) : null;
}

/** @param {Result} result @param {any} claim @param {number} position @param {any} choose */
function side(result, claim, position, choose) {
  const cited = result.citations.filter((one) => claim.citations.includes(one.id)).slice(0, PLACES);
  return el("div.side",
    el("p.side-said", claimLink(result, position, claim.text, choose)),
    ...cited.flatMap((one) => [
      el("p.side-place", `${one.document}, ${place(one)}`),
      one.quote !== claim.text && blockquote(one),
    ]),
  );
}

/** @param {Result} result @param {any} told A quote, alone or with its place. */
function lineSide(result, told) {
  if (typeof told === "string") return el("div.side", el("blockquote", told));
  const { document, line_start: first, line_end: last } = told;
  const citation =
    result.citations.find((one) => one.document === document && one.line_start === first && one.line_end === last) ??
    { id: "", boxes: [], page_label: null, at: [0, 0], ...told };
  return el("div.side", quoted(citation, () => select(document, { citations: [citation], as: "possible" })));
}
