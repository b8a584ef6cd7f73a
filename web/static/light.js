"use strict";
// Touch a line of a score, and the cells behind it light up on the board.
(() => {
  function light(seat, cells) {
    const wanted = new Set(cells);
    for (const cell of seat.querySelectorAll(".board [data-cell]"))
      cell.classList.toggle("lit", wanted.has(cell.dataset.cell));
  }

  const cellsOf = (place) => [...place.querySelectorAll("[data-cells]")].flatMap((line) => line.dataset.cells.split(" "));

  function lightOpen(seat) { light(seat, [...seat.querySelectorAll(".score details[open]")].flatMap(cellsOf)); }

  document.addEventListener("toggle", (event) => {
    const seat = event.target.closest?.(".seat");
    if (seat) lightOpen(seat);
  }, true);
  document.addEventListener("swapped", (event) => {
    const seat = event.target.closest(".seat");
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
