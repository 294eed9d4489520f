/** What a screen reader is told, and notices of what went wrong. */

import { button, byId, el, iconButton } from "./dom.js";
import { sentence } from "./places.js";

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

/**
 * Something that was done and can be undone, told until the time is over in which it can.
 * @param {string} text @param {string} action What the button says. @param {() => void} undo
 * @returns {() => void} Takes it away.
 */
export function offer(text, action, undo) {
  const taken = button(action, () => (notice.remove(), undo()), "", "quiet.small");
  const notice = el("div.notice.notice-offer", el("p", text), taken);
  byId("offers").replaceChildren(notice);
  return () => notice.remove();
}

/** @param {unknown} problem */
export const words = (problem) => (problem instanceof Error ? problem.message : String(problem));

/** @param {unknown} problem Shown until it is closed, or something new is begun. */
export function complain(problem) {
  const text = words(problem);
  if ([...byId("notices").children].some((one) => one.textContent === text)) return;
  const notice = el("div.notice", el("p", text));
  notice.append(iconButton("close", "Close this message", () => notice.remove()));
  byId("notices").append(notice);
}

/** What went wrong, said where it did. @param {unknown} problem */
export function wrong(problem) {
  return el("p.wrong", { role: "alert" }, sentence(words(problem)));
}
