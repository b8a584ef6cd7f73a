// @ts-check
// The Score page's board: what is chosen for it, what the browser remembers of it, what it is worth.
import { post } from "/static/api.js";
import { all, button, drawn, find, hit, html, need, pressed, svg } from "/static/elements.js";
import { trying } from "/static/kit.js";
import { _ } from "/static/words.js";
import { loadPieces, paintMarks, pressable } from "./marks.js";
import { cellPlace, sideOf } from "./pointing.js";

/** @typedef {Record<string, {route: string, round?: number}>} Board by cell */

/** @returns {HTMLSelectElement} */
export const select = (/** @type {string} */ name) => need(`select[name=${name}]`);

/** The round of the routes that are entered, 0 for none. */
export const roundNow = () => Number(select("round").value);

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
 * The marks that have a place on this board; walls that have none go, too.
 * @param {import("./marks.js").Marks} marks
 */
export function fittingMarks(marks) {
  fitWalls();
  return Object.fromEntries(Object.entries(marks).filter(([place]) => cellPlace(place.split("-")[0] ?? "")));
}

/**
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
export function keep(local, marks) {
  localStorage.setItem("quick-board", JSON.stringify(local));
  localStorage.setItem("quick-marks", JSON.stringify({ size: select("size").value, expansion: select("expansion").value, marks, walls }));
}

/** What the browser remembers; what cannot be read is no board: begin with an empty one. */
export function remembered() {
  const told = (/** @type {string} */ name) => {
    try { return JSON.parse(localStorage.getItem(name) ?? "{}"); } catch { return {}; }
  };
  const { size = "usual", expansion = "", marks = {}, walls: kept = {} } = told("quick-marks");
  walls = kept;
  select("size").value = size;
  select("expansion").value = expansion;
  return { cells: told("quick-board"), marks };
}

// --- the walls of a blueprint card ---

/** @type {import("./marks.js").Marks} */
let walls = {}; // by their borders

/** What has no place on this board goes. */
function fitWalls() {
  walls = Object.fromEntries(Object.entries(walls).filter(([border]) => border.split("-").every(cellPlace)));
}

document.addEventListener("change", (event) => {
  if (!hit(event, "[name=blueprint]")) return;
  const { walls: named = "" } = select("blueprint").selectedOptions[0]?.dataset ?? {};
  walls = Object.fromEntries(named.split(" ").filter(Boolean).map((border) => [border, "wall"]));
  fitWalls();
});

/**
 * A board from a photograph; the usual one is the only one that is read.
 * @param {string} edition
 * @param {string[]} [borders] its walls
 */
export function photographed(edition, borders = []) {
  for (const [name, value] of [["edition", edition], ["size", "usual"], ["blueprint", ""]]) select(name ?? "").value = value ?? "";
  walls = Object.fromEntries(borders.map((border) => [border, "wall"]));
}

export function noWalls() {
  walls = {};
  select("blueprint").value = "";
}

/**
 * What a cell's sheet shows of its borders: a button for each, pressed where there is a wall.
 * @param {string} cell
 * @param {() => unknown} changed
 */
export function wallsFor(cell, changed) {
  const place = html("div");
  place.append(/** @type {HTMLTemplateElement} */ (need("#walls")).content.cloneNode(true));
  pressable(place, cell, () => walls, (now) => {
    walls = now;
    select("blueprint").value = "";
    changed();
  });
  return place;
}

/**
 * Marks and walls that are not on the box's drawing of the board.
 * @param {import("./marks.js").Marks} marks
 */
export function paintBeside(marks) {
  paintMarks(marks);
  const board = find(".mine .board");
  for (const border of Object.keys(walls)) {
    const [cell = ""] = border.split("-");
    const x = 100 * (cell.charCodeAt(0) - 97), y = 100 * (Number(cell.slice(1)) - 1);
    const line = sideOf(border) === "right" ? `M${x + 100} ${y}v100` : `M${x} ${y + 100}h100`;
    board?.append(svg("path", { class: "wall local", "data-border": border, d: line }));
  }
}

/**
 * The board in the game's notation.
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
function positionOf(local, marks) {
  const cells = Object.fromEntries(Object.entries(local).map(([cell, { route }]) => [cell, route]));
  const rounds = Object.fromEntries(Object.entries(local).flatMap(([cell, { round }]) => (round ? [[cell, round]] : [])));
  const entry = (/** @type {string} */ name, /** @type {Element} */ within) => /** @type {HTMLSelectElement} */ (need(`[name=${name}]`, within)).value;
  const noted = all(".goal-entry").map((one) => ({ goal: entry("goal", one), points: Number(entry("points", one)) }));
  const edition = select("edition").value;
  const goals = edition === "classic" ? [] : noted.filter((one) => one.goal);
  const points = Math.trunc(Number(entry("stars", document.body)));
  const name = select("expansion").value;
  const expansion = { ...(name ? { name, marks } : {}), ...(points ? { points } : {}) };
  return { edition, size: select("size").value, blueprint: Object.keys(walls), cells, rounds, goals, expansion };
}

/**
 * Ask the box what the routes of the latest round cost, and show it.
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
export async function advised(local, marks) {
  if (!Object.values(local).some((one) => one.round)) {
    need("#quick-advice").textContent = _("Which routes are new? Choose the round, then tap each of them: it can be said there.");
    return;
  }
  const told = await trying(() => post("/api/v1/advice", { game: "railroad-ink", position: positionOf(local, marks) }));
  if (told) need("#quick-advice").innerHTML = told.html;
}

/**
 * Beside a photographed board: what the routes of a round cost. They are those that were read with its number, or tapped.
 * @param {Element} place
 * @param {{cells: Record<string, string>, rounds: Record<string, number>}} position
 */
function offerAdvice(place, position) {
  const { cells, rounds } = position;
  const choice = /** @type {HTMLSelectElement} */ (select("round").cloneNode(true));
  choice.removeAttribute("name");
  choice.value = String(Math.max(0, ...Object.values(rounds)));
  let fresh = new Set();
  const routes = all("g[data-slot]", place).filter((one) => (one.dataset.slot ?? "") in cells);
  const paint = () => {
    for (const one of routes) {
      const is = fresh.has(one.dataset.slot);
      one.classList.toggle("fresh", is);
      one.setAttribute("aria-pressed", String(is));
    }
  };
  const ofRound = () => {
    const read = Object.keys(cells).filter((cell) => rounds[cell] === Number(choice.value));
    if (read.length) fresh = new Set(read);
    paint();
  };
  const tap = (/** @type {string | undefined} */ cell) => {
    if (!fresh.delete(cell)) fresh.add(cell);
    paint();
  };
  for (const one of routes) {
    for (const [name, value] of [["role", "button"], ["tabindex", "0"]]) one.setAttribute(name ?? "", value ?? "");
    one.addEventListener("click", () => tap(one.dataset.slot));
    one.addEventListener("keydown", (event) => {
      if (!pressed(event)) return;
      event.preventDefault();
      tap(one.dataset.slot);
    });
  }
  choice.addEventListener("change", ofRound);
  ofRound();

  const answer = html("div", { class: "mine-score", role: "status" });
  const ask = async () => {
    const number = Number(choice.value);
    if (!number || !fresh.size) {
      answer.textContent = _("Choose the round, and tap the routes in the picture that are new in it.");
      return;
    }
    // As the board was at the end of that round.
    const then = Object.entries(cells).filter(([cell]) => fresh.has(cell) || (rounds[cell] ?? 0) <= number);
    const noted = then.flatMap(([cell]) => (fresh.has(cell) ? [[cell, number]] : (rounds[cell] ?? number) < number ? [[cell, rounds[cell]]] : []));
    const asked = { ...position, cells: Object.fromEntries(then), rounds: Object.fromEntries(noted) };
    const told = await trying(() => post("/api/v1/advice", { game: "railroad-ink", position: asked }));
    if (told) answer.innerHTML = told.html;
  };
  place.append(
    html("div", { class: "form" }, html("label", {}, `${_("Which routes are new? Those of round")} `, choice), html("p", { class: "soft" }, _("They are lit in the picture; tap a route to change that."))),
    html("p", { class: "row" }, button(_("What would have been better?"), ask)),
    answer,
  );
}

document.addEventListener("board-scored", (event) => {
  if (event.target instanceof Element) offerAdvice(event.target, /** @type {CustomEvent} */ (event).detail);
});

/**
 * Ask the box what the board is worth, and show it.
 * @param {Board} local
 * @param {import("./marks.js").Marks} marks
 */
export async function scored(local, marks) {
  need("#quick-advice").textContent = "";
  const told = await trying(() => post("/api/v1/scores", { game: "railroad-ink", position: positionOf(local, marks) }));
  if (!told) return;
  const place = need("#quick-score");
  const open = all("details[open]", place).map((one) => one.id);
  place.innerHTML = told.html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}
