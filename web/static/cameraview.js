// @ts-check
// What the box's camera sees, for whoever places it.
import { get } from "./api.js";
import { html, need, svg } from "./elements.js";
import { trying } from "./kit.js";
import { _ } from "./words.js";

const line = (/** @type {string} */ words) => html("p", {}, words);

/** @typedef {{pixels_per_mm: number, sharpness: number, light: number, contrast: number}} Measured */
/** @typedef {{name: string, corners: [number, number][], says: string[], measured: Measured | null}} SeenBoard */
/** @typedef {{picture: string, boards: SeenBoard[], notes: string[]}} View */

const place = () => need("#camera-view");

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

/** What the camera sees, board by board, and how it could be better. */
export async function look() {
  place().replaceChildren(line(_("Looking")));
  /** @type {View | undefined} */
  const view = await trying(() => get("/api/v1/host/camera"));
  if (!view) { place().replaceChildren(); return; }
  const boards = view.boards.map((board) => line(`${board.name}: ${board.says.join("; ") || _("well in view")}. ${numbers(board)}`));
  place().replaceChildren(framed(view), ...boards, ...view.notes.map(line));
  if (!view.boards.length && !view.notes.length) place().append(line(_("No board is in view: all of a board and its corner tags have to be in the picture.")));
}
