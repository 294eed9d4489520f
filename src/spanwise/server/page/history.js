/** Earlier questions: the answers that the server keeps, the newest first. */

import { announce, complain, offer } from "./announce.js";
import { api } from "./api.js";
import { dropTurn } from "./conversation.js";
import { button, byId, el, findAll, icon, iconButton, renew, rowsFor } from "./dom.js";
import { answerRoute, currentRoute } from "./route.js";
import { counted } from "./places.js";
import { set, state, watch } from "./state.js";
import { STATES, stateOf } from "./states.js";
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
  field.addEventListener("input", () => {
    words = field.value.trim();
    clearTimeout(typing);
    typing = setTimeout(() => loadHistory().catch(complain), 200);
  });
  watch(["answer"], current);
  // Who leaves the page has made up their mind.
  window.addEventListener("pagehide", settle);
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
  const found = await api.results(corpus, many, null, wanted);
  if (corpus !== state.corpus || mine < listed || wanted !== words) return;
  listed = mine;
  const history = found.filter((item) => !waiting.has(item.id));
  if (JSON.stringify(history) !== JSON.stringify(state.history)) set({ history, older: found.length === many });
}

async function loadOlder() {
  const { corpus, history: known } = state;
  const more = await api.results(corpus, PAGE, known.at(-1)?.id ?? null, words);
  if (known !== state.history) return; // another collection, or a newer list
  set({ history: [...known, ...more.filter((item) => !waiting.has(item.id))], older: more.length === PAGE });
}

const list = el("ul.entries");
/** @type {Map<string, HTMLElement>} */
let rows = new Map();

/** @param {{open: (id: string) => void}} tools */
function show(tools) {
  const items = state.history ?? [];
  rows = rowsFor(rows, items, (item) => row(item, tools));
  renew(list, [...rows.values()]);
  const older = state.older ? button("Show older", () => loadOlder().catch(complain)) : null;
  renew(byId("history"), [
    items.length ? list : el("p.hint", state.history ? (words ? "None with these words." : "None yet.") : "Loading…"),
    ...(older ? [older] : []),
  ]);
  current();
}

/** @param {any} item @param {{open: (id: string) => void}} tools */
function row(item, tools) {
  const when = new Date(item.when);
  const came = stateOf(item);
  const told = cameWords(came);
  return el("li.entry", { data: { answer: item.id } },
    el("span", { class: `sign sign-${came ?? "asked"}`, title: told }, icon(STATES[came ?? "possible"].icon)),
    el(
      "button",
      { type: "button", class: "entry-open", title: item.question, on: { click: () => tools.open(item.id) } },
      el("span.entry-name", item.question),
      el("span.hint",
        `${told} · `,
        el("time", { datetime: when.toISOString() }, written(when)),
      ),
    ),
    iconButton("trash", `Forget “${item.question}”`, () => forget(item), { class: "icon faint" }),
  );
}

/** @param {Date} when @returns {string} The time for today, the date before. */
function written(when) {
  const today = when.toDateString() === new Date().toDateString();
  return when.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium" });
}

/** @param {import("./states.js").State | null} came @returns {string} */
function cameWords(came) {
  if (came === null) return "Asked back";
  return came === "nearby" ? "Not found" : STATES[came].label;
}

/** Questions that are forgotten as soon as nobody can undo it any more, with their collections. */
/** @type {Map<string, {corpus: string, item: any}>} */
const waiting = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let clock;
let withdraw = () => undefined;

/** @param {any} item */
function forget(item) {
  const shown = currentRoute().answer === item.id;
  if (shown) {
    answerRoute(null);
    set({ answer: { kind: "idle" }, selection: null });
  }
  dropTurn(item.id);
  waiting.set(item.id, { corpus: state.corpus, item });
  set({ history: state.history.filter((one) => one.id !== item.id) });
  const told = waiting.size === 1 ? "Question forgotten" : `${counted(waiting.size, "question")} forgotten`;
  withdraw = offer(told, "Undo", remember);
  announce(`${told}. Undo is at the end of the page.`);
  clearTimeout(clock);
  clock = setTimeout(settle, UNDO);
  byId("question").focus();
}

/** Bring back what was forgotten and can be. */
function remember() {
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
  for (const [id, { corpus }] of waiting) {
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
function current() {
  const id = state.answer.kind === "result" ? state.answer.result.trace_id : null;
  for (const item of findAll(".entry", byId("history"))) {
    const shown = item.dataset.answer === id;
    item.classList.toggle("is-current", shown);
    item.querySelector(".entry-open").setAttribute("aria-current", String(shown));
  }
}
