/** What lies beside a document: its sections, its pages as small pictures, and where some words are in it. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { el, findAll, iconButton } from "./dom.js";
import { passwordOf } from "./passwords.js";
import { counted, cutter } from "./places.js";
import { state } from "./state.js";

/** @typedef {import("./state.js").Entry} Entry */
/** @typedef {"outline" | "thumbs" | "find"} Kind */
/** @typedef {{goTo: (page: number) => void, reach: (line: any) => void, found: (lines: any[], at: number) => void}} View */

/** Pixels of a small picture, and how many of them stay. */
const WIDTH = 96;
const KEPT = 60;
/** Milliseconds after the last letter, before it is searched. */
const PAUSE = 250;

export const KINDS = { outline: "Sections", thumbs: "Pages", find: "Search in the document" };

/**
 * @param {Kind} kind @param {Entry} entry @param {View} view @param {() => void} close
 * @returns {HTMLElement}
 */
export function besides(kind, entry, view, close) {
  const title = el("h3", KINDS[kind]);
  const root = el(
    "section",
    { class: `source-side side-${kind}`, "aria-label": KINDS[kind] },
    el("div.side-head", title, iconButton("close", `Close: ${KINDS[kind]}`, close)),
  );
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  ({ outline, thumbs, find })[kind](root, entry, view).catch(complain);
  return root;
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function outline(root, entry, view) {
  const { sections } = await api.document(state.corpus, entry.id, entry.sha256);
  const rows = sections.map((section) => {
    const reach = async () => {
      const [line] = await api.lines(state.corpus, entry.id, entry.sha256, section.first_line, section.first_line);
      view.reach(line);
    };
    const press = el("button.side-row", { type: "button", on: { click: () => reach().catch(complain) } },
      el("span", section.title),
      entry.pages ? el("span.hint", section.start_page) : null,
    );
    press.style.setProperty("--level", String(Math.min(5, section.level - 1)));
    return el("li", press);
  });
  root.append(rows.length ? el("ol.side-list", ...rows) : el("p.hint", "It has no sections."));
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function thumbs(root, entry, view) {
  const { page_list: pages } = await api.document(state.corpus, entry.id, entry.sha256);
  const cited = new Map();
  for (const one of state.answer.kind === "result" ? state.answer.result.citations : []) {
    if (one.document === entry.name) for (const page of new Set(one.boxes.map((box) => box.page))) cited.set(page, (cited.get(page) ?? 0) + 1);
  }
  /** @type {Map<HTMLElement, HTMLImageElement>} The last drawn at the end. */
  const drawn = new Map();
  const wanted = new Set();
  let busy = false;
  const draw = async () => {
    if (busy) return;
    busy = true;
    for (const press of wanted) {
      wanted.delete(press);
      if (!root.isConnected) break;
      if (drawn.has(press)) continue;
      const page = Number(press.dataset.page);
      const width = WIDTH * Math.min(2, Math.ceil(devicePixelRatio));
      try {
        const password = passwordOf(entry.sha256);
        const blob = await api.picture(state.corpus, entry.id, page, width, entry.sha256, password, new AbortController().signal);
        const address = URL.createObjectURL(blob);
        const picture = el("img", { alt: "", src: address });
        await picture.decode().catch(() => undefined);
        URL.revokeObjectURL(address);
        press.querySelector(".thumb-page").replaceChildren(picture);
        drawn.set(press, picture);
        const [oldest] = drawn.keys();
        if (drawn.size > KEPT) (drawn.get(oldest).remove(), drawn.delete(oldest));
      } catch {
        // A small picture that does not come is a page with its number.
      }
    }
    busy = false;
  };
  const watching = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (isIntersecting) wanted.add(target);
        else wanted.delete(target);
      }
      draw();
    },
    { root, rootMargin: "200px" },
  );
  const list = pages.map((page) => {
    const marks = cited.get(page.number) ?? 0;
    const label = `Page ${page.number}` + (marks ? `, ${counted(marks, "piece")} of evidence` : "");
    const shape = el("span.thumb-page");
    shape.style.setProperty("aspect-ratio", `${page.width || 3} / ${page.height || 4}`);
    const press = el(
      "button",
      { type: "button", class: marks ? "thumb is-cited" : "thumb", "aria-label": label, data: { page: page.number }, on: { click: () => view.goTo(page.number) } },
      shape,
      el("span.thumb-number", page.label, marks ? el("span.number", marks) : null),
    );
    watching.observe(press);
    return el("li", press);
  });
  root.append(el("ol.thumbs", ...list));
  root.querySelector(".is-cited")?.scrollIntoView({ block: "center" });
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function find(root, entry, view) {
  const field = el("input", { type: "search", id: "find-words", maxlength: 200, placeholder: "Words…", "aria-label": KINDS.find });
  const count = el("p.hint", { role: "status" });
  const list = el("ol.side-list");
  let [lines, at] = [[], -1];
  let turn = 0;
  let last = "";
  const choose = (now) => {
    if (!lines.length) return;
    at = (now + lines.length) % lines.length;
    view.found(lines, at);
    view.reach(lines[at]);
    for (const [place, one] of findAll(".side-row", list).entries()) one.setAttribute("aria-current", String(place === at));
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const search = async () => {
    const words = field.value.trim();
    if (words === last) return;
    last = words;
    const mine = ++turn;
    const told = words ? await api.find(state.corpus, entry.id, entry.sha256, words) : { lines: [], total: 0 };
    if (mine !== turn) return;
    ({ lines } = told);
    at = -1;
    view.found(lines, -1);
    const some = told.total > lines.length ? `, the first ${lines.length} are shown` : "";
    count.textContent = words ? (told.total ? `${counted(told.total, "line")}${some}` : "Not in this document.") : "";
    list.replaceChildren(...lines.map((line, place) => el("li", hit(line, entry, () => choose(place)))));
    choose(0);
  };
  let pause;
  field.addEventListener("input", () => (clearTimeout(pause), (pause = setTimeout(() => search().catch(complain), PAUSE))));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (field.value.trim() !== last) search().catch(complain);
    else choose(at + (event.shiftKey ? -1 : 1));
    if (lines.length) announce(`${at + 1} of ${lines.length}: ${lines[at].text.slice(0, 200)}`);
  });
  root.append(field, count, list);
}

/** @param {any} line @param {Entry} entry @param {() => void} choose */
function hit(line, entry, choose) {
  const cut = cutter(line.text);
  const [start, end] = line.at[0] ?? [0, 0];
  const from = Math.max(0, start - 30);
  return el("button.side-row", { type: "button", on: { click: choose } },
    el("span", from ? "…" : "", cut(from, start), el("mark", cut(start, end)), cut(end, end + 60)),
    el("span.hint", entry.pages ? line.page : line.number),
  );
}
