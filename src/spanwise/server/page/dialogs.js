/** Dialogs: a question with two answers, a secret to type in, or something to read. */

import { button, el, iconButton } from "./dom.js";

/**
 * @param {string} title
 * @param {Node[]} content
 * @param {{class?: string, closed?: () => void}} [options]
 * @returns {HTMLDialogElement} Shown, and gone from the page once it is closed.
 */
export function openDialog(title, content, options = {}) {
  const heading = el("h2", { id: `dialog-${document.querySelectorAll("dialog").length}` }, title);
  const close = iconButton("close", "Close", () => dialog.close());
  const dialog = el(
    "dialog",
    { class: options.class ?? "", "aria-labelledby": heading.id },
    el("div.dialog-head", heading, close),
    ...content,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    options.closed?.();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {string} title @param {string} text @param {string} action What the button says that goes ahead.
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    let agreed = false;
    const cancel = button("Cancel", () => dialog.close());
    const go = button(action, () => ((agreed = true), dialog.close()), { class: "danger" });
    const content = [el("p", text), el("div.dialog-actions", cancel, go)];
    const dialog = openDialog(title, content, { class: "small", closed: () => resolve(agreed) });
    cancel.focus();
  });
}

/**
 * @param {string} title @param {string} text @param {string} label Of the field.
 * @param {string} [wrong] What was wrong with the last try.
 * @returns {Promise<string | null>} null when it was closed.
 */
export function askedSecret(title, text, label, wrong = "") {
  return new Promise((resolve) => {
    let secret = null;
    const field = el("input", { type: "password", id: "secret", autocomplete: "off", required: true });
    const form = el(
      "form",
      { on: { submit: (event) => (event.preventDefault(), (secret = field.value), dialog.close()) } },
      wrong ? el("p.wrong", { role: "alert" }, wrong) : null,
      el("p", text),
      el("label", { for: "secret" }, label),
      field,
      el("div.dialog-actions",
        button("Cancel", () => dialog.close()),
        el("button.primary", "Continue"),
      ),
    );
    const dialog = openDialog(title, [form], { class: "small", closed: () => resolve(secret) });
    field.focus();
  });
}
