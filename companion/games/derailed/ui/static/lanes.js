// @ts-check
// Whose track is shown: remembered in this browser, and kept when the lanes are drawn anew. The style sheet hides it.
import { all, hit } from "/static/elements.js";

const KEY = "derailed-hidden";
const boxes = () => /** @type {HTMLInputElement[]} */ (all(".toggle [data-show]"));
/** @type {(string | undefined)[]} */
let hidden = [];
try { hidden = JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { /* what cannot be read hides nothing */ }

function apply() {
  for (const box of boxes()) box.checked = !hidden.includes(box.dataset.show);
}

document.addEventListener("change", (event) => {
  if (!hit(event, "[data-show]")) return;
  hidden = boxes().filter((box) => !box.checked).map((box) => box.dataset.show);
  localStorage.setItem(KEY, JSON.stringify(hidden));
});
document.addEventListener("swapped", (event) => {
  if (event.target instanceof Element && event.target.querySelector(".toggles")) apply();
});
apply();
