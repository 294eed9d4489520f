/** What other pages of this browser change in a collection is shown here too, and what happened while nobody looked. */

const channel = "BroadcastChannel" in window ? new BroadcastChannel("spanwise") : null;

/** @param {"documents" | "history"} what @param {string} corpus */
export function changed(what, corpus) {
  channel?.postMessage({ what, corpus });
}

/**
 * @param {() => string} corpus The collection that is shown.
 * @param {Record<"documents" | "history", () => Promise<void>>} reload
 */
export function follow(corpus, reload) {
  // What cannot be loaded now stays as it is: the next change, or the next look, tries again.
  const again = (what) => reload[what]().catch(() => undefined);
  channel?.addEventListener("message", ({ data }) => {
    if (data?.corpus === corpus() && Object.hasOwn(reload, data.what)) again(data.what);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") Object.keys(reload).forEach(again);
  });
}
