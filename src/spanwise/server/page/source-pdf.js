/**
 * A PDF as its pages, of which only those near the view are drawn, with the cited boxes highlighted. The sizes of the
 * pages come from the API, so that a page can be scrolled to, and its lines marked, before the PDF itself has loaded.
 */

import { api } from "./api.js";
import { askedSecret } from "./dialogs.js";
import { el } from "./dom.js";
import { passwordOf, rememberPassword } from "./passwords.js";
import { calm } from "./theme.js";

/** @typedef {import("./state.js").Citation} Citation */
/** @typedef {{number: number, label: string, width: number, height: number}} PageSize Points. */

const VENDOR = new URL("./vendor/pdfjs/", import.meta.url);
/** Pixels of one canvas at most: browsers refuse more, and memory is not endless. */
const PIXELS = 2 ** 24;
/** Drawn pages that are kept. */
const KEPT = 8;
/** On a view narrower than this many CSS pixels a page is not shrunk to fit: it would be too small to read. */
const SMALL = 520;
/** How far beyond the view pages are drawn, in heights of the view. */
const MARGIN = 0.6;
/** Where the first highlighted line comes to stand, as a share of the height of the view. */
const LEAD = 0.25;
/** What pdf.js tells the console: errors, not what it made the best of (`VerbosityLevel.ERRORS`). */
const QUIET = 0;

/** pdf.js and its worker, shared by all documents. @type {Promise<{pdfjs: any, worker: any}> | null} */
let library = null;

/** One page: its place, and what is drawn on it. */
class Sheet {
  /** @param {PageSize} size */
  constructor(size) {
    this.size = size;
    this.marks = el("div", { class: "marks", "aria-hidden": "true", hidden: true });
    const label =
      size.label && size.label !== String(size.number)
        ? `Page ${size.number}, printed ${size.label}`
        : `Page ${size.number}`;
    this.element = el("section", { class: "sheet", "aria-label": label, data: { page: size.number } }, this.marks);
    /** Counts drawings, so that one that was overtaken is not shown. */
    this.turn = 0;
    this.drawnAt = 0;
    this.task = null;
    this.canvas = null;
    this.text = null;
    this.refused = false;
  }

  /** @param {number} width CSS pixels. */
  place(width) {
    this.width = width;
    const style = this.element.style;
    style.setProperty("width", `${width}px`);
    style.setProperty("height", `${(width * this.size.height) / this.size.width}px`);
    style.setProperty("--total-scale-factor", String(width / this.size.width));
  }

  /** @param {{citation: Citation, active: boolean}[]} cited */
  highlight(cited) {
    const { number, width, height } = this.size;
    const boxes = cited.flatMap(({ citation, active }) =>
      citation.boxes.filter((box) => box.page === number).map((box) => ({ box, active })),
    );
    // Blending costs time also where there is nothing to blend.
    this.marks.hidden = !boxes.length;
    this.marks.replaceChildren(
      ...boxes.map(({ box, active }) => {
        const mark = el("div", { class: active ? "mark is-active" : "mark" });
        mark.style.setProperty("left", `${(box.x0 / width) * 100}%`);
        mark.style.setProperty("top", `${(box.y0 / height) * 100}%`);
        mark.style.setProperty("width", `${((box.x1 - box.x0) / width) * 100}%`);
        mark.style.setProperty("height", `${((box.y1 - box.y0) / height) * 100}%`);
        return mark;
      }),
    );
  }

  /** Say so where a page cannot be drawn; its lines can still be read as text. */
  refuse() {
    this.refused = true;
    this.element.classList.add("is-refused");
    this.element.append(el("p", { class: "sheet-problem" }, "This page cannot be drawn. Choose “Show as text”."));
  }

  /** Draw the page as sharp as the screen is. @param {any} pdfjs @param {any} pdf */
  async draw(pdfjs, pdf) {
    const ratio = window.devicePixelRatio || 1;
    const wanted = this.width * ratio;
    if (this.drawnAt === wanted) return;
    const turn = ++this.turn;
    this.task?.cancel();
    const page = await pdf.getPage(this.size.number).catch(() => null);
    if (!page) return this.refuse();
    const one = page.getViewport({ scale: 1 });
    const scale = Math.min(wanted / one.width, Math.sqrt(PIXELS / (one.width * one.height)));
    const viewport = page.getViewport({ scale });
    const canvas = el("canvas", { "aria-hidden": "true" });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    if (turn !== this.turn) return;
    this.task = page.render({ canvas, viewport, annotationMode: pdfjs.AnnotationMode.ENABLE });
    try {
      await this.task.promise;
    } catch (error) {
      if (error?.name !== "RenderingCancelledException") this.refuse();
      return;
    } finally {
      if (turn === this.turn) this.task = null;
    }
    if (turn !== this.turn) return;
    if (this.canvas) this.canvas.replaceWith(canvas);
    else this.element.prepend(canvas);
    this.canvas = canvas;
    this.drawnAt = wanted;
    this.element.dataset.drawn = String(wanted);
    if (!this.text) await this.letters(pdfjs, page);
  }

  /** Invisible text over the picture, to be selected, searched and read aloud. @param {any} pdfjs @param {any} page */
  async letters(pdfjs, page) {
    const container = el("div", { class: "textLayer" });
    this.text = container;
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent({ disableNormalization: true }),
      container,
      viewport: page.getViewport({ scale: this.width / page.getViewport({ scale: 1 }).width }),
    });
    await layer.render();
    this.element.append(container);
  }

  /** Give its memory back. */
  clear() {
    this.turn += 1;
    this.task?.cancel();
    this.task = null;
    this.drawnAt = 0;
    if (this.canvas) this.canvas.width = this.canvas.height = 0;
    this.canvas?.remove();
    this.text?.remove();
    this.canvas = this.text = null;
    delete this.element.dataset.drawn;
  }
}

export class PdfView {
  /** @returns {Promise<{pdfjs: any, worker: any}>} */
  static load() {
    library ??= import("./vendor/pdfjs/pdf.min.mjs").then((pdfjs) => {
      pdfjs.GlobalWorkerOptions.workerSrc = new URL("pdf.worker.min.mjs", VENDOR).href;
      // A document that is closed while a page is read makes the worker warn, and nothing is wrong then.
      return { pdfjs, worker: new pdfjs.PDFWorker({ verbosity: QUIET }) };
    });
    library.catch(() => (library = null));
    return library;
  }

  /**
   * @param {string} corpus @param {import("./state.js").Entry} entry
   * @param {(page: number) => void} pageShown Told which page is at the top.
   */
  constructor(corpus, entry, pageShown) {
    this.corpus = corpus;
    this.entry = entry;
    this.pageShown = pageShown;
    this.element = el("div", {
      class: "pdf-view",
      tabindex: "0",
      role: "region",
      "aria-label": `Pages of ${entry.name}`,
    });
    this.element.append(el("p", { class: "hint view-loading" }, "Loading…"));
    /** @type {Sheet[]} */
    this.sheets = [];
    this.factor = 1;
    this.drawing = false;
    this.closed = false;
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.resizing = new ResizeObserver(() => this.layout());
    this.ready = this.open();
    this.ready.catch(() => undefined);
  }

  /** Lay the pages out, and start to load the PDF. */
  async open() {
    this.loading = this.load();
    this.loading.catch(() => undefined);
    const { page_list: pages } = await api.document(this.corpus, this.entry.id);
    this.sheets = pages.map((size) => new Sheet(size));
    this.element.replaceChildren(...this.sheets.map((sheet) => sheet.element));
    this.layout();
    this.resizing.observe(this.element);
  }

  async load() {
    const { pdfjs, worker } = await PdfView.load();
    this.task = pdfjs.getDocument({
      url: api.fileAddress(this.corpus, this.entry.id),
      worker,
      cMapUrl: new URL("cmaps/", VENDOR).href,
      cMapPacked: true,
      standardFontDataUrl: new URL("standard_fonts/", VENDOR).href,
      wasmUrl: new URL("wasm/", VENDOR).href,
      iccUrl: new URL("iccs/", VENDOR).href,
      // What has not come yet is fetched as pages need it, and nothing in the file is run.
      disableAutoFetch: true,
      rangeChunkSize: 2 ** 18,
      // Fonts that a file does not bring along look the same on every machine.
      useSystemFonts: false,
      isEvalSupported: false,
      enableXfa: false,
      maxImageSize: 2 ** 26,
      verbosity: QUIET,
    });
    this.task.onPassword = (retry, reason) => this.unlock(retry, reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD);
    const pdf = await this.task.promise;
    rememberPassword(this.entry.sha256, this.given ?? "");
    return { pdfjs, pdf };
  }

  /** @param {(password: string | Error) => void} retry @param {boolean} again */
  async unlock(retry, again) {
    const known = passwordOf(this.entry.sha256);
    if (known && !again) return retry(known);
    const password = await askedSecret(
      "This PDF is encrypted",
      `Its password opens “${this.entry.name}”.`,
      "Password",
      again ? "That was not its password." : "",
    );
    this.given = password;
    retry(password ?? new Error("no password was given"));
  }

  /** Every page as wide as the view, times what was zoomed. */
  layout() {
    const room = this.element.clientWidth - 32;
    if (room <= 0 || !this.sheets.length) return;
    const anchor = this.anchor();
    const across = (this.element.scrollLeft + this.element.clientWidth / 2) / this.element.scrollWidth;
    for (const sheet of this.sheets) {
      const least = room < SMALL ? sheet.size.width : 0;
      sheet.place(Math.round(Math.min(Math.max(room, least), sheet.size.width * 2.5) * this.factor));
    }
    this.element.scrollLeft = across * this.element.scrollWidth - this.element.clientWidth / 2;
    if (this.waiting !== undefined) {
      const citation = this.waiting;
      this.waiting = undefined;
      this.scrollTo(citation);
    } else if (anchor)
      this.element.scrollTop = anchor.sheet.element.offsetTop + anchor.share * anchor.sheet.element.offsetHeight;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.draw(), 60);
  }

  /** @returns {boolean} Whether it is on the screen, and the pages have their sizes. */
  laidOut() {
    return this.element.clientHeight > 0 && this.sheets[0]?.width > 0;
  }

  /** What is at the top of the view. */
  anchor() {
    const top = this.element.scrollTop;
    const sheet = this.sheets.find((one) => one.element.offsetTop + one.element.offsetHeight > top);
    if (!sheet?.element.offsetHeight || top === 0) return null;
    return { sheet, share: (top - sheet.element.offsetTop) / sheet.element.offsetHeight };
  }

  /** @param {number} by 0 fits the width. */
  zoom(by) {
    this.factor = by ? Math.min(5, Math.max(0.4, this.factor * by)) : 1;
    this.layout();
  }

  /** @param {Citation[]} citations @param {number} active Which of them comes into view; -1 for none. */
  async show(citations, active) {
    const mine = (this.turn = (this.turn ?? 0) + 1);
    await this.ready;
    if (mine !== this.turn || this.closed) return;
    const cited = citations.map((citation, position) => ({ citation, active: position === active }));
    for (const sheet of this.sheets) sheet.highlight(cited);
    this.waiting = this.laidOut() ? undefined : citations[active];
    if (this.laidOut()) this.scrollTo(citations[active]);
    await this.loading;
    await this.draw();
  }

  /** @param {number} number Of the page that comes to the top. */
  goTo(number) {
    const sheet = this.sheets[number - 1];
    if (sheet) this.element.scrollTop = sheet.element.offsetTop - 8;
  }

  /** @param {Citation | undefined} citation */
  scrollTo(citation) {
    const box = citation?.boxes[0];
    const sheet = this.sheets[(box?.page ?? citation?.page ?? 0) - 1];
    if (!sheet) return;
    const scale = sheet.width / sheet.size.width;
    const top = Math.max(0, sheet.element.offsetTop + (box?.y0 ?? 0) * scale - this.element.clientHeight * LEAD);
    const starts = citation?.boxes.filter((one) => one.page === box?.page).map((one) => one.x0) ?? [];
    const left = starts.length ? Math.max(0, sheet.element.offsetLeft + Math.min(...starts) * scale - 24) : 0;
    const far = Math.abs(top - this.element.scrollTop) > 2 * this.element.clientHeight;
    this.element.scrollTo({ top, left, behavior: far || calm() ? "instant" : "smooth" });
  }

  /** Once a frame at most: tell the page, drop what has left the view, draw what has come into it. */
  scrolled() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      const middle = this.element.scrollTop + this.element.clientHeight / 3;
      const sheet = this.sheets.findLast((one) => one.element.offsetTop <= middle) ?? this.sheets[0];
      if (sheet) this.pageShown(sheet.size.number);
      const near = this.near();
      for (const one of this.sheets) if (one.task && !near.includes(one)) one.task.cancel();
      this.draw();
    });
  }

  /** @returns {Sheet[]} Pages in the view or close to it, the nearest first. */
  near() {
    if (!this.laidOut()) return []; // `layout` draws them once they have their sizes
    const height = this.element.clientHeight;
    const from = this.element.scrollTop - MARGIN * height;
    const to = this.element.scrollTop + (1 + MARGIN) * height;
    return this.byDistance(
      this.sheets.filter(({ element }) => element.offsetTop < to && element.offsetTop + element.offsetHeight > from),
    );
  }

  /** Draw the pages near the view, one after the other. */
  async draw() {
    if (this.drawing) return;
    this.drawing = true;
    for (const sheet of this.near()) sheet.element.classList.add("is-coming");
    try {
      const { pdfjs, pdf } = await this.loading;
      for (let sheet; !this.closed && (sheet = this.next()); ) await sheet.draw(pdfjs, pdf);
      this.tidy();
    } catch {
      // What keeps the PDF from loading is told by `show`.
    } finally {
      this.drawing = false;
    }
  }

  /** @returns {Sheet | undefined} The nearest page that is not drawn as it is wanted. */
  next() {
    const ratio = window.devicePixelRatio || 1;
    return this.near().find((sheet) => !sheet.refused && sheet.drawnAt !== sheet.width * ratio);
  }

  /** @param {Sheet[]} sheets */
  byDistance(sheets) {
    const middle = this.element.scrollTop + this.element.clientHeight / 2;
    const away = ({ element }) =>
      Math.max(element.offsetTop - middle, middle - element.offsetTop - element.offsetHeight, 0);
    return sheets
      .map((sheet) => ({ sheet, by: away(sheet) }))
      .sort((one, other) => one.by - other.by)
      .map(({ sheet }) => sheet);
  }

  /** Only so many pages stay drawn. */
  tidy() {
    const near = this.near();
    const drawn = this.byDistance(this.sheets.filter((sheet) => sheet.canvas));
    for (const sheet of drawn.slice(KEPT)) if (!near.includes(sheet)) sheet.clear();
  }

  close() {
    this.closed = true;
    this.resizing.disconnect();
    for (const sheet of this.sheets) sheet.clear();
    this.task?.destroy();
    this.element.remove();
  }
}
