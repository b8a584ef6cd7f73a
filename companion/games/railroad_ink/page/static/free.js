// @ts-check
// The Score page's board: what is chosen for it, what the browser remembers of it, what it is worth.
import { post } from "/static/api.js";
import { all, drawn, need } from "/static/elements.js";
import { trying } from "/static/kit.js";
import { loadPieces } from "./marks.js";
import { cellPlace } from "./pointing.js";

/** @typedef {Record<string, {route: string, round?: number}>} Board by cell */

/** @returns {HTMLSelectElement} */
export const select = (/** @type {string} */ name) => need(`select[name=${name}]`);

/** The board of the chosen size is laid out, and the signs of the chosen expansion are at hand. */
export async function otherBoard() {
  const wish = new URLSearchParams(["size", "expansion", "edition"].map((name) => [name, select(name).value]));
  const told = await loadPieces(`${need(".quick-options").dataset.pieces}?${wish}`);
  if (!told) return null;
  need("#quick-signs").hidden = !told.signs;
  need(".mine-board").innerHTML = told.board;
  return told;
}

/**
 * The routes that have a place on this board, and that are routes at all.
 * @param {Board} local
 * @returns {Board}
 */
export const fitting = (local) =>
  Object.fromEntries(Object.entries(local).filter(([cell, one]) => cellPlace(cell) && drawn(one?.route ?? "", [100, 100])));

/**
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
export function keep(local, marks) {
  localStorage.setItem("quick-board", JSON.stringify(local));
  localStorage.setItem("quick-marks", JSON.stringify({ size: select("size").value, expansion: select("expansion").value, marks }));
}

/** What the browser remembers; what cannot be read is no board: begin with an empty one. */
export function remembered() {
  const told = (/** @type {string} */ name) => {
    try { return JSON.parse(localStorage.getItem(name) ?? "{}"); } catch { return {}; }
  };
  const { size = "usual", expansion = "", marks = {} } = told("quick-marks");
  select("size").value = size;
  select("expansion").value = expansion;
  return { cells: told("quick-board"), marks };
}

/**
 * Ask the box what the board is worth, and show it.
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
export async function scored(local, marks) {
  const cells = Object.fromEntries(Object.entries(local).map(([cell, { route }]) => [cell, route]));
  const rounds = Object.fromEntries(Object.entries(local).flatMap(([cell, { round }]) => (round ? [[cell, round]] : [])));
  const entry = (/** @type {string} */ name, /** @type {Element} */ within) => /** @type {HTMLSelectElement} */ (need(`[name=${name}]`, within)).value;
  const noted = all(".goal-entry").map((one) => ({ goal: entry("goal", one), points: Number(entry("points", one)) }));
  const edition = select("edition").value;
  const goals = edition === "classic" ? [] : noted.filter((one) => one.goal);
  const points = Math.trunc(Number(entry("stars", document.body)));
  const name = select("expansion").value;
  const expansion = { ...(name ? { name, marks } : {}), ...(points ? { points } : {}) };
  const position = { edition, size: select("size").value, cells, rounds, goals, expansion };
  const told = await trying(() => post("/api/v1/scores", { game: "railroad-ink", position }));
  if (!told) return;
  const place = need("#quick-score");
  const open = all("details[open]", place).map((one) => one.id);
  place.innerHTML = told.html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}
