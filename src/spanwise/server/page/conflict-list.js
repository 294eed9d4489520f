/** Where the documents of the collection say different things of the same, as a list. */

import { announce, wrong } from "./announce.js";
import { api } from "./api.js";
import { behind, placed } from "./doors.js";
import { button, el, shorten } from "./dom.js";
import { counted, sentence } from "./places.js";
import { asked, askedIds } from "./state.js";

/** How many are shown at once. */
const FIRST = 50;
const KINDS = { number: "Another figure", date: "Another date", polarity: "One denies the other", name: "Another name" };

export function opened() {
  const list = el("div.found", { "aria-live": "polite" });
  const again = button("Look again", () => look(list, again));
  look(list, again);
  return behind(
    "Where the documents disagree",
    "Sentences of the ticked documents are compared with each other.",
    list,
    el("p", again),
  );
}

/** @param {HTMLElement} list @param {HTMLButtonElement} again */
async function look(list, again) {
  const many = counted(asked().length, "document");
  if (asked().length < 2) return list.replaceChildren(el("p", "Tick at least two documents to compare."));
  list.replaceChildren(el("p.hint", `Comparing ${many}…`));
  again.disabled = true;
  try {
    const found = await api.conflicts(askedIds());
    const words = found.length
      ? `${counted(found.length, "place")} where two of them differ. Which one holds is for you to decide.`
      : `No sentence of the ${many} contradicts another one in a way that code can see.`;
    announce(words);
    list.replaceChildren(el("p", words));
    list.append(shorten(list, found.map(conflict), FIRST) ?? "");
  } catch (problem) {
    list.replaceChildren(wrong(problem));
  } finally {
    again.disabled = false;
  }
}

/** @param {any} told */
function conflict(told) {
  const side = (name) =>
    el("div.side",
      placed(told[name], "possible"),
      told.later === name && el("p.hint", "the later one, by what the documents say"),
    );
  return el("article.disagreement",
    el("h3", KINDS[told.kind] ?? told.kind),
    el("p.hint", sentence(told.reason)),
    el("div.sides", side("one"), side("other")),
  );
}
