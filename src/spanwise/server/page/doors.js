/** What the middle of the page does: ask, fill a table, check a text, list conflicts. Each is loaded when it is opened. */

import { complain } from "./announce.js";
import { api } from "./api.js";
import { byId, el, findAll } from "./dom.js";
import { flowed } from "./evidence.js";
import { show } from "./layout.js";
import { place } from "./places.js";
import { set, state, watch } from "./state.js";

const LOADED = {
  table: () => import("./table.js"),
  check: () => import("./check.js"),
  conflicts: () => import("./conflict-list.js"),
};

/** Counts what is opened, so that what loads late does not replace something newer. */
let turn = 0;

export function openDoors() {
  for (const one of findAll(".doors [data-door]")) one.addEventListener("click", () => go(one.dataset.door));
  watch(["answer"], () => state.answer.kind !== "idle" && open("ask"));
  watch(["corpus"], () => open("ask"));
}

/** What is known of the documents that the answer cites; not of those that another door shows. */
let cited = null;

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
  for (const one of findAll(".doors [data-door]")) {
    if (one.dataset.door === door) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
  byId("door").replaceChildren();
  LOADED[door]?.().then(
    ({ opened }) => mine === turn && byId("door").replaceChildren(opened()),
    () => (open("ask"), complain("This part of the page cannot be loaded. Is the server still running?")),
  );
}

/** Show a place of a document, with its boxes where it has some. @param {any} told @param {any} [as] */
export async function showPlace(told, as = null) {
  const entry = state.documents?.find((one) => one.name === told.document);
  const cited = { id: told.id ?? "", page_label: null, at: [0, 0], boxes: [], ...told };
  if (entry && !cited.boxes.length) {
    const lines = await api.lines(state.corpus, entry.id, entry.sha256, told.line_start, told.line_end);
    cited.boxes = lines.flatMap((line) => (line.box ? [line.box] : []));
  }
  set({ cited: null, selection: { document: told.document, citations: [cited], active: 0, claim: null, as } });
}

/** A quote with its place, which leads there. @param {any} told @param {any} [as] */
export function quoted(told, as = null) {
  const cited = { page_label: null, boxes: [], ...told };
  return el("div.quote",
    el("button.quote-place", { type: "button", on: { click: () => showPlace(told, as).catch(complain) } },
      el("span.quote-document", told.document),
      " ",
      el("span.quote-lines", place(cited)),
    ),
    el("blockquote", flowed({ ...cited, boxes: told.page ? [true] : [] })),
  );
}
