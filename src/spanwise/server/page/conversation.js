/** The conversation: what was asked before, to which a follow-up belongs; questions to begin with; all of it as a file. */

import { api } from "./api.js";
import { button, byId, el, icon } from "./dom.js";
import { counted, STATES, stateOf } from "./places.js";
import { answerRoute } from "./route.js";
import { recall, remember, set, state } from "./state.js";

/** @typedef {{id: string, said: string, question: string, state: import("./places.js").State | null, text: string}} Turn */

/** Turns that are kept; the file of a conversation has no more. */
const MOST = 100;
/** Characters of an answer that are shown in the list. */
const SHOWN = 160;
/** Milliseconds after which documents that have changed are asked what they suggest. */
const SETTLED = 1500;

/** @returns {string} */
const key = () => `conversation.${state.corpus}`;

/** @returns {Turn[]} Kept for this tab, so that a reload loses nothing. */
const turns = () => recall(key(), [], "sessionStorage");

/** @param {Turn[]} kept */
const keep = (kept) => remember(key(), kept.slice(-MOST), "sessionStorage");

/** @returns {string | null} The question that a follow-up belongs to: that of the answer which is shown, or the last. */
export const before = () => state.answer.result?.question ?? turns().at(-1)?.question ?? null;

/** @param {string} said @param {import("./state.js").Result} result */
export function answered(said, result) {
  const { trace_id: id, question, text } = result;
  dropTurn(id);
  keep([...turns(), { id, said, question, state: stateOf(result), text: text.slice(0, SHOWN) }]);
}

/** How a follow-up was understood. @param {import("./state.js").Result} result @param {any} tools */
export function askedAs(result, tools) {
  const said = turns().find((one) => one.id === result.trace_id)?.said ?? result.question;
  if (said.split(/\s+/).join(" ") === result.question) return null;
  return el("p.hint.asked-as",
    `You wrote “${said}”, asked as above. `,
    button("Ask it as written", () => tools.askAlone(said), "", "quiet.small"),
  );
}

/** The sign and the words of a state. @param {import("./places.js").State | null} kind */
export function stateSign(kind) {
  const { icon: sign, label } = STATES[kind] ?? { icon: "question", label: "For you to decide" };
  return [el(`span.sign.is-${kind ?? "possible"}`, { title: label }, icon(sign)), kind === "nearby" ? "Not found" : label];
}

/** What was asked before in this conversation. @param {string | null} shown Id of the answer above. @param {any} tools */
export function earlier(shown, tools) {
  const all = turns();
  const row = (turn) =>
    el("li", el("button.turn", { click: () => tools.open(turn.id) },
        stateSign(turn.state)[0],
        el("span.turn-asked", turn.question),
        el("span.hint", turn.text),
      ),
    );
  return all.length
    ? el("section.conversation", { "aria-labelledby": "conversation-title" },
        el("div.panel-head",
          el("h2", { id: "conversation-title" }, `This conversation · ${counted(all.length, "question")}`),
          el("a.quiet.small", {
              href: api.conversationAddress(all.map((one) => one.id)),
              download: "conversation.zip",
              title: "All answers as Markdown, the cited PDFs with their marks, the traces",
            },
            icon("download"),
            "Take it along",
          ),
          button("Start anew", begin, "", "quiet.small"),
        ),
        el("ol.turns", ...all.filter((one) => one.id !== shown).reverse().map(row)),
      )
    : null;
}

/** Forget what was asked before; the answers stay in the history. */
function begin() {
  keep([]);
  answerRoute(null);
  set({ answer: { kind: "idle" }, selection: null });
  byId("question").focus();
}

/** An answer was forgotten. @param {string} id */
export const dropTurn = (id) => keep(turns().filter((one) => one.id !== id));

/** @type {{of: string, questions: string[]}} */
let known = { of: "", questions: [] };

/** Questions that the documents suggest. @param {any} tools */
export function suggested(tools) {
  const place = el("div.suggested");
  const of = JSON.stringify([state.corpus, state.documents.map((one) => one.sha256)]);
  const show = () => {
    if (!known.questions.length) return;
    const questions = known.questions.map((one) => el("li", button(one, () => tools.ask(one))));
    place.replaceChildren(
      el("p.hint", { id: "suggested-title" }, "The documents answer, for example:"),
      el("ul", { "aria-labelledby": "suggested-title" }, ...questions),
    );
  };
  const ask = async () => {
    if (!place.isConnected) return;
    known = { of, questions: await api.suggestions() };
    if (place.isConnected) show();
  };
  if (known.of === of) show();
  // While documents come in one after the other, only what is shown for a moment is asked for. Who has a question asks
  // it also where nothing is suggested.
  else if (state.documents.length) setTimeout(() => ask().catch(console.debug), known.of ? SETTLED : 0);
  return place;
}
