/** The HTTP API, as functions. Every failure is a `Problem` whose message says what to do. */

import { eventsOf } from "./events.js";

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
async function request(method, path, options = {}) {
  const then = signIns;
  try {
    return await send(method, path, options);
  } catch (problem) {
    if (problem.status === 401 && (await mayRetry(then))) return request(method, path, options);
    throw problem;
  }
}

/**
 * The same, without asking anybody for a token.
 * @param {string} method @param {string | URL} path
 * @param {{json?: unknown, accept?: string, signal?: AbortSignal, headers?: Record<string, string>,
 *   keepalive?: boolean}} [options]
 */
async function send(method, path, options = {}) {
  const headers = new Headers({ Accept: options.accept ?? "application/json", ...options.headers });
  if (options.json !== undefined) headers.set("Content-Type", "application/json");
  const body = options.json === undefined ? undefined : JSON.stringify(options.json);
  let response;
  try {
    const { signal, keepalive } = options;
    response = await fetch(new URL(path, ROOT), { method, headers, body, signal, keepalive });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem({ detail: "The server does not answer. Is it still running?" });
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** @param {Response} response */
async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  return new Problem({ ...told, status: response.status });
}

/** @param {string | URL} path @param {AbortSignal} [signal] @returns {Promise<any>} */
async function get(path, signal) {
  return (await request("GET", path, { signal })).json();
}

/** @param {string} corpus @param {...string} rest @returns {string} */
function at(corpus, ...rest) {
  return ["corpora", corpus, ...rest].map(encodeURIComponent).join("/");
}

/** @param {string} corpus @param {...string} rest @returns {string} An address for links. */
function address(corpus, ...rest) {
  return new URL(at(corpus, ...rest), ROOT).href;
}

export const api = {
  /** @param {string} token Kept by the server in a cookie that no script can read. */
  signIn: (token) => entered(() => send("POST", "session", { json: { token } })),
  corpora: () => get("corpora"),
  /** @param {string} title */
  makeCollection: async (title) => (await request("POST", "corpora", { json: { title } })).json(),
  /** @param {string} corpus @param {string} title */
  renameCollection: (corpus, title) => request("PATCH", at(corpus), { json: { title } }),
  /** @param {string} corpus */
  removeCollection: (corpus) => request("DELETE", at(corpus)),
  /** What changes in all collections; first of all an event `open`. */
  async *changes() {
    const response = await request("GET", "events", { accept: "text/event-stream" });
    yield { event: "open", data: null };
    yield* eventsOf(response);
  },
  /** @returns {Promise<boolean>} Whether the server answers. */
  up: () => request("GET", "health").then(() => true, () => false),
  /** @param {string} corpus */
  jobs: async (corpus) => (await get(at(corpus, "jobs"))).jobs,
  operator: () => get("operator"),
  tokens: async () => (await get("operator/tokens")).tokens,
  /** @param {{label: string, corpora: string[] | null, questions: number | null}} json */
  makeToken: async (json) => (await request("POST", "operator/tokens", { json })).json(),
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
  /** @param {string} corpus @param {string} id @param {string} version @param {string} words */
  find: (corpus, id, version, words) =>
    get(`${at(corpus, "documents", id, "find")}?version=${version}&words=${encodeURIComponent(words)}`),
  /** @param {string} corpus */
  documents: async (corpus) => (await get(at(corpus, "documents"))).documents,
  /** @param {string} corpus @param {string} id @param {string} version SHA-256 of the file that is meant. */
  document: (corpus, id, version) => get(`${at(corpus, "documents", id)}?version=${version}`),
  /**
   * A page as a picture.
   * @param {string} corpus @param {string} id @param {number} number @param {number} width In pixels.
   * @param {string} version @param {string} password Empty where there is none. @param {AbortSignal} signal
   * @returns {Promise<Blob>}
   */
  picture: async (corpus, id, number, width, version, password, signal) => {
    const path = `${at(corpus, "documents", id, "pages", String(number), "image")}?width=${width}&version=${version}`;
    const headers = password ? { "X-Document-Password": encodeURIComponent(password) } : {};
    return (await request("GET", path, { signal, accept: "image/png, application/json", headers })).blob();
  },
  /** What is in the file and cannot be seen. @param {string} corpus @param {string} id @param {string} version */
  hidden: async (corpus, id, version) => {
    const found = [];
    for (let from = 1; from; ) {
      const told = await get(`${at(corpus, "documents", id, "hidden")}?first=${from}&version=${version}`);
      found.push(...told.hidden);
      from = told.next;
    }
    return found;
  },
  /** @param {string} corpus @param {string} id */
  remove: (corpus, id) => request("DELETE", at(corpus, "documents", id)),
  /**
   * @param {string} corpus @param {string} id @param {string} version @param {number} first @param {number} last
   * @param {AbortSignal} [signal]
   */
  lines: async (corpus, id, version, first, last, signal) => {
    const found = [];
    // One answer holds so many characters; where long lines fill it, the next one goes on.
    for (let from = first; from; ) {
      const path = `${at(corpus, "documents", id, "lines")}?first=${from}&last=${last}&version=${version}`;
      const told = await get(path, signal);
      found.push(...told.lines);
      from = told.next;
    }
    return found;
  },
  /** @param {string} corpus @param {string} id @param {string} version */
  fileAddress: (corpus, id, version) => `${address(corpus, "documents", id, "file")}?version=${version}`,
  /** @param {string} corpus */
  uploadAddress: (corpus) => address(corpus, "documents"),

  /**
   * Ask, and hear what happens.
   * @param {string} corpus @param {Record<string, unknown>} json The question, with what it is limited to.
   * @param {AbortSignal} signal
   */
  async *ask(corpus, json, signal) {
    const response = await request("POST", at(corpus, "ask"), { json, signal, accept: "text/event-stream" });
    for await (const event of eventsOf(response)) {
      if (event.event === "error") throw new Problem(event.data);
      yield event;
    }
  },

  /**
   * The states of a job, until it ends.
   * @param {string} corpus @param {string} id @param {AbortSignal} signal
   */
  async *job(corpus, id, signal) {
    const path = at(corpus, "jobs", id, "events");
    const response = await request("GET", path, { signal, accept: "text/event-stream" });
    for await (const event of eventsOf(response)) if (event.data?.state) yield event.data;
  },
  /** @param {string} corpus @param {string} id */
  cancelJob: (corpus, id) => request("DELETE", at(corpus, "jobs", id)),

  /**
   * @param {string} corpus @param {number} limit @param {string | null} before Id of the last one listed.
   * @param {string} words That the questions have.
   */
  results: async (corpus, limit, before, words) => {
    const query = new URLSearchParams({ limit: String(limit), words, ...(before ? { before } : {}) });
    return (await get(`${at(corpus, "results")}?${query}`)).results;
  },
  /** @param {string} corpus @param {string} id */
  result: (corpus, id) => get(at(corpus, "results", id)),
  /** @param {string} corpus @param {string} id */
  forget: (corpus, id) => request("DELETE", at(corpus, "results", id), { keepalive: true }),
  /** The documents that an answer cites, as they were then. @param {string} corpus @param {string} id */
  cited: async (corpus, id) => (await get(at(corpus, "results", id, "documents"))).documents,
  /** @param {string} corpus @param {string} id */
  trace: (corpus, id) => get(at(corpus, "results", id, "trace")),
  /** @param {string} corpus @param {string} id @param {"markdown" | "html"} form @returns {Promise<string>} */
  written: async (corpus, id, form) =>
    (await request("GET", at(corpus, "results", id, "as", form), { accept: `text/${form}, application/json` })).text(),
  /** @param {string} corpus @param {string[]} ids */
  conversationAddress: (corpus, ids) =>
    `${address(corpus, "results.zip")}?${new URLSearchParams(ids.map((id) => ["id", id]))}`,
  /** @param {string} corpus */
  suggestions: async (corpus) => (await get(at(corpus, "suggestions"))).questions,
  /** @param {string} corpus */
  choices: (corpus) => get(at(corpus, "choices")),
  /** @param {string} corpus @param {string[]} ids None for all. */
  conflicts: async (corpus, ids) =>
    (await get(`${at(corpus, "conflicts")}?${new URLSearchParams(ids.map((id) => ["document", id]))}`)).conflicts,
  /** @param {string} corpus @param {string} text @param {string[] | null} documents */
  verify: async (corpus, text, documents) =>
    (await request("POST", at(corpus, "verify"), { json: documents ? { text, documents } : { text } })).json(),
  /** @param {string} corpus @param {{name: string, question: string}[]} fields @param {string[]} documents */
  extract: async (corpus, fields, documents) =>
    (await request("POST", at(corpus, "extract"), { json: { fields, documents } })).json(),
  /** @param {string} corpus @param {string} id Of the job. @param {string} kind */
  tableAddress: (corpus, id, kind) => address(corpus, "jobs", id, `table.${kind}`),
  /** What the same `ask` will cost at most. @param {string} corpus @param {Record<string, unknown>} json @param {AbortSignal} signal */
  plan: async (corpus, json, signal) => (await request("POST", at(corpus, "plan"), { json, signal })).json(),
  /** @param {string} corpus @param {string} id @param {string} document Id of the document. */
  highlightAddress: (corpus, id, document) => address(corpus, "results", id, "highlight", document),
};
