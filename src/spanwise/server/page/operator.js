/** For the operator: how the server does, what its collections take, and the tokens that open them. */

import { toClipboard } from "./actions.js";
import { announce } from "./announce.js";
import { api } from "./api.js";
import { confirmed, openDialog, toldIn } from "./dialogs.js";
import { button, el, form, iconButton, submit } from "./dom.js";
import { facts } from "./figures.js";
import { counted } from "./places.js";
import { state } from "./state.js";

/** Milliseconds between two looks. */
const AGAIN = 3000;

export async function operate() {
  const health = el("section", { "aria-label": "Health" });
  const tokens = el("section", { "aria-label": "Tokens" });
  const dialog = openDialog("The server", [health, tokens], "large", () => clearInterval(timer));
  const told = (work) => toldIn(dialog, work);
  const look = () => told(api.operator().then((now) => show(health, now)));
  const timer = setInterval(look, AGAIN);
  await look();
  await told(listTokens(tokens, told));
}

/** @param {number} bytes */
function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  for (; bytes >= 1000 && at < units.length - 1; at += 1) bytes /= 1000;
  return `${bytes.toFixed(bytes < 10 && at ? 1 : 0)} ${units[at]}`;
}

/** @param {number} seconds */
function lasting(seconds) {
  const hours = Math.floor(seconds / 3600);
  if (hours > 48) return counted(Math.floor(hours / 24), "day");
  return hours ? counted(hours, "hour") : counted(Math.ceil(seconds / 60), "minute");
}

/** @param {HTMLElement} place @param {any} told */
function show(place, { limits, corpora, ...told }) {
  const full = told.disk_free < 0.05 * told.disk_total;
  const disk = `${size(told.disk_free)} free of ${size(told.disk_total)}${full ? ": make room" : ""}`;
  const rows = corpora.map((one) => [
    one.title,
    `${one.documents.toLocaleString("en")} of ${one.most_documents.toLocaleString("en")}`,
    one.answers.toLocaleString("en"),
    size(one.bytes.files) + (one.most_file_bytes ? ` of ${size(one.most_file_bytes)}` : ""),
    size(one.bytes.corpus + one.bytes.answers),
    Object.entries(one.jobs).map(([how, many]) => `${many} ${how}`).join(", ") || "none",
  ]);
  place.replaceChildren(
    facts("dl.server-facts", [
      ["Version", `${told.version}, up for ${lasting(told.seconds)}`],
      ["Tokens", told.asks_for_tokens ? `asked for; ${counted(told.sessions, "page")} signed in` : "not asked for: whoever reaches the server may do everything"],
      ["Disk", full ? el("span.wrong", disk) : disk],
      ["Audit", told.audit_problem ? el("span.wrong", told.audit_problem) : (told.audit ?? "not written")],
      ["At once", `${limits.threads} questions, ${limits.waiting} waiting, ${limits.connections} connections`],
      ["At most", `${limits.question_seconds} s a question, ${limits.rate} requests a second`],
    ]),
    table("Collections", ["Collection", "Documents", "Answers", "Files", "Index", "Jobs"], rows),
  );
}

/** @param {string} name @param {string[]} head @param {(string | Node)[][]} rows */
function table(name, head, rows) {
  const cells = ([first, ...others]) => [el("th", { scope: "row" }, first), ...others.map((one) => el("td", one))];
  return el("div.table-room", { tabindex: "0", role: "region", "aria-label": name },
    el("table",
      el("thead", el("tr", ...head.map((one) => el("th", { scope: "col" }, one)))),
      el("tbody", ...rows.map((one) => el("tr", ...cells(one)))),
    ),
  );
}

/** @param {HTMLElement} place @param {(work: Promise<unknown>) => void} told Says what goes wrong. */
async function listTokens(place, told) {
  const list = await api.tokens();
  const revoke = async ({ id, label }) => {
    if (!(await confirmed("Revoke this token?", `“${label}” opens nothing any more, at once.`, "Revoke"))) return;
    await api.revoke(id);
    announce(`${label} revoked`);
    await listTokens(place, told);
  };
  const rows = list.map((one) => [
    one.label,
    one.corpora === null ? "everything (operator)" : one.corpora.join(", ") || "nothing",
    one.questions === null ? "no limit" : `${one.asked_today} of ${one.questions} today`,
    one.made.slice(0, 10),
    iconButton("trash", `Revoke ${one.label}`, () => told(revoke(one))),
  ]);
  const label = el("input", { id: "token-label", maxlength: 100, required: true, autocomplete: "off" });
  const opens = el("select", { id: "token-opens" },
    ...(list.length ? state.corpora.map(({ name, title }) => el("option", { value: name }, title)) : []),
    el("option", { value: "" }, "Everything (operator)"),
  );
  const quota = el("input", { id: "token-questions", type: "number", min: 1, placeholder: "no limit" });
  const make = async () => {
    const questions = quota.value ? Number(quota.value) : null;
    const wanted = { label: label.value, corpora: opens.value ? [opens.value] : null, questions };
    const made = await (list.length ? api.makeToken(wanted) : api.makeFirstToken(wanted));
    await listTokens(place, told);
    const copy = button("Copy", () => told(toClipboard(made.token).then(() => announce("Copied"))), "copy");
    place.append(
      el("div.token-told", { role: "status" },
        el("p", `The token of ${made.label}, shown only now:`),
        el("div.beside", el("code.token-made", { tabindex: "0" }, made.token), copy),
      ),
    );
  };
  const field = (input, name) => el("div", el("label", { for: input.id }, name), input);
  const none = el("p.hint", "None was made yet. With the first, an operator’s, the server asks everybody for a token.");
  place.replaceChildren(
    el("h3", "Tokens"),
    rows.length ? table("Tokens", ["Who", "Opens", "Questions", "Made", ""], rows) : none,
    form("form.token-form", () => told(make()),
      field(label, "Who"),
      field(opens, "Opens"),
      field(quota, "Questions a day"),
      submit("Make a token"),
    ),
  );
}
