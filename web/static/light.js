"use strict";
// Touch a line of a score, and the cells behind it light up on the board.
(() => {
  const shared = () => document.querySelector(".shared .board"); // one board for all, or one in every seat

  function light(seat, cells) {
    const wanted = new Set(cells);
    for (const cell of (shared() || seat).querySelectorAll(shared() ? "[data-cell]" : ".board [data-cell]"))
      cell.classList.toggle("lit", wanted.has(cell.dataset.cell));
  }

  const cellsOf = (place) => [...place.querySelectorAll("[data-cells]")].flatMap((line) => line.dataset.cells.split(" "));

  function lightOpen(seat) { light(seat, [...(shared() ? document : seat).querySelectorAll(".score details[open]")].flatMap(cellsOf)); }

  document.addEventListener("toggle", (event) => {
    const seat = event.target.closest?.(".seat");
    if (seat) lightOpen(seat);
  }, true);
  document.addEventListener("swapped", (event) => {
    const seat = event.target.closest(".seat, .shared");
    if (seat) lightOpen(seat);
  });
  for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, (event) => {
      const line = event.target.closest?.(".score li[data-cells]");
      if (line?.dataset.cells) light(line.closest(".seat"), line.dataset.cells.split(" "));
    });
    document.addEventListener(leave, (event) => {
      const seat = event.target.closest?.(".score li") && event.target.closest(".seat");
      if (seat) lightOpen(seat);
    });
  }
})();
