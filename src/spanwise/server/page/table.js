/** The same questions to each of the ticked documents, as a table: a row a document, a citation in every cell. */

import { announce, wrong } from "./announce.js";
import { api } from "./api.js";
import { asking, behind } from "./doors.js";
import { byId, el, icon, on, submit } from "./dom.js";
import { counted, place, sentence, STATES } from "./places.js";
import { asked, select, set, state } from "./state.js";
import { grid } from "./tables.js";

/** Values of one cell that are shown. */
const VALUES = 12;
const FILL = "Fill the table";

/** What was asked and found, for as long as the page is open. */
let kept = { corpus: "", questions: "", fields: [], entries: [], rows: null, job: "" };
/** @type {AbortController | null} */
let running = null;

export function opened() {
  if (kept.corpus !== state.corpus) kept = { ...kept, corpus: state.corpus, rows: null, job: "" };
  const now = /** @type {HTMLTextAreaElement} */ (byId("question")).value.trim();
  const field = el("textarea", { id: "columns", rows: "3", "aria-describedby": "columns-hint" });
  field.value = kept.questions || now;
  on(field, "input", () => (kept.questions = field.value));
  const result = el("div.found");
  const go = submit(FILL);
  if (kept.rows) show(result);
  return behind(
    "Compare documents in a table",
    "Each ticked document is asked by itself, in its own words.",
    asking(field, "Questions, one a line", () => (running ? running.abort() : fill(field, result, go)),
      el("p.hint", { id: "columns-hint" }, "A name for the column may stand before it: Rent = How much is the rent?"),
      el("div.dialog-actions", go),
    ),
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
  const { corpus } = state;
  if (!fields.length || !entries.length)
    return result.replaceChildren(wrong(entries.length ? "Write at least one question." : "Tick at least one document."));
  const { signal } = (running = new AbortController());
  const bar = el("progress", { "aria-label": "Documents that were asked" });
  const note = el("p.hint", `Asking ${counted(entries.length, "document")}…`);
  result.replaceChildren(bar, note);
  go.textContent = "Stop";
  let job = null;
  try {
    job = await api.extract(fields, entries.map((one) => one.id));
    for await (const told of api.job(corpus, job.id, signal)) {
      job = told;
      if (told.total) Object.assign(bar, { max: told.total, value: told.done });
      note.textContent = `${told.done} of ${counted(told.total || entries.length, "document")}`;
    }
    if (job.state !== "done") throw new Error(job.problem?.detail ?? "The table was not finished: fill it again.");
    kept = { ...kept, fields, entries, rows: job.rows, job: job.id };
    show(result);
    announce(`The table has ${counted(entries.length, "row")}`);
  } catch (problem) {
    if (signal.aborted && job) api.cancelJob(corpus, job.id).catch(() => {});
    result.replaceChildren(signal.aborted ? el("p", { role: "alert" }, "Stopped. Nothing was kept.") : wrong(problem));
  } finally {
    running = null;
    go.textContent = FILL;
  }
}

/** @param {HTMLElement} result */
function show(result) {
  const { corpus, fields, entries, rows, job } = kept;
  const names = [...new Set(rows.map((row) => row.name))];
  const head = (text, title) => el("th", { scope: "col", title }, text);
  const body = entries.map((entry) =>
    el("tr",
      el("th", { scope: "row" }, entry.name),
      ...names.map((name) => cell(rows.filter((row) => row.name === name && row.document === entry.name))),
    ),
  );
  const download = (kind) =>
    el("a.quiet",
      { href: api.tableAddress(corpus, job, kind), download: `table.${kind}` },
      icon("download"),
      `Download as ${kind.toUpperCase()}`,
    );
  result.replaceChildren(
    grid("The table", [head("Document"), ...fields.map((one) => head(one.name, one.question))], body),
    el("p.dialog-actions", download("csv"), download("xlsx")),
  );
}

/** @param {any[]} values Of one field of one document. */
function cell(values) {
  const found = values.filter((row) => row.found);
  if (!found.length)
    return el("td.is-empty", el("span", "Not found"), el("span.hint", sentence(values[0]?.reason ?? "not asked")));
  // Of what is only possible, the most likely is enough to go on with.
  const sure = found.filter((row) => !row.review);
  const [first, ...others] = sure.length ? [...sure, ...found.filter((row) => row.review)] : found;
  const shown = sure.length > 1 ? sure.length - 1 : 0;
  const folded = others.slice(shown, VALUES);
  const left = others.length - VALUES;
  return el("td",
    value(first),
    ...others.slice(0, shown).slice(0, VALUES).map(value),
    folded.length > 0 && el("details", el("summary.hint", `${folded.length} more, possible`), ...folded.map(value)),
    left > 0 && el("span.hint", `and ${left} more in the file`),
  );
}

/** @param {any} row */
function value({ document, citations, review, value: text }) {
  const as = review ? "possible" : "proved";
  return el(`button.cell-value.is-${as}`, {
      title: STATES[as].label,
      click: () => (set({ cited: null }), select(document, { citations, as })),
    },
    el("span", text),
    el("span.hint", review ? "possible · " : "", citations[0] ? place(citations[0]) : ""),
  );
}
