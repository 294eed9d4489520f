/** The three states of what is shown, in the same words everywhere. */

/** @typedef {import("./state.js").Result} Result */
/** @typedef {"proved" | "possible" | "nearby"} State */

/** @type {Record<State, {label: string, icon: string, lines: string}>} `lines` names quotes of that state. */
export const STATES = {
  proved: { label: "Proved answer", icon: "check", lines: "Proof" },
  possible: { label: "Possible answer", icon: "question", lines: "Quoted lines" },
  nearby: { label: "Quoted nearby", icon: "search", lines: "Quoted nearby" },
};

/**
 * The state of a kept answer, or of its entry in the history.
 * @param {{decision: string, review: boolean, possible: boolean}} told
 * @returns {State | null} null for a question that was asked back; `nearby` where nothing was found.
 */
export function stateOf({ decision, review, possible }) {
  if (decision === "ship") return possible || review ? "possible" : "proved";
  return decision === "clarify" ? null : "nearby";
}
