// @ts-check
// The host page: a new match, the camera, the owner's files.
import { post } from "./api.js";
import { look } from "./cameraview.js";
import { all, find, hit, html, need } from "./elements.js";
import { keepEntries } from "./entries.js";
import { count, say, trying } from "./kit.js";
import { _, wordsOf } from "./words.js";

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

/** What comes after a picture of the whole table: few evenings need it. */
const table = () => Promise.all([import("./tablephoto.js"), wordsOf("tablephoto.js")]).then(([script]) => script);

document.addEventListener("change", async ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "table-photo") (await table()).sendTable(target);
  const file = target instanceof HTMLInputElement && target.dataset.into && target.files?.[0];
  if (file) /** @type {HTMLTextAreaElement} */ (need(`#${target.dataset.into}`)).value = await file.text();
});
document.addEventListener("click", async (event) => {
  const data = hit(event, "[data-do]")?.dataset;
  if (data?.do === "look") look();
  else if (data?.do === "table-photo" && data.camera !== undefined) (await table()).shootTable();
  else if (data?.do === "table-photo") need("#table-photo").click();
  else if (data?.do === "keep-option") keep(data);
});
