/** Who answers and how strictly: a choice among what the operator offers, kept by this browser for each collection. */

import { complain } from "./announce.js";
import { api } from "./api.js";
import { openDialog } from "./dialogs.js";
import { el, on } from "./dom.js";
import { languageOf } from "./documents.js";
import { recall, remember, set, state } from "./state.js";

const POLICIES = {
  prune: "Leave out what is not proved, mark what is uncertain",
  mark: "Leave out nothing, mark everything",
  strict: "Leave out both what is not proved and what is uncertain",
};
const NONE = "none";

const key = () => `settings.${state.corpus}`;

/** @returns {Record<string, string>} What a question is sent with: `model`, `mode`, `policy`, `profile`, `language`, where chosen. */
export const chosen = () => recall(key(), {});

/** @param {string | null | undefined} usual Name of the collection's own model. @returns {string | null} Who writes. */
export function writer(usual) {
  const { model } = chosen();
  return model === undefined ? (usual ?? null) : model === NONE ? null : model;
}

export async function openSettings() {
  const offered = await api.choices();
  const now = chosen();
  const without = () => (now.model ?? offered.model) === NONE;
  const named = (name) => (name === NONE ? "No model: the documents’ own words" : name);
  const rows = {
    model: ["Who answers", offered.models, named, offered.model],
    mode: ["How a model writes", offered.modes, (name) => name.replaceAll("_", " "), offered.mode],
    policy: ["What a model says that is not proved", offered.policies, (name) => POLICIES[name] ?? name, "prune"],
    profile: ["Kind of documents", offered.profiles, (name) => name, offered.profile],
    language: ["Language of the questions", offered.languages, languageOf, null],
  };
  const fields = Object.entries(rows).map(([name, [label, values, words, usual]]) => {
    const field = el("select", { id: `choose-${name}`, change: () => keep(name, field.value) },
      el("option", { value: "" }, `Usual (${usual ? words(usual) : name === "language" ? "as the words tell" : "as the documents are"})`),
      ...values.map((value) => el("option", { value, selected: now[name] === value }, words(value))),
    );
    return { name, field, label: el("label", { for: field.id }, label) };
  });
  /** @param {string} name @param {string} value */
  function keep(name, value) {
    if (value) now[name] = value;
    else delete now[name];
    // Without a model there is no mode to choose, and nothing that one says.
    if (without()) delete now.mode;
    if (!remember(key(), now)) return complain("This browser keeps nothing for the page: the choice cannot be made.");
    show();
    set({ corpora: state.corpora });
  }
  function show() {
    for (const { name, field } of fields) {
      field.value = now[name] ?? "";
      if (name === "mode" || name === "policy") field.disabled = without();
    }
  }
  show();
  const note =
    offered.models.length > 1
      ? "Keys of models stay with the server. What an answer cost stands below it, under Confidence."
      : "This server has no model: whoever runs it can name some (see “models” in docs/serving.md).";
  openDialog("How questions are answered", [
    el("form.settings", ...fields.flatMap(({ label, field }) => [label, field])),
    el("p.hint", note),
  ]);
}

/** The button at the top. @param {HTMLElement} pressed */
export function offerSettings(pressed) {
  on(pressed, "click", () => openSettings().catch(complain));
}
