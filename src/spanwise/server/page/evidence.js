/** Quotes with their places: what proves an answer, or what came nearest to one. */

import { button, el } from "./dom.js";
import { breakable, place } from "./places.js";

/** @typedef {import("./state.js").Citation} Citation */

/** A line of a page that is at least so long goes on in the next one, as far as the eye is concerned. */
const FULL_LINE = /(\S.{55,})\n/g;

/** @param {Citation} citation @returns {string} Its quote, without the line breaks of running text on a page. */
export function flowed(citation) {
  return citation.boxes.length ? citation.quote.replace(FULL_LINE, "$1 ") : citation.quote;
}

/** Quotes that are shown at once; one click shows the others. */
const FIRST = 6;

/**
 * @param {string} title
 * @param {Citation[]} citations
 * @param {(position: number) => void} choose
 * @param {{numbered: boolean, note?: string}} options
 */
export function evidence(title, citations, choose, options) {
  const cards = citations.map((citation, position) => card(citation, position, choose, options.numbered));
  const list = el("ol.quotes", ...cards.slice(0, FIRST));
  const section = el("section.evidence",
    el("h3", title),
    options.note ? el("p.hint", options.note) : null,
    list,
  );
  if (cards.length > FIRST) {
    const all = button(`Show all ${cards.length}`, () => {
      list.append(...cards.slice(FIRST));
      cards[FIRST].querySelector("button")?.focus();
      all.remove();
    });
    section.append(all);
  }
  return section;
}

/**
 * @param {Citation} citation @param {number} position @param {(position: number) => void} choose
 * @param {boolean} numbered
 */
export function card(citation, position, choose, numbered) {
  return el("li.quote", { data: { citation: citation.id } },
    el("button.quote-place", { type: "button", on: { click: () => choose(position) } },
      numbered ? el("span.number", position + 1) : null,
      el("span.quote-document", ...breakable(citation.document)),
      " ",
      el("span.quote-lines", place(citation)),
    ),
    el("blockquote", flowed(citation)),
  );
}
