/** Three columns whose widths can be changed; on a narrow screen one of them at a time. */

import { byId, findAll } from "./dom.js";
import { watch, state } from "./state.js";

const panels = /** @type {HTMLElement} */ (document.querySelector(".panels"));
const splitter = /** @type {HTMLElement} */ (document.querySelector(".splitter"));
const LEAST = 25;
const MOST = 70;

export function arrange() {
  for (const tab of findAll(".tabs button")) tab.addEventListener("click", () => show(tab.dataset.panel));
  watch(["selection"], () => state.selection && chosenByHand && show("source"));
  watch(["answer"], () => state.answer.kind !== "idle" && show("answer"));
  splitter.setAttribute("aria-valuenow", String(Math.round(share())));
  splitter.addEventListener("pointerdown", drag);
  splitter.addEventListener("keydown", nudge);
}

/** Whether a selection was made by the user, and not by an answer that has just come. */
let chosenByHand = true;

/** Do something that selects, without leaving the panel that is shown on a narrow screen. @param {() => void} select */
export function quietly(select) {
  chosenByHand = false;
  try {
    select();
  } finally {
    chosenByHand = true;
  }
}

/** @param {string} panel */
export function show(panel) {
  panels.dataset.shown = panel;
  for (const tab of findAll(".tabs button")) {
    if (tab.dataset.panel === panel) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

/** @param {PointerEvent} event */
function drag(event) {
  event.preventDefault();
  splitter.setPointerCapture(event.pointerId);
  const move = (now) => {
    const box = panels.getBoundingClientRect();
    widen(((box.right - now.clientX) / box.width) * 100);
  };
  splitter.addEventListener("pointermove", move);
  splitter.addEventListener("lostpointercapture", () => splitter.removeEventListener("pointermove", move), {
    once: true,
  });
}

/** @param {KeyboardEvent} event */
function nudge(event) {
  const by = { ArrowLeft: 2, ArrowRight: -2 }[event.key];
  if (!by) return;
  event.preventDefault();
  widen(share() + by);
}

/** @returns {number} Of the width that the source takes, in percent. */
function share() {
  return (byId("source").offsetWidth / panels.offsetWidth) * 100;
}

/** @param {number} wanted In percent. */
function widen(wanted) {
  const width = Math.min(MOST, Math.max(LEAST, wanted));
  splitter.setAttribute("aria-valuenow", String(Math.round(width)));
  panels.style.setProperty("--source", `${width}%`);
}
