/** What can be done with an answer: copy it, take the highlighted PDF along, look at its trace. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { button, el, icon } from "./dom.js";
import { documentNamed, state } from "./state.js";
import { showTrace } from "./trace.js";

/** @param {import("./state.js").Result} result */
export function actions(result) {
  const copy = button("Copy as Markdown", () => copied(result, "markdown", copy).catch(complain), { icon: "copy" });
  const plain = button("Copy without footnotes", () => copied(result, "plain", plain).catch(complain), { icon: "copy" });
  const rich = button("Copy formatted", () => copied(result, "html", rich).catch(complain), { icon: "copy" });
  const trace = button("Trace", () => showTrace(result.trace_id).catch(complain), { icon: "trace" });
  return el("div.actions", copy, plain, rich, ...highlighted(result), trace);
}

/** @param {import("./state.js").Result} result @returns {HTMLElement[]} One link for each cited PDF. */
function highlighted(result) {
  const names = new Set(result.citations.filter((one) => one.boxes.length).map((one) => one.document));
  const entries = [...names].map(documentNamed).filter((entry) => entry !== undefined);
  return entries.map((entry) =>
    el("a.quiet", {
        href: api.highlightAddress(state.corpus, result.trace_id, entry.id),
        download: `${stem(entry.name)}-highlighted.pdf`,
      },
      icon("highlight"),
      entries.length > 1 ? `Highlighted ${entry.name}` : "Highlighted PDF",
    ),
  );
}

/** @param {string} name */
function stem(name) {
  return name.replace(/^.*[\\/]/, "").replace(/\.pdf$/i, "");
}

/** The marks of footnotes, and the footnotes: what a text has of them itself is escaped. */
const FOOTNOTES = /\n*^\[\^[^\]\n]+\]: .*$|\[\^[^\]\n]+\]/gm;

/** @param {import("./state.js").Result} result @param {"markdown" | "plain" | "html"} form @param {HTMLElement} pressed */
async function copied(result, form, pressed) {
  const text = await api.written(state.corpus, result.trace_id, "markdown");
  if (form === "html" && navigator.clipboard?.write) {
    const html = await api.written(state.corpus, result.trace_id, "html");
    const typed = (kind, content) => ({ [kind]: new Blob([content], { type: kind }) });
    await navigator.clipboard.write([new ClipboardItem({ ...typed("text/html", html), ...typed("text/plain", text) })]);
  } else {
    await toClipboard(form === "plain" ? `${text.replace(FOOTNOTES, "").trim()}\n` : text);
  }
  announce("Copied");
  pressed.classList.add("done");
  setTimeout(() => pressed.classList.remove("done"), 2000);
}

/** @param {string} text */
async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages that do not come over HTTPS or from this machine have no clipboard of their own.
  const area = el("textarea.unseen");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("The browser does not let this page copy. Use the command line: spanwise ask --json.");
}
