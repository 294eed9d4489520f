/** What can be done with an answer: copy it, take the highlighted PDF along, look at its trace. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { openDialog } from "./dialogs.js";
import { button, el, icon } from "./dom.js";
import { counted } from "./places.js";
import { documentNamed } from "./state.js";

/** @typedef {import("./state.js").Result} Result */

/** The marks of footnotes, and the footnotes: what a text has of them itself is escaped. */
const FOOTNOTES = /\n*^\[\^[^\]\n]+\]: .*$|\[\^[^\]\n]+\]/gm;
/** Entries of one list or object of a trace that are shown; the file has all of them. */
const MOST = 200;

/** @param {Result} result */
export function actions(result) {
  const { trace_id: id } = result;
  const copy = (label, work) => {
    const pressed = button(label, () => work(id).then(() => copied(pressed), complain), "copy");
    return pressed;
  };
  return el("div.actions",
    copy("Copy as Markdown", async () => toClipboard(await api.written(id, "markdown"))),
    copy("Copy without footnotes", async () =>
      toClipboard(`${(await api.written(id, "markdown")).replace(FOOTNOTES, "").trim()}\n`),
    ),
    copy("Copy formatted", formatted),
    ...highlighted(result),
    button("Trace", () => showTrace(id).catch(complain), "trace"),
  );
}

/** @param {Result} result @returns {HTMLElement[]} One link for each cited PDF. */
function highlighted({ citations, trace_id: id }) {
  const names = new Set(citations.filter((one) => one.boxes.length).map((one) => one.document));
  const entries = [...names].map(documentNamed).filter(Boolean);
  return entries.map((entry) =>
    el("a.quiet", {
        href: api.highlightAddress(id, entry.id),
        download: `${entry.name.replace(/^.*[\\/]/, "").replace(/\.pdf$/i, "")}-highlighted.pdf`,
      },
      icon("highlight"),
      entries.length > 1 ? `Highlighted ${entry.name}` : "Highlighted PDF",
    ),
  );
}

/** @param {HTMLElement} pressed */
function copied(pressed) {
  announce("Copied");
  pressed.classList.add("done");
  setTimeout(() => pressed.classList.remove("done"), 2000);
}

/** Copy an answer as it looks, and as Markdown for what takes no more. @param {string} id */
async function formatted(id) {
  const text = await api.written(id, "markdown");
  if (!navigator.clipboard?.write) return toClipboard(text);
  const html = await api.written(id, "html");
  const typed = (type, content) => ({ [type]: new Blob([content], { type }) });
  await navigator.clipboard.write([new ClipboardItem({ ...typed("text/html", html), ...typed("text/plain", text) })]);
}

/** @param {string} text */
export async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages that do not come over HTTPS or from this machine have no clipboard of their own.
  const area = el("textarea.unseen");
  area.value = text;
  (document.querySelector("dialog") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error(`The browser does not let this page copy. Copy it by hand: ${text.slice(0, 200)}`);
}

/** How an answer came about: its trace as a tree that can be read and downloaded. @param {string} id */
async function showTrace(id) {
  const trace = await api.trace(id);
  const download = button("Download", () => save(JSON.stringify(trace, null, 2), `trace-${id}.json`), "download");
  const tree = Object.entries(trace).map(([key, value]) => branch(key, value));
  openDialog(
    "How this answer came about",
    [
      el("p.hint",
        "Everything that was read, computed and decided. ",
        el("code", "spanwise replay"),
        " proves the answer again from this file, without a model.",
      ),
      el("div.tree", { tabindex: "0", role: "region", "aria-label": "Trace" }, ...tree),
      el("div.dialog-actions", download),
    ],
    "large",
  );
}

/** @param {string} key @param {unknown} value @returns {HTMLElement} Children are made when it is opened. */
function branch(key, value) {
  const inner = value !== null && typeof value === "object";
  const children = inner ? Object.entries(value) : [];
  const name = el("span.key", key);
  if (!children.length) return el("p.leaf", name, " ", el("span", inner ? "none" : String(value)));
  const size = Array.isArray(value) ? counted(children.length, "entry", "entries") : counted(children.length, "field");
  const opened = () => {
    if (details.childElementCount > 1) return;
    details.append(...children.slice(0, MOST).map(([name, child]) => branch(name, child)));
    if (children.length > MOST) details.append(el("p.hint", `and ${children.length - MOST} more`));
  };
  const details = el("details", { toggle: opened }, el("summary", name, " ", el("span.hint", size)));
  return details;
}

/** @param {string} text @param {string} download */
function save(text, download) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
