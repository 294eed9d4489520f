/** A document as numbered lines: for formats without pages, and for reading a PDF as text. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { calm } from "./layout.js";
import { cutter } from "./places.js";

/** @typedef {import("./state.js").Citation} Citation */

/** Lines that are fetched at once. */
const CHUNK = 200;
/** Milliseconds until lines that did not come are asked for again. */
const AGAIN = 2000;
/** Lines shown above the first one that is cited. */
const BEFORE = 60;

export class TextView {
  /** Lines that have the words in them that are searched, by number. @type {Map<number, [number, number][]>} */
  hits = new Map();
  marked = { citations: [], active: -1 };
  above = el("div.more-lines");
  below = el("div.more-lines");
  first = 1;
  last = 0;
  loading = false;
  /** Counts what was to be shown, so that lines which come late do not replace newer ones. */
  turn = 0;

  /** @param {import("./state.js").Entry} entry */
  constructor(entry) {
    this.entry = entry;
    /** Holds the lines. @type {HTMLElement} */
    this.list = this.made();
    const attributes = { tabindex: "0", role: "region", "aria-label": `Text of ${entry.name}` };
    this.element = el("div.text-view", attributes, this.above, this.list.parentElement ?? this.list, this.below);
    this.ends = new IntersectionObserver((seen) => this.reached(seen), { root: this.element, rootMargin: "600px" });
  }

  made() {
    return el("ol.lines");
  }

  /** @param {Citation[]} citations @param {number} active Which of them comes into view; -1 for none. */
  async show(citations, active) {
    const mine = ++this.turn;
    const target = citations[active]?.line_start ?? 1;
    const end = citations[active]?.line_end ?? 1;
    const loaded = target < this.first || Math.min(end, target + CHUNK) > this.last;
    if (loaded) await this.around(target);
    if (mine !== this.turn) return;
    this.mark(citations, active);
    const row = this.rows(target, target)[0];
    // A long way is no help to the eye, and lines that come in on it would end it somewhere else.
    const by = row ? Math.abs(row.getBoundingClientRect().top - this.element.getBoundingClientRect().top) : 0;
    const far = loaded || by > 2 * this.element.clientHeight;
    const behavior = far || calm() ? "instant" : "smooth";
    row?.scrollIntoView({ block: citations.length ? "center" : "start", behavior });
  }

  /** @param {number} first @param {number} last */
  fetch(first, last) {
    return api.lines(this.entry, first, last);
  }

  /** @param {number} target */
  async around(target) {
    const mine = this.turn;
    const first = Math.max(1, target - BEFORE);
    const last = Math.min(this.entry.lines, first + 2 * CHUNK - 1);
    const lines = last >= first ? await this.fetch(first, last) : [];
    if (mine !== this.turn) return;
    this.list.replaceChildren(...lines.map((line) => this.row(line)));
    [this.first, this.last] = [first, last];
    this.list.setAttribute("start", first);
    this.watch(true, true);
  }

  /** @param {boolean} above @param {boolean} below */
  watch(above, below) {
    this.ends.disconnect();
    if (above) this.ends.observe(this.above);
    if (below) this.ends.observe(this.below);
  }

  /** @param {Citation[]} citations @param {number} active */
  mark(citations, active) {
    this.marked = { citations, active };
    for (const element of this.list.querySelectorAll(".is-cited")) element.classList.remove("is-cited", "is-active");
    if (this.hits.size) this.showHits();
    citations.forEach((citation, position) => {
      for (const element of this.rows(citation.line_start, citation.line_end)) {
        element.classList.add("is-cited");
        element.classList.toggle("is-active", position === active || element.classList.contains("is-active"));
      }
    });
  }

  /** @param {number} first @param {number} last @returns {Element[]} Those that are loaded. */
  rows(first, last) {
    return [...this.list.children].slice(Math.max(0, first - this.first), Math.max(0, last - this.first + 1));
  }

  /** Fetch more lines where the reader comes to an end. @param {IntersectionObserverEntry[]} seen */
  async reached(seen) {
    if (this.loading || !seen.some((one) => one.isIntersecting)) return;
    this.loading = true;
    try {
      const up = seen.some((one) => one.isIntersecting && one.target === this.above);
      const more = up && this.first > 1 ? await this.earlier() : await this.later();
      if (more) this.mark(this.marked.citations, this.marked.active);
    } catch {
      // The lines that are shown stay, and after a while it is tried again.
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    } finally {
      this.loading = false;
    }
    // An observer tells of changes only: ask again, the end may still be in view.
    this.watch(this.first > 1, this.last < this.entry.lines);
  }

  async earlier() {
    const { first: known } = this;
    const first = Math.max(1, known - CHUNK);
    const lines = await this.fetch(first, known - 1);
    if (known !== this.first) return false; // others are shown meanwhile
    const height = this.element.scrollHeight;
    this.list.prepend(...lines.map((line) => this.row(line)));
    this.list.setAttribute("start", first);
    this.element.scrollTop += this.element.scrollHeight - height;
    this.first = first;
    return true;
  }

  async later() {
    if (this.last >= this.entry.lines) return false;
    const { last: known } = this;
    const last = Math.min(this.entry.lines, known + CHUNK);
    const lines = await this.fetch(known + 1, last);
    if (known !== this.last) return false; // as above
    this.list.append(...lines.map((line) => this.row(line)));
    this.last = last;
    return true;
  }

  /** Bring a line into view. @param {{number: number}} line */
  async reach({ number }) {
    const mine = ++this.turn;
    if (number < this.first || number > this.last) await this.around(number);
    if (mine !== this.turn) return;
    this.mark(this.marked.citations, this.marked.active);
    this.rows(number, number)[0]?.scrollIntoView({ block: "center", behavior: "instant" });
  }

  /** @param {{number: number, at: [number, number][]}[]} lines That have the words. @param {number} at The one meant. */
  found(lines, at) {
    this.hits = new Map(lines.map((line) => [line.number, line.at]));
    this.hit = lines[at]?.number;
    this.showHits();
  }

  showHits() {
    for (const row of this.list.children) {
      const number = Number(/** @type {HTMLElement} */ (row).dataset.line);
      const places = this.hits.get(number);
      if (places || row.classList.contains("is-found")) this.showHit(row, places ?? []);
      row.classList.toggle("is-found", Boolean(places));
      row.classList.toggle("is-hit", number === this.hit);
    }
  }

  /** @param {Element} row @param {[number, number][]} places */
  showHit(row, places) {
    const place = row.querySelector(".line-text");
    if (!place) return;
    const text = place.textContent;
    const cut = cutter(text);
    const parts = [];
    let end = 0;
    for (const [from, to] of places) {
      parts.push(cut(end, from), el("mark", cut(from, to)));
      end = to;
    }
    place.replaceChildren(...parts, cut(end));
  }

  close() {
    this.ends.disconnect();
    this.element.remove();
  }

  /** @param {{number: number, page: number, text: string, role: string, left_out: number}} line @returns {HTMLElement} */
  row({ number, text, role, left_out: left }) {
    return el(`li.line.line-${role}`, { value: number, data: { line: number } },
      el("span.line-number", { "aria-hidden": "true" }, number),
      el("span.line-text", text || "\u00a0"),
      left > 0 && el("em", ` (${left} more characters)`),
    );
  }
}
