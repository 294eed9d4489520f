/** The HTTP API, as functions. Every failure is a `Problem` whose message says what to do. */

import { state } from "./state.js";

const ROOT = new URL("../v1/", import.meta.url);

/** What the API answers when something is wrong (RFC 9457). */
export class Problem extends Error {
  /** @param {{status?: number, code?: string, title?: string, detail?: string}} told */
  constructor(told) {
    super(told.detail || told.title || `the server answered ${told.status}`);
    this.status = told.status ?? 0;
    this.code = told.code ?? "";
  }
}

/** Asks for a token when the server wants one; resolves to whether it is now signed in. */
let signIn = async () => false;

/** @param {() => Promise<boolean>} ask */
export function onUnauthorised(ask) {
  signIn = ask;
}

/** How often this page was signed in, and the sign-in that is under way. */
let signIns = 0;
/** @type {Promise<unknown> | null} */
let entering = null;

/**
 * Sign in by `work`. What the server refuses meanwhile waits for it, and is asked again instead of the person.
 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
 */
async function entered(work) {
  const mine = (entering = work().finally(() => entering === mine && (entering = null)));
  const made = await mine;
  signIns += 1;
  return made;
}

/** Whether a request that was refused may be made again. @param {number} then How often signed in when it began. */
async function mayRetry(then) {
  await entering?.catch(() => null);
  return signIns > then || signIn();
}

/**
 * @param {string} method
 * @param {string | URL} path Below /v1.
 * @param {{json?: unknown, accept?: string, signal?: AbortSignal, headers?: Record<string, string>,
 *   keepalive?: boolean}} [options]
 * @returns {Promise<Response>}
 */
async function request(method, path, options) {
  const then = signIns;
  try {
    return await send(method, path, options);
  } catch (problem) {
    if (problem.status === 401 && (await mayRetry(then))) return request(method, path, options);
    throw problem;
  }
}

/** The same, without asking anybody for a token. */
async function send(method, path, { json, accept = "application/json", headers, ...options } = {}) {
  const body = json && JSON.stringify(json);
  const sent = { Accept: accept, ...(body && { "Content-Type": "application/json" }), ...headers };
  let response;
  try {
    response = await fetch(new URL(path, ROOT), { method, headers: sent, body, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "The server does not answer. Is it still running?" });
  }
  if (response.ok) return response;
  throw new Problem({ ...(await response.json().catch(() => ({}))), status: response.status });
}

/** @param {string | URL} path @param {AbortSignal} [signal] @returns {Promise<any>} */
const get = async (path, signal) => (await request("GET", path, { signal })).json();

/** @param {string} path @param {unknown} json @param {AbortSignal} [signal] @returns {Promise<any>} */
const post = async (path, json, signal) => (await request("POST", path, { json, signal })).json();

/** @param {string} corpus @param {...(string | number)} rest @returns {string} */
const at = (corpus, ...rest) => ["corpora", corpus, ...rest].map(encodeURIComponent).join("/");

/** In the collection that is shown. @param {...(string | number)} rest */
const here = (...rest) => at(state.corpus, ...rest);

/** Of a document, in the version that is meant. @param {Entry} entry @param {string} what @param {string} [query] */
const of = ({ corpus, id, sha256 }, what = "", query = "") =>
  `${at(corpus, "documents", id)}${what}?version=${sha256}${query}`;

/** @param {string} path @returns {string} An address for links. */
const address = (path) => new URL(path, ROOT).href;

/** All of what comes in parts, since one answer holds so much. @param {(first: number) => string} path @param {string} name @param {number} first @param {AbortSignal} [signal] */
async function whole(path, name, first, signal) {
  const found = [];
  for (let from = first; from; ) {
    const told = await get(path(from), signal);
    found.push(...told[name]);
    from = told.next;
  }
  return found;
}

/**
 * Server-sent events read from a response, so that a question can be posted and stopped.
 * @param {string} method @param {string} path @param {{json?: unknown, signal?: AbortSignal}} [options]
 * @returns {AsyncGenerator<{event: string, data: any}>} `data` is the JSON value; first of all an event `open`.
 */
async function* events(method, path, options) {
  const response = await request(method, path, { ...options, accept: "text/event-stream" });
  yield { event: "open", data: null };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (waiting + value).replaceAll("\r\n", "\n").split("\n\n");
      waiting = blocks.pop();
      for (const block of blocks) {
        const [event = "message", data] = ["event:", "data:"].map((name) => {
          const lines = block.split("\n").filter((line) => line.startsWith(name));
          return lines.length ? lines.map((line) => line.slice(name.length).trim()).join("\n") : undefined;
        });
        // Without data it is a comment, which only keeps the connection open.
        if (data) yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @typedef {import("./state.js").Entry} Entry */

export const api = {
  /** @param {string} token Kept by the server in a cookie that no script can read. */
  signIn: (token) => entered(() => send("POST", "session", { json: { token } })),
  corpora: () => get("corpora"),
  /** @param {string} title */
  makeCollection: (title) => post("corpora", { title }),
  /** @param {string} corpus @param {string} title */
  renameCollection: (corpus, title) => request("PATCH", at(corpus), { json: { title } }),
  /** @param {string} corpus */
  removeCollection: (corpus) => request("DELETE", at(corpus)),
  /** What changes in all collections. */
  changes: () => events("GET", "events"),
  /** @returns {Promise<boolean>} Whether the server answers. */
  up: () => request("GET", "health").then(() => true, () => false),
  /** @param {string} corpus */
  jobs: async (corpus) => (await get(at(corpus, "jobs"))).jobs,
  operator: () => get("operator"),
  tokens: async () => (await get("operator/tokens")).tokens,
  /** @param {{label: string, corpora: string[] | null, questions: number | null}} json */
  makeToken: (json) => post("operator/tokens", json),
  /**
   * The first token closes the server: who made it is signed in with it, and not asked for it.
   * @param {{label: string, corpora: string[] | null, questions: number | null}} json
   */
  makeFirstToken: (json) =>
    entered(async () => {
      const made = await (await send("POST", "operator/tokens", { json })).json();
      await send("POST", "session", { json: { token: made.token } });
      return made;
    }),
  /** @param {string} id */
  revoke: (id) => request("DELETE", `operator/tokens/${id}`),
  /** @param {Entry} entry @param {string} words */
  find: (entry, words) => get(of(entry, "/find", `&words=${encodeURIComponent(words)}`)),
  /** @param {string} corpus @returns {Promise<Entry[]>} */
  documents: async (corpus) =>
    (await get(at(corpus, "documents"))).documents.map((entry) => ({ ...entry, corpus })),
  /** @param {Entry} entry */
  document: (entry) => get(of(entry)),
  /**
   * A page as a picture.
   * @param {Entry} entry @param {number} number @param {number} width In pixels.
   * @param {string} password Empty where there is none. @param {AbortSignal} [signal]
   * @returns {Promise<Blob>}
   */
  picture: async (entry, number, width, password, signal) => {
    const headers = password ? { "X-Document-Password": encodeURIComponent(password) } : {};
    const options = { signal, accept: "image/png, application/json", headers };
    return (await request("GET", of(entry, `/pages/${number}/image`, `&width=${width}`), options)).blob();
  },
  /** What is in the file and cannot be seen. @param {Entry} entry */
  hidden: (entry) => whole((first) => of(entry, "/hidden", `&first=${first}`), "hidden", 1),
  /** @param {Entry} entry */
  remove: ({ corpus, id }) => request("DELETE", at(corpus, "documents", id)),
  /** @param {Entry} entry @param {number} first @param {number} last @param {AbortSignal} [signal] */
  lines: (entry, first, last, signal) =>
    whole((from) => of(entry, "/lines", `&first=${from}&last=${last}`), "lines", first, signal),
  /** @param {Entry} entry */
  fileAddress: (entry) => address(of(entry, "/file")),
  /** @param {string} corpus */
  uploadAddress: (corpus) => address(at(corpus, "documents")),

  /**
   * Ask, and hear what happens.
   * @param {Record<string, unknown>} json The question, with what it is limited to.
   * @param {AbortSignal} signal
   */
  async *ask(json, signal) {
    for await (const event of events("POST", here("ask"), { json, signal })) {
      if (event.event === "error") throw new Problem(event.data);
      yield event;
    }
  },

  /**
   * The states of a job, until it ends.
   * @param {string} corpus @param {string} id @param {AbortSignal} signal
   */
  async *job(corpus, id, signal) {
    for await (const { data } of events("GET", at(corpus, "jobs", id, "events"), { signal })) if (data?.state) yield data;
  },
  /** @param {string} corpus @param {string} id */
  cancelJob: (corpus, id) => request("DELETE", at(corpus, "jobs", id)),

  /**
   * @param {number} limit @param {string | null} before Id of the last one listed.
   * @param {string} words That the questions have.
   */
  results: async (limit, before, words) => {
    const query = new URLSearchParams({ limit: String(limit), words, ...(before ? { before } : {}) });
    return (await get(`${here("results")}?${query}`)).results;
  },
  /** @param {string} id */
  result: (id) => get(here("results", id)),
  /** @param {string} corpus @param {string} id */
  forget: (corpus, id) => request("DELETE", at(corpus, "results", id), { keepalive: true }),
  /** The documents that an answer cites, as they were then. @param {string} id */
  cited: async (id) => (await get(here("results", id, "documents"))).documents,
  /** @param {string} id */
  trace: (id) => get(here("results", id, "trace")),
  /** @param {string} id @param {"markdown" | "html"} form @returns {Promise<string>} */
  written: async (id, form) =>
    (await request("GET", here("results", id, "as", form), { accept: `text/${form}, application/json` })).text(),
  /** @param {string[]} ids */
  conversationAddress: (ids) => address(`${here("results.zip")}?${new URLSearchParams(ids.map((id) => ["id", id]))}`),
  suggestions: async () => (await get(here("suggestions"))).questions,
  choices: () => get(here("choices")),
  /** @param {string[]} [ids] None for all. */
  conflicts: async (ids = []) =>
    (await get(`${here("conflicts")}?${new URLSearchParams(ids.map((id) => ["document", id]))}`)).conflicts,
  /** @param {string} text @param {string[]} [documents] */
  verify: (text, documents) => post(here("verify"), { text, documents }),
  /** @param {{name: string, question: string}[]} fields @param {string[]} documents */
  extract: (fields, documents) => post(here("extract"), { fields, documents }),
  /** @param {string} corpus @param {string} id Of the job. @param {string} kind */
  tableAddress: (corpus, id, kind) => address(at(corpus, "jobs", id, `table.${kind}`)),
  /** What the same `ask` will cost at most. @param {Record<string, unknown>} json @param {AbortSignal} signal */
  plan: (json, signal) => post(here("plan"), json, signal),
  /** @param {string} id @param {string} document Id of the document. */
  highlightAddress: (id, document) => address(here("results", id, "highlight", document)),
};
