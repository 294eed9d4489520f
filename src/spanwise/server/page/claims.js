/** The answer's text, in which every claim is a link to the lines that prove it; and how far each may be trusted. */

import { el, icon } from "./dom.js";
import { cutter, sentence, stateOf } from "./places.js";
import { hashOf } from "./route.js";

/** @typedef {import("./state.js").Claim} Claim */
/** @typedef {import("./state.js").Result} Result */
/** @typedef {(claim: number, citation?: number) => void} Choose */
/** @typedef {{start: number, end: number, claim: number | null}} Stretch Of the text, in characters. */

/** How many marks stand behind a claim; the evidence below the answer has all of them. */
const MARKS = 3;
/** Characters of a claim where it is named again. */
const LONGEST = 200;

const STANDINGS = {
  sound: "Supported",
  flagged: "Check this",
  unchecked: "Not checked",
  unsupported: "Not supported",
  contradicted: "Contradicted",
  left: "Left out",
};

/** Of one, two and more claims: none holds, all hold, all hold but are not known to answer the question. */
const TALLIES = {
  1: [
    "The claim is not proved by the lines it cites",
    "The claim is proved by the lines it cites",
    "The lines say this; that it answers the question is not proved",
  ],
  2: [
    "Neither claim is proved by the lines it cites",
    "Both claims are proved by the lines they cite",
    "The lines say both; that either answers the question is not proved",
  ],
  3: [
    "None of the claims is proved by the lines it cites",
    "All claims are proved by the lines they cite",
    "The lines say each of these; that any answers the question is not proved",
  ],
};

/** @param {Claim} claim @returns {keyof typeof STANDINGS} How far a reader may trust it. */
export function standing(claim) {
  if (claim.support !== "supported") return claim.support;
  return claim.verdict === "keep" ? "sound" : "flagged";
}

/** @param {Result} result @returns {boolean} Whether the claims stand in the text, and not beside it. */
export function claimsInText(result) {
  const cut = cutter(result.text);
  return result.claims.every(({ at, text }) => cut(...at) === text);
}

/**
 * The text as paragraphs and lists.
 * @param {Result} result
 * @param {Choose} choose
 */
export function answerText(result, choose) {
  const root = el("div.answer-text");
  let list = null;
  for (const { item, parts } of blocksOf(result)) {
    if (!item) list = null;
    else if (!list) root.append((list = el(result.possible ? "ol" : "ul")));
    const block = el(item ? "li" : "p");
    if (/ {2,}\S/.test(parts.map((part) => part.text).join(""))) block.className = "aligned";
    for (const { text, claim } of parts) block.append(claim === null ? text : claimLink(result, claim, text, choose));
    (list ?? root).append(block);
  }
  return root;
}

/**
 * Lines of the text, cut where claims begin and end; a claim over several lines keeps them together.
 * @param {Result} result
 */
function blocksOf(result) {
  const cut = cutter(result.text);
  const marks = result.possible ? /^\d+\. / : /^- /;
  /** @type {{item: boolean, parts: {text: string, claim: number | null}[]}[]} */
  const blocks = [{ item: false, parts: [] }];
  for (const { start, end, claim } of stretchesOf(result.claims)) {
    const lines = claim === null ? cut(start, end).split("\n") : [cut(start, end)];
    lines.forEach((line, position) => {
      if (position) blocks.push({ item: false, parts: [] });
      const block = blocks.at(-1);
      const mark = claim === null && !block.parts.length ? line.match(marks)?.[0] : undefined;
      if (mark !== undefined) {
        block.item = true;
        line = line.slice(mark.length);
      }
      if (line) block.parts.push({ text: line, claim });
      else if (block.item && !block.parts.length) block.parts.push({ text: "", claim: null });
    });
  }
  return blocks.filter((block) => block.parts.length);
}

/** @param {Claim[]} claims @returns {Stretch[]} The whole text; a claim that overlaps an earlier one starts after it. */
export function stretchesOf(claims) {
  const stretches = [];
  let at = 0;
  const ordered = claims.map((claim, position) => ({ at: claim.at, position })).sort((one, other) => one.at[0] - other.at[0]);
  for (const { at: [from, end], position } of ordered) {
    const start = Math.max(from, at);
    if (start >= end) continue;
    if (at < start) stretches.push({ start: at, end: start, claim: null });
    stretches.push({ start, end, claim: position });
    at = end;
  }
  return [...stretches, { start: at, end: Infinity, claim: null }];
}

/**
 * Words that are a claim: a link to its lines, and where it is not sound, what is the matter.
 * @param {Claim} claim @param {string} text @param {(event: Event) => void} choose @param {string | false} href
 * @param {Record<string, unknown>} [attributes] @param {...Node} marks
 */
export function claimed(claim, text, choose, href, attributes, ...marks) {
  const how = standing(claim);
  const go = (event) => (event.preventDefault(), choose(event));
  const link = el(
    "a",
    {
      class: `claim is-${how}`,
      role: "button",
      tabindex: "0",
      href,
      title: `${sentence(claim.reason)} Choose it to see the lines.`,
      click: (event) => event.ctrlKey || event.metaKey || event.shiftKey || go(event),
      keydown: (event) => (event.key === " " || (event.key === "Enter" && !href)) && go(event),
      ...attributes,
    },
    text,
  );
  return el("span.claim-group", link, how !== "sound" && tag(how), ...marks);
}

/**
 * A claim of an answer, with the numbers of its citations.
 * @param {Result} result @param {number} position @param {string} text
 * @param {Choose} choose
 */
export function claimLink(result, position, text, choose) {
  const claim = result.claims[position];
  const marks = claim.citations.map((id) => result.citations.findIndex((one) => one.id === id)).filter((at) => at >= 0);
  const attributes = { "aria-pressed": "false", data: { claim: position } };
  const shown = marks.slice(0, MARKS).map((at, index) => mark(result, at, () => choose(position, index)));
  if (marks.length > MARKS) shown.push(el("span.more", `+${marks.length - MARKS}`));
  return claimed(claim, text, () => choose(position), hashOf(result.trace_id, position), attributes, ...shown);
}

/** The number of a citation. @param {Result} result @param {number} at Its position. @param {() => void} click @param {number} [number] */
export function mark(result, at, click, number = at + 1) {
  const label = `Evidence ${number}`;
  return el("button.mark-number", { "aria-label": label, click, data: { citation: result.citations[at].id } }, number);
}

/** The standing as a word, not a colour alone. @param {keyof typeof STANDINGS} how */
const tag = (how) => el(`span.tag.is-${how}`, STANDINGS[how]);

/** @param {Result} result @returns {HTMLElement | null} One line that says how many claims hold. */
export function tally(result) {
  const total = result.claims.length;
  if (!total) return null;
  const sound = result.claims.filter((claim) => standing(claim) === "sound").length;
  const proved = stateOf(result) === "proved" && sound === total;
  const words =
    sound < total && sound
      ? `${sound} of ${total} claims ${sound === 1 ? "is" : "are"} proved by the lines they cite`
      : TALLIES[Math.min(total, 3)][sound ? (proved ? 1 : 2) : 0];
  return tallied(words, proved);
}

/** @param {string} words @param {boolean} all Whether nothing is open. */
export const tallied = (words, all) =>
  el(`p.tally.is-${all ? "sound" : "flagged"}`, icon(all ? "check" : "alert"), words);

/** A statement in a list, with its state in words, and why it has it. @param {string} kind @param {keyof typeof STANDINGS} how @param {Node} said @param {...any} why */
export const statement = (kind, how, said, ...why) =>
  el(`li.${kind}.is-${how}`, tag(how), said, ...why.map((one) => (typeof one === "string" ? el("p", sentence(one)) : one)));

/** @param {string} kind @param {Result} result @param {Choose} choose @param {(how: string) => boolean} which @param {(text: string) => string} shown */
const rows = (kind, result, choose, which, shown) =>
  result.claims.flatMap((claim, position) => {
    const how = standing(claim);
    const link = el("button.concern-claim", { click: () => choose(position) }, shown(claim.text));
    return which(how) ? [statement(kind, how, link, claim.reason)] : [];
  });

/**
 * Every claim with its state in words, and why it has it.
 * @param {Result} result
 * @param {Choose} choose
 */
export function statements(result, choose) {
  const total = result.claims.length;
  const shown = (text) =>
    total > 1 ? `${text.slice(0, LONGEST)}${text.length > LONGEST ? "…" : ""}` : "Show its lines";
  return total
    ? el("details.statements",
        el("summary", total > 1 ? "Each statement, and why" : "Why it holds or does not"),
        el("ul", ...rows("statement", result, choose, () => true, shown)),
      )
    : null;
}

/**
 * What is the matter with claims that are not sound, and statements that were left out.
 * @param {Result} result
 * @param {Choose} choose
 */
export function concerns(result, choose) {
  const open = rows("concern", result, choose, (how) => how !== "sound", String);
  const left = result.warning_details
    .filter(leftOut)
    .map((detail) => statement("concern", "left", el("del", detail.text), String(detail.message)));
  const part = (title, list) => (list.length ? [el("h3", title), el("ul", ...list)] : []);
  const parts = [...part("Statements to check", open), ...part("Left out: not proved by the documents", left)];
  return parts.length ? el("section.concerns", { "aria-label": "Statements to check" }, ...parts) : null;
}

/** @param {Record<string, unknown>} detail @returns {boolean} Of a statement that is not in the answer. */
export function leftOut({ code, text, at }) {
  const failed = ["unsupported_claim", "contradicted_claim", "uncertain_claim"].includes(code);
  return failed && typeof text === "string" && at === undefined; // one with a place in the text is in it
}
