/** The address of the page names the answer that is shown (`#answer=TRACE_ID&claim=2`), and the collection. */

import { state } from "./state.js";

/** @returns {{corpus: string | null, answer: string | null, claim: number | null}} */
export function currentRoute() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const claim = Number.parseInt(parts.get("claim") ?? "", 10);
  return { corpus: parts.get("corpus"), answer: parts.get("answer"), claim: claim > 0 ? claim - 1 : null };
}

/** @param {string | null} answer @param {number | null} [claim] @returns {string} An address below this page. */
export function hashOf(answer, claim = null) {
  const parts = new URLSearchParams();
  if (state.corpora.length && state.corpus !== state.corpora[0].name) parts.set("corpus", state.corpus);
  if (answer) parts.set("answer", answer);
  if (claim !== null) parts.set("claim", String(claim + 1));
  const hash = parts.toString();
  return hash ? `#${hash}` : location.pathname + location.search;
}

/** Show an answer in the address, so that back leads to the one before. @param {string | null} answer */
export function answerRoute(answer) {
  if (currentRoute().answer !== answer) history.pushState(null, "", hashOf(answer));
}

/** Show the collection in the address, with no answer. */
export const collectionRoute = () => history.pushState(null, "", hashOf(null));

/** Show a claim in the address, or that the answer which it names is not there: going back does not lead to either. @param {string | null} answer @param {number | null} claim */
export const claimRoute = (answer, claim) => history.replaceState(null, "", hashOf(answer, claim));
