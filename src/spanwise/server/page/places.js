/** Places, counts and states in words; and offsets: the API counts characters as Python does, a script UTF-16 units. */

import { el } from "./dom.js";

/** @typedef {import("./state.js").Citation} Citation */
/** @typedef {"proved" | "possible" | "nearby"} State */

/** The states of what is shown, in the same words everywhere. @type {Record<State, {label: string, icon: string, lines: string}>} `lines` names quotes of that state. */
export const STATES = {
  proved: { label: "Proved answer", icon: "check", lines: "Proof" },
  possible: { label: "Possible answer", icon: "question", lines: "Quoted lines" },
  nearby: { label: "Quoted nearby", icon: "search", lines: "Quoted nearby" },
};

/**
 * The state of a kept answer, or of its entry in the history.
 * @param {{decision: string, review: boolean, possible: boolean}} told
 * @returns {State | null} null where the reader has to decide; `nearby` where nothing was found.
 */
export function stateOf({ decision, review, possible }) {
  if (decision === "ship") return possible || review ? "possible" : "proved";
  return decision === "clarify" ? null : "nearby";
}

/**
 * A function that cuts a text at character positions.
 * @param {string} text
 * @returns {(start: number, end?: number) => string}
 */
export function cutter(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join("");
}

/** @param {Citation} citation @returns {string} "page 6 (printed 2), lines 78–80" */
export function place({ page, page_label: label, line_start: first, line_end: last, cells }) {
  const lines = last > first ? `lines ${first}–${last}` : `line ${first}`;
  const printed = label && label !== String(page) ? ` (printed ${label})` : "";
  return cells || (page === null ? lines : `page ${page}${printed}, ${lines}`);
}

/** Characters of a name that are shown where there is little room, and how many of them are its last ones. */
const LONGEST = 44;
const LAST = 20;

/** @param {string} name @returns {string} Without its middle if it is long: names often differ in their ends. */
export function shortened(name) {
  const characters = Array.from(name);
  if (characters.length <= LONGEST) return name;
  return `${characters.slice(0, LONGEST - LAST - 1).join("")}…${characters.slice(-LAST).join("")}`;
}

/**
 * A name with places where it may be broken into lines: after what joins its parts, and not inside them.
 * @param {string} name
 * @returns {(Node | string)[]}
 */
export const breakable = (name) =>
  name.split(/(?<=[_\-–—,;&+()[\]])(?=[^_\-–—,;&+()[\]])/).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));

/** @param {number} count @param {string} one @param {string} [many] @returns {string} "1 page", "7 pages" */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** @param {string} text @returns {string} With a capital first and a stop last, for reasons written as notes. */
export function sentence(text) {
  const said = text.trim();
  return said && said[0].toUpperCase() + said.slice(1) + (/[.?!:…]$/.test(said) ? "" : ".");
}
