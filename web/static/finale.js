// @ts-check
// The end of a match on the table's screen: the points are counted up, the last place first, the winner at last.
import { all, find, need } from "./elements.js";

const LONG = 1100, EACH = 6000, CONFETTI = 60; // milliseconds a place takes, and a board; pieces
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {HTMLElement} place in which the finale has just appeared */
async function celebrate(place) {
  const finale = find(".finale", place);
  if (!finale || still.matches) return;
  finale.classList.add("counting");
  const rows = all(".podium li", finale).reverse();
  for (const row of rows) row.classList.add("later");
  for (const row of rows) {
    await countUp(row);
    if (!finale.isConnected) return;
  }
  finale.classList.remove("counting");
  throwConfetti(finale);
  await showInTurn(finale, rows.reverse());
}

/**
 * Everybody's own board has its turn in the large place, the winner's first; the line on the podium says whose it is.
 * @param {HTMLElement} finale
 * @param {HTMLElement[]} rows
 */
async function showInTurn(finale, rows) {
  const place = need(".finale-board", finale);
  const boards = rows.flatMap((row) => {
    const board = find(`[data-piece="seat-${row.dataset.seat}"] .tv-card > .board`);
    return board ? [{ row, board }] : [];
  });
  if (boards.length < 2 || place.classList.contains("of-all") || find(".shared .board")) return;
  for (let turn = 0; ; turn = (turn + 1) % boards.length) {
    const now = boards[turn];
    for (const { row } of boards) row.classList.toggle("shown", row === now?.row);
    if (now) place.replaceChildren(now.board.cloneNode(true));
    await new Promise((next) => { setTimeout(next, EACH); });
    if (!finale.isConnected) return;
  }
}

/** @param {HTMLElement} row */
function countUp(row) {
  const place = need("[data-count]", row), total = Number(place.dataset.count), began = performance.now();
  row.classList.remove("later");
  return new Promise((resolve) => {
    function step(/** @type {number} */ now) {
      const share = Math.min(1, (now - began) / LONG);
      place.textContent = String(Math.round(total * (1 - (1 - share) ** 3)));
      if (share < 1) requestAnimationFrame(step);
      else resolve(undefined);
    }
    requestAnimationFrame(step);
  });
}

/** Of the winners' own marks: in their colours and shapes. @param {HTMLElement} finale */
function throwConfetti(finale) {
  const winners = all(".podium .first", finale);
  for (let number = 0; number < CONFETTI; number++) {
    const winner = winners[number % winners.length], mark = winner && find(".mark", winner);
    if (!winner || !mark) return;
    const piece = document.createElement("span");
    piece.className = `confetti ${[...winner.classList].find((one) => one.startsWith("colour-"))}`;
    piece.append(mark.cloneNode(true));
    piece.style.left = `${100 * Math.random()}%`;
    piece.style.animationDelay = `${1.6 * Math.random()}s`;
    piece.style.scale = String(.6 + Math.random());
    piece.addEventListener("animationend", () => piece.remove());
    finale.append(piece);
  }
}

document.addEventListener("swapped", ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.piece === "finale" && target.classList.contains("fresh")) celebrate(target);
});

const there = find(".finale"); // a screen that was opened when all was over
if (there && !still.matches) showInTurn(there, all(".podium li", there));
