// @ts-check
// Cells of the seat's own board: found, and shown where a refusal names them.
import { find } from "/static/elements.js";

export const cellPlace = (/** @type {string} */ cell) => find(`.mine .board g[data-cell="${cell}"]`);

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
