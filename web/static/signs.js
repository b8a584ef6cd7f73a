// @ts-check
// What happens at the table is noticed without looking: one's turn, a roll, a goal, the end, and how long somebody takes.
import { find } from "./elements.js";
import { say } from "./kit.js";
import { wordsOf } from "./words.js";

/** @typedef {{key: string, seat: number, says: string, cells?: string[], more?: string}} Feat */
/** @typedef {{awaited: number[], since: string, limit: number, rolled: number, feats: Feat[], over: boolean, lead?: Feat}} Signs */

const here = document.body.dataset;
const own = Number(here.seat ?? 0);

/** @type {Signs | undefined} */
let before;
/** @type {Set<string>} */
const told = new Set();

/** @returns {Signs | undefined} */
function read() {
  const place = find("[data-signs]");
  return place ? JSON.parse(place.dataset.signs ?? "") : undefined;
}

/**
 * The sounds of what has changed, the one that matters most last.
 * @param {Signs} was
 * @param {Signs} now
 * @returns {import("./sound.js").Cue[]}
 */
function cues(was, now) {
  const fresh = [...now.feats.filter(({ key }) => !told.has(key)), ...overtaken(was, now)];
  for (const feat of fresh) {
    say(feat.says);
    document.dispatchEvent(new CustomEvent("moment", { detail: feat })); // moments.js shows it on the table's screen
  }
  const turn = now.awaited.includes(own) && (!was.awaited.includes(own) || was.since !== now.since);
  return [
    ...(now.rolled !== was.rolled && !turn ? [/** @type {const} */ ("dice")] : []),
    ...(turn ? [/** @type {const} */ ("turn")] : []),
    ...(fresh.length ? [/** @type {const} */ ("goal")] : []),
    ...(now.over && !was.over ? [/** @type {const} */ ("end")] : []),
  ];
}

/** @type {Feat | undefined} who led when the turn began */
let led;

/**
 * Who leads now and did not before; judged when a turn begins, for in one it may go to and fro.
 * @param {Signs} was
 * @param {Signs} now
 * @returns {Feat[]}
 */
function overtaken(was, now) {
  if (was.since === now.since || !now.lead) return [];
  const before = led;
  led = now.lead;
  return before && before.key !== now.lead.key ? [now.lead] : [];
}

function look() {
  const now = read();
  if (!now) return;
  const cue = before && cues(before, now).at(-1);
  if (!before) led = now.lead;
  for (const { key } of now.feats) told.add(key);
  if (cue) sound(cue);
  if (now.over && !before?.over) document.dispatchEvent(new Event("over"));
  before = now;
  tick();
}

/** What is to be heard is in comfort.js, which comes when the page is there. @param {import("./sound.js").Cue} cue */
const sound = (cue) => document.dispatchEvent(new CustomEvent("cue", { detail: cue }));

// --- how long it takes: only told, nothing is done about it ---

let warned = "";

function tick() {
  const clock = find(".clock");
  if (!clock || !before?.limit || !before.since) return;
  const seconds = Math.max(0, Math.round((Date.now() - Number(here.ahead ?? 0) - Date.parse(before.since)) / 1000));
  const late = seconds >= before.limit;
  const left = Math.abs(before.limit - seconds);
  clock.textContent = `${late ? "+" : ""}${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.classList.toggle("late", late);
  if (late && warned !== before.since && before.awaited.includes(own)) sound("late");
  if (late) warned = before.since;
}
setInterval(tick, 1000);

document.addEventListener("swapped", look);
look();
wordsOf("comfort.js").then(() => import("/static/comfort.js")); // no page waits for it
