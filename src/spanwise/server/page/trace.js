/** How an answer came about: its trace as a tree that can be read and downloaded. */

import { api } from "./api.js";
import { button, el } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { counted } from "./places.js";
import { state } from "./state.js";

/** Entries of one list or object that are shown; the file has all of them. */
const MOST = 200;

/** @param {string} id Of the answer. */
export async function showTrace(id) {
  const trace = await api.trace(state.corpus, id);
  const text = JSON.stringify(trace, null, 2);
  const download = button("Download", () => save(text, `trace-${id}.json`), { icon: "download" });
  const tree = el("div.tree", { tabindex: "0", role: "region", "aria-label": "Trace" },
    ...Object.entries(trace).map(([key, value]) => branch(key, value)),
  );
  openDialog(
    "How this answer came about",
    [
      el("p.hint",
        "Everything that was read, computed and decided. ",
        el("code", "spanwise replay"),
        " proves the answer again from this file, without a model.",
      ),
      tree,
      el("div.dialog-actions", download),
    ],
    { class: "large" },
  );
}

/** @param {string} key @param {unknown} value @returns {HTMLElement} Children are made when it is opened. */
function branch(key, value) {
  const children = value !== null && typeof value === "object" ? Object.entries(value) : null;
  if (!children?.length) {
    return el("p.leaf",
      el("span.key", key),
      " ",
      el("span", children ? "none" : String(value)),
    );
  }
  const size = counted(
    children.length,
    Array.isArray(value) ? "entry" : "field",
    Array.isArray(value) ? "entries" : "fields",
  );
  const details = el("details", el("summary", el("span.key", key), " ", el("span.hint", size)),
  );
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    details.append(...children.slice(0, MOST).map(([name, child]) => branch(name, child)));
    if (children.length > MOST) details.append(el("p.hint", `and ${children.length - MOST} more`));
  });
  return details;
}

/** @param {string} text @param {string} name */
function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
