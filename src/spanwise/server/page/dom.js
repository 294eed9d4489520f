/** Makes elements. Whatever comes from documents, answers or file names goes in as text nodes, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: `el("p.hint", { title: "why" }, "Words")`.
 * @param {string} tag With its classes.
 * @param {...(Record<string, unknown> | Node | string | number | null | undefined | false)} given Attributes, where the
 *   first is an object of them, and children. Among attributes `on` holds listeners and `data` data attributes; true
 *   sets an empty one, and false, null or undefined none.
 * @returns {any}
 */
export function el(tag, ...given) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  const attributes = given[0]?.constructor === Object ? given.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...given.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

/** @param {Node | string | number} child */
function asNode(child) {
  return child instanceof Node ? child : String(child);
}

/**
 * One of the icons that index.html defines; decoration only.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/**
 * A button that shows an icon only.
 * @param {string} name Of the icon.
 * @param {string} label
 * @param {(event: MouseEvent) => void} chosen
 * @param {Record<string, unknown>} [attributes]
 */
export function iconButton(name, label, chosen, attributes = {}) {
  const common = { type: "button", class: "icon", "aria-label": label, title: label, on: { click: chosen } };
  return el("button", { ...common, ...attributes }, icon(name));
}

/**
 * A button with words.
 * @param {string} label
 * @param {(event: MouseEvent) => void} chosen
 * @param {{icon?: string, class?: string}} [options]
 */
export function button(label, chosen, options = {}) {
  const attributes = { type: "button", class: options.class ?? "quiet", on: { click: chosen } };
  return el("button", attributes, options.icon ? icon(options.icon) : null, label);
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

/**
 * The elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export function findAll(selector, root = document) {
  return [...root.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);
}

/**
 * The element with that id, which index.html has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}
