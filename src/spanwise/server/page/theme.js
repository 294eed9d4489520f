/** Light or dark, as the system has it or as chosen; and whether things may move. */

import { byId } from "./dom.js";

const ORDER = ["system", "light", "dark"];
const LABELS = { system: "Colours: as the system", light: "Colours: light", dark: "Colours: dark" };

/** @returns {boolean} Whether the user has asked for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function offerThemes() {
  const toggle = byId("theme");
  const root = document.documentElement;
  const show = () => {
    const label = LABELS[root.dataset.theme ?? "system"];
    toggle.setAttribute("aria-label", label);
    toggle.setAttribute("title", label);
  };
  toggle.addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(root.dataset.theme ?? "system") + 1) % ORDER.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    remember(next);
    show();
  });
  show();
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem("spanwise.theme", theme);
  } catch {
    // Without storage it holds until the page is left.
  }
}
