/** What the middle of the page does: ask, fill a table, check a text, list conflicts. Each is loaded when it is opened. */

import { complain } from "./announce.js";
import { api } from "./api.js";
import { byId, current, el, findAll, form, on } from "./dom.js";
import { show } from "./layout.js";
import { quoted } from "./quotes.js";
import { documentNamed, select, set, state, watch } from "./state.js";

const LOADED = {
  table: () => import("./table.js"),
  check: () => import("./check.js"),
  conflicts: () => import("./conflict-list.js"),
};

/** Counts what is opened, so that what loads late does not replace something newer. */
let turn = 0;
/** What is known of the documents that the answer cites; not of those that another door shows. */
let cited = null;

const doors = findAll(".doors [data-door]");

export function openDoors() {
  for (const one of doors) on(one, "click", () => go(one.dataset.door));
  watch(["answer"], () => state.answer.kind !== "idle" && open("ask"));
  watch(["corpus"], () => open("ask"));
}

/** Open a door by hand: whoever comes back finds the answer as it was. @param {string} door */
export function go(door) {
  const from = byId("answer").dataset.door ?? "ask";
  if (from === "ask") ({ cited } = state);
  else if (door === "ask") set({ cited, selection: null });
  open(door);
  show("answer");
}

/** @param {string} door */
function open(door) {
  const main = byId("answer");
  if (door === (main.dataset.door ?? "ask")) return;
  const mine = ++turn;
  main.dataset.door = door;
  current(doors, (one) => one.dataset.door === door);
  byId("door").replaceChildren();
  LOADED[door]?.().then(
    ({ opened }) => mine === turn && byId("door").replaceChildren(opened()),
    () => (open("ask"), complain("This part of the page cannot be loaded. Is the server still running?")),
  );
}

/** What stands behind a door. @param {string} title @param {string} hint @param {...any} content */
export const behind = (title, hint, ...content) =>
  el("section.card", { "aria-labelledby": "door-title" },
    el("h2", { id: "door-title" }, title),
    el("p.hint", `${hint} No model is called.`),
    ...content,
  );

/** A field with what is done with its text. @param {HTMLElement} field @param {string} label @param {() => void} sent @param {...any} below */
export const asking = (field, label, sent, ...below) =>
  form("form.door-form", sent, el("label", { for: field.id }, label), field, ...below);

/** Show a place of a document, with its boxes where it has some. @param {any} told @param {any} as */
export async function showPlace(told, as) {
  const entry = documentNamed(told.document);
  const citation = { id: "", page_label: null, at: [0, 0], boxes: [], ...told };
  if (entry && !citation.boxes.length) {
    const lines = await api.lines(entry, told.line_start, told.line_end);
    citation.boxes = lines.flatMap((line) => line.box ?? []);
  }
  set({ cited: null });
  select(told.document, { citations: [citation], as });
}

/** A quote with its place, which leads there. @param {any} told @param {any} as */
export const placed = (told, as) => quoted(told, () => showPlace(told, as).catch(complain));
