/** How sure the answer is, and what it was made from: one click below the answer. */

import { el } from "./dom.js";
import { counted, sentence } from "./places.js";

/** @typedef {import("./state.js").Result} Result */

/** Below the first hardly likely; from the second on an answer, below it a possible one. */
const LOW = 0.4;
const HIGH = 0.7;

/** @param {number} confidence @returns {string} */
export const grade = (confidence) => (confidence < LOW ? "low" : confidence < HIGH ? "medium" : "high");

/**
 * Calls, tokens and dollars in words, before a question and after it.
 * @param {{calls: number, prompt_tokens?: number, completion_tokens?: number, cost_usd?: number | null}} told
 */
export function spent({ calls, prompt_tokens: prompt = 0, completion_tokens: completion = 0, cost_usd: cost }) {
  const words = `${counted(calls, "call")}, ${counted(prompt + completion, "token")}`;
  return cost ? `${words}, ${dollars(cost)}` : words;
}

/** @param {number} cost */
const dollars = (cost) => `USD ${cost.toPrecision(2)}`;

/** Facts with their names. @param {string} tag @param {any[][]} rows */
export const facts = (tag, rows) =>
  el(tag, ...rows.filter(Boolean).flatMap(([name, value]) => [el("dt", name), el("dd", value)]));

/** @param {Result} result */
export function figures({ metrics, meta, completeness, claims, confidence, ...result }) {
  const rows = facts("dl", [
    ["Decision", sentence(result.decision_reason)],
    ["Evidence", `${Math.round(completeness.weak * 100)} % complete; ${completeness.why}`],
    claims.length && ["Scores of the claims", claims.map((claim) => claim.score.toFixed(2)).join(", ")],
    ["Written by", meta.model_name ? `${meta.model_name} (${meta.mode})` : "no model: the words are the documents’ own"],
    metrics.llm_calls && ["Cost", spent({ ...metrics, calls: metrics.llm_calls })],
    metrics.latency_ms !== undefined && ["Time", `${(metrics.latency_ms / 1000).toFixed(2)} s`],
    ["Trace", result.trace_id],
  ]);
  // An answer that does not ship has no confidence.
  if (!claims.length) return el("details.figures", el("summary", "Details"), rows);
  const width = `${Math.round(confidence * 100)}%`;
  const fill = el(`span.meter-fill.is-${grade(confidence)}`, { style: { width } });
  return el("details.figures",
    el("summary",
      el("span", "Confidence ", el("strong", width.replace("%", " %")), ` · ${grade(confidence)}`),
      metrics.cost_usd > 0 && el("span", dollars(metrics.cost_usd)),
      el("span.meter", { "aria-hidden": "true" }, fill),
    ),
    rows,
  );
}
