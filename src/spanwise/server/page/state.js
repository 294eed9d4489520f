/** What the page knows, in one place; the panels watch the parts that they show. */

/**
 * @typedef {object} Entry A document of the collection.
 * @property {string} id
 * @property {string} name
 * @property {string} format
 * @property {string} media_type
 * @property {string} sha256 Of the file.
 * @property {number} lines
 * @property {number | null} pages
 * @property {number | null} size
 * @property {string | null} language
 * @property {boolean | null} recognised
 * @property {number | null} hidden
 * @property {string} corpus The collection that it belongs to.
 *
 * @typedef {{page: number, x0: number, y0: number, x1: number, y1: number}} Box PDF points, origin top left.
 *
 * @typedef {object} Citation
 * @property {string} id
 * @property {string} document Name of the document.
 * @property {number} line_start
 * @property {number} line_end
 * @property {number | null} page
 * @property {string | null} page_label
 * @property {Box[]} boxes
 * @property {string} quote
 * @property {[number, number]} at
 *
 * @typedef {object} Claim
 * @property {[number, number]} at
 * @property {string} text
 * @property {"supported" | "contradicted" | "unsupported" | "unchecked"} support
 * @property {"keep" | "flag" | "remove"} verdict
 * @property {string} reason
 * @property {number} score
 * @property {string[]} citations
 *
 * @typedef {object} Selection What the source panel shows.
 * @property {string} document Name of the document.
 * @property {Citation[]} citations Highlighted together; empty to show the document only.
 * @property {number} active Which of them is in view.
 * @property {number | null} claim Position of the claim that was chosen.
 * @property {import("./states.js").State | null} as What the citations are; null where there are none.
 *
 * @typedef {Record<string, any>} Result The published result, schema version 1.
 *
 * @typedef {{kind: "idle"} | {kind: "asking", question: string, note: string, text: string}
 *   | {kind: "stopped", question: string} | {kind: "failed", question: string, problem: Error}
 *   | {kind: "loading"} | {kind: "result", result: Result}} Answer
 */

const listeners = new Map();

/** @type {{corpora: any[], corpus: string, documents: Entry[] | null, left: Set<string>, answer: Answer,
 *   selection: Selection | null, cited: {name: string, sha256: string, state: string}[] | null,
 *   history: any[] | null, older: boolean, operator: boolean, reading: any[]}} */
const values = {
  corpora: [],
  corpus: "default",
  documents: null,
  /** Ids of documents that are not asked. */
  left: new Set(),
  answer: { kind: "idle" },
  selection: null,
  /** The documents that the answer cites, as they were when it was given. */
  cited: null,
  history: null,
  /** Whether there are earlier questions than those listed. */
  older: false,
  /** Whether this token looks after the server. */
  operator: false,
  /** Jobs of this collection that wait or run. */
  reading: [],
};

export const state = /** @type {Readonly<typeof values>} */ (values);

/**
 * Change some values and tell those who watch them.
 * @param {Partial<typeof values>} changed
 */
export function set(changed) {
  Object.assign(values, changed);
  const told = new Set(Object.keys(changed).flatMap((key) => listeners.get(key) ?? []));
  for (const listener of told) listener();
}

/**
 * Call `listener` whenever one of the values is set.
 * @param {(keyof typeof values)[]} keys
 * @param {() => void} listener
 */
export function watch(keys, listener) {
  for (const key of keys) listeners.set(key, [...(listeners.get(key) ?? []), listener]);
}

/** @param {string} name Of a document. @returns {Entry | undefined} */
export const documentNamed = (name) => state.documents?.find((entry) => entry.name === name);

/** Documents that a question goes to. @returns {Entry[]} */
export const asked = () => (state.documents ?? []).filter((entry) => !state.left.has(entry.id));

/** @returns {string[] | undefined} Their ids; undefined for all. */
export function askedIds() {
  const entries = asked();
  return entries.length < state.documents.length ? entries.map((entry) => entry.id) : undefined;
}

/** Show a document at some lines. @param {string} document @param {Partial<Selection>} [told] */
export function select(document, told) {
  set({ selection: { document, citations: [], active: 0, claim: null, as: null, ...told } });
}

/** Passwords that opened a file, by its SHA-256, for as long as the page is open: nobody has to give one twice. @type {Map<string, string>} */
export const passwords = new Map();

/** What the browser keeps for the page. @param {string} key @param {any} otherwise @param {"localStorage" | "sessionStorage"} [where] */
export function recall(key, otherwise, where = "localStorage") {
  try {
    return JSON.parse(window[where].getItem(`spanwise.${key}`)) ?? otherwise;
  } catch {
    return otherwise; // storage is refused, or holds something else
  }
}

/**
 * @param {string} key @param {any} value null for nothing. @param {"localStorage" | "sessionStorage"} [where]
 * @returns {boolean} Whether it is kept; else it holds until the page is left.
 */
export function remember(key, value, where = "localStorage") {
  try {
    if (value === null) window[where].removeItem(`spanwise.${key}`);
    else window[where].setItem(`spanwise.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
