// @ts-check
// On the table's screen what has moved on a board of all, a train, glides from where it stood to where it stands now.
import { all } from "./elements.js";

const SPEED = 90, LEAST = 500, MOST = 2500; // units of the drawing a second; milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Map<string, [x: number, y: number]>} where everything stood */
const stood = new Map();

/** @param {Element} one */
function placeOf(one) {
  const [x = 0, y = 0] = (one.getAttribute("transform")?.match(/-?[\d.]+/g) ?? []).map(Number);
  return /** @type {[x: number, y: number]} */ ([x, y]);
}

function look() {
  for (const one of all("[data-spot][transform]")) {
    const name = one.dataset.spot ?? "", [x, y] = placeOf(one), before = stood.get(name);
    stood.set(name, [x, y]);
    const far = before ? Math.hypot(x - before[0], y - before[1]) : 0;
    if (!before || !far || still.matches) continue;
    const from = `translate(${before[0]}px, ${before[1]}px)`, to = `translate(${x}px, ${y}px)`;
    one.animate([{ transform: from }, { transform: to }], { duration: Math.min(Math.max(1000 * far / SPEED, LEAST), MOST), easing: "ease-in-out" });
  }
}

document.addEventListener("swapped", look);
look();
