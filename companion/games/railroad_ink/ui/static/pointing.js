// @ts-check
// Cells of the seat's own board: found, and shown where a refusal names them; places of marks.
import { find } from "/static/elements.js";

export const SIDES = ["top", "right", "bottom", "left"];
export const cellPlace = (/** @type {string} */ cell) => find(`.mine .board g[data-cell="${cell}"]`);

/**
 * On which side of its first cell a mark is drawn: "c3-d3" on the right, "a1-top" on top; empty for one inside.
 * @param {string} place
 */
export function sideOf(place) {
  const [first = "", second = ""] = place.split("-");
  if (!second || SIDES.includes(second)) return second;
  return first.slice(1) === second.slice(1) ? "right" : "bottom";
}

/**
 * A refusal that names cells shows them.
 * @param {{cell?: string, cells?: string[], fits?: {cell: string}[]}} detail
 */
export function point({ cell, cells = [], fits = [] }) {
  const named = [cell ?? "", ...cells, ...fits.map((one) => one.cell)].filter(Boolean);
  for (const one of named) {
    cellPlace(one)?.classList.add("pointed");
    setTimeout(() => cellPlace(one)?.classList.remove("pointed"), 6000);
  }
}

/** What the line says; nothing: what the box said there. */
export function explain(/** @type {string} */ words) {
  const place = find("#say");
  if (!place) return;
  place.dataset.before ??= place.textContent ?? "";
  place.textContent = words || place.dataset.before;
}
