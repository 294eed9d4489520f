/** Dialogs: a question with two answers, a secret to type in, or something to read. */

import { wrong } from "./announce.js";
import { button, el, form, iconButton, submit } from "./dom.js";

/**
 * @param {string} title
 * @param {Node[]} content
 * @param {string} [size] A class.
 * @param {() => void} [closed]
 * @returns {HTMLDialogElement} Shown, and gone from the page once it is closed.
 */
export function openDialog(title, content, size, closed) {
  const heading = el("h2", { id: `dialog-${document.querySelectorAll("dialog").length}` }, title);
  const dialog = el(
    "dialog",
    {
      class: size,
      "aria-labelledby": heading.id,
      close: () => (dialog.remove(), closed?.()),
      click: (event) => event.target === dialog && dialog.close(),
    },
    el("div.dialog-head", heading, iconButton("close", "Close", () => dialog.close())),
    ...content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Say in a dialog, which lies over everything else, what came of some work. @param {HTMLElement} dialog @param {Promise<unknown>} work */
export function toldIn(dialog, work) {
  const clear = () => dialog.querySelector(".dialog-head + .wrong")?.remove();
  return work.then(clear, (problem) => (clear(), dialog.querySelector(".dialog-head").after(wrong(problem))));
}

/**
 * @param {string} title @param {string} text @param {string} action What the button says that goes ahead.
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    let agreed = false;
    const cancel = button("Cancel", () => dialog.close());
    const go = button(action, () => ((agreed = true), dialog.close()), "", "danger");
    const content = [el("p", text), el("div.dialog-actions", cancel, go)];
    const dialog = openDialog(title, content, "small", () => resolve(agreed));
    cancel.focus();
  });
}

/**
 * @param {string} title @param {string} text @param {string} label Of the field.
 * @param {string} [refused] What was wrong with the last try.
 * @returns {Promise<string | null>} null when it was closed.
 */
export function askedSecret(title, text, label, refused) {
  return new Promise((resolve) => {
    let secret = null;
    const field = el("input", { type: "password", id: "secret", autocomplete: "off", required: true });
    const asked = form(
      "form",
      () => ((secret = field.value), dialog.close()),
      refused && wrong(refused),
      el("p", text),
      el("label", { for: "secret" }, label),
      field,
      el("div.dialog-actions", button("Cancel", () => dialog.close()), submit("Continue")),
    );
    const dialog = openDialog(title, [asked], "small", () => resolve(secret));
    field.focus();
  });
}

/** Ask for the password of a file. @param {string} title @param {string} name @param {unknown} before Whether one was tried. */
export function askedPassword(title, name, before) {
  return askedSecret(title, `Its password opens “${name}”.`, "Password", before ? "That was not its password." : "");
}
