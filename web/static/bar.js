// @ts-check
// The bar of buttons stands at the foot of the window, however high it is: the page ends above it, and what is about to
// be drawn on the board stays in sight.
import { all, find, hit } from "./elements.js";

const ROOM = 8; // pixels between that and the bar
let lent = 0, left = 0; // how far the page was moved for it, and where it was then

function measure() {
  const heights = all(".bar").map((bar) => (getComputedStyle(bar).position === "fixed" ? bar.offsetHeight : 0));
  document.documentElement.style.setProperty("--bar", `${Math.max(0, ...heights)}px`);
  keepInSight();
}

/** The bar grows by what can be done with a tapped place, and may lie on it then: the page moves up, and back afterwards. */
function keepInSight() {
  const [drawing, bar] = [".mine-board .ghost", ".bar"].map((one) => find(one)?.getBoundingClientRect());
  const over = drawing && bar && drawing.right > bar.left && drawing.left < bar.right;
  const hidden = over ? drawing.bottom + ROOM - bar.top : 0;
  if (hidden > 0) {
    const before = window.scrollY;
    window.scrollBy(0, hidden);
    left = window.scrollY;
    lent += left - before;
  } else if (!drawing && lent) {
    if (Math.abs(window.scrollY - left) < 2) window.scrollBy(0, -lent); // else somebody has moved it since
    lent = 0;
  }
}

const grown = new ResizeObserver(measure);

function watch() {
  grown.disconnect();
  for (const bar of all(".bar")) grown.observe(bar);
  measure();
}

document.addEventListener("swapped", watch);
window.addEventListener("resize", measure);
for (const tapped of ["click", "keyup"]) {
  document.addEventListener(tapped, (event) => { if (hit(event, ".mine-board [data-cell]")) requestAnimationFrame(keepInSight); });
}
watch();
