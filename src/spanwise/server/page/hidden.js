/** What is in a file and cannot be seen: told above the document, and listed when somebody wants to know. */

import { api } from "./api.js";
import { el, icon } from "./dom.js";
import { counted } from "./places.js";

/** @typedef {import("./state.js").Entry} Entry */
/** @typedef {import("./state.js").Box} Box */
/** @typedef {{page: number, text: string, reason: string, box: Box | null, left_out: number}} Unseen */

const REASONS = {
  render_mode: "drawn without colour",
  no_contrast: "in the colour of its background",
  tiny: "too small to be read",
  off_page: "outside the page",
  zero_width: "characters without width",
  hidden_markup: "hidden by its markup",
  comment: "a comment",
  covered: "covered by something else",
  clipped: "cut off",
  closed: "shown only after a click",
  deleted: "a deletion that is tracked",
  layer: "in a layer that is off",
  no_ink: "in letters that draw nothing",
  other_text: "other text than its letters show",
  unchecked: "perhaps: whether one sees it could not be found out",
};
const NOBODY = "nobody who looks at it sees this, and nothing is answered from it";
/** Texts that are listed at once; one click shows so many more. */
const MOST = 200;

/**
 * A line that says how much is hidden, which opens to the list; nothing where nothing is.
 * @param {{entry: Entry, unseen?: Promise<Unseen[]>}} view Of the document; it remembers what is hidden in it.
 * @param {((box: Box) => void) | null} point Shows a place; null where there are no pages.
 * @param {boolean} [open] Whether the list is shown.
 */
export function hiddenTexts(view, point, open = false) {
  const root = el("div.hidden-texts", { hidden: true });
  const show = (texts) => {
    if (!texts.length) return;
    const passages = counted(texts.length, "hidden passage");
    const more = () => {
      const next = texts.slice(list.childElementCount, list.childElementCount + MOST);
      list.append(...next.map((one) => row(one, view.entry, point)));
    };
    const scroll = () => list.scrollTop + list.clientHeight > list.scrollHeight - 200 && more();
    const list = el("ol.hidden-list", { "aria-label": passages, tabindex: "0", scroll });
    const details = el("details", { open, toggle: () => details.open && !list.childElementCount && more() },
      el("summary", icon("hidden"), el("span", el("strong", `${passages}:`), " ", NOBODY)),
      list,
    );
    root.replaceChildren(details);
    root.hidden = false;
  };
  view.unseen ??= api.hidden(view.entry);
  view.unseen.then(show, () => (view.unseen = undefined)); // the document itself says what is the matter
  return root;
}

/** @param {Unseen} one @param {Entry} entry @param {((box: Box) => void) | null} point */
function row({ page, text, reason, box, left_out: left }, entry, point) {
  const why = REASONS[reason] ?? reason.replaceAll("_", " ");
  const where = entry.pages ? `page ${page}, ${why}` : why;
  return el("li",
    point && box ? el("button.hidden-place", { click: () => point(box) }, where) : el("span.hidden-place", where),
    el("p.hidden-text", { dir: "auto" }, text, left > 0 && el("em", ` (${left} more characters)`)),
  );
}
