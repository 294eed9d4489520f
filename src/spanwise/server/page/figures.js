/** How sure the answer is, and what it was made from: one click below the answer. */

import { el } from "./dom.js";
import { counted, sentence } from "./places.js";

/** @typedef {import("./state.js").Result} Result */

/** Below the first hardly likely; from the second on an answer, below it a possible one. */
const LOW = 0.4;
const HIGH = 0.7;

/** @param {number} confidence @returns {string} */
export function grade(confidence) {
  return confidence < LOW ? "low" : confidence < HIGH ? "medium" : "high";
}

/**
 * Calls, tokens and dollars in words, before a question and after it.
 * @param {{calls: number, prompt_tokens?: number, completion_tokens?: number, cost_usd?: number | null}} told
 */
export function spent({ calls, prompt_tokens: prompt = 0, completion_tokens: completion = 0, cost_usd: cost }) {
  const words = `${counted(calls, "call")}, ${counted(prompt + completion, "token")}`;
  return cost ? `${words}, ${dollars(cost)}` : words;
}

/** @param {number} cost */
function dollars(cost) {
  return `USD ${cost.toPrecision(2)}`;
}

/** @param {Result} result */
export function figures(result) {
  const rows = el("dl", ...rowsOf(result).flatMap(([name, value]) => [el("dt", name), el("dd", value)]));
  // An answer that does not ship has no confidence.
  if (!result.claims.length) return el("details.figures", el("summary", "Details"), rows);
  const percent = Math.round(result.confidence * 100);
  const fill = el("span", { class: `meter-fill meter-${grade(result.confidence)}` });
  fill.style.setProperty("width", `${percent}%`);
  return el("details.figures",
    el("summary", el("span", "Confidence ", el("strong", `${percent} %`), ` · ${grade(result.confidence)}`),
      result.metrics.cost_usd ? el("span", dollars(result.metrics.cost_usd)) : null,
      el("span.meter", { "aria-hidden": "true" }, fill),
    ),
    rows,
  );
}

/** @param {Result} result @returns {[string, string][]} */
function rowsOf(result) {
  const { metrics, meta, completeness, claims } = result;
  /** @type {[string, string][]} */
  const rows = [
    ["Decision", sentence(result.decision_reason)],
    ["Evidence", `${Math.round(completeness.weak * 100)} % complete; ${completeness.why}`],
  ];
  if (claims.length) rows.push(["Scores of the claims", claims.map((claim) => claim.score.toFixed(2)).join(", ")]);
  rows.push([
    "Written by",
    meta.model_name ? `${meta.model_name} (${meta.mode})` : "no model: the words are the documents’ own",
  ]);
  if (metrics.llm_calls) rows.push(["Cost", spent({ ...metrics, calls: metrics.llm_calls })]);
  if (metrics.latency_ms !== undefined) rows.push(["Time", `${(metrics.latency_ms / 1000).toFixed(2)} s`]);
  rows.push(["Trace", result.trace_id]);
  return rows;
}
