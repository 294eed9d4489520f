/** The question: written, sent, heard as its answer comes, and stopped. */

import { announce, forgive } from "./announce.js";
import { spoken } from "./answer.js";
import { api } from "./api.js";
import { byId } from "./dom.js";
import { counted } from "./places.js";
import { answerRoute } from "./route.js";
import { asked, set, state, watch } from "./state.js";

const field = /** @type {HTMLTextAreaElement} */ (byId("question"));
const send = byId("send");

/** @type {AbortController | null} */
let running = null;

/** @param {{answered: (result: import("./state.js").Result) => void}} tools */
export function askQuestions(tools) {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) stop();
    else ask(field.value, tools);
  });
  field.addEventListener("input", grown);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running) ask(field.value, tools);
  });
  watch(["documents", "left", "corpus", "corpora"], scope);
  scope();
}

/**
 * @param {string} text
 * @param {{answered: (result: import("./state.js").Result) => void}} tools
 */
export async function ask(text, tools) {
  const question = text.trim();
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
    const all = entries.length === state.documents.length;
    const result = await heard(question, all ? null : entries.map((entry) => entry.id), mine.signal);
    if (mine.signal.aborted) return;
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

/** @param {string} question @param {string[] | null} documents @param {AbortSignal} signal */
async function heard(question, documents, signal) {
  let result = null;
  for await (const { event, data } of api.ask(state.corpus, question, documents, signal)) {
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
  const place = byId("scope");
  const total = state.documents?.length ?? 0;
  const chosen = asked().length;
  const model = state.corpora.find((corpus) => corpus.name === state.corpus)?.model;
  const who = model ? `${model} writes, every claim is checked` : "answers in the documents’ own words";
  const which =
    chosen === total
      ? `all ${counted(total, "document")}`.replace(/^all 1 /, "1 ")
      : `${chosen} of ${counted(total, "document")}`;
  const none = total ? "Choose at least one document to ask." : "Add a document first.";
  place.textContent = state.documents === null ? "" : chosen ? `Asks ${which} · ${who}` : none;
  place.classList.toggle("wrong", wrong === true && !chosen);
  if (wrong === true && !chosen) announce(none);
}
