/**
 * A PDF as pictures of its pages, which the server draws with the engine that read them. Over each picture lie the
 * lines of the document, invisible, to be selected, searched and read aloud, and the cited boxes. Only pages near the
 * view are loaded; the sizes of the others are known, so that any of them can be scrolled to at once.
 */

import { api, Problem } from "./api.js";
import { askedPassword } from "./dialogs.js";
import { current, el, on } from "./dom.js";
import { calm } from "./layout.js";
import { passwords } from "./state.js";
import { words } from "./words.js";

/** @typedef {import("./state.js").Citation} Citation */
/** @typedef {import("./state.js").Box} Box */
/**
 * @typedef {object} PageSize
 * @property {number} number
 * @property {string} label
 * @property {number} width In points.
 * @property {number} height
 * @property {number} first_line
 * @property {number} last_line
 */

/** Pixels that the server makes a picture wide, at least and at most. */
const NARROWEST = 16;
const WIDEST = 8192;
/** Pages that are loaded at the same time: the server draws two at once. */
const LANES = 3;
/** Pages that stay loaded. */
const KEPT = 10;
/** How far beyond the view pages are loaded, in heights of the view. */
const MARGIN = 1;
/** Lines that lie over one page at most. */
const LINES = 5000;
/** Where the first highlighted line comes to stand, as a share of the height of the view. */
const LEAD = 0.25;
/** How often a page is asked for again that the server had no time for, and the milliseconds before. */
const TRIES = 4;
const AGAIN = 700;
/** Codes of problems that concern the whole document. */
const GONE = new Set(["file_gone", "document_not_found", "document_replaced", "corpus_not_found"]);

/** One page: its place, and what is loaded of it. */
class Sheet {
  /** What is marked on it. @type {HTMLElement | null} */
  marks = null;
  /** @type {HTMLImageElement | null} */
  picture = null;
  /** @type {HTMLElement | null} */
  words = null;
  /** CSS pixels. */
  width = 0;
  /** Pixels of the picture that is shown, or 0. */
  drawnAt = 0;
  /** @type {{at: number, stopping: AbortController} | null} */
  loading = null;
  refused = false;

  /** @param {PageSize} size */
  constructor(size) {
    const { number, label } = size;
    const printed = label && label !== String(number) ? `, printed ${label}` : "";
    this.size = size;
    this.element = el("section.sheet", { "aria-label": `Page ${number}${printed}`, data: { page: number } });
  }

  /** @param {number} width CSS pixels. */
  place(width) {
    if (width === this.width) return;
    this.width = width;
    const point = width / this.size.width;
    const { style } = this.element;
    style.width = `${width}px`;
    style.height = `${point * this.size.height}px`;
    style.setProperty("--point", `${point}px`);
  }

  /** @returns {number} Pixels that its picture should have. */
  wanted() {
    return this.width * (window.devicePixelRatio || 1);
  }

  /** @param {{box: Box, kind: string}[]} boxes What is marked on this page. */
  mark(boxes) {
    this.marks?.remove();
    this.marks = null;
    // Blending costs time also where there is nothing to blend.
    if (!boxes.length) return;
    const { width, height } = this.size;
    const share = (part, whole) => `${(part / whole) * 100}%`;
    const mark = ({ box: { x0, y0, x1, y1 }, kind }) => {
      const [left, top] = [share(x0, width), share(y0, height)];
      return el("div.mark", { class: kind, style: { left, top, width: share(x1 - x0, width), height: share(y1 - y0, height) } });
    };
    this.marks = el("div.marks", { "aria-hidden": "true" }, ...boxes.map(mark));
    this.element.append(this.marks);
  }

  /** @param {string} why Its lines can still be read as text. */
  refuse(why) {
    this.refused = true;
    this.element.classList.add("is-refused");
    this.element.append(el("p.sheet-problem", why));
  }

  /** @param {HTMLImageElement} picture @param {number} at Pixels. */
  show(picture, at) {
    this.picture?.remove();
    this.element.prepend(picture);
    this.picture = picture;
    this.drawnAt = at;
    this.element.dataset.drawn = String(at);
  }

  stop() {
    this.loading?.stopping.abort();
    this.loading = null;
  }

  /** Give its memory back. */
  clear() {
    this.stop();
    this.drawnAt = 0;
    this.picture?.remove();
    this.words?.remove();
    this.picture = this.words = null;
    delete this.element.dataset.drawn;
  }
}

export class PagesView {
  /** @type {Sheet[]} */
  sheets = [];
  /** What is cited, and what has the words that are searched. @type {{box: Box, kind: string}[]} */
  evidence = [];
  /** @type {{box: Box, kind: string}[]} */
  hits = [];
  /** @type {Set<Sheet>} */
  marked = new Set();
  factor = 1;
  closed = false;
  /** Counts what was to be shown, so that something newer is not overtaken. */
  turn = 0;
  /** @type {Promise<string> | null} The password that is being asked for. */
  unlocking = null;
  /** Told when a page is drawn, or why the document cannot be shown. @type {Set<(problem?: Error) => void>} */
  waiters = new Set();

  /**
   * @param {import("./state.js").Entry} entry
   * @param {(page: number) => void} pageShown Told which page is at the top.
   */
  constructor(entry, pageShown) {
    this.entry = entry;
    this.pageShown = pageShown;
    this.element = el("div.pages-view", { tabindex: "0", role: "region", "aria-label": `Pages of ${entry.name}` },
      el("p.hint.view-loading", "Loading…"),
    );
    on(this.element, "scroll", () => this.scrolled());
    this.resizing = new ResizeObserver(() => this.layout());
    this.ready = this.open();
    this.ready.catch(() => {});
  }

  /** Lay the pages out. */
  async open() {
    const { page_list: pages } = await api.document(this.entry);
    if (this.closed) return;
    this.sheets = pages.map((size) => new Sheet(size));
    this.element.replaceChildren(...this.sheets.map((sheet) => sheet.element));
    this.layout();
    this.resizing.observe(this.element);
  }

  /** Every page as wide as the view, times what was zoomed. */
  layout() {
    const room = this.element.clientWidth - this.gap();
    if (room <= 0 || !this.sheets.length) return;
    const anchor = this.anchor();
    const across = (this.element.scrollLeft + this.element.clientWidth / 2) / this.element.scrollWidth;
    for (const sheet of this.sheets)
      sheet.place(Math.max(1, Math.round(Math.min(room, sheet.size.width * 2.5) * this.factor)));
    this.element.scrollLeft = across * this.element.scrollWidth - this.element.clientWidth / 2;
    if (this.waiting !== undefined) {
      const [citation, box] = this.waiting;
      this.waiting = undefined;
      this.scrollTo(citation, box);
    } else if (anchor)
      this.element.scrollTop = anchor.sheet.element.offsetTop + anchor.share * anchor.sheet.element.offsetHeight;
    clearTimeout(this.settling);
    // A border that is dragged changes the width with every frame, and each would be another picture.
    this.settling = setTimeout(() => this.load(), this.sheets.some((sheet) => sheet.drawnAt) ? 80 : 0);
  }

  /** @returns {number} CSS pixels beside the pages. */
  gap() {
    const style = getComputedStyle(this.element);
    return Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
  }

  /** @returns {boolean} Whether it is on the screen, and the pages have their sizes. */
  laidOut() {
    return this.element.clientHeight > 0 && this.sheets[0]?.width > 0;
  }

  /** What is at the top of the view. */
  anchor() {
    const top = this.element.scrollTop;
    if (top === 0) return null;
    const sheet = this.sheets[this.firstBelow(top)];
    if (!sheet?.element.offsetHeight) return null;
    return { sheet, share: (top - sheet.element.offsetTop) / sheet.element.offsetHeight };
  }

  /** @param {number} top @returns {number} Position of the first page that ends below it. */
  firstBelow(top) {
    let low = 0;
    let high = this.sheets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { element } = this.sheets[middle];
      if (element.offsetTop + element.offsetHeight > top) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** @param {number} by 0 fits the width. */
  zoom(by) {
    this.factor = by ? Math.min(5, Math.max(0.4, this.factor * by)) : 1;
    this.layout();
  }

  /**
   * @param {Citation[]} citations
   * @param {number} active Which of them comes into view; -1 for none.
   */
  async show(citations, active) {
    const mine = ++this.turn;
    await this.ready;
    if (mine !== this.turn || this.closed) return;
    this.evidence = citations.flatMap((citation, position) =>
      citation.boxes.map((box) => ({ box, kind: position === active ? "is-active" : "" })),
    );
    this.mark([...this.evidence, ...this.hits]);
    this.cited = citations;
    for (const sheet of this.sheets) if (sheet.words) this.tell(sheet);
    this.bring(citations[active]);
    await this.shown(citations[active]);
  }

  /** @param {Box} box Of a text that cannot be seen. */
  point(box) {
    this.turn += 1;
    this.mark([{ box, kind: "is-unseen" }]);
    this.bring(undefined, box);
  }

  /** @param {any[]} lines That have the words which are searched. @param {number} at The one that is meant. */
  async found(lines, at) {
    await this.ready;
    this.hits = lines.flatMap((line, place) =>
      line.box ? part(line).map((box) => ({ box, kind: place === at ? "is-found is-hit" : "is-found" })) : [],
    );
    this.mark([...this.evidence, ...this.hits]);
  }

  /** Bring a line into view. @param {{page: number, box: Box | null}} line */
  async reach({ page, box }) {
    await this.ready;
    this.turn += 1;
    if (box) this.bring(undefined, box);
    else this.goTo(page);
  }

  /** @param {{box: Box, kind: string}[]} boxes */
  mark(boxes) {
    const before = this.marked;
    this.marked = new Set(boxes.map(({ box }) => this.sheets[box.page - 1]).filter(Boolean));
    for (const sheet of before) if (!this.marked.has(sheet)) sheet.mark([]);
    for (const sheet of this.marked) sheet.mark(boxes.filter(({ box }) => box.page === sheet.size.number));
  }

  /** Scroll there, now or once the pages have their sizes. @param {Citation | undefined} citation @param {Box} [box] */
  bring(citation, box = citation?.boxes[0]) {
    this.waiting = this.laidOut() || !(citation || box) ? undefined : [citation, box];
    if (this.laidOut()) this.scrollTo(citation, box);
    this.load();
  }

  /** Wait until the page of a citation is drawn. @param {Citation | undefined} citation */
  async shown(citation) {
    const sheet = this.sheets[(citation?.boxes[0]?.page ?? citation?.page ?? 1) - 1];
    const mine = this.turn;
    while (sheet && !sheet.drawnAt && !sheet.refused && mine === this.turn && !this.closed) {
      if (!this.laidOut()) return;
      await new Promise((resolve, reject) => this.waiters.add((problem) => (problem ? reject(problem) : resolve(undefined))));
    }
  }

  /** @param {Error} [problem] */
  tellWaiters(problem) {
    for (const told of this.waiters) told(problem);
    this.waiters.clear();
  }

  /** @param {number} number Of the page that comes to the top. */
  goTo(number) {
    const sheet = this.sheets[Math.min(Math.max(1, number), this.sheets.length) - 1];
    if (sheet) this.element.scrollTop = sheet.element.offsetTop - 8;
  }

  /** @param {Citation | undefined} citation @param {Box | undefined} box */
  scrollTo(citation, box) {
    const sheet = this.sheets[(box?.page ?? citation?.page ?? 0) - 1];
    if (!sheet) return;
    const scale = sheet.width / sheet.size.width;
    const top = Math.max(0, sheet.element.offsetTop + (box?.y0 ?? 0) * scale - this.element.clientHeight * LEAD);
    const beside = citation?.boxes.filter((one) => one.page === box?.page) ?? (box ? [box] : []);
    const start = Math.min(...beside.map((one) => one.x0));
    const left = beside.length ? Math.max(0, sheet.element.offsetLeft + start * scale - 24) : 0;
    const far = Math.abs(top - this.element.scrollTop) > 2 * this.element.clientHeight;
    this.element.scrollTo({ top, left, behavior: far || calm() ? "instant" : "smooth" });
  }

  /** Once a frame at most: tell the page, stop what has left the view, load what has come into it. */
  scrolled() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.laidOut()) return;
      const sheet = this.sheets[this.firstBelow(this.element.scrollTop + this.element.clientHeight / 3)];
      if (sheet) this.pageShown(sheet.size.number);
      this.load();
    });
  }

  /** @returns {Sheet[]} Pages in the view or close to it, the nearest first. */
  near() {
    if (!this.laidOut()) return []; // `layout` loads them once they have their sizes
    const height = this.element.clientHeight;
    const end = this.element.scrollTop + (1 + MARGIN) * height;
    const found = [];
    for (let at = this.firstBelow(this.element.scrollTop - MARGIN * height); at < this.sheets.length; at += 1) {
      if (this.sheets[at].element.offsetTop >= end) break;
      found.push(this.sheets[at]);
    }
    return this.byDistance(found);
  }

  /** Load the pages near the view, a few at a time; give up what has left it. */
  load() {
    if (this.closed) return;
    const near = this.near();
    for (const sheet of this.sheets) {
      if (!sheet.loading) continue;
      if (!near.includes(sheet) || sheet.loading.at !== sheet.wanted()) sheet.stop();
    }
    let free = LANES - this.sheets.filter((sheet) => sheet.loading).length;
    for (const sheet of near) {
      sheet.element.classList.add("is-coming");
      if (free <= 0 || sheet.loading || sheet.refused || sheet.drawnAt === sheet.wanted()) continue;
      free -= 1;
      this.fill(sheet).catch(() => {});
    }
    this.tidy(near);
  }

  /** Load the picture of a page, and its lines where they are not there yet. @param {Sheet} sheet */
  async fill(sheet) {
    const loading = { at: sheet.wanted(), stopping: new AbortController() };
    sheet.loading = loading;
    const current = () => sheet.loading === loading && !this.closed;
    try {
      const lines = sheet.words ? null : this.lines(sheet, loading.stopping.signal);
      const picture = await this.picture(sheet, loading);
      if (!current()) return;
      sheet.show(picture, loading.at);
      this.tellWaiters();
      const told = await lines;
      if (current() && told && !sheet.words) {
        sheet.words = words(told, sheet.size);
        sheet.element.append(sheet.words);
        this.tell(sheet);
      }
    } catch (problem) {
      if (current()) this.failed(sheet, problem);
    } finally {
      if (sheet.loading === loading) {
        sheet.loading = null;
        this.load();
      }
    }
  }

  /** @param {Sheet} sheet @param {AbortSignal} signal @returns {Promise<any[] | null>} null where they do not come. */
  async lines(sheet, signal) {
    const { first_line: first, last_line: end } = sheet.size;
    const last = Math.min(end, first + LINES - 1);
    if (last < first) return [];
    return this.patiently(() => api.lines(this.entry, first, last, signal), signal).catch(() => null);
  }

  /** @param {Sheet} sheet @param {{at: number, stopping: AbortController}} loading */
  async picture(sheet, loading) {
    const width = Math.min(WIDEST, Math.max(NARROWEST, Math.round(loading.at)));
    const { signal } = loading.stopping;
    for (;;) {
      const password = this.password();
      try {
        const told = () => api.picture(this.entry, sheet.size.number, width, password, signal);
        return await decoded(await this.patiently(told, signal));
      } catch (problem) {
        if (problem.code !== "password") throw problem;
        await this.unlocked(password);
      }
    }
  }

  /** What a busy server has no time for is asked for again. @template T @param {() => Promise<T>} call */
  async patiently(call, signal) {
    for (let tried = 1; ; tried += 1) {
      try {
        return await call();
      } catch (problem) {
        // A connection that breaks off while the answer comes is a TypeError.
        const busy = problem instanceof TypeError || [0, 429, 502, 503, 504].includes(problem.status);
        if (!busy || tried === TRIES || signal.aborted) throw problem;
        await new Promise((resolve) => setTimeout(resolve, AGAIN * tried));
      }
    }
  }

  /** @returns {string} Empty where none is known. */
  password() {
    return passwords.get(this.entry.sha256) ?? "";
  }

  /** Ask for the password, once for all pages. @param {string} wrong The one that did not open it. */
  async unlocked(wrong) {
    if (this.password() !== wrong) return; // another page has asked meanwhile
    const { name, sha256 } = this.entry;
    this.unlocking ??= askedPassword("This PDF is encrypted", name, wrong).finally(() => (this.unlocking = null));
    const given = await this.unlocking;
    passwords.set(sha256, given ?? "");
    if (!given) throw new Problem({ code: "file_gone", detail: "no password was given" });
  }

  /** @param {Sheet} sheet @param {any} problem */
  failed(sheet, problem) {
    if (GONE.has(problem.code)) {
      for (const one of this.sheets) one.refused = true;
      return this.tellWaiters(problem);
    }
    if (problem instanceof Problem && !problem.status) return this.tellWaiters(problem); // it is asked again until the server answers
    if (!sheet.drawnAt) sheet.refuse(`${problem.message} Choose “Show as text”.`);
    else sheet.drawnAt = sheet.wanted(); // the picture that is there stays, less sharp
    this.tellWaiters();
  }

  /** Which lines of a page are cited, for a screen reader. @param {Sheet} sheet */
  tell(sheet) {
    current(sheet.words?.children ?? [], ({ dataset: { line } }) =>
      this.cited?.some((one) => one.line_start <= Number(line) && Number(line) <= one.line_end),
    );
  }

  /** @param {Sheet[]} sheets */
  byDistance(sheets) {
    const middle = this.element.scrollTop + this.element.clientHeight / 2;
    const away = ({ element: { offsetTop: top, offsetHeight: high } }) => Math.max(top - middle, middle - top - high, 0);
    const by = new Map(sheets.map((sheet) => [sheet, away(sheet)]));
    return sheets.sort((one, other) => by.get(one) - by.get(other));
  }

  /** Only so many pages stay loaded. @param {Sheet[]} near */
  tidy(near) {
    const drawn = this.byDistance(this.sheets.filter((sheet) => sheet.drawnAt));
    for (const sheet of drawn.slice(KEPT)) if (!near.includes(sheet)) sheet.clear();
  }

  close() {
    this.closed = true;
    this.resizing.disconnect();
    clearTimeout(this.settling);
    for (const sheet of this.sheets) sheet.clear();
    this.tellWaiters();
    this.element.remove();
  }
}

/** @param {any} line @returns {Box[]} About where its words stand: letters of one line are about equally wide. */
function part({ box, text, at }) {
  const wide = (box.x1 - box.x0) / Math.max(1, Array.from(text).length);
  return at.map(([from, to]) => ({ ...box, x0: box.x0 + from * wide, x1: box.x0 + to * wide }));
}

/** @param {Blob} blob @returns {Promise<HTMLImageElement>} Ready to be painted, so that nothing flickers. */
export async function decoded(blob) {
  const address = URL.createObjectURL(blob);
  try {
    const picture = el("img", { alt: "", draggable: "false", src: address });
    await picture.decode();
    return picture;
  } finally {
    URL.revokeObjectURL(address);
  }
}
