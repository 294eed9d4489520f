/** Three columns whose widths can be changed, on a narrow screen one of them at a time; light or dark. */

import { byId, current, findAll, on } from "./dom.js";
import { remember, state, watch } from "./state.js";

const panels = /** @type {HTMLElement} */ (document.querySelector(".panels"));
const splitter = /** @type {HTMLElement} */ (document.querySelector(".splitter"));
const tabs = findAll(".tabs button");
const LEAST = 25;
const MOST = 70;

export function arrange() {
  for (const tab of tabs) on(tab, "click", () => show(tab.dataset.panel));
  watch(["selection"], () => state.selection && chosenByHand && show("source"));
  watch(["answer"], () => state.answer.kind !== "idle" && show("answer"));
  splitter.setAttribute("aria-valuenow", Math.round(share()));
  on(splitter, "pointerdown", drag);
  on(splitter, "keydown", nudge);
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
  current(tabs, (tab) => tab.dataset.panel === panel);
}

/** @param {PointerEvent} event */
function drag(event) {
  event.preventDefault();
  splitter.setPointerCapture(event.pointerId);
  splitter.onpointermove = ({ clientX }) => {
    const box = panels.getBoundingClientRect();
    widen(((box.right - clientX) / box.width) * 100);
  };
  splitter.onlostpointercapture = () => (splitter.onpointermove = null);
}

/** @param {KeyboardEvent} event */
function nudge(event) {
  const by = { ArrowLeft: 2, ArrowRight: -2 }[event.key];
  if (!by) return;
  event.preventDefault();
  widen(share() + by);
}

/** @returns {number} Of the width that the source takes, in percent. */
const share = () => (byId("source").offsetWidth / panels.offsetWidth) * 100;

/** @param {number} wanted In percent. */
function widen(wanted) {
  const width = Math.min(MOST, Math.max(LEAST, wanted));
  splitter.setAttribute("aria-valuenow", Math.round(width));
  panels.style.setProperty("--source", `${width}%`);
}

const THEMES = { system: "as the system", light: "light", dark: "dark" };

/** @returns {boolean} Whether the user has asked for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @returns {string} */
const chosenTheme = () => document.documentElement.dataset.theme ?? "system";

function showTheme() {
  const label = `Colours: ${THEMES[chosenTheme()]}`;
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = label;
}

export function offerThemes() {
  on("theme", "click", () => {
    const order = Object.keys(THEMES);
    const next = order[(order.indexOf(chosenTheme()) + 1) % order.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    remember("theme", next);
    showTheme();
  });
  showTheme();
}
