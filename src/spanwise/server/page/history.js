/** Earlier questions: the answers that the server keeps, the newest first. */

import { announce, complain, offer } from "./announce.js";
import { api } from "./api.js";
import { dropTurn, stateSign } from "./conversation.js";
import { button, byId, current, el, findAll, iconButton, on, renew, rowsFor } from "./dom.js";
import { counted, stateOf } from "./places.js";
import { answerRoute, currentRoute } from "./route.js";
import { set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

const PAGE = 30;
/** The most that the server lists at once. */
const MOST = 1000;
/** Milliseconds in which a forgotten question can be brought back. */
const UNDO = 12_000;

/** Words that the listed questions have. */
let words = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

/** @param {{open: (id: string) => void}} tools */
export function listHistory(tools) {
  watch(["history"], () => show(tools));
  const field = /** @type {HTMLInputElement} */ (byId("history-search"));
  watch(["corpus"], () => (field.value = words = ""));
  on(field, "input", () => {
    words = field.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => loadHistory().catch(complain), 200);
  });
  watch(["answer"], shown);
  // Who leaves the page has made up their mind.
  on(window, "pagehide", settle);
}

/** Counts the lists that were asked for, so that one which comes late does not replace a newer one. */
let turn = 0;
let listed = 0;

export async function loadHistory() {
  const { corpus } = state;
  const wanted = words;
  const mine = ++turn;
  // As many as are shown: who has gone back to older ones stays there.
  const many = Math.min(MOST, Math.max(PAGE, (state.history ?? []).length + waiting.size));
  const found = await api.results(many, null, wanted);
  if (corpus !== state.corpus || mine < listed || wanted !== words) return;
  listed = mine;
  const history = found.filter((item) => !waiting.has(item.id));
  if (JSON.stringify(history) !== JSON.stringify(state.history)) set({ history, older: found.length === many });
}

async function loadOlder() {
  const { history: known } = state;
  const more = await api.results(PAGE, known.at(-1)?.id ?? null, words);
  if (known !== state.history) return; // another collection, or a newer list
  set({ history: [...known, ...more.filter((item) => !waiting.has(item.id))], older: more.length === PAGE });
}

const list = el("ul.entries");
/** @type {Map<string, HTMLElement>} */
let rows = new Map();

/** @param {{open: (id: string) => void}} tools */
function show(tools) {
  rows = rowsFor(rows, state.history ?? [], (item) => row(item, tools));
  renew(list, [...rows.values()]);
  const none = state.history ? (words ? "None with these words." : "None yet.") : "Loading…";
  renew(byId("history"), [
    rows.size ? list : el("p.hint", none),
    ...(state.older ? [button("Show older", () => loadOlder().catch(complain))] : []),
  ]);
  shown();
}

/** @param {any} item @param {{open: (id: string) => void}} tools */
function row(item, tools) {
  const when = new Date(item.when);
  const today = when.toDateString() === new Date().toDateString();
  const written = when.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium" });
  const [sign, label] = stateSign(stateOf(item));
  return el("li.entry", { data: { answer: item.id } },
    sign,
    el("button.entry-open", { title: item.question, click: () => tools.open(item.id) },
      el("span.entry-name", item.question),
      el("span.hint", `${label} · `, el("time", { datetime: when.toISOString() }, written)),
    ),
    iconButton("trash", `Forget “${item.question}”`, () => forget(item), { class: "faint" }),
  );
}

/** Questions that are forgotten as soon as nobody can undo it any more, with their collections. @type {Map<string, string>} */
const waiting = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let clock;
let withdraw = () => {};

/** @param {any} item */
function forget({ id }) {
  if (currentRoute().answer === id) {
    answerRoute(null);
    set({ answer: { kind: "idle" }, selection: null });
  }
  dropTurn(id);
  waiting.set(id, state.corpus);
  set({ history: state.history.filter((one) => one.id !== id) });
  const told = waiting.size === 1 ? "Question forgotten" : `${counted(waiting.size, "question")} forgotten`;
  withdraw = offer(told, "Undo", bringBack);
  announce(`${told}. Undo is at the end of the page.`);
  clearTimeout(clock);
  clock = setTimeout(settle, UNDO);
  byId("question").focus();
}

/** Bring back what was forgotten and can be. */
function bringBack() {
  clearTimeout(clock);
  waiting.clear();
  loadHistory().catch(complain);
  announce("Brought back");
  byId("question").focus();
}

/** Nothing can be undone any more: now the server forgets. */
function settle() {
  clearTimeout(clock);
  withdraw();
  for (const [id, corpus] of waiting) {
    waiting.delete(id);
    api.forget(corpus, id).then(
      () => changed("history", corpus),
      (problem) => {
        if (problem.status === 404) return; // another page was quicker
        complain(problem);
        if (corpus === state.corpus) loadHistory().catch(complain);
      },
    );
  }
}

/** Mark the answer that is shown. */
function shown() {
  const id = state.answer.result?.trace_id;
  current(findAll(".entry-open", byId("history")), (one) => one.parentElement.dataset.answer === id);
}
