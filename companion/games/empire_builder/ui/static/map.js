// @ts-check
// The map on every page that shows it: how much is written on it depends on how near it is.
import { all, find } from "/static/elements.js";
import { ZoomMap } from "/static/map.js";
import { HALF_ROW, spot, spots } from "./mileposts.js";

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

// --- the names of the cities: in printed letters, unless the map is so small that nobody could read them ---

const SMALLEST = 12; // pixels
const afar = document.body.dataset.page === "tv"; // the smallest letters that are read from three metres are a rem high
const major = (/** @type {Element} */ one) => one.classList.contains("eb-name-major");
/** @type {SVGGraphicsElement[]} */
const names = all(".eb-names .eb-name");
let settle = () => {};

/** To be called when other names are shown than before. */
export const settleNames = () => settle();

if (map) import("/static/names.js").then(({ lying, writeNames }) => { // no page waits for it
  settle = writeNames(map, [...names.filter(major), ...names.filter((one) => !major(one))], {
    size: (scale) => {
      if (afar) return parseFloat(getComputedStyle(document.documentElement).fontSize) / scale;
      return pitch() < FAR ? SMALLEST / scale : 0;
    },
    city: (one) => {
      const at = spot(one.dataset.at ?? "");
      return at ? { at, radius: major(one) ? HALF_ROW : HALF_ROW / 2 } : undefined;
    },
    with: ({ nextElementSibling: next }) => (next?.classList.contains("eb-loads") ? [/** @type {SVGGraphicsElement} */ (next)] : []),
    things: () => [
      ...spots(names.map(({ dataset }) => dataset.at ?? "")).map(([x, y]) => ({ box: { left: x - 8, top: y - 8, width: 16, height: 16 }, weight: 8 })),
      ...lying(map, all(".eb-train"), 20),
    ],
  });
});
