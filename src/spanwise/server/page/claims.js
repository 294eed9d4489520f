/** The answer's text, in which every claim is a link to the lines that prove it. */

import { el, icon } from "./dom.js";
import { cutter, sentence } from "./places.js";
import { hashOf } from "./route.js";
import { stateOf } from "./states.js";

/** @typedef {import("./state.js").Claim} Claim */
/** @typedef {import("./state.js").Result} Result */
/** @typedef {{start: number, end: number, claim: number | null}} Stretch Of the text, in characters. */

/** How many marks stand behind a claim; the evidence below the answer has all of them. */
const MARKS = 3;
/** Characters of a claim where it is named again. */
const LONGEST = 200;

const STANDINGS = {
  sound: { label: "Supported", icon: "check" },
  flagged: { label: "Check this", icon: "alert" },
  unchecked: { label: "Not checked", icon: "question" },
  unsupported: { label: "Not supported", icon: "cross" },
  contradicted: { label: "Contradicted", icon: "cross" },
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
  return result.claims.every(({ at: [start, end], text }) => cut(start, end) === text);
}

/**
 * The text as paragraphs and lists.
 * @param {Result} result
 * @param {(claim: number, citation?: number) => void} choose
 */
export function answerText(result, choose) {
  const root = el("div.answer-text");
  let list = null;
  for (const block of blocksOf(result)) {
    if (block.item && !list) root.append((list = el(result.possible ? "ol" : "ul")));
    if (!block.item) list = null;
    const parent = block.item ? el("li") : el("p");
    const aligned = / {2,}\S/.test(block.parts.map((part) => part.text).join(""));
    if (aligned) parent.classList.add("aligned");
    for (const { text, claim } of block.parts) {
      parent.append(claim === null ? text : claimLink(result, claim, text, choose));
    }
    (block.item ? list : root).append(parent);
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
  for (const { start, end, claim } of stretchesOf(result)) {
    const lines = claim === null ? cut(start, end).split("\n") : [cut(start, end)];
    lines.forEach((line, position) => {
      if (position) blocks.push({ item: false, parts: [] });
      const block = blocks[blocks.length - 1];
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

/** @param {Result} result @returns {Stretch[]} The whole text; a claim that overlaps an earlier one starts after it. */
function stretchesOf(result) {
  const stretches = [];
  let at = 0;
  const ordered = result.claims.map((claim, position) => ({ ...claim, position }));
  ordered.sort((one, other) => one.at[0] - other.at[0]);
  for (const {
    at: [from, end],
    position,
  } of ordered) {
    const start = Math.max(from, at);
    if (start >= end) continue;
    if (at < start) stretches.push({ start: at, end: start, claim: null });
    stretches.push({ start, end, claim: position });
    at = end;
  }
  return [...stretches, { start: at, end: Infinity, claim: null }];
}

/**
 * A claim, with the numbers of its citations and, where it is not sound, what is the matter.
 * @param {Result} result @param {number} position @param {string} text
 * @param {(claim: number, citation?: number) => void} choose
 */
export function claimLink(result, position, text, choose) {
  const claim = result.claims[position];
  const how = standing(claim);
  const link = el(
    "a",
    {
      class: `claim claim-${how}`,
      role: "button",
      href: hashOf(result.trace_id, position),
      "aria-pressed": "false",
      title: `${sentence(claim.reason)} Choose it to see the lines.`,
      data: { claim: position },
      on: {
        click: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          choose(position);
        },
        keydown: (event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          choose(position);
        },
      },
    },
    text,
  );
  const marks = claim.citations.map((id) => result.citations.findIndex((one) => one.id === id)).filter((at) => at >= 0);
  const shown = marks
    .slice(0, MARKS)
    .map((at, index) => mark(at, result.citations[at].id, () => choose(position, index)));
  const more = marks.length > MARKS ? el("span.more", `+${marks.length - MARKS}`) : null;
  return el("span.claim-group", link, how === "sound" ? null : tag(how), ...shown, more);
}

/** @param {number} at Position of the citation in the result. @param {string} id Of it. @param {() => void} chosen */
function mark(at, id, chosen) {
  const attributes = {
    type: "button",
    class: "mark-number",
    "aria-label": `Evidence ${at + 1}`,
    on: { click: chosen },
  };
  return el("button", { ...attributes, data: { citation: id } }, at + 1);
}

/** @param {keyof typeof STANDINGS} how @returns {HTMLElement} The standing as a word and a sign, not a colour alone. */
export function tag(how) {
  return el("span", { class: `tag tag-${how}` }, icon(STANDINGS[how].icon), STANDINGS[how].label);
}

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
  return el("p", { class: `tally ${proved ? "tally-sound" : "tally-open"}` }, icon(proved ? "check" : "alert"), words);
}

/**
 * Every claim with its state in words, and why it has it.
 * @param {Result} result
 * @param {(claim: number) => void} choose
 */
export function statements(result, choose) {
  if (result.claims.length < 1) return null;
  const rows = result.claims.map((claim, position) => {
    const how = standing(claim);
    const text = result.claims.length > 1 ? `${claim.text.slice(0, LONGEST)}${claim.text.length > LONGEST ? "…" : ""}` : "Show its lines";
    return el(
      "li",
      { class: `statement concern-${how}` },
      tag(how),
      el("button.concern-claim", { type: "button", on: { click: () => choose(position) } }, text),
      el("p", sentence(claim.reason)),
    );
  });
  return el("details.statements",
    el("summary", rows.length > 1 ? "Each statement, and why" : "Why it holds or does not"),
    el("ul", ...rows),
  );
}

/**
 * What is the matter with claims that are not sound, and statements that were left out.
 * @param {Result} result
 * @param {(claim: number) => void} choose
 */
export function concerns(result, choose) {
  const open = result.claims.map((claim, position) => ({ claim, position, how: standing(claim) }));
  const rows = open
    .filter(({ how }) => how !== "sound")
    .map(({ claim, position, how }) =>
      el(
        "li",
        { class: `concern concern-${how}` },
        tag(how),
        el("button.concern-claim", { type: "button", on: { click: () => choose(position) } }, claim.text),
        el("p", sentence(claim.reason)),
      ),
    );
  const left = result.warning_details
    .filter((detail) => leftOut(detail))
    .map((detail) =>
      el("li.concern.concern-left",
        el("span.tag.tag-unsupported", icon("cross"), "Left out"),
        el("del", String(detail.text)),
        el("p", sentence(String(detail.message))),
      ),
    );
  if (!rows.length && !left.length) return null;
  return el("section.concerns", { "aria-label": "Statements to check" },
    rows.length ? el("h3", "Statements to check") : null,
    rows.length ? el("ul", ...rows) : null,
    left.length ? el("h3", "Left out: not proved by the documents") : null,
    left.length ? el("ul", ...left) : null,
  );
}

/** @param {Record<string, unknown>} detail @returns {boolean} Of a statement that is not in the answer. */
export function leftOut(detail) {
  const failed = ["unsupported_claim", "contradicted_claim", "uncertain_claim"].includes(String(detail.code));
  return failed && typeof detail.text === "string" && detail.at === undefined; // one with a place in the text is in it
}
