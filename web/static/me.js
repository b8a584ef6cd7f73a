// @ts-check
// Who has this phone: a number it made up once, and the name, colour and shape that were chosen last.
import { key } from "./api.js";

/** @typedef {{device: string, name: string, colour: string, shape: string}} Me */

const PLACE = "stationmaster-me";

/** @returns {Partial<Me>} */
function kept() {
  try { return JSON.parse(localStorage.getItem(PLACE) ?? "{}"); } catch { return {}; } // private windows keep nothing
}

/** @param {Partial<Me>} more */
export function remember(more) {
  const now = { ...me(), ...more };
  try { localStorage.setItem(PLACE, JSON.stringify(now)); } catch { /* private windows keep nothing: one types the name again */ }
  return now;
}

/** @returns {Me} */
export function me() {
  const { device = "", name = "", colour = "", shape = "" } = kept();
  return device ? { device, name, colour, shape } : fresh({ name, colour, shape });
}

/** @param {Omit<Me, "device">} known */
function fresh(known) {
  const made = { ...known, device: key() };
  try { localStorage.setItem(PLACE, JSON.stringify(made)); } catch { /* see above */ }
  return made;
}
