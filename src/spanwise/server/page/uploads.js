/** Adding documents: files or whole folders, chosen or dropped, one after the other; what breaks off goes on. */

import { announce, complain, words } from "./announce.js";
import { api, Problem } from "./api.js";
import { askedPassword } from "./dialogs.js";
import { loadDocuments } from "./documents.js";
import { button, byId, el, iconButton, on } from "./dom.js";
import { counted, sentence, shortened } from "./places.js";
import { passwords, recall, remember, set, state, watch } from "./state.js";
import { changed } from "./tabs.js";

/** @typedef {{file: File, folder: string}} Item A file, and the folder that it was found in. */

/** Code of the problem that a password solves. */
const ENCRYPTED = "password";
/** Status where the server has no room. */
const FULL = 507;
const PAUSED = "The server has no room for this. The import is paused, and goes on by itself once there is some.";
/** Rows that are shown of what waits. */
const SHOWN = 5;
/** Files that one import takes. */
const MOST = 100_000;
/** Milliseconds between two tries while the server does not answer, at first and at most. */
const AGAIN = 1000;
const LONGEST_WAIT = 20_000;
/** Milliseconds after which an import that says nothing is one that broke off. */
const SILENT = 10_000;

/** @type {Upload[]} */
let queue = [];
let running = false;
/** What came of the files since the queue was last empty. */
let tally = { done: 0, same: 0, failed: 0, total: 0 };

export function takeUploads() {
  for (const [press, choose] of [["add", "files"], ["add-folder", "folder"]]) {
    const input = /** @type {HTMLInputElement} */ (byId(choose));
    on(press, "click", () => input.click());
    on(input, "change", () => {
      add([...input.files].map((file) => ({ file, folder: file.webkitRelativePath.replace(/\/?[^/]*$/, "") })));
      input.value = "";
    });
  }
  const target = /** @type {HTMLElement} */ (document.querySelector(".drop"));
  const files = (event) => event.dataTransfer?.types.includes("Files");
  on(document, "dragenter", (event) => files(event) && (target.hidden = false));
  on(document, "dragover", (event) => files(event) && event.preventDefault());
  on(document, "dragleave", (event) => event.relatedTarget === null && (target.hidden = true));
  on(document, "drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    target.hidden = true;
    dropped(event.dataTransfer).then(add).catch(complain);
  });
  watch(["corpus"], () => byId("interrupted").replaceChildren());
  watch(["documents"], () => sayWhatIsMissing());
  on(window, "pagehide", () => keep(0));
  on(window, "beforeunload", (event) => queue.length > 1 && event.preventDefault());
}

/** @param {DataTransfer} data @returns {Promise<Item[]>} The files, those in folders too. */
async function dropped(data) {
  // What was dropped is there until the event ends; entries last longer.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...data.files].map((file) => ({ file, folder: "" }));
  const found = [];
  const visit = async (entry, folder) => {
    if (found.length >= MOST || entry.name.startsWith(".")) return;
    if (entry.isFile) {
      found.push({ file: await new Promise((got, failed) => entry.file(got, failed)), folder });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((got, failed) => reader.readEntries(got, failed));
      if (!some.length) return;
      for (const one of some) await visit(one, folder ? `${folder}/${entry.name}` : entry.name);
    }
  };
  for (const entry of entries) await visit(entry, "");
  return found;
}

/** @param {Item[]} items */
function add(items) {
  const wanted = items.filter(({ file }) => !file.name.startsWith(".")).slice(0, MOST);
  if (!queue.length) tally = { done: 0, same: 0, failed: 0, total: 0 };
  tally.total += wanted.length;
  queue.push(...wanted.map((item) => new Upload(item, wanted.length > 1)));
  byId("interrupted").replaceChildren();
  showQueue();
  keep();
  if (!running) run().catch(complain);
}

async function run() {
  running = true;
  try {
    while (queue.length) {
      const upload = queue[0];
      await upload.run();
      queue = queue.filter((one) => one !== upload);
      showQueue();
      keepSoon();
    }
  } finally {
    running = false;
  }
  keep();
  await loadDocuments().catch(() => {});
  const { done, same, failed, total } = tally;
  if (total < 2) return;
  const told = [`${counted(done, "document")} added`, same && `${same} were here already`, failed && `${failed} could not be read`];
  announce(told.filter(Boolean).join(", "));
}

function showQueue() {
  for (const upload of queue.slice(0, SHOWN)) if (!upload.row.isConnected) byId("uploads").append(upload.row);
  const more = queue.length - SHOWN;
  const sum = byId("upload-sum");
  sum.hidden = more <= 0;
  if (more <= 0) return;
  const done = tally.total - queue.length;
  const bar = el("progress", { max: tally.total, value: done, "aria-label": "Progress of the import" });
  const stop = iconButton("close", "Cancel the whole import", () => {
    const going = queue;
    queue = [];
    for (const upload of going) upload.stop();
    showQueue();
    keep();
  });
  const words = `${done.toLocaleString("en")} of ${counted(tally.total, "file")}`;
  sum.replaceChildren(el("span.entry-name", words), stop, bar);
}

/** One file on its way, and the row that shows it. */
class Upload {
  /** @param {Item} item @param {boolean} oneOfMany */
  constructor({ file, folder }, oneOfMany) {
    this.file = file;
    this.folder = folder;
    this.name = folder ? `${folder}/${file.name}` : file.name;
    this.oneOfMany = oneOfMany;
    this.corpus = state.corpus;
    this.stopping = new AbortController();
  }

  /** Made when it is first shown: an import may have thousands. */
  get row() {
    if (this.shown) return this.shown;
    this.note = el("span.hint", "Waiting…");
    this.bar = el("progress", { max: 1, value: 0, "aria-label": `Progress of ${this.name}` });
    const stop = iconButton("close", `Cancel ${this.file.name}`, () => this.stop());
    const name = el("span.entry-name", { title: this.name }, shortened(this.file.name));
    return (this.shown = el("div.upload", name, stop, this.bar, this.note));
  }

  /** Send it, then follow its reading; a file that is encrypted is sent again with its password. */
  async run() {
    let password = "";
    for (let wait = AGAIN; !this.stopping.signal.aborted; ) {
      try {
        if (this.oneOfMany && (await this.isHere())) tally.same += 1;
        else {
          const entry = await this.followed(await this.sent(password));
          if (entry && password) passwords.set(entry.sha256, password);
          tally.done += 1;
        }
        announce(`${this.file.name} added`);
        return this.row.remove();
      } catch (problem) {
        if (this.stopping.signal.aborted) return this.row.remove();
        if (passing(problem)) {
          const full = problem.status === FULL;
          this.told(full ? PAUSED : `${problem.message} Trying again…`, full ? 0 : null);
          if (full && wait === AGAIN) announce(PAUSED);
          await new Promise((resolve) => setTimeout(resolve, wait));
          wait = Math.min(LONGEST_WAIT, wait * 2);
          continue;
        }
        const given = problem.code === ENCRYPTED && (await askedPassword("This file is encrypted", this.file.name, password));
        if (!given) return this.failed(problem);
        password = given;
      }
    }
  }

  /** @returns {Promise<boolean>} Whether the collection has it, byte for byte. */
  async isHere() {
    if (this.corpus !== state.corpus) return false;
    const same = state.documents?.find((entry) => entry.name === this.name && entry.size === this.file.size);
    if (!same || !crypto.subtle) return false;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await this.file.arrayBuffer()));
    return same.sha256 === [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** @param {string} password @returns {Promise<any>} The job that reads it. */
  sent(password) {
    this.told("Sending…", 0);
    const form = new FormData();
    if (this.folder) form.append("folder", this.folder);
    if (password) form.append("password", password);
    form.append("file", this.file);
    // fetch cannot tell how much has been sent.
    const request = new XMLHttpRequest();
    return new Promise((resolve, reject) => {
      request.open("POST", api.uploadAddress(this.corpus));
      request.responseType = "json";
      request.upload.onprogress = ({ loaded, total }) => this.told("Sending…", loaded / total);
      request.onload = () => {
        const { status, response } = request;
        if (status < 400) resolve(response);
        else reject(new Problem({ ...response, status }));
      };
      request.onerror = () => reject(new Problem({ detail: "The server does not answer." }));
      request.onabort = () => reject(new Problem({ detail: "Cancelled." }));
      on(this.stopping.signal, "abort", () => request.abort());
      request.send(form);
    });
  }

  /** @param {any} job @returns {Promise<import("./state.js").Entry | null>} The document that it made. */
  async followed(job) {
    let entry = null;
    let last = "";
    const cancel = () => api.cancelJob(this.corpus, job.id).catch(() => {});
    on(this.stopping.signal, "abort", cancel);
    this.told("Reading…", null);
    for await (const now of api.job(this.corpus, job.id, this.stopping.signal)) {
      if (now.state === "failed") throw new Problem(now.problem ?? { detail: now.message });
      if (now.state === "cancelled") throw new Problem({ detail: "Reading it was cancelled." });
      this.told(sentence(now.message || "reading").replace(/\.$/, "…"), null);
      [entry, last] = [now.document, now.state];
    }
    if (last !== "done") throw new Problem({ detail: "The server went away while it read this." });
    changed("documents", this.corpus);
    // A list that changes with each of a thousand files would do nothing else.
    if (this.corpus === state.corpus && queue.length < SHOWN) await loadDocuments();
    return entry;
  }

  /** @param {string} note @param {number | null} share null while nobody can know how much is left. */
  told(note, share) {
    if (!this.row) return;
    this.note.textContent = note;
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }

  stop() {
    this.stopping.abort();
    this.shown?.remove();
    if (queue[0] !== this) queue = queue.filter((one) => one !== this);
    keepSoon();
  }

  /** @param {unknown} problem */
  failed(problem) {
    tally.failed += 1;
    const { row, file, folder } = this;
    row.classList.add("is-failed");
    row.replaceChildren(
      el("span.entry-name", this.name),
      el("p", { role: "alert" }, words(problem)),
      el("div.upload-after",
        button("Try again", () => (row.remove(), add([{ file, folder }]))),
        button("Dismiss", () => row.remove()),
      ),
    );
    byId("uploads").append(this.row);
  }
}

/** @param {any} problem @returns {boolean} Whether it may be over in a moment: nothing is the file's. */
function passing(problem) {
  if (problem instanceof TypeError) return true; // the connection broke off while the job was followed
  if (!(problem instanceof Problem)) return false;
  return [0, 502, 503, FULL].includes(problem.status) || problem.code === "job_not_found" || /went away/.test(problem.message);
}

// What an import still has to do, for the case that the page is closed -------------------------------------------------

/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping;

function keepSoon() {
  keeping ??= setTimeout(() => keep(), 2000);
}

/** @param {number} [now] When it was last at work; 0 where it is so no more. */
function keep(now = Date.now()) {
  clearTimeout(keeping);
  keeping = undefined;
  for (const corpus of new Set([state.corpus, ...queue.map((one) => one.corpus)])) {
    const names = queue.filter((one) => one.corpus === corpus).map((one) => one.name);
    // Without storage, or with too long a list, nobody is told later.
    if (names.length || tally.total) remember(`import.${corpus}`, names.length ? { now, names } : null);
  }
}

const working = (jobs) => jobs.filter((job) => ["waiting", "running"].includes(job.state));

/** An import of this browser that broke off: which of its files are not here. */
async function sayWhatIsMissing() {
  const { corpus, documents } = state;
  const place = byId("interrupted");
  const { now, names } = recall(`import.${corpus}`, {});
  if (queue.length || !documents || !Array.isArray(names)) return;
  const forget = () => (remember(`import.${corpus}`, null), place.replaceChildren());
  const here = new Set(documents.map((entry) => entry.name));
  let missing = names.map(String).filter((name) => !here.has(name));
  if (missing.length && Date.now() - now < SILENT) return void setTimeout(sayWhatIsMissing, SILENT); // another tab
  // Where the server does not answer, the next list tries again.
  const jobs = missing.length ? await api.jobs(corpus).catch(() => null) : [];
  if (!jobs || corpus !== state.corpus) return;
  const read = new Set(working(jobs).map((job) => job.name));
  missing = missing.filter((name) => !read.has(name));
  if (!missing.length) return read.size ? place.replaceChildren() : forget();
  const folder = missing.some((name) => name.includes("/"));
  place.replaceChildren(
    el("div.upload.is-failed", { role: "status" },
      el("p", `An import was interrupted: ${counted(missing.length, "file is", "files are")} missing.`),
      el("p.hint", missing.slice(0, SHOWN).join(", "), missing.length > SHOWN && ", …"),
      el("div.upload-after",
        button("Choose again", () => byId(folder ? "folder" : "files").click()),
        button("Forget it", forget),
      ),
    ),
  );
}

/** What the server is reading, whoever sent it. */
export async function loadJobs() {
  const { corpus } = state;
  const reading = working(await api.jobs(corpus));
  if (corpus === state.corpus) set({ reading });
}
