/** Where the sources disagree: what each of them says, side by side. */

import { claimLink } from "./claims.js";
import { el } from "./dom.js";
import { flowed } from "./evidence.js";
import { place } from "./places.js";
import { set } from "./state.js";

/** @typedef {import("./state.js").Result} Result */

/** Lines that are shown for one side; its marks lead to the others. */
const PLACES = 3;

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
  const claims = isConflict(result) ? result.claims.map((_, position) => side(result, position, choose)) : [];
  const lines = claims.length
    ? []
    : result.warning_details.flatMap((detail) => detail.quotes ?? []).map((quote) => lineSide(result, quote));
  const columns = [...claims, ...lines];
  return columns.length
    ? el("section.conflict.sides", { "aria-label": "What the sources say" }, ...columns)
    : null;
}

/** @param {Result} result @param {number} position @param {(claim: number, citation?: number) => void} choose */
function side(result, position, choose) {
  const claim = result.claims[position];
  const cited = result.citations.filter((one) => claim.citations.includes(one.id));
  return el("div.side",
    el("p.side-said", claimLink(result, position, claim.text, choose)),
    ...cited
      .slice(0, PLACES)
      .map((one) =>
        el("div", el("p.side-place", `${one.document}, ${place(one)}`),
          one.quote === claim.text ? null : el("blockquote", flowed(one)),
        ),
      ),
  );
}

/** @param {Result} result @param {any} told A quote, alone or with its place. */
function lineSide(result, told) {
  if (typeof told === "string") return el("div.side", el("blockquote", told));
  const same = (one) =>
    one.document === told.document && one.line_start === told.line_start && one.line_end === told.line_end;
  const citation = result.citations.find(same) ?? { id: "", boxes: [], page_label: null, at: [0, 0], ...told };
  const { document } = citation;
  const show = () => set({ selection: { document, citations: [citation], active: 0, claim: null, as: "possible" } });
  return el("div.side",
    el("button.quote-place", { type: "button", on: { click: show } },
      el("span.quote-document", citation.document),
      " ",
      el("span.quote-lines", place(citation)),
    ),
    el("blockquote", citation.quote),
  );
}
