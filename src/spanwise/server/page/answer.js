/** The middle of the page: what was asked, what came of it, and what proves it. */

import { actions } from "./actions.js";
import { answerText, claimLink, claimsInText, concerns, leftOut, standing, statements, tally } from "./claims.js";
import { askedAs, earlier, suggested } from "./conversation.js";
import { button, byId, el, findAll, icon } from "./dom.js";
import { figures, grade } from "./figures.js";
import { place, sentence, STATES, stateOf } from "./places.js";
import { evidence, isConflict, sides } from "./quotes.js";
import { claimRoute } from "./route.js";
import { openTwo } from "./source.js";
import { select, set, state, watch } from "./state.js";
import { answerTable, citedTable } from "./tables.js";

/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("./state.js").Result} Result */
/** @typedef {(claim: number, citation?: number) => void} Choose */

/** The text of an answer where nothing was found. */
const NOT_FOUND = "not found in this document";
/** Computed figures of one answer whose way is told. */
const STEPS = 12;

const VERDICTS = {
  answered: STATES.proved,
  review: { label: "Possible answer: check it", icon: "alert" },
  possible: { label: "Possible answers", icon: "question" },
  conflict: { label: "The sources disagree", icon: "alert" },
  clarify: { label: "What do you mean?", icon: "question" },
  missing: { label: "Not found", icon: "search" },
};

/** @param {{ask: (question: string) => void, edit: (question: string) => void, add: () => void}} tools */
export function showAnswers(tools) {
  const root = byId("result");
  let shown = "";
  const show = () => {
    const { answer } = state;
    // While an answer comes in, only its words change: what stays is not made anew.
    if (shown === "asking" && answer.kind === "asking") {
      root.querySelector(".working-note").textContent = answer.note;
      root.querySelector(".streaming").textContent = answer.text;
      return;
    }
    shown = answer.kind;
    root.replaceChildren(...views[shown](answer, tools).filter(Boolean));
    root.setAttribute("aria-busy", shown === "asking" || shown === "loading");
    marked(root);
  };
  watch(["answer"], show);
  let had = "";
  watch(["documents"], () => {
    // What else is found out of the same documents changes nothing here.
    const has = JSON.stringify([state.corpus, state.documents?.map((one) => one.sha256)]);
    if (state.answer.kind === "idle" && has !== had) show();
    had = has;
  });
  watch(["selection"], () => marked(root));
  show();
}

/** @type {Record<Answer["kind"], (answer: any, tools: any) => any[]>} */
const views = {
  idle: (_, tools) => [welcome(tools), earlier(null, tools)],
  loading: () => [el("p.hint", "Loading the answer…")],
  asking: (answer) => [
    card(answer,
      el("div.working", el("span.bead", { "aria-hidden": "true" }), el("span.working-note", answer.note)),
      el("p.answer-text.streaming", answer.text),
    ),
  ],
  stopped: (answer, tools) => [card(answer, el("p", "Stopped. Nothing was kept."), again("Ask again", answer, tools))],
  failed: (answer, tools) => [
    card(answer,
      badge({ label: "No answer", icon: "cross" }, "failed"),
      el("p", { role: "alert" }, sentence(answer.problem.message)),
      again("Try again", answer, tools),
    ),
  ],
  result: ({ result }, tools) => [resultCard(result, tools), earlier(result.trace_id, tools)],
};

/** @param {{question: string}} answer @param {...any} parts */
const card = ({ question }, ...parts) =>
  el("article.card", el("h2.asked", question), ...parts);

/** @param {string} label @param {{question: string}} answer @param {{ask: (question: string) => void}} tools */
const again = (label, { question }, tools) => el("p", button(label, () => tools.ask(question)));

/** @param {{add: () => void}} tools */
function welcome(tools) {
  if (state.documents === null) return null;
  const none = !state.documents.length;
  return el("div.welcome",
    el("h2", none ? "Start with a document" : "Ask a question"),
    el("p", "Every statement of an answer leads to the lines that it rests on, and says whether they prove it. What the " +
        "documents do not support is not said.",
    ),
    none ? button("Add documents", tools.add, "add", "primary") : suggested(tools),
    none && el("p.hint", "PDF, Word, HTML, Markdown or text. Or drop files anywhere on this page."),
  );
}

/** @param {{label: string, icon: string}} verdict @param {string} kind */
const badge = (verdict, kind) => el(`p.badge.is-${kind}`, icon(verdict.icon), verdict.label);

/** @param {Result} result @returns {keyof typeof VERDICTS} */
function verdictOf(result) {
  if (isConflict(result)) return "conflict";
  if (result.decision === "clarify") return "clarify";
  if (result.decision !== "ship") return "missing";
  if (result.possible) return "possible";
  return result.review ? "review" : "answered";
}

/** @param {Result} result @returns {{label: string, icon: string}} */
function labelled(result) {
  const verdict = verdictOf(result);
  return verdict === "possible" && result.claims.length === 1 ? STATES.possible : VERDICTS[verdict];
}

/** @param {Result} result @returns {string} For a screen reader, when the answer has come. */
export const spoken = (result) => `${labelled(result).label}. ${result.text} ${tally(result)?.textContent ?? ""}`;

/** @param {Result} result @param {{edit: (question: string) => void}} tools */
function resultCard(result, tools) {
  const verdict = verdictOf(result);
  const choose = (claim, citation) => chooseClaim(result, claim, citation);
  const parts = { answered, review: answered, possible, conflict, clarify: missing, missing };
  return card(result,
    askedAs(result, tools),
    badge(labelled(result), verdict),
    ...parts[verdict](result, choose, tools),
    figures(result),
    actions(result),
  );
}

/** @param {Result} result @param {Choose} choose */
function answered(result, choose) {
  const { citations } = result;
  const table = answerTable(result, choose);
  const title = STATES[stateOf(result) ?? "possible"].lines;
  return [
    table ?? choices(result, choose) ?? answerText(result, choose),
    table ? null : citedTable(result, choose),
    ...steps(result),
    tally(result),
    statements(result, choose),
    ...notes(result),
    sides(result, choose),
    concerns(result, choose),
    citations.length ? evidence(title, citations, (at) => chooseCitation(result, at)) : null,
  ];
}

/** Possible answers to choose from, each with its place. @param {Result} result @param {Choose} choose */
function choices(result, choose) {
  if (!result.possible || result.claims.length < 2) return null;
  const rows = result.claims.map((claim, at) => {
    const cited = result.citations.find((one) => one.id === claim.citations[0]);
    return el("li", claimLink(result, at, claim.text, choose), cited && el("p.hint", `${cited.document}, ${place(cited)}`));
  });
  return el("ol.answer-text.choices", { "aria-label": "Choose the one that answers" }, ...rows);
}

/** @param {Result} result @returns {Node[]} How each figure that code computed came about; what went in leads there. */
function steps(result) {
  const made = (result.meta.computations ?? []).filter(Boolean).slice(0, STEPS);
  const thousands = (digits) => Number(digits).toLocaleString("en");
  const grouped = (formula) => formula.replace(/(?<![\d.])\d{4,15}(?!\d)/g, thousands);
  return made.map((one) =>
    el("div.computed",
      el("p.hint", `Computed: ${grouped(one.steps.at(-1))}`),
      el("ul", ...one.operands.map((operand) => el("li", operandLink(result, operand, grouped)))),
    ),
  );
}

/** @param {Result} result @param {any} operand @param {(text: string) => string} grouped */
function operandLink(result, { document, line_start: first, label, value, magnitude, unit }, grouped) {
  const figure = [grouped(value), magnitude, unit].filter(Boolean).join(" ");
  const words = label ? `${label}: ${figure}` : figure;
  const at = result.citations.findIndex(
    (one) => one.document === document && one.line_start <= first && first <= one.line_end,
  );
  if (at < 0) return words;
  const where = el("span.hint", ` ${document}, line ${first}`);
  return el("button.operand", { click: () => chooseCitation(result, at) }, el("span", words), where);
}

/** @param {Result} result @param {Choose} choose @param {any} tools */
function possible(result, choose, tools) {
  const order = result.claims.length > 1 ? " The most likely comes first." : "";
  return [el("p", `No line answers this for certain.${order}`), ...answered(result, choose), el("p", rephrase(result, tools))];
}

/** @param {Result} result @param {Choose} choose @param {any} tools */
function conflict(result, choose, tools) {
  const { claims, citations } = result;
  const two = new Set(citations.map((one) => one.document)).size > 1;
  return [
    el("p", "The documents give more than one answer. Which one holds is for you to decide."),
    sides(result, choose),
    claimsInText(result) || !claims.length ? el("p.answer-text", result.text) : null,
    ...notes(result),
    concerns(result, choose),
    claims.length ? null : nearest(result),
    el("div.actions", two && button("Show both documents", () => openTwo(true), "two"), rephrase(result, tools)),
  ];
}

/** Nothing was found, or it was asked back. @param {Result} result @param {Choose} choose @param {any} tools */
function missing(result, choose, tools) {
  const { reason = result.decision_reason, what = "" } = result.missing ?? {};
  const told = (name, words) => (words ? [el("dt", name), el("dd", sentence(words))] : []);
  return [
    // That nothing was found, and where, stands above already.
    result.text !== NOT_FOUND && el("p.answer-text", sentence(result.text)),
    result.decision !== "clarify" && el("dl.why", ...told("Why", reason), ...told("What would answer", what)),
    ...notes(result),
    concerns(result, choose),
    nearest(result),
    el("div.actions",
      state.left.size > 0 &&
        button("Ask all documents", () => (set({ left: new Set() }), tools.askAlone(result.question))),
      rephrase(result, tools),
    ),
  ];
}

/** @param {Result} result */
function nearest(result) {
  const { nearest: quotes = [] } = result.missing ?? {};
  if (!quotes.length) return null;
  const choose = (at) => select(quotes[at].document, { citations: [quotes[at]], as: "nearby" });
  return evidence(STATES.nearby.lines, quotes, choose, "What comes nearest. None of it is an answer.");
}

/** @param {Result} result @param {{edit: (question: string) => void}} tools */
const rephrase = (result, tools) => button("Ask it another way", () => tools.edit(result.question));

/** @param {Result} result @returns {Node[]} Caveats, and warnings that tell of no single statement. */
function notes(result) {
  const { claims, confidence, decision_reason: reason } = result;
  const both = isConflict(result);
  const told = result.warning_details.filter(
    (detail) => !leftOut(detail) && !detail.at && detail.code !== "unchecked_claim" && !(both && detail.quotes),
  );
  // What stands side by side already is not told again.
  const seen = (note) => both && claims.length > 1 && claims.every((claim) => note.includes(claim.text));
  const how = grade(confidence);
  const why = how === "high" ? reason : `The confidence is ${how}: read the lines before you rely on it`;
  const said = [
    ...(verdictOf(result) === "review" ? [why] : []),
    ...(result.answer.caveats ?? []).filter((note) => !seen(note)),
    ...told.map((detail) => String(detail.message ?? detail.code)),
  ];
  return said.map((note) => el("p.note", icon("alert"), sentence(note)));
}

/** @param {Result} result @param {number} claim @param {number} [active] Which of its citations comes into view. */
export function chooseClaim(result, claim, active = 0) {
  const { citations: ids } = result.claims[claim];
  const citations = ids.map((id) => result.citations.find((one) => one.id === id)).filter(Boolean);
  const sure = stateOf(result) === "proved" && standing(result.claims[claim]) === "sound";
  select(citations[active]?.document ?? "", { citations, active, claim, as: sure ? "proved" : "possible" });
  claimRoute(result.trace_id, claim);
}

/** @param {Result} result @param {number} at Position of the citation. */
function chooseCitation(result, at) {
  const cited = result.citations[at];
  const claim = result.claims.findIndex((one) => one.citations.includes(cited.id));
  if (claim >= 0) return chooseClaim(result, claim, result.claims[claim].citations.indexOf(cited.id));
  select(cited.document, { citations: [cited], as: stateOf(result) ?? "possible" });
}

/** Show which claim and which evidence the source panel has. @param {HTMLElement} root */
function marked(root) {
  const { selection } = state;
  const pressed = selection?.claim ?? null;
  for (const link of findAll(".claim", root))
    link.setAttribute("aria-pressed", pressed !== null && pressed === Number(link.dataset.claim));
  const active = selection?.citations[selection.active]?.id;
  for (const element of findAll("[data-citation]", root))
    element.classList.toggle("is-active", element.dataset.citation === active);
}
