/** Where the documents of the collection say different things of the same, as a list. */

import { announce } from "./announce.js";
import { api } from "./api.js";
import { button, el } from "./dom.js";
import { quoted } from "./doors.js";
import { counted, sentence } from "./places.js";
import { asked, state } from "./state.js";

/** How many are shown at once. */
const FIRST = 50;
const KINDS = { number: "Another figure", date: "Another date", polarity: "One denies the other", name: "Another name" };

export function opened() {
  const list = el("div.found", { "aria-live": "polite" });
  const again = button("Look again", () => look(list, again));
  look(list, again);
  return el("section.card", { "aria-labelledby": "door-title" },
    el("h2", { id: "door-title" }, "Where the documents disagree"),
    el("p.hint", "Sentences of the ticked documents are compared with each other. No model is called."),
    list,
    el("p", again),
  );
}

/** @param {HTMLElement} list @param {HTMLButtonElement} again */
async function look(list, again) {
  const entries = asked();
  if (entries.length < 2) return list.replaceChildren(el("p", "Tick at least two documents to compare."));
  list.replaceChildren(el("p.hint", `Comparing ${counted(entries.length, "document")}…`));
  again.disabled = true;
  try {
    const all = entries.length === state.documents.length;
    const ids = all ? [] : entries.map((one) => one.id);
    const found = await api.conflicts(state.corpus, ids);
    const words = found.length
      ? `${counted(found.length, "place")} where two of them differ. Which one holds is for you to decide.`
      : `No sentence of the ${counted(entries.length, "document")} contradicts another one in a way that code can see.`;
    announce(words);
    const rows = found.map(conflict);
    list.replaceChildren(el("p", words), ...rows.slice(0, FIRST));
    if (rows.length > FIRST) {
      const more = button(`Show all ${rows.length}`, () => more.replaceWith(...rows.slice(FIRST)));
      list.append(more);
    }
  } catch (problem) {
    list.replaceChildren(el("p.wrong", { role: "alert" }, sentence(problem.message)));
  } finally {
    again.disabled = false;
  }
}

/** @param {any} told */
function conflict(told) {
  const side = (name) =>
    el("div.side",
      quoted(told[name], "possible"),
      told.later === name ? el("p.hint", "the later one, by what the documents say") : null,
    );
  return el("article.disagreement",
    el("h3", KINDS[told.kind] ?? told.kind),
    el("p.hint", sentence(told.reason)),
    el("div.sides", side("one"), side("other")),
  );
}
