// @ts-check
// The form for one more card, which becomes a line of the cards' file.
import { all, html, need } from "/static/elements.js";
import { written } from "./boardfile.js";
import { _ } from "/static/words.js";

/** @typedef {[value: string, words: string]} Choice */

/** @type {HTMLTextAreaElement} */
const text = need("#text-cards");

/**
 * @param {string} name
 * @param {HTMLFormElement} form
 */
export const field = (name, form) => /** @type {HTMLInputElement & HTMLSelectElement} */ (need(`[name=${name}]`, form));

/**
 * @param {HTMLElement} list
 * @param {Choice[]} values
 * @param {string} chosen
 */
export function fill(list, values, chosen = "") {
  list.replaceChildren(...values.map(([value, words]) => html("option", { value, selected: value === chosen }, words)));
}

/** @type {HTMLFormElement} */
const cardForm = need("#card-form");
const pays = () => [...need("#card-pays").children].map((row) => ({
  city: /** @type {HTMLSelectElement} */ (need("select", row)),
  dollars: /** @type {HTMLInputElement} */ (need("input", row)),
}));

/**
 * Offer in the form what the board has.
 * @param {Choice[]} goods
 * @param {Choice[]} cities
 */
export function cardLists(goods, cities) {
  const kind = field("kind", cardForm).value, good = field("good", cardForm), start = field("start", cardForm), card = field("card", cardForm);
  for (const part of all(".of-contract", cardForm)) part.hidden = kind !== "contract";
  need(".of-route", cardForm).hidden = kind !== "route";
  fill(good, goods, good.value);
  fill(start, cities, start.value);
  if (!card.options.length) {
    /** @type {string[]} */
    const sides = JSON.parse(cardForm.dataset.sides ?? "[]");
    fill(card, Array.from({ length: Number(cardForm.dataset.count) }, (_, at) => [String(at + 1), String(at + 1)]));
    fill(field("side", cardForm), sides.map((one) => [one, one]));
    need("#card-pays").append(...Array.from({ length: 6 }, payRow));
  }
  for (const { city } of pays()) fill(city, [["", "none"], ...cities], city.value);
}

function payRow() {
  const dollars = html("input", { type: "number", min: 1, max: 99, inputmode: "numeric", "aria-label": "Dollars" });
  return html("div", { class: "row pay-row" }, html("select", { "aria-label": _("City") }), dollars);
}

/** @param {SubmitEvent} event */
function addCard(event) {
  event.preventDefault();
  const entered = (/** @type {string} */ name) => field(name, cardForm).value;
  const paying = pays().map(({ city, dollars }) => /** @type {[string, number]} */ ([city.value, Number(dollars.value)]));
  const told = { pays: Object.fromEntries(paying.filter(([city, dollars]) => city && dollars)) };
  const card = entered("kind") === "contract"
    ? { contract: entered("good"), card: Number(entered("card")), side: entered("side"), ...told }
    : { route: entered("start"), ...told };
  const lines = text.value.trim() ? text.value.replace(/\n+$/, "").split("\n") : ['{"cards": "My cards", "format": 1}'];
  text.value = [...lines, written(card), ""].join("\n");
  for (const { city, dollars } of pays()) city.value = dollars.value = "";
  need("#kept-cards").textContent = _("Line {lines} was added.", { lines: lines.length + 1 });
}

cardForm.addEventListener("submit", addCard);
