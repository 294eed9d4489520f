/** The same questions to each of the ticked documents, as a table: a row a document, a citation in every cell. */

import { announce } from "./announce.js";
import { api } from "./api.js";
import { byId, el, icon } from "./dom.js";
import { counted, place, sentence } from "./places.js";
import { asked, set, state } from "./state.js";
import { STATES } from "./states.js";

/** Values of one cell that are shown. */
const VALUES = 12;

/** What was asked and found, for as long as the page is open. */
let kept = { corpus: "", questions: "", fields: [], entries: [], rows: null, job: "" };
/** @type {AbortController | null} */
let running = null;

export function opened() {
  if (kept.corpus !== state.corpus) kept = { ...kept, corpus: state.corpus, rows: null, job: "" };
  const now = /** @type {HTMLTextAreaElement} */ (byId("question")).value.trim();
  const field = el("textarea", { id: "columns", rows: "3", "aria-describedby": "columns-hint" });
  field.value = kept.questions || now;
  field.addEventListener("input", () => (kept.questions = field.value));
  const result = el("div.found");
  const go = el("button.primary", "Fill the table");
  const form = el(
    "form",
    { on: { submit: (event) => (event.preventDefault(), running ? running.abort() : fill(field, result, go)) } },
    el("label", { for: "columns" }, "Questions, one a line"),
    field,
    el("p.hint", { id: "columns-hint" }, "A name for the column may stand before it: Rent = How much is the rent?"),
    el("div.dialog-actions", go),
  );
  if (kept.rows) show(result);
  return el("section.card.door-form", { "aria-labelledby": "door-title" },
    el("h2", { id: "door-title" }, "Compare documents in a table"),
    el("p.hint", "Each ticked document is asked by itself, in its own words. No model is called."),
    form,
    result,
  );
}

/** @param {string} text @returns {{name: string, question: string}[]} */
function columns(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [, name, question] = line.match(/^([^=?]{1,60}?)\s*=\s*(.+)$/) ?? [null, line.slice(0, 200), line];
    return { name, question };
  });
}

/** @param {HTMLTextAreaElement} field @param {HTMLElement} result @param {HTMLButtonElement} go */
async function fill(field, result, go) {
  const fields = columns(field.value);
  const entries = asked();
  if (!fields.length || !entries.length) {
    const why = entries.length ? "Write at least one question." : "Tick at least one document.";
    return result.replaceChildren(el("p.wrong", { role: "alert" }, why));
  }
  const mine = (running = new AbortController());
  const bar = el("progress", { "aria-label": "Documents that were asked" });
  const note = el("p.hint", `Asking ${counted(entries.length, "document")}…`);
  result.replaceChildren(bar, note);
  go.textContent = "Stop";
  let job = null;
  try {
    const ids = entries.map((one) => one.id);
    job = await api.extract(state.corpus, fields, ids);
    for await (const told of api.job(state.corpus, job.id, mine.signal)) {
      job = told;
      if (told.total) Object.assign(bar, { max: told.total, value: told.done });
      note.textContent = `${told.done} of ${counted(told.total || entries.length, "document")}`;
    }
    if (job.state !== "done") throw new Error(job.problem?.detail ?? "The table was not finished: fill it again.");
    kept = { ...kept, fields, entries, rows: job.rows, job: job.id };
    show(result);
    announce(`The table has ${counted(entries.length, "row")}`);
  } catch (problem) {
    if (mine.signal.aborted && job) api.cancelJob(state.corpus, job.id).catch(() => undefined);
    const words = mine.signal.aborted ? "Stopped. Nothing was kept." : sentence(problem.message);
    result.replaceChildren(el("p", { class: mine.signal.aborted ? "" : "wrong", role: "alert" }, words));
  } finally {
    running = null;
    go.textContent = "Fill the table";
  }
}

/** @returns {{entry: any, cells: any[][]}[]} One row a document. */
function table() {
  const names = [...new Set(kept.rows.map((row) => row.name))];
  return kept.entries.map((entry) => ({
    entry,
    cells: names.map((name) => kept.rows.filter((row) => row.name === name && row.document === entry.name)),
  }));
}

/** @param {HTMLElement} result */
function show(result) {
  const rows = table();
  result.replaceChildren(
    el("div.grid", { tabindex: "0", role: "region", "aria-label": "The table" },
      el("table", el("thead", el("tr", el("th", { scope: "col" }, "Document"),
            ...kept.fields.map((one) => el("th", { scope: "col", title: one.question }, one.name)),
          ),
        ),
        el("tbody", ...rows.map(({ entry, cells }) => el("tr", el("th", { scope: "row" }, entry.name), ...cells.map(cell))),
        ),
      ),
    ),
    el("p.dialog-actions", ...["csv", "xlsx"].map(download)),
  );
}

/** @param {string} kind */
function download(kind) {
  const href = api.tableAddress(kept.corpus, kept.job, kind);
  return el("a.quiet", { href, download: `table.${kind}` }, icon("download"), `Download as ${kind.toUpperCase()}`);
}

/** @param {any[]} values Of one field of one document. */
function cell(values) {
  const found = values.filter((row) => row.found);
  if (!found.length) {
    const why = values[0]?.reason ?? "not asked";
    return el("td.is-empty", el("span", "Not found"), el("span.hint", sentence(why)));
  }
  const left = found.length - VALUES;
  return el("td", ...found.slice(0, VALUES).map(value),
    left > 0 ? el("span.hint", `and ${left} more in the file`) : null,
  );
}

/** @param {any} row */
function value(row) {
  const as = row.review ? "possible" : "proved";
  const choose = () =>
    set({ cited: null, selection: { document: row.document, citations: row.citations, active: 0, claim: null, as } });
  return el(
    "button",
    { type: "button", class: "cell-value", title: STATES[as].label, on: { click: choose } },
    el("span", row.value),
    el("span.hint", row.review ? "possible · " : "", row.citations[0] ? place(row.citations[0]) : ""),
  );
}
