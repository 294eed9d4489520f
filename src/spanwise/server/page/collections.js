/** The collections: which there are, going from one to another, making, renaming, sharing and removing them. */

import { toClipboard } from "./actions.js";
import { announce, complain } from "./announce.js";
import { api } from "./api.js";
import { confirmed, openDialog, toldIn } from "./dialogs.js";
import { byId, el, form, iconButton, on, submit } from "./dom.js";
import { counted } from "./places.js";
import { set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

/** @typedef {{name: string, title: string, documents: number, removable: boolean}} Corpus */

/** @param {(name: string) => Promise<void>} enter Shows a collection, with its name in the address. */
export function offerCollections(enter) {
  const choice = /** @type {HTMLSelectElement} */ (byId("corpus"));
  watch(["corpora", "operator"], () => {
    choice.replaceChildren(...state.corpora.map(({ name, title }) => el("option", { value: name }, title)));
    choice.value = state.corpus;
    choice.parentElement.hidden = state.corpora.length < 2;
    byId("operate").hidden = !state.operator;
  });
  on(choice, "change", () => enter(choice.value).catch(complain));
  on("collections", "click", () => manage(enter).catch(complain));
  on("operate", "click", () =>
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
  const field = nameField({ id: "collection-title" });
  const making = form("form.making", () => told(made()),
    el("label", { for: field.id }, "New collection"),
    el("div.beside", field, submit("Make")),
  );
  const dialog = openDialog("Collections", [...(state.operator ? [making] : []), list]);
  const told = (work) => toldIn(dialog, work);
  const go = (name) => (dialog.close(), enter(name).catch(complain));
  const show = () => list.replaceChildren(...state.corpora.map(row));
  const refresh = async () => (await loadCollections(), changed("collections", state.corpus), show());

  async function made() {
    const { name } = await api.makeCollection(field.value);
    await refresh();
    go(name);
    announce(`Collection ${field.value} made`);
  }

  /** @param {Corpus} one */
  function row(one) {
    const { name, title } = one;
    const item = el("li.entry",
      el("button.entry-open", { "aria-current": String(name === state.corpus), click: () => go(name) },
        el("span.entry-name", title),
        el("span.hint", counted(one.documents, "document")),
      ),
      iconButton("link", `Copy a link to ${title}`, () => told(shared(name))),
      state.operator && iconButton("edit", `Rename ${title}`, renamed),
      state.operator && one.removable && iconButton("trash", `Remove ${title}`, () => told(removed())),
    );

    function renamed() {
      const field = nameField({ value: title, "aria-label": `New name of ${title}` });
      const done = () => told(api.renameCollection(name, field.value).then(refresh));
      item.replaceChildren(form("form.beside", done, field, submit("Rename")));
      field.select();
    }

    async function removed() {
      const what = `“${title}” goes with its ${counted(one.documents, "document")} and all its answers. This cannot be undone.`;
      if (!(await confirmed("Remove this collection?", what, "Remove"))) return;
      await api.removeCollection(name);
      if (name === state.corpus) go(state.corpora.find((other) => other !== one).name);
      await refresh();
      announce(`${title} removed`);
    }
    return item;
  }
  show();
}

/** @param {Record<string, unknown>} attributes */
const nameField = (attributes) => el("input", { maxlength: 100, required: true, autocomplete: "off", ...attributes });

/** @param {string} name */
async function shared(name) {
  await toClipboard(new URL(`#corpus=${encodeURIComponent(name)}`, location.href).href);
  announce("Link copied: who has a token for this collection can open it");
}
