// @ts-check
// A moment of everybody's on the table's screen: all goes dark but the part of the board it is about, for a second and a half.
import { all, find, html } from "./elements.js";

/** @typedef {import("./signs.js").Feat} Feat */

const LONG = 1600, AROUND = 14, LEAST = 0.14, MOST_WAITING = 3; // milliseconds; pixels; of the screen's height; more are only said
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Feat[]} */
const waiting = [];
let showing = false;

/**
 * Where on the screen that is: the cells on the board of the seat or of all, or else the seat's card.
 * @param {Feat} feat
 */
function placeOf({ seat, cells = [] }) {
  const own = find(`[data-piece="seat-${seat}"]`);
  const boards = [...(own ? [own] : []), ...all(".shared, .ground-view")];
  const parts = cells.flatMap((cell) => boards.flatMap((board) => all(`[data-cell="${CSS.escape(cell)}"], [data-spot="${CSS.escape(cell)}"]`, board)));
  const seen = (parts.length ? parts : own ? [own] : []).map((part) => part.getBoundingClientRect()).filter(({ width }) => width);
  if (!seen.length) return null;
  const left = Math.min(...seen.map((one) => one.left)), right = Math.max(...seen.map((one) => one.right));
  const top = Math.min(...seen.map((one) => one.top)), bottom = Math.max(...seen.map((one) => one.bottom));
  const least = LEAST * innerHeight;
  const width = Math.max(right - left + 2 * AROUND, least), height = Math.max(bottom - top + 2 * AROUND, least);
  return { left: (left + right - width) / 2, top: (top + bottom - height) / 2, width, height };
}

/** @param {Feat} feat */
function stage(feat) {
  const place = placeOf(feat);
  const spot = html("div", { class: place ? "moment-spot" : "moment-spot nowhere" });
  for (const [side, length] of Object.entries(place ?? {})) spot.style.setProperty(side, `${length}px`);
  const low = place && place.top + place.height / 2 < innerHeight / 2;
  const colour = [...(find(`[data-piece="seat-${feat.seat}"] [class*="colour-"]`)?.classList ?? [])].find((one) => one.startsWith("colour-"));
  return html("div", { class: `moment ${low ? "low" : "high"} ${colour ?? ""}`, "aria-hidden": "true" }, spot, html("div", { class: "moment-says" }, html("p", {}, feat.says), html("p", { class: "moment-more" }, feat.more ?? "")));
}

async function show() {
  if (showing) return;
  showing = true;
  for (let feat = waiting.shift(); feat; feat = waiting.shift()) {
    await new Promise((painted) => { requestAnimationFrame(() => setTimeout(painted, 60)); }); // the board has it by then
    if (document.querySelector(".finale")) break;
    const shown = stage(feat);
    document.body.append(shown);
    await new Promise((over) => { setTimeout(over, LONG); });
    shown.remove();
  }
  showing = false;
}

document.addEventListener("moment", (event) => {
  if (still.matches || !(event instanceof CustomEvent) || waiting.length >= MOST_WAITING) return;
  waiting.push(event.detail);
  show();
});
