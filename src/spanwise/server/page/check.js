/** A text of somebody else, checked against the ticked documents: its claims in colours, the findings in words. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { standing, tag } from "./claims.js";
import { button, el } from "./dom.js";
import { quoted, showPlace } from "./doors.js";
import { counted, cutter, sentence } from "./places.js";
import { asked, state } from "./state.js";

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
  const field = el("textarea", { id: "to-check", rows: "5", maxlength: String(LONGEST) });
  field.value = kept.text;
  field.addEventListener("input", () => (kept = { corpus: state.corpus, text: field.value, found: null }));
  const result = el("div.found");
  const file = el("input", { type: "file", accept: ".txt,.md,.markdown,text/*", hidden: true, tabindex: "-1" });
  file.addEventListener("change", () => taken(file, field).catch(complain));
  const go = el("button.primary", "Check it");
  const form = el(
    "form",
    { on: { submit: (event) => (event.preventDefault(), check(field.value, result, go)) } },
    el("label", { for: "to-check" }, "The text"),
    field,
    el("div.dialog-actions",
      button("Open a text file", () => file.click()),
      file,
      go,
    ),
  );
  if (kept.found && kept.corpus === state.corpus) show(kept.text, kept.found, result);
  return el("section.card.door-form", { "aria-labelledby": "door-title" },
    el("h2", { id: "door-title" }, "Check a text against the documents"),
    el("p.hint", "Each of its statements is held against the ticked documents. No model is called."),
    form,
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
  if (!text.trim() || !entries.length) {
    const why = entries.length ? "Paste a text, or open a file." : "Tick at least one document.";
    return result.replaceChildren(el("p.wrong", { role: "alert" }, why));
  }
  result.replaceChildren(el("p.hint", `Checking against ${counted(entries.length, "document")}…`));
  go.disabled = true;
  try {
    const all = entries.length === state.documents.length;
    const found = await api.verify(state.corpus, text, all ? null : entries.map((one) => one.id));
    kept = { corpus: state.corpus, text, found };
    show(text, found, result);
    announce(result.querySelector(".tally").textContent);
  } catch (problem) {
    result.replaceChildren(el("p.wrong", { role: "alert" }, sentence(problem.message)));
  } finally {
    go.disabled = false;
  }
}

/** @param {string} text @param {any} found @param {HTMLElement} result */
function show(text, found, result) {
  const sound = found.claims.filter((claim) => standing(claim) === "sound").length;
  const words = found.claims.length
    ? `${sound} of ${counted(found.claims.length, "statement")} ${sound === 1 ? "is" : "are"} supported by the documents`
    : "There is nothing to check: the text makes no statement";
  const whole = found.claims.length > 0 && sound === found.claims.length;
  const rows = found.claims
    .map((claim, position) => ({ claim, position, how: standing(claim) }))
    .filter(({ how }) => how !== "sound")
    .map((one) => row(one, found));
  const list = el("ul", ...rows.slice(0, FIRST));
  const more = button(`Show all ${rows.length}`, () => (list.append(...rows.slice(FIRST)), more.remove()));
  result.replaceChildren(
    el("p", { class: `tally ${whole ? "tally-sound" : "tally-open"}` }, words),
    el("div.checked", { tabindex: "0", role: "region", "aria-label": "The text" }, ...marked(text, found)),
    rows.length
      ? el("section.concerns", { "aria-label": "Findings" }, el("h3", "Findings"), list, rows.length > FIRST && more)
      : "",
  );
}

/** The text, in which every claim leads to its evidence. @param {string} text @param {any} found */
function marked(text, found) {
  const cut = cutter(text);
  const parts = [];
  let at = 0;
  for (const claim of [...found.claims].sort((one, other) => one.at[0] - other.at[0])) {
    const [start, end] = claim.at;
    if (start < at) continue;
    parts.push(cut(at, start), claimed(claim, cut(start, end), found));
    at = end;
  }
  return [...parts, cut(at)];
}

/** @param {any} claim @param {string} words @param {any} found */
function claimed(claim, words, found) {
  const how = standing(claim);
  const go = (event) => {
    event.preventDefault();
    const place = placeOf(claim, found);
    if (place) showPlace(place, "possible").catch(complain);
  };
  const keys = { click: go, keydown: (event) => ["Enter", " "].includes(event.key) && go(event) };
  const attributes = { class: `claim claim-${how} is-${how}`, role: "button", tabindex: "0", on: keys };
  const link = el("span", { ...attributes, title: sentence(claim.reason) }, words);
  return el("span", link, how === "sound" ? null : tag(how));
}

/** What shows that a claim holds or fails. @param {any} claim @param {any} found */
function placeOf(claim, found) {
  const told = found.findings.find((one) => found.claims[one.claim] === claim && one.source);
  const id = told?.source ?? claim.citations[0];
  return found.evidence.find((one) => one.id === id);
}

/** @param {{claim: any, position: number, how: string}} one @param {any} found */
function row({ claim, position, how }, found) {
  const told = found.findings.filter((one) => one.claim === position);
  const place = placeOf(claim, found);
  const words = told.length ? told.map((one) => `${KINDS[one.kind] ?? one.kind}: ${one.reason}`) : [claim.reason];
  return el(
    "li",
    { class: `concern concern-${how}` },
    tag(/** @type {any} */ (how)),
    el("q", claim.text),
    ...words.map((one) => el("p", sentence(one))),
    place ? quoted(place, "nearby") : null,
  );
}
