// @ts-check
// Touch a line of a score, and the cells behind it light up on the board.
import { all, find, hit } from "./elements.js";

const shared = () => find(".shared .board"); // one board for all, or one in every seat

/**
 * @param {Element} seat
 * @param {string[]} cells
 */
function light(seat, cells) {
  const board = shared();
  for (const cell of board ? all("[data-cell]", board) : all(".board [data-cell]", seat)) {
    cell.classList.toggle("lit", cells.includes(cell.dataset.cell ?? ""));
  }
}

const cellsOf = (/** @type {HTMLElement} */ line) => (line.dataset.cells ?? "").split(" ");

function lightOpen(/** @type {Element} */ seat) {
  const lines = all(".score details[open] [data-cells]", shared() ? document : seat);
  light(seat, lines.flatMap(cellsOf));
}

document.addEventListener("toggle", (event) => {
  const seat = hit(event, ".seat");
  if (seat) lightOpen(seat);
}, true);
document.addEventListener("swapped", (event) => {
  const seat = hit(event, ".seat, .shared");
  if (seat) lightOpen(seat);
});
for (const enter of ["mouseover", "focusin"]) {
  document.addEventListener(enter, (event) => {
    const line = hit(event, ".score li[data-cells]");
    const seat = line?.closest(".seat");
    if (line?.dataset.cells && seat) light(seat, cellsOf(line));
  });
}
for (const leave of ["mouseout", "focusout"]) {
  document.addEventListener(leave, (event) => {
    const seat = hit(event, ".score li")?.closest(".seat");
    if (seat) lightOpen(seat);
  });
}
