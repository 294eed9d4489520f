/** Adding documents: by button or by dropping files, with progress, one after the other. */

import { announce, complain } from "./announce.js";
import { api, Problem } from "./api.js";
import { askedSecret } from "./dialogs.js";
import { loadDocuments } from "./documents.js";
import { button, byId, el, iconButton } from "./dom.js";
import { rememberPassword } from "./passwords.js";
import { sentence, shortened } from "./places.js";
import { state } from "./state.js";
import { changed } from "./tabs.js";

/** Code of the problem that a password solves. */
const ENCRYPTED = "password";

let waiting = Promise.resolve();

export function takeUploads() {
  const input = /** @type {HTMLInputElement} */ (byId("files"));
  byId("add").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    add([...input.files]);
    input.value = "";
  });
  const target = /** @type {HTMLElement} */ (document.querySelector(".drop"));
  const files = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragenter", (event) => files(event) && (target.hidden = false));
  document.addEventListener("dragover", (event) => files(event) && event.preventDefault());
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && (target.hidden = true));
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    target.hidden = true;
    add([...event.dataTransfer.files]);
  });
}

/** @param {File[]} files */
function add(files) {
  for (const file of files) {
    const upload = new Upload(file);
    waiting = waiting.then(() => upload.run()).catch(complain);
  }
}

/** One file on its way, and the row that shows it. */
class Upload {
  /** @param {File} file */
  constructor(file) {
    this.file = file;
    this.corpus = state.corpus;
    this.stopping = new AbortController();
    this.note = el("span", { class: "hint" }, "Waiting…");
    this.bar = el("progress", { max: 1, value: 0, "aria-label": `Progress of ${file.name}` });
    this.stopButton = iconButton("close", `Cancel ${file.name}`, () => this.stop());
    this.row = el(
      "div",
      { class: "upload" },
      el("span", { class: "entry-name", title: file.name }, shortened(file.name)),
      this.stopButton,
      this.bar,
      this.note,
    );
    byId("uploads").append(this.row);
  }

  /** Send it, then follow its reading; a file that is encrypted is sent again with its password. */
  async run() {
    let password = "";
    while (!this.stopping.signal.aborted) {
      try {
        const job = await this.sent(password);
        const entry = await this.followed(job);
        if (entry) rememberPassword(entry.sha256, password);
        announce(`${this.file.name} added`);
        this.row.remove();
        return;
      } catch (problem) {
        if (this.stopping.signal.aborted) return this.row.remove();
        const locked = problem instanceof Problem && problem.code === ENCRYPTED;
        const given = locked && (await this.passwordFor(password));
        if (!given) return this.failed(problem);
        password = given;
      }
    }
  }

  /** @param {string} before */
  passwordFor(before) {
    return askedSecret(
      "This file is encrypted",
      `Its password opens “${this.file.name}”.`,
      "Password",
      before && "That was not its password.",
    );
  }

  /** @param {string} password @returns {Promise<any>} The job that reads it. */
  sent(password) {
    this.told("Sending…", 0);
    const form = new FormData();
    form.append("file", this.file);
    if (password) form.append("password", password);
    // fetch cannot tell how much has been sent.
    const request = new XMLHttpRequest();
    return new Promise((resolve, reject) => {
      request.open("POST", api.uploadAddress(this.corpus));
      request.responseType = "json";
      request.upload.addEventListener("progress", (event) => this.told("Sending…", event.loaded / event.total));
      request.addEventListener("load", () => {
        if (request.status < 400) resolve(request.response);
        else reject(new Problem({ ...request.response, status: request.status }));
      });
      request.addEventListener("error", () =>
        reject(new Problem({ detail: "The file could not be sent. Is the server still running?" })),
      );
      request.addEventListener("abort", () => reject(new Problem({ detail: "Cancelled." })));
      this.stopping.signal.addEventListener("abort", () => request.abort());
      request.send(form);
    });
  }

  /** @param {any} job @returns {Promise<import("./state.js").Entry | null>} The document that it made. */
  async followed(job) {
    let entry = null;
    const cancel = () => api.cancelJob(this.corpus, job.id).catch(() => undefined);
    this.stopping.signal.addEventListener("abort", cancel);
    this.told("Reading…", null);
    for await (const now of api.job(this.corpus, job.id, this.stopping.signal)) {
      if (now.state === "failed") throw new Problem(now.problem ?? { detail: now.message });
      if (now.state === "cancelled") throw new Problem({ detail: "Reading it was cancelled." });
      const message = sentence(now.message || "reading").replace(/\.$/, "…");
      this.told(message, null);
      entry = now.document;
    }
    changed("documents", this.corpus);
    if (this.corpus === state.corpus) await loadDocuments();
    return entry;
  }

  /** @param {string} note @param {number | null} share null while nobody can know how much is left. */
  told(note, share) {
    this.note.textContent = note;
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }

  stop() {
    this.stopping.abort();
    this.row.remove();
  }

  /** @param {unknown} problem */
  failed(problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    const close = button("Dismiss", () => this.row.remove());
    this.row.classList.add("is-failed");
    this.row.replaceChildren(
      el("span", { class: "entry-name" }, this.file.name),
      el("p", { role: "alert" }, message),
      close,
    );
  }
}
