/** Keys that work everywhere on the page, and the list of them. */

import { byId, el, findAll, on } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { go } from "./doors.js";
import { facts } from "./figures.js";
import { stateOf } from "./places.js";
import { moved, openBeside, openTwo } from "./source.js";
import { select, state } from "./state.js";

const KEYS = [
  ["/", "Write a question"],
  ["Enter", "Ask, in the question; choose, elsewhere"],
  ["j, k or arrows", "Next and previous statement"],
  ["n, p", "Next and previous evidence of a statement"],
  ["1 to 4", "Ask, compare, check a text, list conflicts"],
  ["e, Shift+e", "Next and previous evidence of the whole answer"],
  ["f", "Search in the document"],
  ["o, t", "Its sections, its pages"],
  ["b", "Another cited document beside it"],
  ["Esc", "Stop the question, or close what is open"],
  ["?", "This list"],
];

/** @param {{stop: () => boolean}} tools */
export function takeKeys(tools) {
  on("shortcuts", "click", help);
  on(document, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return void tools.stop();
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input:not([type=checkbox]), textarea, select")) return;
    const action = actions[event.key] ?? (target.matches(".claim") ? onClaims[event.key] : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** @type {Record<string, () => void>} */
const actions = {
  "/": () => (go("ask"), byId("question").focus()),
  "?": help,
  j: () => step(1),
  k: () => step(-1),
  n: () => moved(1),
  p: () => moved(-1),
  1: () => go("ask"),
  2: () => go("table"),
  3: () => go("check"),
  4: () => go("conflicts"),
  e: () => evidence(1),
  E: () => evidence(-1),
  f: () => openBeside("find"),
  o: () => openBeside("outline"),
  t: () => openBeside("thumbs"),
  b: () => openTwo(),
};

/** On a claim the arrows go on, too. @type {Record<string, () => void>} */
const onClaims = { ArrowDown: actions.j, ArrowRight: actions.j, ArrowUp: actions.k, ArrowLeft: actions.k };

/** Go to the next claim, and show it. @param {number} by */
function step(by) {
  const claims = findAll(".claim", byId("result"));
  if (!claims.length) return;
  const at = claims.findIndex((claim) => claim === document.activeElement);
  const chosen = claims.findIndex((claim) => claim.getAttribute("aria-pressed") === "true");
  const from = at >= 0 ? at : chosen >= 0 ? chosen : by > 0 ? -1 : 0;
  const next = claims[(from + by + claims.length) % claims.length];
  next.focus();
  next.click();
}

/** All evidence of the answer, in its order. @param {number} by */
function evidence(by) {
  const { result } = state.answer;
  if (!result?.citations.length) return;
  const { citations, claims } = result;
  const shown = state.selection?.citations[state.selection.active]?.id;
  const at = citations.findIndex((one) => one.id === shown);
  const active = at < 0 ? 0 : (at + by + citations.length) % citations.length;
  const { id, document } = citations[active];
  const claim = claims.findIndex((one) => one.citations.includes(id));
  select(document, { citations, active, claim: claim < 0 ? null : claim, as: stateOf(result) });
}

function help() {
  const keys = KEYS.map(([keys, does]) => [el("kbd", keys), does]);
  openDialog("Keyboard shortcuts", [facts("dl.keys", keys)], "small");
}
