// @ts-check
// An expansion under a finger: choose one of its dice, tap a lit cell, again for the next way, then draw it.
import { all, button, drawn, find, hit, svg } from "/static/elements.js";
import { act, refresh, say } from "/static/kit.js";
import { _ } from "/static/words.js";
import { cellPlace, sideOf } from "./pointing.js";

/** @typedef {{uses: string[], cell?: string, route?: string, marks?: Record<string, string>, erase?: Record<string, string>, destroy?: string[], special?: string, neighbour?: number}} Placement */

/** @type {string | null} */
let face = null;
/** @type {{cell: string, at: number} | null} */
let held = null;

const panel = () => find("#expansion");
/** @returns {Placement[]} */
const places = () => JSON.parse(panel()?.dataset.places || "[]");
const cellOf = (/** @type {string} */ place) => { const [cell = ""] = place.split("-"); return cellPlace(cell) ? cell : ""; };

/**
 * The cell by which a placement is tapped; empty for what has no place on this board.
 * @param {Placement} one
 */
function anchor(one) {
  if (one.neighbour) return Object.keys(one.marks ?? {}).map(cellOf).find(Boolean) ?? "";
  const named = [one.cell ?? "", ...Object.keys(one.marks ?? {}), ...Object.keys(one.erase ?? {}), ...(one.destroy ?? [])];
  return one.special && one.uses.length ? "" : named.map(cellOf).find(Boolean) ?? "";
}

/** Those of the chosen die, or without one what needs no die at all. */
const offered = () => places().filter((one) => (face === null ? !one.uses.length : one.uses.includes(face)));
const here = (/** @type {string} */ cell) => offered().filter((one) => anchor(one) === cell);

/** @param {Placement} one */
function wordsOf(one) {
  const parts = [...Object.entries(one.marks ?? {}).map(([place, text]) => `${place} ${text.replace("below:", "")}`), ...(one.destroy ?? []).map((cell) => `${cell} ×`)];
  if (one.special) parts.unshift(`✕ ${one.special}`);
  if (one.route) parts.unshift(`${one.cell} ${one.route}`);
  const erased = Object.keys(one.erase ?? {});
  if (erased.length) parts.push(`${erased.join(", ")} ×`);
  return parts.join(", ") || one.uses.join(", ");
}

/**
 * @param {string} place
 * @param {string} text
 */
const symbolOf = (place, text) => document.getElementById(`sign-${sideOf(place)}-${text}`.replaceAll(" ", "_"));

export function paintExpansion() {
  const shown = find(".mine .board");
  if (!shown || !panel()) return;
  for (const one of all(".mark-ghost", shown)) one.remove();
  for (const one of all(".mark-open", shown)) one.classList.remove("mark-open");
  const chosen = face !== null || held !== null;
  for (const one of chosen ? offered() : []) cellPlace(anchor(one))?.classList.add("mark-open");
  for (const one of all("[data-face]")) one.setAttribute("aria-pressed", String(one.dataset.face === face));
  const free = find("#expansion-free");
  const loose = offered().filter((one) => !anchor(one));
  free?.replaceChildren(...loose.map((one) => button(wordsOf(one), () => send(one))));
  const placing = find("#expansion-placing");
  if (placing) placing.hidden = !held;
  const now = held && here(held.cell)[held.at];
  if (now) ghost(now);
}

/** @param {Placement} one */
function ghost(one) {
  if (one.cell && one.route) {
    const use = drawn(one.route, [100, 100]);
    cellPlace(one.cell)?.append(svg("g", { class: "mark-ghost ghost" }, svg("rect", { class: "cell", width: 100, height: 100 }), use ?? ""));
  }
  for (const [place, text] of Object.entries(one.marks ?? {})) {
    const symbol = symbolOf(place, text);
    if (symbol) cellPlace(cellOf(place))?.append(svg("g", { class: "mark-ghost" }, svg("use", { href: `#${symbol.id}` })));
  }
  for (const cell of [...(one.destroy ?? []), ...Object.keys(one.erase ?? {})]) {
    cellPlace(cellOf(cell))?.append(svg("g", { class: "mark-ghost" }, svg("path", { class: "cross", d: "M8 8L92 92M92 8L8 92" })));
  }
}

function explain(/** @type {string} */ words) {
  const place = find("#expansion-say");
  if (place) place.textContent = words;
}

/**
 * A tap on a cell, if a die of the expansion is in hand: was it taken?
 * @param {string} cell
 */
export function tapExpansion(cell) {
  if (!panel() || face === null) return false;
  const ways = here(cell);
  if (!ways.length) {
    face = null;
    held = null;
    paintExpansion();
    return false;
  }
  held = held?.cell === cell ? { cell, at: (held.at + 1) % ways.length } : { cell, at: 0 };
  const now = ways[held.at];
  explain(now ? _("{words}: way {at} of {ways}", { words: wordsOf(now), at: held.at + 1, ways: ways.length }) : "");
  paintExpansion();
  return true;
}

/** @param {Placement} data */
async function send(data) {
  face = null; // the next tap is for something else, even before the box has answered
  held = null;
  const done = await act({ kind: "place", data }, (refusal) => say(refusal.message, true));
  if (done) await refresh();
  paintExpansion();
}

async function star() {
  const field = /** @type {HTMLInputElement | null} */ (find("[name=stars]"));
  const done = await act({ kind: "star", data: { points: Math.trunc(Number(field?.value ?? 0)) } }, (refusal) => say(refusal.message, true));
  if (done) await refresh();
}

document.addEventListener("click", (event) => {
  const die = hit(event, "[data-face]")?.dataset.face;
  const deed = hit(event, "[data-mark-do]")?.dataset.markDo;
  if (die !== undefined) {
    face = face === die ? null : die;
    held = null;
    explain(face === null ? "" : _("Now a lit cell."));
    paintExpansion();
  } else if (deed === "next" && held) tapExpansion(held.cell);
  else if (deed === "drop") {
    held = null;
    paintExpansion();
  } else if (deed === "place" && held) {
    const now = here(held.cell)[held.at];
    if (now) send(now);
  } else if (deed === "star") star();
});

document.addEventListener("swapped", () => {
  if (face !== null && !offered().length) face = null;
  if (held && !here(held.cell).length) held = null;
  paintExpansion();
});

paintExpansion();
