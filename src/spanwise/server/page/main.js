/** Puts the page together: what it shows first, and what follows from what. */

import { complain, forgive, words } from "./announce.js";
import { chooseClaim, showAnswers } from "./answer.js";
import { api, onUnauthorised } from "./api.js";
import { loadCollections, offerCollections } from "./collections.js";
import { askedSecret } from "./dialogs.js";
import { listDocuments, loadDocuments, rememberedLeft } from "./documents.js";
import { byId, findAll, on } from "./dom.js";
import { openDoors } from "./doors.js";
import { listHistory, loadHistory } from "./history.js";
import { takeKeys } from "./keyboard.js";
import { arrange, offerThemes, quietly, show } from "./layout.js";
import { ask, askQuestions, edit, stop, write } from "./question.js";
import { answerRoute, claimRoute, collectionRoute, currentRoute } from "./route.js";
import { offerSettings } from "./settings.js";
import { showSources, showUnreached } from "./source.js";
import { set, state } from "./state.js";
import { changed, follow as followTabs } from "./tabs.js";
import { loadJobs, takeUploads } from "./uploads.js";

/** @type {Promise<boolean> | null} */
let signingIn = null;

/** Ask for the token until it is right or nobody wants to give one. */
async function signedIn() {
  for (let wrong = ""; ; ) {
    const token = await askedSecret(
      "This server asks for a token",
      "Whoever started it has it. It is kept for this browser only, where no script can read it.",
      "Token",
      wrong,
    );
    if (!token) return false;
    try {
      await api.signIn(token);
      return true;
    } catch (problem) {
      wrong = words(problem);
    }
  }
}

const tools = {
  ask: (question) => ask(question, tools),
  askAlone: (question) => ask(question, tools, true),
  edit: (question) => (show("answer"), edit(question)),
  add: () => byId("files").click(),
  stop,
  answered: (result) => {
    loadHistory().catch(complain);
    changed("history", state.corpus);
    selectFirst(result, 0);
    citedBy(result.trace_id).then((cited) => state.answer.result === result && set({ cited }));
  },
  open: (id) => {
    answerRoute(id);
    openAnswer(id, null).catch(complain);
  },
};

/** Show the source of a claim where there is room for it. @param {any} result @param {number} claim */
function selectFirst(result, claim) {
  if (result.claims[claim]?.citations.length) quietly(() => chooseClaim(result, claim));
}

/** @param {string} id @param {number | null} claim */
async function openAnswer(id, claim) {
  stop();
  forgive();
  // What is shown when the answer comes may be something newer: then it comes too late.
  const loading = /** @type {import("./state.js").Answer} */ ({ kind: "loading" });
  set({ selection: null, cited: null, answer: loading });
  try {
    const [result, cited] = await Promise.all([api.result(id), citedBy(id)]);
    if (state.answer !== loading) return;
    write(result.question);
    set({ answer: { kind: "result", result }, cited });
    selectFirst(result, claim ?? 0);
  } catch (problem) {
    if (state.answer !== loading) return;
    set({ answer: { kind: "idle" } });
    if (problem.status === 404) claimRoute(null, null);
    throw problem;
  }
}

/** @param {string} id @returns {Promise<any[] | null>} The documents that it cites; null where that is not known. */
const citedBy = (id) => api.cited(id).catch(() => null);

/** @param {any} problem Why the documents do not come: their collection may be gone. */
async function gone(problem) {
  if (problem.code === "corpus_not_found") await collectionsChanged();
}

/** Show what the address names. */
async function follow() {
  const address = location.hash;
  const { corpus, answer, claim } = currentRoute();
  const named = state.corpora.find((one) => one.name === corpus) ?? state.corpora[0];
  if (!named) return;
  if (named.name !== state.corpus) await enter(named.name);
  if (location.hash !== address) return; // who changed it meanwhile has shown what it names
  const shown = state.answer.result?.trace_id;
  if (answer && answer !== shown) await openAnswer(answer, claim);
  else if (answer && claim !== null && claim !== state.selection?.claim) selectFirst(state.answer.result, claim);
  else if (!answer && shown) set({ answer: { kind: "idle" }, selection: null });
}

/** @param {string} corpus */
async function enter(corpus) {
  stop();
  /** @type {HTMLSelectElement} */ (byId("corpus")).value = corpus;
  const left = rememberedLeft(corpus);
  set({ corpus, documents: null, reading: [], left, history: null, selection: null, cited: null, answer: { kind: "idle" } });
  await Promise.all([loadDocuments(), loadHistory()]);
}

/** What others did to the collections: the one that is shown may be gone. */
async function collectionsChanged() {
  await loadCollections();
  if (state.corpora.some((one) => one.name === state.corpus)) return;
  complain(new Error(`The collection ${state.corpus} is not there any more.`));
  if (!state.corpora.length) return;
  await enter(state.corpora[0].name);
  collectionRoute();
}

async function start() {
  onUnauthorised(() => (signingIn ??= signedIn().finally(() => (signingIn = null))));
  for (const one of findAll(".icon")) one.title ||= one.getAttribute("aria-label");
  offerThemes();
  arrange();
  showAnswers(tools);
  showSources();
  listDocuments();
  listHistory(tools);
  askQuestions(tools);
  takeUploads();
  takeKeys(tools);
  openDoors();
  offerSettings(byId("settings"));
  // Followed as a link, it would take the answer out of the address, and so from the page.
  on(document.querySelector(".skip"), "click", (event) => {
    event.preventDefault();
    show("answer");
    byId("question").focus();
  });
  // The user goes back, forward, or edits the address.
  on(window, "popstate", () => follow().catch(complain));
  offerCollections((name) => {
    const entered = enter(name);
    collectionRoute();
    return entered;
  });
  const { corpora, operator } = await api.corpora();
  const named = corpora.find((one) => one.name === currentRoute().corpus) ?? corpora[0];
  if (!named) throw new Error("This token opens no collection of documents.");
  set({ corpora, operator });
  const entered = enter(named.name);
  // Before anything has come, so that no change falls between what is loaded and what is heard of.
  followTabs(() => state.corpus, {
    documents: () => loadDocuments().catch(gone),
    history: loadHistory,
    jobs: loadJobs,
    source: showUnreached,
    collections: collectionsChanged,
  });
  await entered;
  document.documentElement.dataset.ready = "true";
  performance.mark("spanwise-ready");
  loadJobs().catch(() => {});
  await follow();
}

start().catch(complain);
