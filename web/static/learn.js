// @ts-check
// The guided first round on the page of a seat: what is to be pressed next glows until it is pressed.
import { all, find } from "./elements.js";

const SETTLES = 80; // milliseconds in which a page has done all that a tap changes
const isSeen = (/** @type {Element} */ one) => one.getClientRects().length > 0 && !one.matches(":disabled");

/** What is to be pressed now: what the first of the lesson's selectors finds. */
function wanted() {
  const shows = JSON.parse(find("[data-shows]")?.dataset.shows ?? "[]");
  for (const one of shows) {
    const found = all(one).filter(isSeen);
    if (found.length) return found;
  }
  return [];
}

let before = "";

function show() {
  const now = wanted();
  for (const one of all(".glows")) if (!now.includes(one)) one.classList.remove("glows");
  for (const one of now) one.classList.add("glows");
  const step = find("[data-shows]")?.dataset.shows ?? "";
  if (step !== before) window.scrollTo({ top: 0 });
  before = step;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let coming;

function soon() {
  clearTimeout(coming);
  coming = setTimeout(show, SETTLES);
}

new MutationObserver(soon).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "aria-pressed", "disabled", "data-zoom"] });
show();
