// @ts-check
// Names on a large board as the table's screen shows them: read from afar, none over another.
import { clamp } from "./map.js";

/** @typedef {import("./map.js").Frame} Frame */

/**
 * Which names can be written without covering one another, the first ones first.
 * @param {Frame[]} boxes
 * @returns {boolean[]}
 */
export function legible(boxes) {
  /** @type {Frame[]} */
  const written = [];
  return boxes.map((box) => {
    const free = written.every((other) =>
      box.left + box.width < other.left || other.left + other.width < box.left || box.top + box.height < other.top || other.top + other.height < box.top);
    if (free) written.push(box);
    return free;
  });
}

/**
 * On the table's screen: every name in the smallest size that is read from afar; one that would cover another is left out.
 * @param {import("./map.js").ZoomMap} map
 * @param {SVGGraphicsElement[]} names the more important first
 */
export function writeForAfar(map, names) {
  map.onScale((scale) => {
    if (!scale) return;
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / scale;
    for (const name of names) name.ownerSVGElement?.style.setProperty("--letters", letters.toFixed(2));
    const { left, width } = map.frame;
    const boxes = names.map((name) => {
      name.style.transform = "";
      const box = name.getBBox();
      const aside = clamp(box.x, left, left + width - box.width) - box.x; // what would stand out at a coast moves in
      if (aside) name.style.transform = `translateX(${aside}px)`;
      return { left: box.x + aside, top: box.y, width: box.width, height: box.height };
    });
    const free = legible(boxes);
    for (const [at, name] of names.entries()) name.style.visibility = free[at] ? "" : "hidden";
  });
}
