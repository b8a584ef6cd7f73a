// @ts-check
// Marks of an expansion where a whole board is entered: a cell's sheet has a button for every sign it may hold.
import { get } from "/static/api.js";
import { all, find, html, svg } from "/static/elements.js";
import { trying } from "/static/kit.js";
import { SIDES, cellPlace, sideOf } from "./pointing.js";

/** @typedef {Record<string, string>} Marks by their place: a cell, a border, a place outside */
/** @typedef {{board: string, title: string, house: boolean, start: Marks, signs: string, shapes: string, sprite: string}} Pieces */

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** @type {Pieces | null} */
let pieces = null;
const signs = html("div"); // a button for each
let asked = "";
/** @type {Promise<Pieces | null>} */
let loading = Promise.resolve(null);

/**
 * The signs found at an address, asked for once; nothing if others are asked for before they come.
 * @param {string} address
 */
export function loadPieces(address) {
  if (address !== asked) {
    asked = address;
    loading = fetched(address);
  }
  return loading;
}

/**
 * @param {string} address
 * @returns {Promise<Pieces | null>}
 */
async function fetched(address) {
  const told = (await trying(() => get(address))) ?? null;
  if (asked !== address) return null;
  if (!told) asked = "";
  pieces = told;
  signs.innerHTML = pieces?.signs ?? "";
  const sprite = find("#extra-sprite");
  if (sprite) sprite.innerHTML = pieces?.sprite ?? "";
  return pieces;
}

/**
 * The cell on a side of a cell, if the board has one.
 * @param {string} cell
 * @param {number} way
 */
function beyond(cell, way) {
  const [dx = 0, dy = 0] = STEPS[way] ?? [];
  const there = String.fromCharCode(cell.charCodeAt(0) + dx) + (Number(cell.slice(1)) + dy);
  return cellPlace(there) ? there : "";
}

/**
 * Where a sign of this kind is written: empty if this cell has no such place.
 * @param {string} cell
 * @param {string} kind
 * @param {string} side
 */
function placeOf(cell, kind, side) {
  if (kind === "cell") return cell;
  const way = SIDES.indexOf(side), there = beyond(cell, way);
  if (kind === "edge") return there ? "" : `${cell}-${side}`;
  if (!there) return "";
  return way === 1 || way === 2 ? `${cell}-${there}` : `${there}-${cell}`;
}

const signOf = (/** @type {string} */ word) => word.split(":")[0];

/**
 * The marks with a word written in a place, or taken out again; of one sign there is one word.
 * @param {Marks} marks
 * @param {string} place
 * @param {string} word
 * @returns {Marks}
 */
export function toggled(marks, place, word) {
  const { [place]: text = "", ...others } = marks;
  const words = text.split(" ").filter(Boolean);
  const left = words.filter((one) => signOf(one) !== signOf(word));
  if (!words.includes(word)) left.push(word);
  return left.length ? { ...others, [place]: left.join(" ") } : others;
}

/**
 * What a cell's sheet shows of the expansion: its signs, pressed if they are there; nothing without one.
 * @param {string} cell
 * @param {() => Marks} now
 * @param {(marks: Marks) => unknown} change
 */
export function signsFor(cell, now, change) {
  if (!pieces) return html("div");
  const place = /** @type {HTMLElement} */ (signs.cloneNode(true));
  pressable(place, cell, now, change);
  place.prepend(html("p", { class: "extras-head" }, pieces.title));
  return place;
}

/**
 * Buttons for signs write them in a cell, or beside it, and are pressed while they are there.
 * @param {HTMLElement} place
 * @param {string} cell
 * @param {() => Marks} now
 * @param {(marks: Marks) => unknown} change
 */
export function pressable(place, cell, now, change) {
  const press = () => {
    for (const one of all("[data-word]", place)) {
      const words = (now()[placeOf(cell, one.dataset.kind ?? "", one.dataset.side ?? "")] ?? "").split(" ");
      one.setAttribute("aria-pressed", String(words.includes(one.dataset.word ?? "")));
    }
  };
  for (const one of all("[data-word]", place)) {
    const where = placeOf(cell, one.dataset.kind ?? "", one.dataset.side ?? "");
    if (!where) one.remove();
    one.addEventListener("click", async () => {
      await change(toggled(now(), where, one.dataset.word ?? ""));
      press();
    });
  }
  press();
}

/** The buttons of routes that only the expansion draws. */
export function moreShapes() {
  const place = html("div", { class: "shapes" });
  place.innerHTML = pieces?.shapes ?? "";
  return place;
}

/**
 * Show the marks that are not on the box's drawing of the board.
 * @param {Marks} marks
 */
export function paintMarks(marks) {
  for (const one of all(".mine .board .mark.local")) one.remove();
  for (const [place, text] of Object.entries(marks)) {
    const [cell = ""] = place.split("-");
    for (const word of text.split(" ")) {
      const picture = find(`[data-word="${CSS.escape(word)}"][data-side="${sideOf(place)}"] svg`, signs);
      if (picture) cellPlace(cell)?.append(svg("g", { class: "mark local" }, ...picture.cloneNode(true).childNodes));
    }
  }
}
