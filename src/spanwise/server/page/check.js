/** A text of somebody else, checked against the ticked documents: its claims in colours, the findings in words. */

import { announce, complain, wrong } from "./announce.js";
import { api } from "./api.js";
import { claimed, standing, statement, stretchesOf, tallied } from "./claims.js";
import { asking, behind, placed, showPlace } from "./doors.js";
import { button, el, on, shorten, submit } from "./dom.js";
import { counted, cutter } from "./places.js";
import { asked, askedIds, state } from "./state.js";

/** Characters that the server takes. */
const LONGEST = 200_000;
/** Claims whose evidence is listed at once. */
const FIRST = 100;
const KINDS = {
  fabricated: "Cites or quotes what does not exist",
  wrong_place: "Cites the wrong place",
  number_changed: "Another figure",
  date_changed: "Another date",
  negated: "Says the opposite",
  swapped: "Takes the value of something else",
  overstated: "Says more than the source",
  stitched: "Joins words that stand apart",
  not_in_sources: "Not in the documents",
};

/** What was written and found, for as long as the page is open. */
let kept = { corpus: "", text: "", found: null };

export function opened() {
  const field = el("textarea", { id: "to-check", rows: "5", maxlength: LONGEST });
  field.value = kept.text;
  on(field, "input", () => (kept = { corpus: state.corpus, text: field.value, found: null }));
  const result = el("div.found");
  const file = el("input", { type: "file", accept: ".txt,.md,.markdown,text/*", hidden: true, tabindex: "-1" });
  on(file, "change", () => taken(file, field).catch(complain));
  const go = submit("Check it");
  if (kept.found && kept.corpus === state.corpus) show(kept.text, kept.found, result);
  return behind(
    "Check a text against the documents",
    "Each of its statements is held against the ticked documents.",
    asking(field, "The text", () => check(field.value, result, go),
      el("div.dialog-actions", button("Open a text file", () => file.click()), file, go),
    ),
    result,
  );
}

/** @param {HTMLInputElement} file @param {HTMLTextAreaElement} field */
async function taken(file, field) {
  const [chosen] = file.files;
  file.value = "";
  if (!chosen) return;
  if (chosen.size > 4 * LONGEST) throw new Error(`${chosen.name} is too long to check: give a part of it.`);
  const text = await chosen.text();
  if (text.includes("\0")) throw new Error(`${chosen.name} is no text: give a text or Markdown file.`);
  field.value = text.slice(0, LONGEST);
  field.dispatchEvent(new Event("input"));
  if (text.length > LONGEST) complain(`Only the first ${LONGEST.toLocaleString("en")} characters are checked.`);
  field.focus();
}

/** @param {string} text @param {HTMLElement} result @param {HTMLButtonElement} go */
async function check(text, result, go) {
  const entries = asked();
  if (!text.trim() || !entries.length)
    return result.replaceChildren(wrong(entries.length ? "Paste a text, or open a file." : "Tick at least one document."));
  result.replaceChildren(el("p.hint", `Checking against ${counted(entries.length, "document")}…`));
  go.disabled = true;
  try {
    const found = await api.verify(text, askedIds());
    kept = { corpus: state.corpus, text, found };
    show(text, found, result);
    announce(result.querySelector(".tally").textContent);
  } catch (problem) {
    result.replaceChildren(wrong(problem));
  } finally {
    go.disabled = false;
  }
}

/** @param {string} text @param {any} found @param {HTMLElement} result */
function show(text, found, result) {
  const { claims } = found;
  const cut = cutter(text);
  const rows = claims.flatMap((claim, position) => (standing(claim) === "sound" ? [] : [row(claim, position, found)]));
  const sound = claims.length - rows.length;
  const words = claims.length
    ? `${sound} of ${counted(claims.length, "statement")} ${sound === 1 ? "is" : "are"} supported by the documents`
    : "There is nothing to check: the text makes no statement";
  const list = el("ul");
  const more = shorten(list, rows, FIRST);
  // The text, in which every claim leads to its evidence.
  const marked = stretchesOf(claims).map(({ start, end, claim }) => {
    const place = claim !== null && placeOf(claims[claim], found);
    const go = () => place && showPlace(place, "possible").catch(complain);
    return claim === null ? cut(start, end) : claimed(claims[claim], cut(start, end), go, false);
  });
  result.replaceChildren(
    tallied(words, claims.length > 0 && !rows.length),
    el("div.checked", { tabindex: "0", role: "region", "aria-label": "The text" }, ...marked),
    rows.length ? el("section.concerns", { "aria-label": "Findings" }, el("h3", "Findings"), list, more) : "",
  );
}

/** What shows that a claim holds or fails. @param {any} claim @param {any} found */
function placeOf(claim, found) {
  const told = found.findings.find((one) => found.claims[one.claim] === claim && one.source);
  const id = told?.source ?? claim.citations[0];
  return found.evidence.find((one) => one.id === id);
}

/** @param {any} claim @param {number} position @param {any} found */
function row(claim, position, found) {
  const told = found.findings.filter((one) => one.claim === position);
  const place = placeOf(claim, found);
  const words = told.length ? told.map((one) => `${KINDS[one.kind] ?? one.kind}: ${one.reason}`) : [claim.reason];
  return statement("concern", standing(claim), el("q", claim.text), ...words, place && placed(place, "nearby"));
}
