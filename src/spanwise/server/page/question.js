/** The question: written, sent, heard as its answer comes, and stopped. */

import { announce, forgive } from "./announce.js";
import { spoken } from "./answer.js";
import { api } from "./api.js";
import { answered, before } from "./conversation.js";
import { byId, on } from "./dom.js";
import { spent } from "./figures.js";
import { counted } from "./places.js";
import { answerRoute } from "./route.js";
import { chosen, writer } from "./settings.js";
import { asked, askedIds, set, state, watch } from "./state.js";

const field = /** @type {HTMLTextAreaElement} */ (byId("question"));
const send = byId("send");
/** Milliseconds after the last letter, before it is asked what the question will cost. */
const PAUSE = 600;

/** @type {AbortController | null} */
let running = null;

/** @param {{answered: (result: import("./state.js").Result) => void}} tools */
export function askQuestions(tools) {
  on("ask", "submit", (event) => {
    event.preventDefault();
    if (running) stop();
    else ask(field.value, tools);
  });
  on(field, "input", () => (grown(), costSoon()));
  on(field, "keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running) ask(field.value, tools);
  });
  watch(["documents", "left", "corpus", "corpora"], () => (scope(), costSoon()));
  scope();
}

/**
 * @param {string} text
 * @param {{answered: (result: import("./state.js").Result) => void}} tools
 * @param {boolean} [alone] Whether it is no follow-up.
 */
export async function ask(text, tools, alone = false) {
  const question = text.trim();
  const earlier = alone ? null : before();
  if (!question) return field.focus();
  const entries = asked();
  if (!entries.length) return scope(true);
  stop();
  const mine = new AbortController();
  running = mine;
  busy(true);
  forgive();
  write(question);
  set({
    selection: null,
    cited: null,
    answer: { kind: "asking", question, note: `Looking in ${counted(entries.length, "document")}…`, text: "" },
  });
  announce("Looking for an answer");
  try {
    const result = await heard(wanted(question, earlier), mine.signal);
    if (mine.signal.aborted) return;
    // Who goes on typing asks the next question, and who wants to change this one still has it.
    if (document.activeElement === field) field.select();
    answered(question, result);
    set({ answer: { kind: "result", result } });
    announce(spoken(result));
    answerRoute(result.trace_id);
    tools.answered(result);
  } catch (problem) {
    if (!mine.signal.aborted) set({ answer: { kind: "failed", question, problem } });
  } finally {
    if (running === mine) running = null;
    busy(running !== null);
  }
}

/** @param {Record<string, unknown>} wanted @param {AbortSignal} signal */
async function heard(wanted, signal) {
  let result = null;
  for await (const { event, data } of api.ask(wanted, signal)) {
    if (signal.aborted) break;
    const now = /** @type {Extract<import("./state.js").Answer, {kind: "asking"}>} */ (state.answer);
    if (event === "call")
      set({ answer: { ...now, note: `The model has answered ${data.done} of ${data.total}; checking it…` } });
    if (event === "text") set({ answer: { ...now, note: "Checked, line by line:", text: now.text + data.text } });
    if (event === "result") result = data;
  }
  if (result) return result;
  throw new Error("The connection ended before the answer came. Ask again.");
}

/** What is asked. @param {string} question @param {string | null} after @returns {Record<string, unknown>} */
const wanted = (question, after) => ({ question, documents: askedIds(), ...chosen(), after: after ?? undefined });

/** @returns {string | null} The model that would answer. */
const model = () => writer(state.corpora.find((corpus) => corpus.name === state.corpus)?.model);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let costing;
let asking = new AbortController();

/** Say what the question will cost, once nothing is typed any more; without a model it costs nothing. */
function costSoon() {
  clearTimeout(costing);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const place = byId("cost");
  place.textContent = "";
  place.hidden = !model();
  if (place.hidden) return;
  costing = setTimeout(async () => {
    const question = field.value.trim();
    if (!question || !asked().length) return;
    // What cannot be known before is known after: nobody needs to be told that it cannot.
    const plan = await api.plan(wanted(question, before()), signal).catch(() => null);
    if (plan?.calls && !signal.aborted) place.textContent = `At most ${spent(plan)}`;
  }, PAUSE);
}

/** Stop what is being asked. @returns {boolean} Whether there was something to stop. */
export function stop() {
  if (!running || state.answer.kind !== "asking") return false;
  running.abort();
  running = null;
  busy(false);
  set({ answer: { kind: "stopped", question: state.answer.question } });
  announce("Stopped");
  return true;
}

/** @param {string} question Put in the field, to be sent again or changed. */
export function write(question) {
  field.value = question;
  grown();
}

/** @param {string} question */
export function edit(question) {
  write(question);
  field.focus();
  field.select();
}

/** @param {boolean} on */
function busy(on) {
  send.textContent = on ? "Stop" : "Ask";
  send.classList.toggle("is-stop", on);
}

/** As high as its text, up to a limit that the style sheet sets. */
function grown() {
  field.style.setProperty("height", "auto");
  field.style.setProperty("height", `${field.scrollHeight + 2}px`);
}

/** Which documents a question goes to. @param {boolean} [wrong] */
function scope(wrong = false) {
  const place = byId("scope-asked");
  const total = state.documents?.length ?? 0;
  const chosen = asked().length;
  const who = model() ? `${model()} writes, every claim is checked` : "answers in the documents’ own words";
  const all = total === 1 ? "" : "all ";
  const which = (chosen === total ? all : `${chosen} of `) + counted(total, "document");
  const none = total ? "Choose at least one document to ask." : "Add a document first.";
  place.textContent = state.documents === null ? "" : chosen ? `Asks ${which} · ${who}` : none;
  place.parentElement.classList.toggle("wrong", wrong && !chosen);
  if (wrong && !chosen) announce(none);
}
