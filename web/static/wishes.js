// @ts-check
// What somebody wants of this browser: what is to be heard, whether the screen stays on, for which hand the buttons are.

/** @typedef {{sound: "off" | "mine" | "all", awake: boolean, left: boolean, voice: boolean}} Wishes */

const PLACE = "stationmaster-wishes";

/** Silent but for one's own turn, as long as nobody chooses; the table's screen has no turn of its own. */
const USUAL = /** @type {Wishes} */ ({ sound: document.body.dataset.seat ? "mine" : "off", awake: true, left: false, voice: false });

/** @returns {Wishes} */
export function wishes() {
  try { return { ...USUAL, ...JSON.parse(localStorage.getItem(PLACE) ?? "{}") }; } catch { return USUAL; } // private windows keep nothing
}

/** @param {Partial<Wishes>} more */
export function wish(more) {
  try { localStorage.setItem(PLACE, JSON.stringify({ ...JSON.parse(localStorage.getItem(PLACE) ?? "{}"), ...more })); } catch { /* see above */ }
}
