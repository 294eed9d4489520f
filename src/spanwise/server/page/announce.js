/** What a screen reader is told, and notices of what went wrong. */

import { byId, el, iconButton } from "./dom.js";

/** @param {string} text Said once, when nothing else is being said. */
export function announce(text) {
  const place = byId("announcer");
  place.textContent = "";
  // A change that comes later than the clearing is spoken also when the words are the same as before.
  setTimeout(() => (place.textContent = text), 50);
}

/** What went wrong before is told no longer, now that something new was begun. */
export function forgive() {
  byId("notices").replaceChildren();
}

/** @param {unknown} problem Shown until it is closed, or something new is begun. */
export function complain(problem) {
  const text = problem instanceof Error ? problem.message : String(problem);
  if ([...byId("notices").children].some((one) => one.textContent === text)) return;
  const notice = el("div", { class: "notice" }, el("p", {}, text));
  notice.append(iconButton("close", "Close this message", () => notice.remove()));
  byId("notices").append(notice);
}
