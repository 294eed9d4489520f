/** The documents of the collection: which there are, which are asked, opening and removing them. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { confirmed } from "./dialogs.js";
import { byId, el, findAll, iconButton } from "./dom.js";
import { breakable, counted, shortened } from "./places.js";
import { set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

/** @typedef {import("./state.js").Entry} Entry */

const FORMATS = { pdf: "PDF", docx: "Word", html: "HTML", markdown: "Markdown", text: "Text", image: "Picture" };

export function listDocuments() {
  watch(["documents", "left"], show);
  watch(["selection"], current);
}

/** Counts the lists that were asked for, so that one which comes late does not replace a newer one. */
let turn = 0;
let listed = 0;

export async function loadDocuments() {
  const { corpus } = state;
  const mine = ++turn;
  const documents = await api.documents(corpus);
  if (corpus !== state.corpus || mine < listed) return;
  listed = mine;
  if (JSON.stringify(documents) === JSON.stringify(state.documents)) return;
  const ids = new Set(documents.map((entry) => entry.id));
  set({ documents, left: new Set([...state.left].filter((id) => ids.has(id))) });
}

/** @param {string} corpus @returns {Set<string>} Ids of documents that were not asked when the page was left. */
export function rememberedLeft(corpus) {
  try {
    const kept = JSON.parse(localStorage.getItem(leftKey(corpus)) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set(); // storage is refused, or holds something else
  }
}

/** @param {string} corpus */
function leftKey(corpus) {
  return `spanwise.left.${corpus}`;
}

function show() {
  const root = byId("documents");
  const focused = document.activeElement?.id;
  const { documents } = state;
  const none = documents ? "None yet. Drop files here, or choose Add." : "Loading…";
  root.replaceChildren(
    ...(documents?.length
      ? [all(documents), el("ul", { class: "entries" }, ...documents.map(row))]
      : [el("p", { class: "hint" }, none)]),
  );
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  current();
}

/** @param {Entry[]} documents */
function all(documents) {
  const chosen = documents.filter((entry) => !state.left.has(entry.id)).length;
  const box = el("input", {
    type: "checkbox",
    id: "all",
    on: { change: () => leave(box.checked ? [] : documents.map((entry) => entry.id)) },
  });
  box.checked = chosen === documents.length;
  box.indeterminate = chosen > 0 && chosen < documents.length;
  const words = chosen === documents.length ? "All are asked" : `${chosen} of ${documents.length} are asked`;
  return el("label", { class: "choose-all" }, box, words);
}

/** @param {Entry} entry */
function row(entry) {
  const box = el("input", {
    type: "checkbox",
    id: `ask-${entry.id}`,
    "aria-label": `Ask ${entry.name}`,
    on: {
      change: () => {
        const left = new Set(state.left);
        if (box.checked) left.delete(entry.id);
        else left.add(entry.id);
        leave(left);
      },
    },
  });
  box.checked = !state.left.has(entry.id);
  const size = entry.pages ? counted(entry.pages, "page") : counted(entry.lines, "line");
  const about = `${FORMATS[entry.format] ?? entry.format} · ${size}`;
  return el(
    "li",
    { class: "entry", data: { id: entry.id } },
    box,
    el(
      "button",
      {
        type: "button",
        class: "entry-open",
        title: entry.name,
        on: { click: () => open(entry) },
      },
      ...named(entry.name),
      el("span", { class: "hint" }, about),
    ),
    iconButton("trash", `Remove ${entry.name}`, () => remove(entry).catch(complain), { class: "icon faint" }),
  );
}

/** @param {string} name @returns {HTMLElement[]} The name as it is seen, and whole for a screen reader. */
function named(name) {
  const short = shortened(name);
  if (short === name) return [el("span", { class: "entry-name" }, ...breakable(name))];
  return [
    el("span", { class: "entry-name", "aria-hidden": "true" }, ...breakable(short)),
    el("span", { class: "unseen" }, name),
  ];
}

/** @param {Iterable<string>} ids */
function leave(ids) {
  const left = new Set(ids);
  set({ left });
  try {
    if (left.size) localStorage.setItem(leftKey(state.corpus), JSON.stringify([...left]));
    else localStorage.removeItem(leftKey(state.corpus));
  } catch {
    // Without storage it holds until the page is left.
  }
}

/** @param {Entry} entry */
function open(entry) {
  set({ selection: { document: entry.name, citations: [], active: 0, claim: null, as: null } });
}

/** @param {Entry} entry */
async function remove(entry) {
  const text = `“${entry.name}” is taken out of this collection. Answers that cite it stay in the history.`;
  if (!(await confirmed("Remove this document?", text, "Remove"))) return;
  await api.remove(state.corpus, entry.id);
  if (state.selection?.document === entry.name) set({ selection: null });
  await loadDocuments();
  changed("documents", state.corpus);
  announce(`${entry.name} removed`);
  byId("add").focus();
}

/** Mark the document that the source panel shows. */
function current() {
  const name = state.selection?.document;
  for (const [position, item] of findAll(".entry", byId("documents")).entries()) {
    const shown = state.documents[position]?.name === name;
    item.classList.toggle("is-current", shown);
    item.querySelector(".entry-open").setAttribute("aria-current", String(shown));
  }
}
