/**
 * What others change in a collection is shown here too: other pages of this browser, and everybody else at the server.
 * One page of the browser listens to the server and tells the others, since a browser has few connections to one host.
 */

import { announce } from "./announce.js";
import { api, Problem } from "./api.js";
import { byId, on } from "./dom.js";

const channel = "BroadcastChannel" in window ? new BroadcastChannel("spanwise") : null;
/** Milliseconds until it is tried again to reach the server, at first and at most. */
const AGAIN = 1000;
const LONGEST_WAIT = 15_000;

/** @typedef {"documents" | "history" | "jobs" | "source" | "collections"} What */

/** @param {What} what @param {string} corpus */
export function changed(what, corpus) {
  channel?.postMessage({ what, corpus });
}

/**
 * @param {() => string} corpus The collection that is shown.
 * @param {Record<What, () => Promise<void>>} reload
 */
export function follow(corpus, reload) {
  // What cannot be loaded now stays as it is: the next change, or the next look, tries again.
  const again = (what) => reload[what]().catch(() => {});
  const all = () => Object.keys(reload).forEach(again);
  const heard = ({ what, corpus: where, reached: now, listens }) => {
    if (now !== undefined) reached(now, all);
    else if (listens) all(); // what changed before is not told
    else if ((where === corpus() || what === "collections") && Object.hasOwn(reload, what)) again(what);
  };
  const tell = (told) => (heard(told), channel?.postMessage(told));
  channel?.addEventListener("message", ({ data }) => data && heard(data));
  on(document, "visibilitychange", () => document.visibilityState === "visible" && all());
  on(window, "offline", () => reached(false, all));
  on(window, "online", () => reached(true, all));
  // Without locks (a page that comes over plain HTTP from elsewhere) each look at the page asks for what is new.
  navigator.locks?.request("spanwise.events", () => listen(tell)).catch(() => {});
}

/** Listen to the server for as long as the page is open. @param {(told: any) => void} tell */
async function listen(tell) {
  for (let wait = AGAIN; ; ) {
    try {
      for await (const { event, data } of api.changes()) {
        if (wait !== AGAIN) tell({ reached: true });
        wait = AGAIN;
        if (event === "open") tell({ listens: true });
        if (event === "changed") tell(data);
      }
    } catch (problem) {
      if (problem instanceof Problem && problem.status) return; // it does not want to tell: a look at the page asks
    }
    wait = Math.min(LONGEST_WAIT, wait * 2);
    await new Promise((resolve) => setTimeout(resolve, wait / 2));
    const up = await api.up();
    tell({ reached: up });
    if (up) wait = AGAIN;
  }
}

let there = true;

/** Say that the server is away, and when it is back look at all again. @param {boolean} now @param {() => void} all */
function reached(now, all) {
  if (now === there) return;
  there = now;
  byId("away").hidden = now;
  announce(now ? "The server is back" : "The server does not answer");
  if (now) all();
}
