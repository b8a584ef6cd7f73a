// @ts-check
// The table's screen says aloud what a camera over the table sees, once somebody has switched that on.
import { all, find, hit } from "./elements.js";
import { play } from "./sound.js";
import { wish, wishes } from "./wishes.js";

/** @typedef {{key: string, says: string, cue: import("./sound.js").Cue}} Utterance */

/** @type {Set<string> | undefined} */
let said;

function newest() {
  const told = find("[data-utterances]")?.dataset.utterances;
  return /** @type {Utterance[]} */ (told ? JSON.parse(told) : []);
}

/** A voice of this browser that speaks the page's language. */
function voice() {
  const { lang } = document.documentElement;
  return globalThis.speechSynthesis?.getVoices().find((one) => one.lang.toLowerCase().startsWith(lang));
}

/**
 * Say it; false where the browser has no voice for it.
 * @param {string} words
 */
function aloud(words) {
  const found = voice();
  if (!found) return false;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.voice = found;
  utterance.lang = found.lang;
  speechSynthesis.speak(utterance);
  return true;
}

function look() {
  const told = newest(), before = said;
  said = new Set([...(before ?? []), ...told.map(({ key }) => key)].slice(-200));
  if (!before || !wishes().voice) return;
  for (const { key, says, cue } of told) {
    if (!before.has(key) && !aloud(says)) play(cue);
  }
}

function show() {
  for (const button of all("[data-do=voice]")) button.setAttribute("aria-pressed", String(wishes().voice));
}

document.addEventListener("click", (event) => {
  if (!hit(event, "[data-do=voice]")) return;
  wish({ voice: !wishes().voice });
  show();
  if (wishes().voice) aloud(newest().map(({ says }) => says).join(". ") || document.title);
});

globalThis.speechSynthesis?.getVoices(); // browsers load them when first asked
document.addEventListener("swapped", look);
document.addEventListener("over", () => {
  if (wishes().voice) aloud(find(".finale-winner")?.textContent ?? "");
});
look();
show();
