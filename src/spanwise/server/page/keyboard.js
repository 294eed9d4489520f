/** Keys that work everywhere on the page, and the list of them. */

import { byId, el, findAll } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { set, state } from "./state.js";

const KEYS = [
  ["/", "Write a question"],
  ["Enter", "Ask, in the question; choose, elsewhere"],
  ["j, k or arrows", "Next and previous statement"],
  ["n, p", "Next and previous evidence of a statement"],
  ["Esc", "Stop the question, or close what is open"],
  ["?", "This list"],
];

/** @param {{stop: () => boolean}} tools */
export function takeKeys(tools) {
  byId("shortcuts").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
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
  "/": () => byId("question").focus(),
  "?": help,
  j: () => step(1),
  k: () => step(-1),
  n: () => turn(1),
  p: () => turn(-1),
};

/** @type {Record<string, () => void>} */
const onClaims = {
  ArrowDown: () => step(1),
  ArrowRight: () => step(1),
  ArrowUp: () => step(-1),
  ArrowLeft: () => step(-1),
};

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

/** @param {number} by */
function turn(by) {
  const { selection } = state;
  if (!selection || selection.citations.length < 2) return;
  const { citations } = selection;
  const active = (selection.active + by + citations.length) % citations.length;
  set({ selection: { ...selection, document: citations[active].document, active } });
}

function help() {
  openDialog(
    "Keyboard shortcuts",
    [
      el(
        "dl",
        { class: "keys" },
        ...KEYS.flatMap(([keys, does]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, does)]),
      ),
    ],
    { class: "small" },
  );
}
