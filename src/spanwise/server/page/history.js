/** Earlier questions: the answers that the server keeps, the newest first. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { button, byId, el, findAll, icon, iconButton } from "./dom.js";
import { answerRoute, currentRoute } from "./route.js";
import { set, state, watch } from "./state.js";

const PAGE = 30;
const SIGNS = { ship: "check", possible: "question", clarify: "question", not_found: "search" };
const WORDS = { ship: "Answered", possible: "Possible answer", clarify: "Asked back", not_found: "Not found" };

/** @param {{open: (id: string) => void}} tools */
export function listHistory(tools) {
  watch(["history"], () => show(tools));
  watch(["answer"], current);
}

/** Counts the lists that were asked for, so that one which comes late does not replace a newer one. */
let turn = 0;
let listed = 0;

export async function loadHistory() {
  const { corpus } = state;
  const mine = ++turn;
  const history = await api.results(corpus, PAGE, null);
  if (corpus !== state.corpus || mine < listed) return;
  listed = mine;
  set({ history, older: history.length === PAGE });
}

async function loadOlder() {
  const { corpus, history: known } = state;
  const more = await api.results(corpus, PAGE, known[known.length - 1].id);
  if (known !== state.history) return; // another collection, or a newer list
  set({ history: [...known, ...more], older: more.length === PAGE });
}

/** @param {{open: (id: string) => void}} tools */
function show(tools) {
  const items = state.history ?? [];
  const list = el("ul", { class: "entries" }, ...items.map((item) => row(item, tools)));
  const older = state.older ? button("Show older", () => loadOlder().catch(complain)) : null;
  byId("history").replaceChildren(
    ...(items.length ? [list] : [el("p", { class: "hint" }, state.history ? "None yet." : "Loading…")]),
    ...(older ? [older] : []),
  );
  current();
}

/** @param {any} item @param {{open: (id: string) => void}} tools */
function row(item, tools) {
  const when = new Date(item.when);
  const came = item.possible ? "possible" : item.decision;
  return el(
    "li",
    { class: "entry", data: { answer: item.id } },
    el(
      "span",
      { class: `sign sign-${came}`, title: WORDS[came] ?? came },
      icon(SIGNS[came] ?? "question"),
    ),
    el(
      "button",
      { type: "button", class: "entry-open", title: item.question, on: { click: () => tools.open(item.id) } },
      el("span", { class: "entry-name" }, item.question),
      el(
        "span",
        { class: "hint" },
        `${WORDS[came] ?? came} · `,
        el("time", { datetime: when.toISOString() }, written(when)),
      ),
    ),
    iconButton("trash", `Forget “${item.question}”`, () => forget(item).catch(complain), { class: "icon faint" }),
  );
}

/** @param {Date} when @returns {string} The time for today, the date before. */
function written(when) {
  const today = when.toDateString() === new Date().toDateString();
  return when.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium" });
}

/** @param {any} item */
async function forget(item) {
  await api.forget(state.corpus, item.id);
  const shown = currentRoute().answer === item.id;
  if (shown) {
    answerRoute(null);
    set({ answer: { kind: "idle" }, selection: null });
  }
  set({ history: state.history.filter((one) => one.id !== item.id) });
  announce("Forgotten");
  byId("question").focus();
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
