/** Makes elements. Whatever comes from documents, answers or file names goes in as text nodes, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: `el("p.hint", { title: "why" }, "Words")`.
 * @param {string} tag With its classes.
 * @param {...(Record<string, unknown> | Node | string | number | null | undefined | false)} given Attributes, where the
 *   first is an object of them, and children. Among attributes a function is a listener, `data` holds data attributes,
 *   `style` properties and `class` more classes; true sets an empty one, and false, null or undefined none.
 * @returns {any}
 */
export function el(tag, ...given) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  const { data = {}, style = {}, class: more, ...attributes } = given[0]?.constructor === Object ? given.shift() : {};
  element.className = [...classes, more].filter(Boolean).join(" ");
  if (name === "button") element.type = "button";
  Object.assign(element.dataset, data);
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") on(element, name, value);
    else if (there(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...given.filter(there));
  return element;
}

const there = (given) => given !== null && given !== undefined && given !== false;

/**
 * One of the icons that index.html defines; decoration only.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/**
 * A button that shows an icon only.
 * @param {string} name Of the icon.
 * @param {string} label
 * @param {(event: MouseEvent) => void} click
 * @param {Record<string, unknown>} [attributes]
 */
export function iconButton(name, label, click, attributes) {
  return el("button.icon", { "aria-label": label, title: label, click, ...attributes }, icon(name));
}

/**
 * A button with words.
 * @param {string} label @param {(event: MouseEvent) => void} click @param {string} [sign] Its icon.
 * @param {string} [kind] Its classes.
 */
export function button(label, click, sign, kind = "quiet") {
  return el(`button.${kind}`, { click }, sign && icon(sign), label);
}

/** What sends a form. @param {string} label */
export function submit(label) {
  return el("button.primary", { type: "submit" }, label);
}

/** A form that stays on the page. @param {string} tag @param {() => unknown} sent @param {...any} children */
export function form(tag, sent, ...children) {
  return el(tag, { submit: (event) => (event.preventDefault(), sent()) }, ...children);
}

/** A list of which the first ones are shown, and a button that shows all. @param {Element} list @param {Element[]} rows @param {number} first */
export function shorten(list, rows, first) {
  list.append(...rows.slice(0, first));
  if (rows.length <= first) return null;
  const all = button(`Show all ${rows.length}`, () => {
    list.append(...rows.slice(first));
    rows[first].querySelector("button")?.focus();
    all.remove();
  });
  return all;
}

/**
 * Give a list other rows. Those that stay are not moved: a press that has begun on one reaches it.
 * @param {Element} list
 * @param {Element[]} rows
 */
export function renew(list, rows) {
  const stay = new Set(rows);
  for (const old of [...list.children]) if (!stay.has(old)) old.remove();
  rows.forEach((row, at) => list.children[at] !== row && list.insertBefore(row, list.children[at] ?? null));
}

/**
 * Rows for some items, by what is known of each; those that were made before and are still right are taken again.
 * @template T
 * @param {Map<string, HTMLElement>} before @param {T[]} items @param {(item: T) => HTMLElement} make
 * @returns {Map<string, HTMLElement>}
 */
export function rowsFor(before, items, make) {
  return new Map(items.map((item) => [JSON.stringify(item), item]).map(([told, item]) => [told, before.get(told) ?? make(item)]));
}

/** Say which of some elements is the current one. @param {Iterable<Element>} elements @param {(one: any) => boolean} is */
export function current(elements, is) {
  for (const one of elements) {
    if (is(one)) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
}

/**
 * The elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** @param {string | EventTarget} target An element or its id. @param {string} event @param {(event: any) => void} listener */
export const on = (target, event, listener) =>
  (typeof target === "string" ? byId(target) : target).addEventListener(event, listener);

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => document.getElementById(id);
