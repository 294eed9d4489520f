/** The right of the page: the document that a claim rests on, at its lines. */

import { announce, complain } from "./announce.js";
import { api, Problem } from "./api.js";
import { loadDocuments } from "./documents.js";
import { button, byId, el, findAll, icon, iconButton } from "./dom.js";
import { hiddenTexts } from "./hidden.js";
import { besides, KINDS } from "./outline.js";
import { place, STATES } from "./places.js";
import { PagesView } from "./source-pages.js";
import { SheetView, SlideView } from "./source-rows.js";
import { TextView } from "./source-text.js";
import { documentNamed, select, set, state, watch } from "./state.js";

/** @typedef {import("./state.js").Entry} Entry */
/** @typedef {import("./state.js").Citation} Citation */
/** @typedef {PagesView | TextView} View */

/** How many PDFs stay open, so that going back and forth between two documents is quick. */
const OPEN = 4;
/** Formats that are shown otherwise than as their lines. */
const VIEWS = { pdf: PagesView, image: PagesView, sheets: SheetView, csv: SheetView, slides: SlideView };

/** Views by document and kind, the last used at the end. @type {Map<string, View>} */
const views = new Map();
/** @type {View | null} */
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
/** The view whose head is shown. @type {View | null} */
let headOf = null;
const top = byId("source-head");
const body = byId("source-body");

export function showSources() {
  body.append(el("div.source-pair", first, second));
  watch(["answer"], () => state.answer.result || (twoShown = false));
  watch(["selection"], () => show().catch(complain));
  watch(["cited"], () => {
    // What is shown stays under the hand of who works with it, unless it is not what was cited.
    const { selection } = state;
    const entry = selection && documentNamed(selection.document);
    if (entry && selection.citations[selection.active] && replaced(entry)) show().catch(complain);
  });
  watch(["documents"], forgetRemoved);
  watch(["corpus"], () => {
    for (const view of views.values()) forget(view);
    empty();
  });
  empty();
}

/** What is shown where no document is. @param {string} [name] @param {...any} said */
function empty(name = "Source", ...said) {
  const what = "Choose a statement of the answer, and the lines that it rests on are shown here.";
  turn += 1;
  current = null;
  closeSide();
  second.hidden = true;
  top.replaceChildren(el("h2", name));
  first.replaceChildren(el("div.source-empty", ...(said.length ? said : [icon("highlight"), el("p", what)])));
}

async function show() {
  const { selection } = state;
  if (!selection) return empty();
  const { document: name, citations, active } = selection;
  const entry = documentNamed(name);
  const cited = citations[active];
  if (!entry || (cited && replaced(entry))) return absent(name, cited, entry);
  const mine = ++turn;
  const view = viewOf(entry);
  if (view !== current) {
    current = view;
    first.replaceChildren(view.element);
  }
  head(entry, view);
  if (beside && beside.view !== view) openBeside(beside.kind === "find" ? null : beside.kind);
  showSecond(name);
  const marks = citations.filter((one) => one.document === name);
  try {
    await view.show(marks, cited ? marks.indexOf(cited) : -1);
  } catch (problem) {
    if (mine !== turn) return;
    if (problem.code === "document_replaced") return void (await loadDocuments());
    // What the server does not answer now says nothing of the document.
    if (problem instanceof Problem && problem.status === 0 && !problem.code) return unreached(view, problem);
    if (view instanceof TextView) throw problem;
    asText.add(entry.id);
    complain(`The pages of ${name} cannot be shown (${problem.message}); here are its lines.`);
    return renew();
  }
  const as = selection.as ? `${STATES[selection.as].label}: ` : "";
  if (mine === turn && cited) announce(`${as}${name}, ${place(cited)}: ${cited.quote.slice(0, 300)}`);
}

/** The same, shown otherwise. */
const renew = () => set({ selection: { ...state.selection } });

/** @param {Entry} entry @returns {boolean} Whether the answer cites it as it was before. */
function replaced({ name, sha256 }) {
  const then = state.cited?.find((one) => one.name === name)?.sha256;
  return Boolean(then) && then !== sha256;
}

/** @param {Entry} entry @returns {View} */
function viewOf(entry) {
  const Kind = asText.has(entry.id) ? TextView : (VIEWS[entry.format] ?? TextView);
  const key = `${Kind.name} ${entry.id}`;
  const view = views.get(key) ?? new Kind(entry, Kind === PagesView ? pageShown : undefined);
  views.delete(key);
  views.set(key, view);
  for (const other of views.values()) if (views.size > OPEN) forget(other);
  return view;
}

/** @param {Entry} entry @param {View} view */
function head(entry, view) {
  const { citations, active, as } = state.selection;
  const cited = citations[active];
  const paged = view instanceof PagesView;
  const before = top.querySelector("details")?.open && headOf === view;
  headOf = view;
  const href = api.fileAddress(entry);
  const label = "Open the original file";
  top.replaceChildren(
    el("div.source-name",
      el("h2", { title: entry.name }, entry.name),
      el("p.hint",
        cited && as && el(`span.state.is-${as}`, STATES[as].label),
        " ",
        el("span", { id: "source-place" }, cited ? place(cited) : ""),
      ),
    ),
    citations.length > 1
      ? el("div.steps", { role: "group", "aria-label": "Evidence of this statement" },
          iconButton("up", "Previous evidence", () => moved(-1)),
          el("span", `${active + 1} of ${citations.length}`),
          iconButton("down", "Next evidence", () => moved(1)),
        )
      : "",
    el("div.tools",
      ...(paged ? [pageAt(entry, view, cited?.page ?? 1), ...zooms(view)] : []),
      ...asides(paged),
      otherCited(entry.name) && toggle("two", "Another cited document beside it (b)", twoShown, () => openTwo()),
      paged && entry.recognised && recognised(view),
      VIEWS[entry.format] && kinds(entry),
      el("a.icon", { href, target: "_blank", rel: "noopener", "aria-label": label, title: label }, icon("download")),
    ),
    hiddenTexts(view, paged ? (box) => view.point(box) : null, before),
  );
}

/** Go to the next evidence of the statement. @param {number} by */
export function moved(by) {
  const { citations, active, ...others } = state.selection ?? { citations: [] };
  if (citations.length < 2) return;
  const next = (active + by + citations.length) % citations.length;
  select(citations[next].document, { ...others, document: citations[next].document, citations, active: next });
}

/** @param {Entry} entry @param {PagesView} view @param {number} value */
function pageAt({ pages }, view, value) {
  const change = () => view.goTo(Number(field.value));
  const field = el("input", { type: "number", id: "source-page", min: 1, max: pages, value, change });
  return el("label.page-at", el("span.unseen", "Page"), field, `of ${pages}`);
}

/** @param {PagesView} view */
const zooms = (view) => [
  iconButton("minus", "Smaller", () => view.zoom(1 / 1.2)),
  iconButton("fit", "Fit the width", () => view.zoom(0)),
  iconButton("add", "Larger", () => view.zoom(1.2)),
];

/** Its lines, or as it looks. @param {Entry} entry */
function kinds({ id, format }) {
  const back = VIEWS[format] === PagesView ? "Show the pages" : "Show as it looks";
  return asText.has(id)
    ? iconButton("document", back, () => (asText.delete(id), renew()))
    : iconButton("lines", "Show as text", () => (asText.add(id), renew()));
}

/** @param {string} name Of the icon. @param {string} label @param {boolean} on @param {() => void} chosen @param {any} [data] */
const toggle = (name, label, on, chosen, data) => iconButton(name, label, chosen, { "aria-pressed": String(on), data });

/** @param {PagesView} view */
function recognised({ element }) {
  const shows = () => press.setAttribute("aria-pressed", element.classList.toggle("shows-words"));
  const press = toggle("recognised", "Recognised text over the scan", element.classList.contains("shows-words"), shows);
  return press;
}

/** @param {boolean} paged */
function asides(paged) {
  const keys = { outline: "o", thumbs: "t", find: "f" };
  return Object.keys(KINDS)
    .filter((kind) => paged || kind !== "thumbs")
    .map((kind) => toggle(kind === "find" ? "search" : kind, `${KINDS[kind]} (${keys[kind]})`, beside?.kind === kind, () => openBeside(kind), { kind }));
}

/** Open or close what lies beside the document. @param {import("./outline.js").Kind | null} kind */
export function openBeside(kind) {
  const again = kind !== null && beside?.kind === kind && beside.view === current;
  closeSide();
  if (again || kind === null || !current || (kind === "thumbs" && !(current instanceof PagesView))) return;
  beside = { kind, view: current };
  const side = besides(kind, current.entry, current, closeSide);
  body.prepend(side);
  side.querySelector("input")?.focus();
  pressed();
}

function closeSide() {
  const side = body.querySelector(".source-side");
  const kind = side?.contains(document.activeElement) ? beside?.kind : null;
  side?.remove();
  if (beside?.kind === "find") beside.view.found([], -1);
  beside = null;
  pressed();
  if (kind) /** @type {HTMLElement} */ (top.querySelector(`[data-kind=${kind}]`))?.focus();
}

function pressed() {
  for (const press of findAll("[data-kind]", top))
    press.setAttribute("aria-pressed", press.dataset.kind === beside?.kind);
}

/** What the answer cites in another document than this one. @param {string} name @returns {Citation | undefined} */
function otherCited(name) {
  const { citations = [], missing } = state.answer.result ?? {};
  const cited = citations.length ? citations : (missing?.nearest ?? []);
  return cited.find((one) => one.document !== name && documentNamed(one.document));
}

/** Show another document that the answer cites beside the first, or no longer. @param {boolean} [on] */
export function openTwo(on = !twoShown) {
  if (!current || !otherCited(current.entry.name)) return;
  twoShown = on;
  renew();
}

/** @param {string} name Of the first. */
function showSecond(name) {
  const cited = twoShown ? otherCited(name) : undefined;
  const entry = cited && documentNamed(cited.document);
  second.hidden = !entry;
  if (!entry) return void second.replaceChildren();
  const view = viewOf(entry);
  const close = iconButton("close", `Close ${entry.name}`, () => openTwo(false));
  const told = el("p.second-head", el("strong", entry.name), ` ${place(cited)}`, close);
  second.replaceChildren(told, el("div.second-view", view.element));
  const marks = state.answer.result.citations.filter((one) => one.document === entry.name);
  view.show(marks.length ? marks : [cited], 0).catch(complain);
}

/** @param {View} view @param {Problem} problem */
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

/** @param {View} view */
function forget(view) {
  view.close();
  for (const [key, one] of views) if (one === view) views.delete(key);
}

/** @param {number} page */
function pageShown(page) {
  const field = /** @type {HTMLInputElement | null} */ (byId("source-page"));
  if (field && field !== document.activeElement) field.value = String(page);
}

/**
 * What an answer cites and is not in the collection as it was.
 * @param {string} name @param {Citation | undefined} cited
 * @param {Entry} [instead] The document that has its name now.
 */
function absent(name, cited, instead) {
  if (!name) return empty();
  const why = instead ? "This document was replaced after the answer was given." : "This document is no longer in the collection.";
  empty(
    name,
    el("p", why, cited && " The lines were:"),
    cited && el("p.hint", place(cited)),
    cited && el("blockquote", cited.quote),
    instead && button("Show the document as it is now", () => select(name)),
  );
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
