/** The documents of the collection: which there are, which are asked, finding, opening and removing them. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { confirmed } from "./dialogs.js";
import { byId, el, findAll, icon, iconButton, renew, rowsFor } from "./dom.js";
import { breakable, counted, shortened } from "./places.js";
import { set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

/** @typedef {import("./state.js").Entry} Entry */

const FORMATS = {
  pdf: "PDF",
  docx: "Word",
  html: "HTML",
  markdown: "Markdown",
  text: "Text",
  image: "Picture",
  sheets: "Spreadsheet",
  csv: "Table",
  slides: "Slides",
  epub: "Book",
  mail: "Mail",
  odt: "OpenDocument",
  rtf: "RTF",
};
const PAGES = { sheets: "sheet", slides: "slide" };
/** More rows than that are made only where they are looked at. */
const ROWS = 150;
/** Documents from which on they can be searched. */
const SEARCHED = 6;
/** Height of a row in a long list, in letters of the root, as in library.css. */
const HIGH = 3.375;
const MARGIN = 10;

/** What the names shown have in them. */
let sought = "";

export function listDocuments() {
  watch(["documents", "left"], show);
  watch(["selection"], current);
  watch(["corpus"], () => seek(""));
  watch(["reading"], sayReading);
  const field = /** @type {HTMLInputElement} */ (byId("seek"));
  field.addEventListener("input", () => seek(field.value));
}

/** @param {string} words */
function seek(words) {
  /** @type {HTMLInputElement} */ (byId("seek")).value = words;
  sought = words.trim().toLowerCase();
  show();
}

/** Counts the lists that were asked for, so that one which comes late does not replace a newer one. */
let turn = 0;
let listed = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let finding;
/** Milliseconds after which what is found out is asked for; longer for a long list. */
const FACTS = 1500;

export async function loadDocuments() {
  const { corpus } = state;
  const mine = ++turn;
  const documents = await api.documents(corpus);
  if (corpus !== state.corpus || mine < listed) return;
  listed = mine;
  clearTimeout(finding);
  // The server finds out language and the like after it has listed them.
  const unknown = documents.some((entry) => entry.language === null);
  if (unknown) finding = setTimeout(() => loadDocuments().catch(() => undefined), Math.max(FACTS, documents.length));
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

/** @type {ReturnType<typeof setTimeout> | undefined} */
let saying;

function sayReading() {
  // What is read at once is not worth a word.
  clearTimeout(saying);
  saying = setTimeout(() => {
    const names = (state.reading ?? []).map((job) => job.name ?? "a document");
    const words = names.length > 1 ? `Reading ${counted(names.length, "document")}: ${names[0]}, …` : `Reading ${names[0]}…`;
    byId("reading").textContent = names.length ? words : "";
  }, 400);
}

const short = el("ul.entries");
/** @type {Map<string, HTMLElement>} */
let rows = new Map();

function show() {
  const root = byId("documents");
  const focused = document.activeElement?.id;
  const { documents } = state;
  byId("seek").parentElement.hidden = (documents?.length ?? 0) < SEARCHED;
  const found = (documents ?? []).filter((entry) => !sought || entry.name.toLowerCase().includes(sought));
  const none = !documents ? "Loading…" : sought ? "No name has that in it." : "None yet. Drop files or folders here, or choose Add.";
  const top = root.querySelector(".entries")?.scrollTop ?? 0;
  rows = rowsFor(rows, found.length > ROWS ? [] : found, (entry) => row(entry));
  renew(short, [...rows.values()]);
  [...rows.values()].forEach((one, at) => (one.querySelector("input").checked = !state.left.has(found[at].id)));
  const list = found.length > ROWS ? longList(found) : short;
  renew(root, found.length ? [all(found), list] : [el("p.hint", none)]);
  list.scrollTop = top;
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  current();
}

/**
 * A list in which only the rows in view are made: ten thousand scroll as ten do.
 * @param {Entry[]} entries
 */
function longList(entries) {
  const space = el("li.entries-space", { role: "presentation" });
  const list = el("ul.entries.is-long", space);
  list.style.setProperty("--rows", String(entries.length));
  /** @type {Map<number, HTMLElement>} */
  const made = new Map();
  const fill = () => {
    const high = HIGH * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const first = Math.max(0, Math.floor(list.scrollTop / high) - MARGIN);
    const last = Math.min(entries.length, Math.ceil((list.scrollTop + (list.clientHeight || 600)) / high) + MARGIN);
    for (const [at, one] of made) {
      if ((at >= first && at < last) || one.contains(document.activeElement)) continue;
      one.remove();
      made.delete(at);
    }
    const fresh = [];
    for (let at = first; at < last; at += 1) {
      if (made.has(at)) continue;
      const one = row(entries[at], { "aria-setsize": entries.length, "aria-posinset": at + 1 });
      one.style.setProperty("--row", String(at));
      made.set(at, one);
      fresh.push(one);
    }
    // In the order of the list, so that Tab and a screen reader go through it as it is seen.
    for (const one of fresh) {
      const place = Number(one.getAttribute("aria-posinset"));
      const after = [...list.children].find((other) => Number(other.getAttribute("aria-posinset")) > place);
      list.insertBefore(one, after ?? null);
    }
    if (fresh.length) current();
  };
  list.addEventListener("scroll", fill, { passive: true });
  new ResizeObserver(fill).observe(list);
  fill();
  return list;
}

const choice = el("input", { type: "checkbox", id: "all" });
const chosenOf = el("span");
const chooseAll = el("label.choose-all", choice, chosenOf);

/** @param {Entry[]} found */
function all(found) {
  const total = state.documents.length;
  const asked = (entries) => entries.filter((entry) => !state.left.has(entry.id)).length;
  const chosen = asked(found);
  choice.onchange = () => {
    const left = new Set(state.left);
    for (const { id } of found) choice.checked ? left.delete(id) : left.add(id);
    leave(left);
  };
  choice.checked = chosen === found.length;
  choice.indeterminate = chosen > 0 && chosen < found.length;
  const words = chosen === total ? "All are asked" : `${asked(state.documents)} of ${total} are asked`;
  chosenOf.textContent = found.length < total ? `${words} · ${found.length} shown` : words;
  return chooseAll;
}

/** @param {Entry} entry @param {Record<string, unknown>} [attributes] */
function row(entry, attributes = {}) {
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
  return el("li.entry", { data: { id: entry.id }, ...attributes },
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
      el("span.hint", about(entry), ...signs(entry)),
    ),
    iconButton("trash", `Remove ${entry.name}`, () => remove(entry).catch(complain), { class: "icon faint" }),
  );
}

/** @param {Entry} entry @returns {string} "PDF · 12 pages", and the language where it is another than the page's. */
function about(entry) {
  const size = entry.pages ? counted(entry.pages, PAGES[entry.format] ?? "page") : counted(entry.lines, "line");
  const parts = [FORMATS[entry.format] ?? entry.format, size];
  if (entry.language && entry.language !== "en") parts.push(languageOf(entry.language));
  return parts.join(" · ");
}

const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** @param {string} code */
function languageOf(code) {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

/** @param {Entry} entry @returns {Node[]} What one should know before one trusts it. */
function signs(entry) {
  const found = [];
  if (entry.recognised) found.push(["search", "Recognised", "Its text was recognised in pictures"]);
  if (entry.hidden) found.push(["hidden", "Hidden text", `${counted(entry.hidden, "text")} in it nobody can see`]);
  return found.map(([sign, word, why]) => el("span.entry-sign", { title: why }, icon(sign), word));
}

/** @param {string} name @returns {HTMLElement[]} The name as it is seen, and whole for a screen reader. */
function named(name) {
  const short = shortened(name);
  if (short === name) return [el("span.entry-name", ...breakable(name))];
  return [
    el("span.entry-name", { "aria-hidden": "true" }, ...breakable(short)),
    el("span.unseen", name),
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
  const id = name === undefined ? undefined : state.documents?.find((entry) => entry.name === name)?.id;
  for (const item of findAll(".entry", byId("documents"))) {
    const shown = item.dataset.id === id;
    item.classList.toggle("is-current", shown);
    item.querySelector(".entry-open").setAttribute("aria-current", String(shown));
  }
}
