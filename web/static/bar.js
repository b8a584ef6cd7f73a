// @ts-check
// The bar of buttons stands at the foot of the window; the page ends above it, and messages stand on it, however high it is.
import { all } from "./elements.js";

function measure() {
  const heights = all(".bar").map((bar) => (getComputedStyle(bar).position === "fixed" ? bar.offsetHeight : 0));
  document.documentElement.style.setProperty("--bar", `${Math.max(0, ...heights)}px`);
}

const grown = new ResizeObserver(measure);

function watch() {
  grown.disconnect();
  for (const bar of all(".bar")) grown.observe(bar);
  measure();
}

document.addEventListener("swapped", watch);
window.addEventListener("resize", measure);
watch();
