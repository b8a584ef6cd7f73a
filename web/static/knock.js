// @ts-check
// Asking to be let in, and waiting for somebody's tap.
import { get, post, Refusal } from "./api.js";
import { trying } from "./kit.js";
import { _ } from "./words.js";

const LOOK_AGAIN = 1500; // milliseconds

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** @typedef {{what: "screen" | "seat" | "join", seat?: number, code?: string, name?: string}} Wish */

/**
 * Knock, and wait until somebody answers or nobody does for ten minutes.
 * @param {Wish} wish
 * @param {(number: number) => void} shown is told the number that people compare
 * @returns {Promise<string>} the page to go to; empty when one is not let in
 */
export async function letIn(wish, shown) {
  const told = (await waitingStill(wish)) ?? (await post("/api/v1/room/knocks", wish));
  sessionStorage.setItem(placeOf(wish), JSON.stringify(told));
  shown(told.number);
  for (;;) {
    await pause(LOOK_AGAIN);
    if (document.hidden) continue;
    const state = await stateOf(told.knock);
    if (state === "granted") return (await post(`/api/v1/room/knocks/${told.knock}/enter`)).page;
    if (state === "refused") return "";
  }
}

// A page that is loaded anew, as a television's often is, goes on waiting with the number it has shown.
const placeOf = (/** @type {Wish} */ { what, seat = 0 }) => `stationmaster-knock-${what}-${seat}`;

/**
 * @param {Wish} wish
 * @returns {Promise<{knock: string, number: number} | null>}
 */
async function waitingStill(wish) {
  const told = JSON.parse(sessionStorage.getItem(placeOf(wish)) ?? "null");
  return told && (await stateOf(told.knock)) === "waiting" ? told : null;
}

/** @param {string} knock */
async function stateOf(knock) {
  try {
    return (await get(`/api/v1/room/knocks/${knock}`)).state;
  } catch (problem) {
    return problem instanceof Refusal ? "refused" : "waiting"; // forgotten; or the box is away for a moment
  }
}

/**
 * The same with words for who waits; goes to the page when let in.
 * @param {Wish} wish
 * @param {HTMLElement} place
 */
export async function askedIn(wish, place) {
  const page = await trying(() => letIn(wish, (number) => {
    place.textContent = _("Waiting: the host, or another player, says yes on a phone of the table (number {number}).", { number });
    place.scrollIntoView({ block: "center" }); // a keyboard and a small phone leave it below the screen
  }));
  if (page) location.assign(page);
  else if (page === "") place.textContent = _("Nobody said yes. You can ask again.");
}
