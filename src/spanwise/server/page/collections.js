/** The collections: which there are, going from one to another, making, renaming, sharing and removing them. */

import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { confirmed, openDialog } from "./dialogs.js";
import { byId, el, iconButton } from "./dom.js";
import { counted } from "./places.js";
import { set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

/** @typedef {{name: string, title: string, documents: number, removable: boolean}} Corpus */

/** @param {(name: string) => Promise<void>} enter Shows a collection, with its name in the address. */
export function offerCollections(enter) {
  const choice = /** @type {HTMLSelectElement} */ (byId("corpus"));
  const show = () => {
    choice.replaceChildren(...state.corpora.map(({ name, title }) => el("option", { value: name }, title)));
    choice.value = state.corpus;
    choice.parentElement.hidden = state.corpora.length < 2;
    byId("operate").hidden = !state.operator;
  };
  watch(["corpora", "operator"], show);
  choice.addEventListener("change", () => enter(choice.value).catch(complain));
  byId("collections").addEventListener("click", () => manage(enter).catch(complain));
  byId("operate").addEventListener("click", () =>
    import("./operator.js").then((operator) => operator.operate()).catch(complain),
  );
}

export async function loadCollections() {
  const { corpora, operator } = await api.corpora();
  if (JSON.stringify(corpora) !== JSON.stringify(state.corpora)) set({ corpora, operator });
}

/** @param {(name: string) => Promise<void>} enter */
async function manage(enter) {
  await loadCollections();
  const list = el("ul.collections");
  const dialog = openDialog("Collections", [...(state.operator ? [making()] : []), list]);
  const go = (name) => (dialog.close(), enter(name).catch(complain));
  const show = () => list.replaceChildren(...state.corpora.map((one) => row(one, go, refresh)));
  const refresh = async () => (await loadCollections(), changed("collections", state.corpus), show());

  function making() {
    const field = el("input", { id: "collection-title", maxlength: 100, required: true, autocomplete: "off" });
    const made = async () => {
      const { name } = await api.makeCollection(field.value);
      await refresh();
      go(name);
      announce(`Collection ${field.value} made`);
    };
    return el("form.making", { on: { submit: (event) => (event.preventDefault(), told(dialog, made())) } },
      el("label", { for: field.id }, "New collection"),
      el("div.beside", field, el("button.primary", "Make")),
    );
  }
  show();
}

/** What goes wrong is said in the dialog, which lies over everything else. @param {HTMLElement} dialog */
function told(dialog, work) {
  dialog.querySelector(".wrong")?.remove();
  work.catch((problem) =>
    dialog.querySelector(".dialog-head").after(el("p.wrong", { role: "alert" }, problem.message)),
  );
}

/** @param {Corpus} one @param {(name: string) => void} go @param {() => Promise<void>} refresh */
function row(one, go, refresh) {
  const dialog = () => /** @type {HTMLElement} */ (item.closest("dialog"));
  const share = iconButton("link", `Copy a link to ${one.title}`, () => told(dialog(), shared(one)));
  const rename = iconButton("edit", `Rename ${one.title}`, () => renamed());
  const remove = iconButton("trash", `Remove ${one.title}`, () => told(dialog(), removed()));
  const name = el(
    "button",
    { type: "button", class: "entry-open", "aria-current": String(one.name === state.corpus), on: { click: () => go(one.name) } },
    el("span.entry-name", one.title),
    el("span.hint", counted(one.documents, "document")),
  );
  const item = el("li.entry", name, share, state.operator && rename, state.operator && one.removable && remove);
  item.classList.toggle("is-current", one.name === state.corpus);

  function renamed() {
    const field = el("input", { value: one.title, maxlength: 100, required: true, "aria-label": `New name of ${one.title}` });
    const done = () => told(dialog(), api.renameCollection(one.name, field.value).then(refresh));
    const form = el("form.beside", { on: { submit: (event) => (event.preventDefault(), done()) } },
      field,
      el("button.primary", "Rename"),
    );
    item.replaceChildren(form);
    field.select();
  }

  async function removed() {
    const what = `“${one.title}” goes with its ${counted(one.documents, "document")} and all its answers. This cannot be undone.`;
    if (!(await confirmed("Remove this collection?", what, "Remove"))) return;
    await api.removeCollection(one.name);
    if (one.name === state.corpus) go(state.corpora.find((other) => other !== one).name);
    await refresh();
    announce(`${one.title} removed`);
  }
  return item;
}

/** @param {Corpus} one */
async function shared(one) {
  const address = new URL(`#corpus=${encodeURIComponent(one.name)}`, location.href).href;
  if (!navigator.clipboard) throw new Error(`Copy this address: ${address}`);
  await navigator.clipboard.writeText(address);
  announce("Link copied: who has a token for this collection can open it");
}
