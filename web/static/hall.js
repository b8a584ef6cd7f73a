// @ts-check
// A club's big screen turns its pages by itself: nobody stands beside a television to scroll it.
import { all } from "./elements.js";

const STAYS = 12000, RESTS = 60000; // milliseconds that a page is shown; and after somebody has scrolled
const GAP = 12; // pixels above the first line

/** @typedef {{ top: number, bottom: number }} Line */

/**
 * Where the next page begins: with the first line that was cut off below, after the last page at the top again.
 * @param {number} top of what is shown
 * @param {number} height of what is shown
 * @param {number} whole height of everything
 * @param {Line[]} lines
 */
export function nextTop(top, height, whole, lines) {
  const end = top + height;
  if (end >= whole - 1) return 0;
  const cut = lines.filter((line) => line.bottom > end && line.top > top + GAP + 1).map((line) => line.top - GAP);
  return Math.min(whole - height, end, ...cut);
}

function turn() {
  const lines = all(".seating li, .table-card").map((one) => one.getBoundingClientRect());
  const placed = lines.map((one) => ({ top: one.top + scrollY, bottom: one.bottom + scrollY }));
  scrollTo({ top: nextTop(scrollY, innerHeight, document.documentElement.scrollHeight, placed), behavior: "instant" });
}

if (document.body.dataset.page === "screen") {
  const wide = matchMedia("(min-width: 48rem)"); // on a phone people scroll themselves
  let due = performance.now() + STAYS;
  for (const kind of ["wheel", "pointerdown", "keydown", "touchmove"]) {
    addEventListener(kind, () => { due = performance.now() + RESTS; }, { passive: true });
  }
  setInterval(() => {
    if (performance.now() < due || !wide.matches || document.hidden) return;
    due = performance.now() + STAYS;
    turn();
  }, 1000);
}
