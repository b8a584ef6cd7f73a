// @ts-check
// What somebody wants of this browser, and the switches for it: sounds, a screen that stays on, the hand, full screen.
import { sleepAgain, stayAwake } from "./awake.js";
import { all, hit } from "./elements.js";
import { play } from "./sound.js";
import { wish, wishes } from "./wishes.js";
import { _ } from "./words.js";

const here = document.body.dataset;
const page = document.documentElement;

const AWAKE = {
  lock: _("The screen stays on while this page is open."),
  film: _("The screen stays on while this page is open."),
  tap: _("The screen stays on from your next tap on this page on."),
  no: _("This browser cannot keep the screen on: set a longer time in the settings of the device."),
};
let over = false;

async function keepOn() {
  const wanted = wishes().awake && !document.hidden && !over;
  if (!wanted) sleepAgain();
  const state = wanted ? await stayAwake() : undefined;
  here.awake = state ?? "";
  for (const place of all(".awake-says")) place.textContent = state ? AWAKE[state] : "";
}

function show() {
  const { sound, awake, left } = wishes();
  page.classList.toggle("left", left);
  for (const field of /** @type {HTMLInputElement[]} */ (all("input[data-wish]"))) {
    field.checked = field.dataset.wish === "sound" ? field.value === sound : field.dataset.wish === "left" ? left : awake;
  }
  for (const button of all("[data-do=sound]")) button.setAttribute("aria-pressed", String(sound === "all"));
  for (const button of all("[data-do=full-screen]")) button.hidden = !page.requestFullscreen;
}

document.addEventListener("cue", (event) => {
  const cue = /** @type {CustomEvent} */ (event).detail, { sound } = wishes();
  if (sound === "all" || (sound === "mine" && (cue === "turn" || cue === "late"))) play(cue);
});

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.dataset.wish) return;
  const about = target.dataset.wish;
  wish({ [about]: about === "sound" ? target.value : target.checked });
  show();
  keepOn();
  if (about === "sound" && target.value !== "off") play("turn"); // how it sounds
});

document.addEventListener("click", (event) => {
  const deed = hit(event, "[data-do]")?.dataset.do;
  if (deed === "sound") {
    wish({ sound: wishes().sound === "all" ? "off" : "all" });
    show();
    if (wishes().sound === "all") play("turn");
  } else if (deed === "full-screen") {
    if (document.fullscreenElement) document.exitFullscreen();
    else page.requestFullscreen();
  }
  if (here.awake === "tap") keepOn();
});

document.addEventListener("visibilitychange", keepOn);
document.addEventListener("over", () => { over = true; keepOn(); });
show();
keepOn();

// --- the switches of the table's screen: there as long as a mouse moves ---

const POINTING = 3000;
/** @type {ReturnType<typeof setTimeout>} */
let resting;
document.addEventListener("pointermove", () => {
  document.body.classList.add("pointing");
  clearTimeout(resting);
  resting = setTimeout(() => document.body.classList.remove("pointing"), POINTING);
});
