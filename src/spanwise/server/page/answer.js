/** The middle of the page: what was asked, what came of it, and what proves it. */

import { actions } from "./actions.js";
import { answerText, claimLink, claimsInText, concerns, leftOut, standing, statements, tally } from "./claims.js";
import { isConflict, sides } from "./conflicts.js";
import { askedAs, earlier, suggested } from "./conversation.js";
import { button, byId, el, findAll, icon } from "./dom.js";
import { evidence } from "./evidence.js";
import { figures, grade } from "./figures.js";
import { place, sentence } from "./places.js";
import { claimRoute } from "./route.js";
import { set, state, watch } from "./state.js";
import { STATES, stateOf } from "./states.js";
import { answerTable, citedTable } from "./tables.js";

/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("./state.js").Result} Result */

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
  let shown = null;
  const show = () => {
    // While an answer comes in, only its words change: what stays is not made anew.
    if (shown === "asking" && state.answer.kind === "asking") return progressed(root, state.answer);
    shown = state.answer.kind;
    root.replaceChildren(...views[shown](state.answer, tools));
    root.setAttribute("aria-busy", String(shown === "asking" || shown === "loading"));
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

/** @type {Record<Answer["kind"], (answer: any, tools: any) => Node[]>} */
const views = {
  idle: (_, tools) => [welcome(tools), earlier(null, tools)].filter(Boolean),
  loading: () => [el("p.hint", "Loading the answer…")],
  asking: (answer) => [
    el("article.card",
      asked(answer.question),
      el("div.working",
        el("span.bead", { "aria-hidden": "true" }),
        el("span.working-note", answer.note),
      ),
      el("p.answer-text.streaming", answer.text),
    ),
  ],
  stopped: (answer, tools) => [
    el("article.card",
      asked(answer.question),
      el("p", "Stopped. Nothing was kept."),
      again("Ask again", answer, tools),
    ),
  ],
  failed: (answer, tools) => [
    el("article.card.card-failed",
      asked(answer.question),
      badge({ label: "No answer", icon: "cross" }, "failed"),
      el("p", { role: "alert" }, sentence(answer.problem.message)),
      again("Try again", answer, tools),
    ),
  ],
  result: (answer, tools) => [resultCard(answer.result, tools), earlier(answer.result.trace_id, tools)].filter(Boolean),
};

/** @param {string} label @param {{question: string}} answer @param {{ask: (question: string) => void}} tools */
function again(label, answer, tools) {
  return el("p", button(label, () => tools.ask(answer.question)),
  );
}

/** @param {HTMLElement} root @param {Extract<Answer, {kind: "asking"}>} answer */
function progressed(root, answer) {
  root.querySelector(".working-note").textContent = answer.note;
  root.querySelector(".streaming").textContent = answer.text;
}

/** @param {{add: () => void}} tools */
function welcome(tools) {
  if (state.documents === null) return el("span");
  const none = !state.documents.length;
  return el("div.welcome",
    el("h2", none ? "Start with a document" : "Ask a question"),
    el("p", "Every statement of an answer leads to the lines that it rests on, and says whether they prove it. What the " +
        "documents do not support is not said.",
    ),
    none ? null : suggested(tools),
    none ? button("Add documents", tools.add, { icon: "add", class: "primary" }) : null,
    none ? el("p.hint", "PDF, Word, HTML, Markdown or text. Or drop files anywhere on this page.") : null,
  );
}

/** @param {string} question */
function asked(question) {
  return el("h2.asked", question);
}

/** @param {{label: string, icon: string}} verdict @param {string} kind */
function badge(verdict, kind) {
  return el("p", { class: `badge badge-${kind}` }, icon(verdict.icon), verdict.label);
}

/** @param {Result} result @returns {keyof typeof VERDICTS} */
export function verdictOf(result) {
  if (isConflict(result)) return "conflict";
  if (result.decision === "clarify") return "clarify";
  if (result.decision !== "ship") return "missing";
  if (result.possible) return "possible";
  return result.review ? "review" : "answered";
}

/** @param {keyof typeof VERDICTS} verdict @param {Result} result @returns {{label: string, icon: string}} */
function labelled(verdict, result) {
  const single = verdict === "possible" && result.claims.length === 1;
  return single ? STATES.possible : VERDICTS[verdict];
}

/** @param {Result} result @returns {string} For a screen reader, when the answer has come. */
export function spoken(result) {
  return `${labelled(verdictOf(result), result).label}. ${result.text} ${tally(result)?.textContent ?? ""}`;
}

/** @param {Result} result @param {{edit: (question: string) => void}} tools */
function resultCard(result, tools) {
  const verdict = verdictOf(result);
  const choose = (claim, citation = 0) => chooseClaim(result, claim, citation);
  const parts = { answered, review: answered, possible, conflict, clarify, missing };
  return el(
    "article",
    { class: `card card-${verdict}` },
    asked(result.question),
    askedAs(result, tools),
    badge(labelled(verdict, result), verdict),
    ...parts[verdict](result, choose, tools),
    figures(result),
    actions(result),
  );
}

/** @param {Result} result @param {(claim: number, citation?: number) => void} choose */
function answered(result, choose) {
  const quotes = result.citations.length
    ? evidence(STATES[stateOf(result) ?? "possible"].lines, result.citations, (at) => chooseCitation(result, at), {
        numbered: true,
      })
    : null;
  return [
    answerTable(result, choose) ?? choices(result, choose) ?? answerText(result, choose),
    citedTable(result, choose),
    ...steps(result),
    tally(result),
    statements(result, choose),
    ...notes(result),
    sides(result, choose),
    concerns(result, choose),
    quotes,
  ];
}

/** Possible answers to choose from, each with its place. @param {Result} result @param {(claim: number) => void} choose */
function choices(result, choose) {
  if (!result.possible || result.claims.length < 2) return null;
  const where = (claim) => {
    const cited = result.citations.find((one) => one.id === claim.citations[0]);
    return cited ? el("p.hint", `${cited.document}, ${place(cited)}`) : null;
  };
  const rows = result.claims.map((claim, at) =>
    el("li", claimLink(result, at, claim.text, choose), where(claim)),
  );
  return el("ol.answer-text.choices", { "aria-label": "Choose the one that answers" }, ...rows);
}

/** @param {Result} result @returns {Node[]} How each figure that code computed came about; what went in leads there. */
function steps(result) {
  const made = (result.meta.computations ?? []).filter((one) => one).slice(0, STEPS);
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
function operandLink(result, operand, grouped) {
  const { document, line_start: first, label } = operand;
  const figure = [grouped(operand.value), operand.magnitude, operand.unit].filter(Boolean).join(" ");
  const at = result.citations.findIndex(
    (one) => one.document === document && one.line_start <= first && first <= one.line_end,
  );
  const words = label ? `${label}: ${figure}` : figure;
  if (at < 0) return words;
  const where = el("span.hint", ` ${document}, line ${first}`);
  const show = { click: () => chooseCitation(result, at) };
  return el("button", { type: "button", class: "operand", on: show }, el("span", words), where);
}

/** @param {Result} result @param {(claim: number, citation?: number) => void} choose @param {any} tools */
function possible(result, choose, tools) {
  const order = result.claims.length > 1 ? " The most likely comes first." : "";
  return [
    el("p", `No line answers this for certain.${order}`),
    ...answered(result, choose),
    rephrase(result, tools),
  ];
}

/** @param {Result} result @param {(claim: number, citation?: number) => void} choose @param {any} tools */
function conflict(result, choose, tools) {
  const inText = claimsInText(result);
  return [
    el("p", "The documents give more than one answer. Which one holds is for you to decide."),
    sides(result, choose),
    inText || !result.claims.length ? el("p.answer-text", result.text) : null,
    ...notes(result),
    concerns(result, choose),
    result.claims.length ? null : nearest(result),
    rephrase(result, tools),
  ];
}

/** @param {Result} result @param {unknown} choose @param {any} tools */
function clarify(result, choose, tools) {
  return [el("p.answer-text", result.text), ...notes(result), nearest(result), rephrase(result, tools)];
}

/** @param {Result} result @param {(claim: number) => void} choose @param {any} tools */
function missing(result, choose, tools) {
  const { reason = result.decision_reason, what = "" } = result.missing ?? {};
  return [
    el("p.answer-text", sentence(result.text)),
    el("dl.why",
      el("dt", "Why"),
      el("dd", sentence(reason)),
      ...(what ? [el("dt", "What would answer"), el("dd", sentence(what))] : []),
    ),
    ...notes(result),
    concerns(result, choose),
    nearest(result),
    el("div.actions", ...wider(result, tools), rephrase(result, tools)),
  ];
}

/** What else could be asked where nothing was found. @param {Result} result @param {any} tools @returns {Node[]} */
function wider(result, tools) {
  if (!state.left.size) return [];
  return [button("Ask all documents", () => (set({ left: new Set() }), tools.askAlone(result.question)))];
}

/** @param {Result} result */
function nearest(result) {
  const quotes = result.missing?.nearest ?? [];
  if (!quotes.length) return null;
  const note = "What comes nearest. None of it is an answer.";
  const choose = (at) =>
    set({
      selection: { document: quotes[at].document, citations: [quotes[at]], active: 0, claim: null, as: "nearby" },
    });
  return evidence(STATES.nearby.lines, quotes, choose, { numbered: false, note });
}

/** @param {Result} result @param {{edit: (question: string) => void}} tools */
function rephrase(result, tools) {
  return el("p", button("Ask it another way", () => tools.edit(result.question)),
  );
}

/** @param {Result} result @returns {Node[]} Caveats, and warnings that tell of no single statement. */
function notes(result) {
  const told = result.warning_details.filter(
    (detail) =>
      !leftOut(detail) && !detail.at && detail.code !== "unchecked_claim" && !(isConflict(result) && detail.quotes),
  );
  // What stands side by side already is not told again.
  const seen = (note) =>
    isConflict(result) && result.claims.length > 1 && result.claims.every((claim) => note.includes(claim.text));
  const said = [
    ...(result.answer.caveats ?? []).filter((note) => !seen(note)),
    ...told.map((detail) => String(detail.message ?? detail.code)),
  ];
  const reason = verdictOf(result) === "review" ? [whyReview(result)] : [];
  return [...reason, ...said].map((note) => el("p.note", icon("alert"), sentence(note)));
}

/** @param {Result} result @returns {string} */
function whyReview(result) {
  const how = grade(result.confidence);
  return how === "high" ? result.decision_reason : `The confidence is ${how}: read the lines before you rely on it`;
}

/** @param {Result} result @param {number} claim @param {number} [citation] Which of its citations comes into view. */
export function chooseClaim(result, claim, citation = 0) {
  const { citations: ids } = result.claims[claim];
  const citations = ids.map((id) => result.citations.find((one) => one.id === id)).filter((one) => one !== undefined);
  const document = citations[citation]?.document ?? "";
  set({ selection: { document, citations, active: citation, claim, as: claimState(result, claim) } });
  claimRoute(result.trace_id, claim);
}

/** @param {Result} result @param {number} claim @returns {import("./states.js").State} */
function claimState(result, claim) {
  return stateOf(result) === "proved" && standing(result.claims[claim]) === "sound" ? "proved" : "possible";
}

/** @param {Result} result @param {number} at Position of the citation. */
function chooseCitation(result, at) {
  const cited = result.citations[at];
  const claim = result.claims.findIndex((one) => one.citations.includes(cited.id));
  if (claim >= 0) return chooseClaim(result, claim, result.claims[claim].citations.indexOf(cited.id));
  const as = stateOf(result) ?? "possible";
  set({ selection: { document: cited.document, citations: [cited], active: 0, claim: null, as } });
}

/** Show which claim and which evidence the source panel has. @param {HTMLElement} root */
function marked(root) {
  const { selection } = state;
  for (const link of findAll(".claim", root)) {
    const chosen = selection !== null && selection.claim === Number(link.dataset.claim);
    link.setAttribute("aria-pressed", String(chosen));
  }
  const active = selection?.citations[selection.active]?.id;
  for (const element of findAll("[data-citation]", root)) {
    element.classList.toggle("is-active", element.dataset.citation === active);
  }
}
