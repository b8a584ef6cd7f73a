// @ts-check
// The host page: a new match, the camera, the owner's files.
import { get, post } from "./api.js";
import { all, find, hit, html, need, svg } from "./elements.js";
import { keepEntries } from "./entries.js";
import { count, say, trying } from "./kit.js";
import { _ } from "./words.js";

const line = (/** @type {string} */ words) => html("p", {}, words);

// --- a new match: whoever is here, people without a phone, bots; only the chosen game's options are sent ---

/** @param {HTMLFormElement} form */
function newMatch(form) {
  const lines = /** @type {HTMLInputElement[]} */ (all("[data-line]", form));
  const cards = /** @type {HTMLInputElement[]} */ (all("[name='options.deal']", form));
  keepEntries(form, "new-match");
  for (const line of lines) if (line.value) show(line);

  /** Ask where a game's cards are as this box has played it last. */
  function askForCards() {
    const deal = find("[name=game]:checked", form)?.dataset.deal;
    for (const place of /** @type {HTMLFieldSetElement[]} */ (all(".cards-where", form))) place.hidden = place.disabled = deal === undefined;
    for (const one of cards) one.checked = one.value === deal;
  }

  function settle() {
    const game = /** @type {HTMLInputElement | null} */ (find("[name=game]:checked", form));
    const bots = /** @type {HTMLSelectElement} */ (need("#bots", form));
    bots.disabled = find("[name=mode]:checked", form)?.getAttribute("value") === "scorekeeper"; // bots have no paper
    for (const part of /** @type {HTMLFieldSetElement[]} */ (all(".game-options", form))) {
      part.hidden = part.dataset.game !== game?.value;
      part.disabled = part.hidden;
    }
    const empty = Number(/** @type {HTMLSelectElement} */ (need("#seat-count", form)).value);
    for (const seat of /** @type {HTMLInputElement[]} */ (all("[data-empty]", form))) seat.disabled = Number(seat.dataset.empty) > empty;
    const named = lines.filter((one) => !one.disabled).length + empty;
    const players = all("[name='guests[]']:checked", form).length + named + (bots.disabled ? 0 : Number(bots.value));
    const { least = "1", most = "6", title = "" } = game?.dataset ?? {};
    const fits = players >= Number(least) && players <= Number(most);
    need("#head-count").textContent = `${count(players, _("{n} player"), _("{n} players"))}${fits ? "" : _(": {title} is for {least} to {most}", { title, least, most })}`;
    const begin = /** @type {HTMLButtonElement} */ (need(".begin", form));
    begin.disabled = !fits;
  }

  function addLine() {
    const line = lines.find((one) => one.disabled);
    if (!line) return;
    show(line);
    line.focus();
    settle();
  }

  /** @param {HTMLInputElement} line */
  function show(line) {
    line.disabled = false;
    const label = line.closest("label");
    if (label) label.hidden = false;
  }

  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "game") askForCards();
    settle();
  });
  form.addEventListener("swapped", settle);
  form.addEventListener("click", (event) => { if (hit(event, "[data-do=add-line]")) addLine(); });
  const chosen = cards.find((one) => one.checked);
  askForCards();
  if (chosen && !chosen.closest("fieldset")?.hidden) chosen.checked = true;
  settle();
}

/** @type {HTMLFormElement | null} */
const form = find("#new-match");
if (form) newMatch(form);

// --- what the box's camera sees, and one picture of the whole table ---

/** @typedef {{pixels_per_mm: number, sharpness: number, light: number, contrast: number}} Measured */
/** @typedef {{name: string, corners: [number, number][], says: string[], measured: Measured | null}} SeenBoard */
/** @typedef {{picture: string, boards: SeenBoard[], notes: string[]}} View */

const place = () => need("#camera-view");
const answers = () => need("#table-answers");

/** @param {View} view */
function framed(view) {
  const outlines = view.boards.map(({ corners, says }) => svg("polygon", { points: corners.join(" "), class: says.length ? "poor" : "fine" }));
  const image = html("img", { src: view.picture, alt: _("What the box's camera sees") });
  return html("div", { class: "camera-frame" }, image, svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, ...outlines));
}

/**
 * For whoever moves the camera: is it better now than before?
 * @param {SeenBoard} board
 */
function numbers({ measured }) {
  if (!measured) return "";
  const percent = (/** @type {number} */ share) => Math.round(100 * share);
  const { pixels_per_mm: pixels, sharpness, light, contrast } = measured;
  return _("{pixels} pixels a millimetre, sharpness {sharpness}, light {light}, contrast {contrast} (of 100)", { pixels, sharpness: percent(sharpness), light: percent(light), contrast: percent(contrast) });
}

async function look() {
  place().replaceChildren(line(_("Looking")));
  /** @type {View | undefined} */
  const view = await trying(() => get("/api/v1/host/camera"));
  if (!view) { place().replaceChildren(); return; }
  const boards = view.boards.map((board) => line(`${board.name}: ${board.says.join("; ") || _("well in view")}. ${numbers(board)}`));
  place().replaceChildren(framed(view), ...boards, ...view.notes.map(line));
  if (!view.boards.length && !view.notes.length) place().append(line(_("No board is in view: all of a board and its corner tags have to be in the picture.")));
}

/** @param {string | undefined} match */
async function photographTable(match) {
  answers().replaceChildren(line(_("The box takes a picture: hands away")));
  /** @type {{name: string, entered: boolean, says: string[]}[] | undefined} */
  const seats = await trying(() => post(`/api/v1/matches/${match}/photos/table`));
  answers().replaceChildren(...(seats ?? []).map(({ name, entered, says }) => line(`${name}: ${entered ? _("entered") : says.join("; ") || _("nothing new")}.`)));
}

// --- files of the owner's for a game: read from a file, checked by the rules, and every fault said with its line ---

/** @param {DOMStringMap} wish */
async function keep({ game, option, reload }) {
  const { value: text } = /** @type {HTMLTextAreaElement} */ (need(`#option-${game}-${option}`));
  const list = need(`#faults-${game}-${option}`);
  /** @param {string[]} faults */
  const tell = (faults) => list.replaceChildren(...faults.map((words) => html("li", {}, words)));
  const told = await trying(() => post("/api/v1/host/options", { game, option, text }), (refusal) => tell(refusal.detail.faults ?? [refusal.message]));
  if (!told) return;
  tell([]);
  say(told.message);
  if (reload !== undefined) location.reload();
}

document.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.dataset.into && target.files?.[0];
  if (file) /** @type {HTMLTextAreaElement} */ (need(`#${target.dataset.into}`)).value = await file.text();
});
document.addEventListener("click", (event) => {
  const data = hit(event, "[data-do]")?.dataset;
  if (data?.do === "look") look();
  else if (data?.do === "table-photo") photographTable(data.match);
  else if (data?.do === "keep-option") keep(data);
});
