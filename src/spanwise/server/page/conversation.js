/** The conversation: what was asked before, to which a follow-up belongs; questions to begin with; all of it as a file. */

import { api } from "./api.js";
import { button, el, icon } from "./dom.js";
import { counted } from "./places.js";
import { answerRoute } from "./route.js";
import { set, state } from "./state.js";
import { STATES, stateOf } from "./states.js";

/** @typedef {{id: string, said: string, question: string, state: import("./states.js").State | null, text: string}} Turn */

/** Turns that are kept; the file of a conversation has no more. */
const MOST = 100;
/** Characters of an answer that are shown in the list. */
const SHOWN = 160;

/** Milliseconds after which documents that have changed are asked what they suggest. */
const SETTLED = 1500;

/** @returns {string} */
const key = () => `spanwise.conversation.${state.corpus}`;

/** @returns {Turn[]} Kept for this tab, so that a reload loses nothing. */
function turns() {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Turn[]} kept */
function keep(kept) {
  try {
    sessionStorage.setItem(key(), JSON.stringify(kept.slice(-MOST)));
  } catch {
    // A browser that keeps nothing still answers.
  }
}

/** @returns {string | null} The question that a follow-up belongs to: that of the answer which is shown, or the last. */
export function before() {
  const shown = state.answer.kind === "result" ? state.answer.result.question : null;
  return shown ?? turns().at(-1)?.question ?? null;
}

/** @param {string} said @param {import("./state.js").Result} result */
export function answered(said, result) {
  const turn = { id: result.trace_id, said, question: result.question, state: stateOf(result), text: result.text };
  keep([...turns().filter((one) => one.id !== turn.id), { ...turn, text: turn.text.slice(0, SHOWN) }]);
}

/** How a follow-up was understood. @param {import("./state.js").Result} result @param {any} tools */
export function askedAs(result, tools) {
  const said = turns().find((one) => one.id === result.trace_id)?.said ?? result.question;
  if (said.split(/\s+/).join(" ") === result.question) return null;
  return el("p.hint.asked-as",
    `You wrote “${said}”, asked as above. `,
    button("Ask it as written", () => tools.askAlone(said), { class: "quiet small" }),
  );
}

/** What was asked before in this conversation. @param {string | null} shown Id of the answer above. @param {any} tools */
export function earlier(shown, tools) {
  const all = turns();
  if (!all.length) return null;
  const others = all.filter((one) => one.id !== shown).reverse();
  return el("section.conversation", { "aria-labelledby": "conversation-title" },
    el("div.panel-head",
      el("h2", { id: "conversation-title" }, `This conversation · ${counted(all.length, "question")}`),
      el("a.quiet.small", {
          href: api.conversationAddress(
            state.corpus,
            all.map((one) => one.id),
          ),
          download: "conversation.zip",
          title: "All answers as Markdown, the cited PDFs with their marks, the traces",
        },
        icon("download"),
        "Take it along",
      ),
      button("Start anew", () => begin(), { class: "quiet small" }),
    ),
    el("ol.turns", ...others.map((one) => row(one, tools))),
  );
}

/** @param {Turn} turn @param {any} tools */
function row(turn, tools) {
  const { icon: sign, label } = turn.state ? STATES[turn.state] : { icon: "question", label: "Asked back" };
  return el("li", el("button.turn", { type: "button", on: { click: () => tools.open(turn.id) } },
      el("span", { class: `sign sign-${turn.state ?? "asked"}`, title: label }, icon(sign)),
      el("span.turn-asked", turn.question),
      el("span.hint", turn.text),
    ),
  );
}

/** Forget what was asked before; the answers stay in the history. */
function begin() {
  keep([]);
  answerRoute(null);
  set({ answer: { kind: "idle" }, selection: null });
  document.getElementById("question")?.focus();
}

/** An answer was forgotten. @param {string} id */
export function dropTurn(id) {
  keep(turns().filter((one) => one.id !== id));
}

/** @type {{of: string, questions: string[]}} */
let known = { of: "", questions: [] };

/** Questions that the documents suggest. @param {any} tools */
export function suggested(tools) {
  const place = el("div.suggested");
  const of = JSON.stringify([state.corpus, state.documents?.map((one) => one.sha256)]);
  const show = () => {
    if (!known.questions.length) return;
    place.replaceChildren(
      el("p.hint", { id: "suggested-title" }, "The documents answer, for example:"),
      el(
        "ul",
        { "aria-labelledby": "suggested-title" },
        ...known.questions.map((one) =>
          el("li", button(one, () => tools.ask(one), { class: "quiet" }),
          ),
        ),
      ),
    );
  };
  if (known.of === of) show();
  else if (state.documents?.length) {
    // While documents come in one after the other, only what is shown for a moment is asked for.
    const ask = () =>
      place.isConnected &&
      api.suggestions(state.corpus).then((questions) => {
        known = { of, questions };
        if (place.isConnected) show();
      }, (problem) => console.debug(problem)); // who has a question asks it all the same
    setTimeout(ask, known.of ? SETTLED : 0);
  }
  return place;
}
