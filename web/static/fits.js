// @ts-check
// The table's screen never scrolls: where names are long or a language takes many words, it says less, step by step.
import { all, need } from "./elements.js";

const main = need("main");
const STEPS = ["", "little", "some", "more"]; // what goes at each of them is said in the style sheets

const cut = (/** @type {HTMLElement} */ one) => one.scrollHeight > one.clientHeight + 1;

/**
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 */
function overlap(one, other) {
  const [mine, its] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return mine.left < its.right - 1 && its.left < mine.right - 1 && mine.top < its.bottom - 1 && its.top < mine.bottom - 1;
}

/** The heads of all cards are as high as the highest. */
function level() {
  main.style.removeProperty("--who");
  main.style.setProperty("--who", `${Math.max(0, ...all(".tv-card > .who").map((head) => head.offsetHeight))}px`);
}

function fit() {
  for (const step of STEPS) {
    main.dataset.tight = step;
    level();
    const parts = all("main > *, main > .around > *").filter((one) => ["static", "relative"].includes(getComputedStyle(one).position) && one.clientHeight);
    if (![main, ...parts].some(cut) && !parts.some((one, at) => parts.slice(0, at).some((other) => overlap(one, other)))) return;
  }
}

document.addEventListener("refreshed", fit);
window.addEventListener("resize", fit);
fit();
