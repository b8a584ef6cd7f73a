// @ts-check
// Dice that people throw themselves: a tap on the picture of each face; the last one sends the roll.
import { all, button, closeSheet, find, hit, html, need, openSheet } from "./elements.js";
import { act, actOrPropose } from "./kit.js";
import { _ } from "./words.js";

/**
 * @param {HTMLElement} panel
 * @returns {(string | undefined)[]} the faces entered so far, by the place of the die
 */
const entered = (panel) => all(".slot", panel).map((slot) => slot.dataset.face);

/**
 * @param {HTMLElement} slot
 * @param {HTMLElement | null} choice none: empty it
 */
function fill(slot, choice) {
  const number = Number(slot.dataset.slot) + 1;
  if (choice) slot.dataset.face = choice.dataset.face;
  else delete slot.dataset.face;
  slot.replaceChildren(...(choice ? [...choice.childNodes].map((one) => one.cloneNode(true)) : [String(number)]));
  /** @type {HTMLButtonElement} */ (slot).disabled = !choice;
  slot.setAttribute("aria-label", choice ? _("Die {number}: {words}; tap to change", { number, words: choice.getAttribute("aria-label") }) : _("Die {number}: not entered", { number }));
}

/** @param {HTMLElement} choice */
function tapped(choice) {
  const panel = /** @type {HTMLElement | null} */ (choice.closest(".hand-dice"));
  const group = /** @type {HTMLElement | null} */ (choice.closest(".hand-group"));
  if (!panel || !group) return;
  const places = (group.dataset.places ?? "").split(",");
  const slots = places.map((place) => need(`[data-slot="${place}"]`, panel));
  const slot = slots.find((one) => one.dataset.face === undefined);
  if (!slot) return;
  fill(slot, choice);
  const full = slots.every((one) => one.dataset.face !== undefined);
  for (const one of all("button", group)) /** @type {HTMLButtonElement} */ (one).disabled = full;
  const faces = entered(panel);
  if (faces.every((face) => face !== undefined)) send(panel, faces);
}

/** @param {HTMLElement} slot */
function emptied(slot) {
  const panel = /** @type {HTMLElement} */ (slot.closest(".hand-dice"));
  fill(slot, null);
  for (const group of all(".hand-group", panel)) {
    if (!(group.dataset.places ?? "").split(",").includes(slot.dataset.slot ?? "")) continue;
    for (const one of all("button", group)) /** @type {HTMLButtonElement} */ (one).disabled = false;
  }
}

/**
 * @param {HTMLElement} panel
 * @param {(string | undefined)[]} faces
 */
async function send(panel, faces) {
  const { correct, host } = panel.dataset;
  const seq = Number(correct ?? 0);
  const action = seq ? { kind: "correct", data: { seq, data: { faces } } } : { kind: "roll", data: { faces } };
  const question = _("Somebody has played with these dice already. Ask everybody to agree to the change?");
  const done = await actOrPropose(host === undefined ? action : { ...action, as_host: true }, question);
  closeSheet();
  if (done) document.dispatchEvent(new Event("rolled-by-hand"));
  else for (const slot of all(".slot", panel)) if (slot.isConnected) emptied(slot);
}

/** @param {DOMStringMap} told */
function takeBack({ roll, host }) {
  const action = { kind: "undo", data: { seq: Number(roll) } };
  return act(host === undefined ? action : { ...action, as_host: true });
}

/** @param {string} name of the template */
const templated = (name) => /** @type {HTMLTemplateElement | null} */ (find(`template#${name}`));

/** @param {string} name of the template */
function open(name) {
  const template = templated(name);
  if (!template) return;
  const sheet = openSheet(/** @type {DocumentFragment} */ (template.content.cloneNode(true)), html("p", { class: "row" }, button(_("Never mind"), closeSheet)));
  sheet.dataset.asks = name;
}

/** Somebody else has thrown, or corrected the roll: nothing is asked any more. */
function settle() {
  const sheet = find("dialog[data-asks]");
  if (!sheet) return;
  const asks = templated(sheet.dataset.asks ?? "")?.content.querySelector(".hand-dice")?.getAttribute("data-correct");
  if (asks !== need(".hand-dice", sheet).getAttribute("data-correct")) closeSheet();
}

document.addEventListener("swapped", settle);
document.addEventListener("click", (event) => {
  const choice = hit(event, ".hand-group [data-face]");
  const slot = hit(event, ".slot[data-face]");
  const deed = hit(event, "[data-do]")?.dataset.do ?? "";
  if (choice) tapped(choice);
  else if (slot) emptied(slot);
  else if (deed === "hand-roll" || deed === "correct-roll") open(deed);
  else if (deed === "take-dice-back") takeBack(hit(event, "[data-do]")?.dataset ?? {});
});
