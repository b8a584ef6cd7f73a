// @ts-check
// One picture of the whole table: every board with its name and what was read of it, each doubt settled by a tap.
import { post } from "./api.js";
import { button, closeSheet, find, html, need } from "./elements.js";
import { trying } from "./kit.js";
import { ask, certain, overlay, said, send, settle, sheetOf, unanswered, waiting } from "./photo.js";
import { _ } from "./words.js";

/** @typedef {import("./photo.js").Told & {seat: number, name: string, colour: string, entered: boolean}} Board */

const NOTHING = /** @type {import("./photo.js").Ruling} */ ({ cells: {}, changed: [], questions: {} });
const answers = () => need("#table-answers");

if (!find("link[href^='/static/photo.css']")) document.head.append(html("link", { rel: "stylesheet", href: "/static/photo.css" }));

/**
 * What became of a board, under its name.
 * @param {Board} board
 * @param {number} left questions without an answer
 */
function state({ entered, outcome, picture, says }, left) {
  if (entered) return html("p", { class: "entered" }, _("entered"));
  if (left) return html("p", {}, left === 1 ? _("One place is not clear.") : _("{left} places are not clear.", { left }));
  return says.length ? said(says) : html("p", {}, picture && outcome !== "refused" ? _("nothing new") : _("The board is not in the picture."));
}

/** @param {Board} board @returns {HTMLElement} */
function article(board) {
  const sheet = sheetOf(), ruling = board.ruling ?? NOTHING;
  const questions = board.entered || board.outcome !== "ask" ? {} : ruling.questions, known = certain(questions);
  const left = unanswered(questions, known);
  const told = { ...board, then: (/** @type {import("./photo.js").Told} */ next) => place.replaceWith(article({ ...board, ...next, seat: board.seat, entered: Boolean(next.done) })) };
  const about = (/** @type {string | undefined} */ slot) => ask(sheet, told, ruling, known, slot);
  const place = html("article", { class: `table-board colour-${board.colour}` },
    html("h3", {}, board.name),
    state(board, left.length),
    board.picture ? overlay(sheet, board.picture, { ...ruling, questions }, known, about) : "",
    left.length ? html("p", { class: "row" }, button(_("Answer"), () => about(left[0]), "")) : "",
  );
  if (board.outcome === "ask" && !board.entered && !left.length) settle(told, known); // what is certain is not asked
  return place;
}

/** @param {Board[] | undefined} boards */
function show(boards) {
  closeSheet();
  answers().replaceChildren(...(boards ?? []).map(article));
  if (boards) answers().scrollIntoView({ block: "nearest" });
}

/** With the box's camera. */
export async function shootTable() {
  answers().replaceChildren(html("p", {}, _("The box takes a picture: hands away")));
  show(await trying(() => post(`/api/v1/matches/${document.body.dataset.playing}/photos/table`)));
}

/** @param {HTMLInputElement} input with a picture that this phone has taken */
export async function sendTable(input) {
  const [file] = input.files ?? [];
  if (!file) return;
  show(await waiting(_("Sending"), (progress) => send(`/api/v1/matches/${document.body.dataset.playing}/photos/table/sent`, file, progress)));
  input.value = "";
}
