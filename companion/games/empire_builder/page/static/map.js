// @ts-check
// The map on every page that shows it: how much is written on it depends on how near it is.
import { find } from "/static/elements.js";
import { ZoomMap } from "/static/map.js";
import { HALF_ROW, spots } from "./mileposts.js";

const MOST = 1.7; // pixels a unit
const FAR = 11, NEAR = 20; // pixels between mileposts below which less is written

const view = find("#ground-view");

/** Pixels between two mileposts, one above the other. */
export const pitch = () => (map?.scale ?? 0) * 2 * HALF_ROW;

/** Show these mileposts, at most so many pixels apart. */
export const show = (/** @type {string[]} */ names, near = 26) => map?.show(spots(names), near / 2 / HALF_ROW);

/** Nothing on pages without the map. */
export const map = view && new ZoomMap(view, MOST);
map?.onScale(() => { if (view) view.dataset.zoom = pitch() < FAR ? "far" : pitch() < NEAR ? "mid" : "near"; });
