/** The right of the page: the document that a claim rests on, at its lines. */

import { announce, complain } from "./announce.js";
import { api, Problem } from "./api.js";
import { loadDocuments } from "./documents.js";
import { button, byId, el, icon, iconButton } from "./dom.js";
import { hiddenTexts } from "./hidden.js";
import { place } from "./places.js";
import { PagesView } from "./source-pages.js";
import { TextView } from "./source-text.js";
import { documentNamed, set, state, watch } from "./state.js";
import { STATES } from "./states.js";

/** @typedef {import("./state.js").Entry} Entry */

/** How many PDFs stay open, so that going back and forth between two documents is quick. */
const OPEN = 3;

/** Views by document and kind, the last used at the end. @type {Map<string, PagesView | TextView>} */
const views = new Map();
/** @type {PagesView | TextView | null} */
let current = null;
/** Ids of documents whose text is shown although they are PDFs. */
const asText = new Set();
/** What was shown last, so that an answer which is slow to load does not replace a newer one. */
let turn = 0;
/** The view whose head is shown. @type {PagesView | TextView | null} */
let headOf = null;

export function showSources() {
  watch(["selection", "cited"], () => show().catch(complain));
  watch(["documents"], forgetRemoved);
  watch(["corpus"], forgetAll);
  empty();
}

function empty() {
  turn += 1;
  current = null;
  byId("source-head").replaceChildren(el("h2", {}, "Source"));
  byId("source-body").replaceChildren(
    el(
      "div",
      { class: "source-empty" },
      icon("highlight"),
      el("p", {}, "Choose a statement of the answer, and the lines that it rests on are shown here."),
    ),
  );
}

async function show() {
  const { selection } = state;
  if (!selection) return empty();
  const entry = documentNamed(selection.document);
  const cited = selection.citations[selection.active];
  if (!entry) return absent(selection.document, cited);
  const then = cited && state.cited?.find((one) => one.name === entry.name)?.sha256;
  if (then && then !== entry.sha256) return absent(entry.name, cited, entry);
  const mine = ++turn;
  const view = viewOf(entry);
  if (view !== current) {
    current = view;
    byId("source-body").replaceChildren(view.element);
  }
  head(entry, view);
  const marks = selection.citations.filter((one) => one.document === entry.name);
  try {
    await view.show(marks, cited ? marks.indexOf(cited) : -1);
  } catch (problem) {
    if (mine !== turn) return;
    if (problem instanceof Problem && problem.code === "document_replaced") return void (await loadDocuments());
    if (view instanceof TextView) throw problem;
    textInstead(entry, problem);
    return;
  }
  const as = selection.as ? `${STATES[selection.as].label}: ` : "";
  if (mine === turn && cited) announce(`${as}${entry.name}, ${place(cited)}: ${cited.quote.slice(0, 300)}`);
}

/** Formats whose pages are shown as pictures. */
const DRAWN = new Set(["pdf", "image"]);

/** @param {Entry} entry @returns {PagesView | TextView} */
function viewOf(entry) {
  const paged = DRAWN.has(entry.format) && !asText.has(entry.id);
  const key = `${paged ? "pages" : "text"} ${entry.id}`;
  const view =
    views.get(key) ?? (paged ? new PagesView(state.corpus, entry, pageShown) : new TextView(state.corpus, entry));
  views.delete(key);
  views.set(key, view);
  for (const [old, other] of views) {
    if (views.size <= OPEN) break;
    other.close();
    views.delete(old);
  }
  return view;
}

/** @param {Entry} entry @param {PagesView | TextView} view */
function head(entry, view) {
  const { citations, active, as } = state.selection;
  const cited = citations[active];
  const paged = view instanceof PagesView;
  const before = byId("source-head").querySelector("details")?.open && headOf === view;
  headOf = view;
  const texts = hiddenTexts(state.corpus, entry, paged ? (box) => view.point(box) : null, before);
  byId("source-head").replaceChildren(
    el(
      "div",
      { class: "source-name" },
      el("h2", { title: entry.name }, entry.name),
      el(
        "p",
        { class: "hint" },
        cited && as ? standing(as) : "",
        " ",
        el("span", { id: "source-place" }, cited ? place(cited) : ""),
      ),
    ),
    citations.length > 1 ? steps(citations.length, active) : "",
    el(
      "div",
      { class: "tools" },
      ...(paged ? [pageAt(entry, view, cited?.page ?? 1), ...zooms(view)] : []),
      DRAWN.has(entry.format) ? kinds(entry, paged) : "",
      el(
        "a",
        {
          class: "icon",
          href: api.fileAddress(state.corpus, entry.id, entry.sha256),
          target: "_blank",
          rel: "noopener",
          "aria-label": "Open the original file",
          title: "Open the original file",
        },
        icon("download"),
      ),
    ),
    texts,
  );
}

/** @param {import("./states.js").State} as */
function standing(as) {
  return el("span", { class: `state state-${as}` }, STATES[as].label);
}

/** @param {number} total @param {number} active */
function steps(total, active) {
  const step = (by) => set({ selection: moved(by) });
  return el(
    "div",
    { class: "steps", role: "group", "aria-label": "Evidence of this statement" },
    iconButton("up", "Previous evidence", () => step(-1)),
    el("span", {}, `${active + 1} of ${total}`),
    iconButton("down", "Next evidence", () => step(1)),
  );
}

/** @param {number} by @returns {import("./state.js").Selection} */
function moved(by) {
  const { citations, active } = state.selection;
  const next = (active + by + citations.length) % citations.length;
  return { ...state.selection, document: citations[next].document, active: next };
}

/** @param {Entry} entry @param {PagesView} view @param {number} page */
function pageAt(entry, view, page) {
  const field = el("input", {
    type: "number",
    id: "source-page",
    min: 1,
    max: entry.pages,
    value: page,
    on: { change: () => view.goTo(Number(field.value)) },
  });
  return el("label", { class: "page-at" }, el("span", { class: "unseen" }, "Page"), field, `of ${entry.pages}`);
}

/** @param {PagesView} view */
function zooms(view) {
  return [
    iconButton("minus", "Smaller", () => view.zoom(1 / 1.2)),
    iconButton("fit", "Fit the width", () => view.zoom(0)),
    iconButton("add", "Larger", () => view.zoom(1.2)),
  ];
}

/** @param {Entry} entry @param {boolean} paged */
function kinds(entry, paged) {
  const choose = () => {
    if (paged) asText.add(entry.id);
    else asText.delete(entry.id);
    set({ selection: { ...state.selection } });
  };
  return iconButton(paged ? "lines" : "document", paged ? "Show as text" : "Show the pages", choose);
}

/** @param {Entry} entry @param {unknown} problem Why its pages cannot be shown. */
function textInstead(entry, problem) {
  asText.add(entry.id);
  const why = problem instanceof Error ? problem.message : String(problem);
  complain(`The pages of ${entry.name} cannot be shown (${why}); here are its lines.`);
  set({ selection: { ...state.selection } });
}

/** @param {number} page */
function pageShown(page) {
  const field = document.getElementById("source-page");
  if (field instanceof HTMLInputElement && field !== document.activeElement) field.value = String(page);
}

/**
 * What an answer cites and is not in the collection as it was.
 * @param {string} name @param {import("./state.js").Citation | undefined} cited
 * @param {Entry} [instead] The document that has its name now.
 */
function absent(name, cited, instead) {
  if (!name) return empty();
  empty();
  const why = instead
    ? "This document was replaced after the answer was given. The lines were:"
    : "This document is no longer in the collection. The lines were:";
  byId("source-head").replaceChildren(el("h2", {}, name));
  byId("source-body").replaceChildren(
    el(
      "div",
      { class: "source-empty" },
      el("p", {}, why),
      cited ? el("p", { class: "hint" }, place(cited)) : "",
      cited ? el("blockquote", {}, cited.quote) : "",
      instead ? button("Show the document as it is now", () => openDocument(instead.name)) : "",
    ),
  );
}

/** Show a document without any highlight. @param {string} name */
export function openDocument(name) {
  set({ selection: { document: name, citations: [], active: 0, claim: null, as: null } });
}

/** Close what is removed, or was uploaded again with other content. */
function forgetRemoved() {
  for (const [key, view] of views) {
    const { id, sha256 } = view.entry;
    if (state.documents?.some((entry) => entry.id === id && entry.sha256 === sha256)) continue;
    view.close();
    views.delete(key);
    if (current !== view) continue;
    current = null;
    show().catch(complain);
  }
}

function forgetAll() {
  for (const view of views.values()) view.close();
  views.clear();
  empty();
}
