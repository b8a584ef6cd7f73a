// @ts-check
// What was entered on a seat's board before, and what it should have said.
import { get } from "/static/api.js";
import { inMatch, trying } from "/static/kit.js";

/** @typedef {{seq: number, data: any, kind: string, seat: number}} Event */

/**
 * What an earlier event should have said: one route, or one of those that a photograph showed.
 * @param {any} data
 * @param {string} cell
 * @param {string} route
 */
export function corrected(data, cell, route) {
  if (!data.moves) return { ...data, route };
  const moves = data.moves.map((/** @type {{cell: string}} */ move) => (move.cell === cell ? { cell, route } : move));
  return { ...data, moves };
}

/**
 * The event of this seat by which a cell was entered.
 * @param {string} cell
 */
export async function entering(cell) {
  /** @type {Event[]} */
  const events = (await trying(() => get(inMatch("events")))) ?? [];
  const undone = new Set(events.filter((one) => one.kind === "undo").map((one) => one.data.seq));
  const mine = events.filter((one) => one.seat === Number(document.body.dataset.seat) && !undone.has(one.seq));
  const about = (/** @type {any} */ data) => data.cell === cell || data.moves?.some((/** @type {any} */ move) => move.cell === cell);
  return mine.findLast((one) => about(one.data));
}
