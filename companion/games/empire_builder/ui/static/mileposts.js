// @ts-check
// Names and places of mileposts: a name is the letters of its column and the number of its half row.

/** @typedef {import("/static/map.js").Point} Point */

export const COLUMN = 26, HALF_ROW = 15; // in units of the map

/**
 * @param {string} name
 * @returns {Point | null} nothing if no milepost can be called so
 */
export function spot(name) {
  const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  if (!letters) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
  return [column * COLUMN, Number(row) * HALF_ROW];
}

/** @returns {Point[]} */
export const spots = (/** @type {string[]} */ names) => names.flatMap((name) => {
  const at = spot(name);
  return at ? [at] : [];
});

/** @param {number} column */
function letters(column) {
  const first = Math.floor(column / 26);
  return (first ? String.fromCharCode(96 + first) : "") + String.fromCharCode(97 + (column % 26));
}

/**
 * The name of the milepost nearest to a point: column and half row together are even.
 * @param {Point} point
 * @returns {string | undefined}
 */
export function nameAt([x, y]) {
  let best;
  for (const column of new Set([Math.floor(x / COLUMN), Math.ceil(x / COLUMN)])) {
    const odd = Math.abs(column) % 2;
    const row = 2 * Math.round((y / HALF_ROW - odd) / 2) + odd;
    const far = Math.hypot(column * COLUMN - x, row * HALF_ROW - y);
    if (column >= 0 && row > 0 && (!best || far < best.far)) best = { far, name: letters(column) + row };
  }
  return best?.name;
}

/** A line through these mileposts, and dots on them, as SVG paths. */
export const path = (/** @type {string[]} */ names) => spots(names).map((at, place) => `${place ? "L" : "M"}${at.join(" ")}`).join("");
export const dots = (/** @type {string[]} */ names) => spots(names).map((at) => `M${at.join(" ")}h0`).join("");
