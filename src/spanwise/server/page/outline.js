/** What lies beside a document: its sections, its pages as small pictures, and where some words are in it. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { current, el, findAll, iconButton } from "./dom.js";
import { counted, cutter } from "./places.js";
import { decoded } from "./source-pages.js";
import { passwords, state } from "./state.js";

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
  const title = KINDS[kind];
  const keydown = (event) => event.key === "Escape" && (event.stopPropagation(), close());
  const root = el(`section.source-side.side-${kind}`, { "aria-label": title, keydown },
    el("div.side-head", el("h3", title), iconButton("close", `Close: ${title}`, close)),
  );
  ({ outline, thumbs, find })[kind](root, entry, view).catch(complain);
  return root;
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function outline(root, entry, view) {
  const { sections } = await api.document(entry);
  const rows = sections.map((section) => {
    const reach = async () => {
      const [line] = await api.lines(entry, section.first_line, section.first_line);
      view.reach(line);
    };
    const style = { "--level": Math.min(5, section.level - 1) };
    return el("li", el("button.side-row", { style, click: () => reach().catch(complain) },
        el("span", section.title),
        entry.pages > 0 && el("span.hint", section.start_page),
      ),
    );
  });
  root.append(rows.length ? el("ol.side-list", ...rows) : el("p.hint", "It has no sections."));
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function thumbs(root, entry, view) {
  const { page_list: pages } = await api.document(entry);
  const cited = new Map();
  for (const { document, boxes } of state.answer.result?.citations ?? []) {
    if (document !== entry.name) continue;
    for (const page of new Set(boxes.map((box) => box.page))) cited.set(page, (cited.get(page) ?? 0) + 1);
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
      const width = WIDTH * Math.min(2, Math.ceil(devicePixelRatio));
      try {
        const password = passwords.get(entry.sha256) ?? "";
        const picture = await decoded(await api.picture(entry, Number(press.dataset.page), width, password));
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
      for (const { target, isIntersecting } of seen) wanted[isIntersecting ? "add" : "delete"](target);
      draw();
    },
    { root, rootMargin: "200px" },
  );
  const list = pages.map(({ number, label, width, height }) => {
    const marks = cited.get(number);
    const press = el("button.thumb", {
        class: marks && "is-cited",
        "aria-label": `Page ${number}` + (marks ? `, ${counted(marks, "piece")} of evidence` : ""),
        data: { page: number },
        click: () => view.goTo(number),
      },
      el("span.thumb-page", { style: { "aspect-ratio": `${width || 3} / ${height || 4}` } }),
      el("span.thumb-number", label, marks > 0 && el("span.number", marks)),
    );
    watching.observe(press);
    return el("li", press);
  });
  root.append(el("ol.thumbs", ...list));
  root.querySelector(".is-cited")?.scrollIntoView({ block: "center" });
}

/** @param {HTMLElement} root @param {Entry} entry @param {View} view */
async function find(root, entry, view) {
  const count = el("p.hint", { role: "status" });
  const list = el("ol.side-list");
  let [lines, at] = [[], -1];
  let turn = 0;
  let last = "";
  let pause;
  const choose = (now) => {
    if (!lines.length) return;
    at = (now + lines.length) % lines.length;
    view.found(lines, at);
    view.reach(lines[at]);
    const rows = findAll(".side-row", list);
    current(rows, (one) => one === rows[at]);
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const search = async () => {
    const words = field.value.trim();
    if (words === last) return;
    last = words;
    const mine = ++turn;
    const told = words ? await api.find(entry, words) : { lines: [], total: 0 };
    if (mine !== turn) return;
    ({ lines } = told);
    at = -1;
    view.found(lines, -1);
    const some = told.total > lines.length ? `, the first ${lines.length} are shown` : "";
    count.textContent = words && (told.total ? counted(told.total, "line") + some : "Not in this document.");
    list.replaceChildren(...lines.map((line, place) => el("li", hit(line, entry, () => choose(place)))));
    choose(0);
  };
  const searched = () => search().catch(complain);
  const field = el("input", {
    type: "search",
    id: "find-words",
    maxlength: 200,
    placeholder: "Words…",
    "aria-label": KINDS.find,
    input: () => (clearTimeout(pause), (pause = setTimeout(searched, PAUSE))),
    keydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (field.value.trim() !== last) searched();
      else choose(at + (event.shiftKey ? -1 : 1));
      if (lines.length) announce(`${at + 1} of ${lines.length}: ${lines[at].text.slice(0, 200)}`);
    },
  });
  root.append(field, count, list);
}

/** @param {any} line @param {Entry} entry @param {() => void} click */
function hit(line, entry, click) {
  const cut = cutter(line.text);
  const [start, end] = line.at[0] ?? [0, 0];
  const from = Math.max(0, start - 30);
  return el("button.side-row", { click },
    el("span", from ? "…" : "", cut(from, start), el("mark", cut(start, end)), cut(end, end + 60)),
    el("span.hint", entry.pages ? line.page : line.number),
  );
}
