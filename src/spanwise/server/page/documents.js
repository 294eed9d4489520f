/** The documents of the collection: which there are, which are asked, finding, opening and removing them. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { confirmed } from "./dialogs.js";
import { byId, current, el, findAll, icon, iconButton, on, renew, rowsFor } from "./dom.js";
import { breakable, counted, shortened } from "./places.js";
import { documentNamed, recall, remember, select, set, state, watch } from "./state.js";
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
  watch(["selection"], shown);
  watch(["corpus"], () => seek(""));
  watch(["reading"], sayReading);
  const field = /** @type {HTMLInputElement} */ (byId("seek"));
  on(field, "input", () => seek(field.value));
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
  if (unknown) finding = setTimeout(() => loadDocuments().catch(() => {}), Math.max(FACTS, documents.length));
  if (JSON.stringify(documents) === JSON.stringify(state.documents)) return;
  const ids = new Set(documents.map((entry) => entry.id));
  set({ documents, left: new Set([...state.left].filter((id) => ids.has(id))) });
}

/** @param {string} corpus @returns {Set<string>} Ids of documents that were not asked when the page was left. */
export const rememberedLeft = (corpus) => new Set([recall(`left.${corpus}`, [])].flat().map(String));

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
  const none = sought ? "No name has that in it." : "None yet. Drop files or folders here, or choose Add.";
  const top = root.querySelector(".entries")?.scrollTop ?? 0;
  rows = rowsFor(rows, found.length > ROWS ? [] : found, (entry) => row(entry));
  renew(short, [...rows.values()]);
  [...rows.values()].forEach((one, at) => (one.querySelector("input").checked = !state.left.has(found[at].id)));
  const list = found.length > ROWS ? longList(found) : short;
  renew(root, found.length ? [all(found), list] : [el("p.hint", documents ? none : "Loading…")]);
  list.scrollTop = top;
  if (focused && document.activeElement?.id !== focused) byId(focused)?.focus();
  shown();
}

/**
 * A list in which only the rows in view are made: ten thousand scroll as ten do.
 * @param {Entry[]} entries
 */
function longList(entries) {
  const space = el("li.entries-space", { role: "presentation" });
  const list = el("ul.entries.is-long", { style: { "--rows": entries.length } }, space);
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
    const before = made.size;
    for (let at = first; at < last; at += 1) {
      if (made.has(at)) continue;
      const told = { "aria-setsize": entries.length, "aria-posinset": at + 1, style: { "--row": at } };
      const one = row(entries[at], told);
      made.set(at, one);
      // In the order of the list, so that Tab and a screen reader go through it as it is seen.
      const after = [...list.children].find((other) => Number(other.getAttribute("aria-posinset")) > at + 1);
      list.insertBefore(one, after ?? null);
    }
    if (made.size > before) shown();
  };
  on(list, "scroll", fill);
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
  const [chosen, here] = [asked(state.documents), asked(found)];
  choice.onchange = () => leave(found, !choice.checked);
  choice.checked = here === found.length;
  choice.indeterminate = here > 0 && !choice.checked;
  const words = chosen === total ? "All are asked" : `${chosen} of ${total} are asked`;
  chosenOf.textContent = found.length < total ? `${words} · ${found.length} shown` : words;
  return chooseAll;
}

/** @param {Entry} entry @param {Record<string, unknown>} [attributes] */
function row(entry, attributes) {
  const { id, name } = entry;
  const change = () => leave([entry], !box.checked);
  const box = el("input", { type: "checkbox", id: `ask-${id}`, "aria-label": `Ask ${name}`, change });
  box.checked = !state.left.has(id);
  return el("li.entry", { data: { id }, ...attributes },
    box,
    el("button.entry-open", { title: name, click: () => select(name) },
      ...named(name),
      el("span.hint", about(entry), ...signs(entry)),
    ),
    iconButton("trash", `Remove ${name}`, () => remove(entry).catch(complain), { class: "faint" }),
  );
}

/** @param {Entry} entry @returns {string} "PDF · 12 pages", and the language where it is another than the page's. */
function about({ format, pages, lines, language }) {
  const size = pages ? counted(pages, PAGES[format] ?? "page") : counted(lines, "line");
  return [FORMATS[format] ?? format, size, language && language !== "en" && languageOf(language)].filter(Boolean).join(" · ");
}

const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** @param {string} code */
export function languageOf(code) {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

/** @param {Entry} entry @returns {Node[]} What one should know before one trusts it. */
function signs({ recognised, hidden }) {
  const sign = (name, word, title) => el("span.entry-sign", { title }, icon(name), word);
  return [
    recognised && sign("search", "Recognised", "Its text was recognised in pictures"),
    hidden && sign("hidden", "Hidden text", `${counted(hidden, "text")} in it nobody can see`),
  ].filter(Boolean);
}

/** @param {string} name @returns {HTMLElement[]} The name as it is seen, and whole for a screen reader. */
function named(name) {
  const short = shortened(name);
  const cut = short !== name;
  const seen = el("span.entry-name", { "aria-hidden": cut && "true" }, ...breakable(short));
  return cut ? [seen, el("span.unseen", name)] : [seen];
}

/** Ask some documents, or leave them out. @param {Entry[]} entries @param {boolean} out */
function leave(entries, out) {
  const left = new Set(state.left);
  for (const { id } of entries) out ? left.add(id) : left.delete(id);
  set({ left });
  remember(`left.${state.corpus}`, left.size ? [...left] : null);
}

/** @param {Entry} entry */
async function remove(entry) {
  const { name } = entry;
  const text = `“${name}” is taken out of this collection. Answers that cite it stay in the history.`;
  if (!(await confirmed("Remove this document?", text, "Remove"))) return;
  await api.remove(entry);
  if (state.selection?.document === name) set({ selection: null });
  await loadDocuments();
  changed("documents", state.corpus);
  announce(`${name} removed`);
  byId("add").focus();
}

/** Mark the document that the source panel shows. */
function shown() {
  const id = documentNamed(state.selection?.document)?.id;
  current(findAll(".entry-open", byId("documents")), (one) => one.parentElement.dataset.id === id);
}
