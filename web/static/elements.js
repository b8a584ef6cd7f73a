// @ts-check
// Elements: made, found, touched; the drawing of a mark; dialogs.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | ((event: any) => void)>} Attributes a function listens to its event */

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} inside
 */
function filled(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...inside);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} inside
 */
export const html = (name, attributes = {}, ...inside) => filled(document.createElement(name), attributes, inside);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} inside
 */
export const svg = (name, attributes = {}, ...inside) => filled(document.createElementNS(SVG, name), attributes, inside);

/**
 * @param {string} words
 * @param {() => void} click
 * @param {string} [look]
 */
export const button = (words, click, look = "plain") => html("button", { type: "button", class: `button ${look}`, click }, words);

/**
 * The first such element, if there is one.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {T | null}
 */
export const find = (selector, within = document) => within.querySelector(selector);

/**
 * The first such element, which the page's template promises.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {T}
 */
export function need(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {T[]}
 */
export const all = (selector, within = document) => [.../** @type {NodeListOf<T>} */ (within.querySelectorAll(selector))];

/**
 * What an event happened in.
 * @template {Element} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {T | null}
 */
export const hit = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/** Was this key pressed to do what a click does? */
export const pressed = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" || event.key === " ";

/**
 * The drawing of a mark: a symbol of the page's sprite, or one that lies turned by half.
 * @param {string} mark
 * @param {[width: number, height: number]} size of the drawing
 * @returns {SVGUseElement | null}
 */
export function drawn(mark, [width, height]) {
  const name = CSS.escape(mark);
  const symbol = find(`symbol[data-mark="${name}"], symbol[data-turned="${name}"]`);
  if (!symbol) return null;
  const turned = symbol.dataset.mark === mark ? {} : { transform: `rotate(180 ${width / 2} ${height / 2})` };
  return svg("use", { href: `#${symbol.id}`, ...turned });
}

// --- dialogs ---

/** @type {HTMLDialogElement | null} */
let dialog = null;

/**
 * Open a dialog over the page, in place of the one before. A tap beside it closes it.
 * @param {...(Node | string)} inside
 */
export function openSheet(...inside) {
  closeSheet();
  const opened = html("dialog", { class: "sheet" }, ...inside);
  opened.addEventListener("close", () => {
    opened.remove();
    if (dialog === opened) dialog = null;
  });
  opened.addEventListener("click", ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = opened.getBoundingClientRect();
    const beside = clientX < left || clientX > right || clientY < top || clientY > bottom;
    if (target === opened && beside) opened.close();
  });
  dialog = opened;
  document.body.append(opened);
  opened.showModal();
  return opened;
}

export function closeSheet() { dialog?.close(); }
