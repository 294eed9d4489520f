/** The lines of a page over its picture: invisible, each where it stands, in the order in which they are read. */

import { el } from "./dom.js";

/** @typedef {{number: number, text: string, role: string, box: import("./state.js").Box | null}} PageLine */

/** A box so many times higher than it is wide holds text that runs up or down. */
const UPRIGHT = 1.5;
/** Size of the letters in which a text is measured: any will do. */
const MEASURE = 100;
const FONT = "sans-serif";
/** Of one line. */
const LONGEST = 5000;

/** @type {CanvasRenderingContext2D | null} */
let measuring = null;

/** @param {string} text @returns {number} Its width where letters are one high. */
function widthOf(text) {
  measuring ??= /** @type {HTMLCanvasElement} */ (document.createElement("canvas")).getContext("2d");
  measuring.font = `${MEASURE}px ${FONT}`;
  return measuring.measureText(text).width / MEASURE;
}

/**
 * @param {PageLine[]} lines
 * @param {{width: number, height: number}} size Of the page, in points.
 * @returns {HTMLElement}
 */
export const words = (lines, size) =>
  el("div.words", ...lines.filter((line) => line.box && line.text).map((line) => row(line, size)));

/** @param {PageLine} line @param {{width: number, height: number}} size */
function row(line, size) {
  const { x0, y0, x1, y1 } = line.box;
  const text = line.text.slice(0, LONGEST);
  const [wide, high] = [Math.max(x1 - x0, 0.1), Math.max(y1 - y0, 0.1)];
  const upright = high > UPRIGHT * wide && text.length > 2;
  const [along, letters] = upright ? [high, wide] : [wide, high];
  const heading = line.role === "heading" && { role: "heading", "aria-level": "3" };
  const style = {
    left: `${(x0 / size.width) * 100}%`,
    top: `${(y0 / size.height) * 100}%`,
    // In points of the page, which the sheet gives a length: another zoom moves nothing here.
    "--letters": letters,
    "--stretch": along / Math.max(widthOf(text) * letters, 0.01),
  };
  return el("p.word-line", { class: upright && "is-upright", dir: "auto", data: { line: line.number }, style, ...heading },
    text,
    el("br"), // what is copied has a line for each
  );
}
