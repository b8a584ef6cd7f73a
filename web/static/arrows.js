// @ts-check
// Boards by the keyboard: one of their places is in the order of the Tab key, the arrow keys go on to its neighbours.
import { all, hit } from "./elements.js";

/** @typedef {Pick<DOMRect, "left" | "top" | "width" | "height">} Rectangle */

const WAYS = /** @type {Record<string, [across: number, down: number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
const ASIDE = 2; // how much worse a step to the side is than one ahead

/**
 * Which of these lies next in that direction? Places straight ahead are preferred to nearer ones that lie aside.
 * @param {Rectangle} from
 * @param {Rectangle[]} others
 * @param {string} key an arrow key
 * @returns {number} its number; -1: none
 */
export function nextTowards(from, others, key) {
  const [across, down] = WAYS[key] ?? [0, 0];
  const middle = (/** @type {Rectangle} */ { left, top, width, height }) => [left + width / 2, top + height / 2];
  const [x = 0, y = 0] = middle(from);
  const far = others.map((other) => {
    const [otherX = 0, otherY = 0] = middle(other);
    const ahead = (otherX - x) * across + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * across);
    return ahead > 1 ? ahead + ASIDE * aside : Number.POSITIVE_INFINITY;
  });
  const least = Math.min(...far);
  return Number.isFinite(least) ? far.indexOf(least) : -1;
}

/**
 * @param {string} places the elements that can be chosen, as a selector; whoever paints them calls what is returned
 * @returns {() => void}
 */
export function arrows(places) {
  const shown = () => all(places).filter((one) => one.hasAttribute("role"));
  const settle = (/** @type {Element | undefined} */ current) => {
    for (const one of shown()) one.setAttribute("tabindex", one === current ? "0" : "-1");
  };
  document.addEventListener("focusin", (event) => {
    const place = hit(event, places);
    if (place) settle(place);
  });
  document.addEventListener("keydown", (event) => {
    const place = hit(event, places);
    if (!place || !WAYS[event.key]) return;
    event.preventDefault();
    const others = shown().filter((one) => one !== place);
    const next = others[nextTowards(place.getBoundingClientRect(), others.map((one) => one.getBoundingClientRect()), event.key)];
    next?.focus();
  });
  return () => {
    const all = shown();
    settle(all.find((one) => one === document.activeElement) ?? all.find((one) => one.getAttribute("tabindex") === "0" && one.matches(".open")) ?? all.find((one) => one.matches(".open")) ?? all[0]);
  };
}
