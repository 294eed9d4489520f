/** The right of the page: the document that a claim rests on, at its lines. */

import { announce, complain } from "./announce.js";
import { api, Problem } from "./api.js";
import { loadDocuments } from "./documents.js";
import { button, byId, el, icon, iconButton } from "./dom.js";
import { hiddenTexts } from "./hidden.js";
import { besides, KINDS } from "./outline.js";
import { place } from "./places.js";
import { PagesView } from "./source-pages.js";
import { SheetView, SlideView } from "./source-rows.js";
import { TextView } from "./source-text.js";
import { documentNamed, set, state, watch } from "./state.js";
import { STATES } from "./states.js";

/** @typedef {import("./state.js").Entry} Entry */
/** @typedef {import("./state.js").Citation} Citation */

/** How many PDFs stay open, so that going back and forth between two documents is quick. */
const OPEN = 4;

/** Views by document and kind, the last used at the end. @type {Map<string, PagesView | TextView>} */
const views = new Map();
/** @type {PagesView | TextView | null} */
let current = null;
/** Ids of documents whose text is shown although they are PDFs. */
const asText = new Set();
/** What was shown last, so that an answer which is slow to load does not replace a newer one. */
let turn = 0;
/** Where the document is shown, and a second one beside it. */
const first = el("div.source-views");
const second = el("div.source-views.is-second", { hidden: true });
/** What lies beside the document. @type {{kind: import("./outline.js").Kind, view: any} | null} */
let beside = null;
let twoShown = false;
/** The view whose head is shown. @type {PagesView | TextView | null} */
let headOf = null;

export function showSources() {
  byId("source-body").append(el("div.source-pair", first, second));
  watch(["answer"], () => state.answer.kind !== "result" && (twoShown = false));
  watch(["selection"], () => show().catch(complain));
  watch(["cited"], () => {
    // What is shown stays under the hand of who works with it, unless it is not what was cited.
    const { selection } = state;
    const entry = selection && documentNamed(selection.document);
    if (entry && selection.citations[selection.active] && replaced(entry)) show().catch(complain);
  });
  watch(["documents"], forgetRemoved);
  watch(["corpus"], forgetAll);
  empty();
}

function empty() {
  turn += 1;
  current = null;
  closeSide();
  second.hidden = true;
  byId("source-head").replaceChildren(el("h2", "Source"));
  first.replaceChildren(
    el("div.source-empty",
      icon("highlight"),
      el("p", "Choose a statement of the answer, and the lines that it rests on are shown here."),
    ),
  );
}

async function show() {
  const { selection } = state;
  if (!selection) return empty();
  const entry = documentNamed(selection.document);
  const cited = selection.citations[selection.active];
  if (!entry) return absent(selection.document, cited);
  if (cited && replaced(entry)) return absent(entry.name, cited, entry);
  const mine = ++turn;
  const view = viewOf(entry);
  if (view !== current) {
    current = view;
    first.replaceChildren(view.element);
  }
  head(entry, view);
  if (beside && beside.view !== view) openBeside(beside.kind === "find" ? null : beside.kind);
  showSecond(entry.name);
  const marks = selection.citations.filter((one) => one.document === entry.name);
  try {
    await view.show(marks, cited ? marks.indexOf(cited) : -1);
  } catch (problem) {
    if (mine !== turn) return;
    if (problem instanceof Problem && problem.code === "document_replaced") return void (await loadDocuments());
    // What the server does not answer now says nothing of the document.
    if (problem instanceof Problem && problem.status === 0 && !problem.code) return unreached(view, problem);
    if (view instanceof TextView) throw problem;
    textInstead(entry, problem);
    return;
  }
  const as = selection.as ? `${STATES[selection.as].label}: ` : "";
  if (mine === turn && cited) announce(`${as}${entry.name}, ${place(cited)}: ${cited.quote.slice(0, 300)}`);
}

/** @param {Entry} entry @returns {boolean} Whether the answer cites it as it was before. */
function replaced(entry) {
  const then = state.cited?.find((one) => one.name === entry.name)?.sha256;
  return Boolean(then) && then !== entry.sha256;
}

/** Formats that are shown otherwise than as their lines. */
const VIEWS = { pdf: PagesView, image: PagesView, sheets: SheetView, csv: SheetView, slides: SlideView };

/** @param {Entry} entry @returns {PagesView | TextView} */
function viewOf(entry) {
  const Kind = asText.has(entry.id) ? TextView : (VIEWS[entry.format] ?? TextView);
  const key = `${Kind.name} ${entry.id}`;
  const view = views.get(key) ?? new Kind(state.corpus, entry, Kind === PagesView ? pageShown : undefined);
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
    el("div.source-name",
      el("h2", { title: entry.name }, entry.name),
      el("p.hint",
        cited && as ? standing(as) : "",
        " ",
        el("span", { id: "source-place" }, cited ? place(cited) : ""),
      ),
    ),
    citations.length > 1 ? steps(citations.length, active) : "",
    el("div.tools",
      ...(paged ? [pageAt(entry, view, cited?.page ?? 1), ...zooms(view)] : []),
      ...asides(paged),
      otherCited(entry.name) ? toggle("two", "Another cited document beside it (b)", twoShown, toggleSecond) : "",
      paged && entry.recognised ? recognised(view) : "",
      VIEWS[entry.format] ? kinds(entry, view) : "",
      el("a.icon", {
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
  return el("div.steps", { role: "group", "aria-label": "Evidence of this statement" },
    iconButton("up", "Previous evidence", () => step(-1)),
    el("span", `${active + 1} of ${total}`),
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
  return el("label.page-at", el("span.unseen", "Page"), field, `of ${entry.pages}`);
}

/** @param {PagesView} view */
function zooms(view) {
  return [
    iconButton("minus", "Smaller", () => view.zoom(1 / 1.2)),
    iconButton("fit", "Fit the width", () => view.zoom(0)),
    iconButton("add", "Larger", () => view.zoom(1.2)),
  ];
}

/** @param {Entry} entry @param {PagesView | TextView} view */
function kinds(entry, view) {
  const drawn = !asText.has(entry.id);
  const choose = () => {
    if (drawn) asText.add(entry.id);
    else asText.delete(entry.id);
    set({ selection: { ...state.selection } });
  };
  const back = VIEWS[entry.format] === PagesView ? "Show the pages" : "Show as it looks";
  return iconButton(drawn ? "lines" : "document", drawn ? "Show as text" : back, choose);
}

/** @param {string} name Of the icon. @param {string} label @param {boolean} on @param {() => void} chosen */
function toggle(name, label, on, chosen) {
  return iconButton(name, label, chosen, { "aria-pressed": String(on) });
}

/** @param {PagesView} view */
function recognised(view) {
  const press = toggle("recognised", "Recognised text over the scan", view.element.classList.contains("shows-words"), () =>
    press.setAttribute("aria-pressed", String(view.element.classList.toggle("shows-words"))),
  );
  return press;
}

/** @param {boolean} paged */
function asides(paged) {
  const keys = { outline: "o", thumbs: "t", find: "f" };
  return Object.keys(KINDS)
    .filter((kind) => paged || kind !== "thumbs")
    .map((kind) => {
      const press = toggle(kind, `${KINDS[kind]} (${keys[kind]})`, beside?.kind === kind, () => openBeside(kind));
      press.dataset.kind = kind;
      return press;
    });
}

/** Open or close what lies beside the document. @param {import("./outline.js").Kind | null} kind */
export function openBeside(kind) {
  const again = kind !== null && beside?.kind === kind && beside.view === current;
  closeSide();
  if (again || kind === null || !current || (kind === "thumbs" && !(current instanceof PagesView))) return;
  beside = { kind, view: current };
  const side = besides(kind, current.entry, current, closeSide);
  byId("source-body").prepend(side);
  side.querySelector("input")?.focus();
  pressed();
}

function closeSide() {
  const side = byId("source-body").querySelector(".source-side");
  const kind = side?.contains(document.activeElement) ? beside?.kind : null;
  side?.remove();
  if (beside?.kind === "find") beside.view.found([], -1);
  beside = null;
  pressed();
  if (kind) /** @type {HTMLElement} */ (byId("source-head").querySelector(`[data-kind=${kind}]`))?.focus();
}

function pressed() {
  for (const press of byId("source-head").querySelectorAll("[data-kind]"))
    press.setAttribute("aria-pressed", String(press.getAttribute("data-kind") === beside?.kind));
}

/** What the answer cites in another document than this one. @param {string} name @returns {Citation | undefined} */
function otherCited(name) {
  const result = state.answer.kind === "result" ? state.answer.result : null;
  const cited = result?.citations.length ? result.citations : (result?.missing?.nearest ?? []);
  return cited.find((one) => one.document !== name && documentNamed(one.document));
}

export function toggleSecond() {
  if (!current || !otherCited(current.entry.name)) return;
  twoShown = !twoShown;
  set({ selection: { ...state.selection } });
}

/** Another document that the answer cites, beside the first. @param {string} name Of the first. */
function showSecond(name) {
  const cited = twoShown ? otherCited(name) : undefined;
  const entry = cited && documentNamed(cited.document);
  second.hidden = !entry;
  if (!entry) return void second.replaceChildren();
  const view = viewOf(entry);
  const close = iconButton("close", `Close ${entry.name}`, toggleSecond);
  const told = el("p.second-head", el("strong", entry.name), ` ${place(cited)}`, close);
  second.replaceChildren(told, el("div.second-view", view.element));
  const marks = state.answer.result.citations.filter((one) => one.document === entry.name);
  view.show(marks.length ? marks : [cited], 0).catch(complain);
}

/** @param {PagesView | TextView} view @param {Problem} problem */
function unreached(view, problem) {
  forget(view);
  current = null;
  const again = button("Try again", () => show().catch(complain));
  first.replaceChildren(el("div.source-empty.is-unreached", el("p", { role: "alert" }, problem.message), again));
}

/** The server is back: show what could not be shown. */
export async function showUnreached() {
  if (first.querySelector(".is-unreached")) await show();
}

/** @param {PagesView | TextView} view */
function forget(view) {
  view.close();
  for (const [key, one] of views) if (one === view) views.delete(key);
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
  const why = instead ? "This document was replaced after the answer was given." : "This document is no longer in the collection.";
  byId("source-head").replaceChildren(el("h2", name));
  first.replaceChildren(
    el("div.source-empty",
      el("p", why, cited ? " The lines were:" : ""),
      cited ? el("p.hint", place(cited)) : "",
      cited ? el("blockquote", cited.quote) : "",
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
  for (const view of views.values()) {
    const { id, sha256 } = view.entry;
    if (state.documents?.some((entry) => entry.id === id && entry.sha256 === sha256)) continue;
    forget(view);
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
