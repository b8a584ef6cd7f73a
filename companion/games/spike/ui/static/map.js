// @ts-check
// SPIKE's map: places are lit with signs, a tap finds the nearest of them, and otherwise tells what a city supplies.
import { arrows } from "/static/arrows.js";
import { all, find, hit, html, pressed, svg } from "/static/elements.js";
import { nearest, ZoomMap } from "/static/map.js";
import { _ } from "/static/words.js";

/** @typedef {import("/static/map.js").Point} Point */
/** @typedef {{sign?: string, says?: string, aside?: boolean}} Light aside: not what is being looked at */
/**
 * @typedef {object} Lights
 * @property {Record<string, Light>} places to choose from
 * @property {string[]} tracks of a way that is being looked at
 * @property {string} chosen one of the places
 * @property {boolean} pick may any track be tapped?
 * @property {string[]} pointed tracks that a refusal is about
 */

const MOST = 5; // pixels a millimetre
const FINGER = 26; // pixels around a place that still hit it
/** @type {Lights} */
const DARK = { places: {}, tracks: [], chosen: "", pick: false, pointed: [] };
let lights = DARK;
/** @type {((tapped: {place?: string, track?: string}) => void)[]} */
const listeners = [];

const view = find("#ground-view");
const settleArrows = arrows(".marker, .touch path");
const ground = () => /** @type {SVGSVGElement} */ (/** @type {unknown} */ (find(".rail-ground")));
const lines = () => all(".touch path", ground());
const cities = () => all(".city", ground());
const lineOf = (/** @type {string} */ track) => find(`.touch [data-cell="${CSS.escape(track)}"]`, ground());

/** Nothing on pages without the map. */
export const map = view && opened(view);

/** @param {HTMLElement} frame as high as the map is, for its width */
function opened(frame) {
  const { width, height } = ground().viewBox.baseVal;
  frame.style.setProperty("--high", String(height / width));
  return new ZoomMap(frame, MOST);
}

// --- the names of the cities ---

const PRINTED = 6; // millimetres high

if (map) import("/static/names.js").then(({ lying, writeNames }) => { // no page waits for it
  const afar = document.body.dataset.page === "tv"; // the smallest letters that are read from three metres are a rem high
  writeNames(map, all(".rail-names text"), {
    size: (scale) => (afar ? parseFloat(getComputedStyle(document.documentElement).fontSize) / scale : PRINTED),
    city: ({ dataset }) => ({ at: middleOf(dataset.at ?? ""), radius: Number(find(".city circle", ground())?.getAttribute("r")) }),
    with: () => [],
    things: () => [...lying(map, all(".city circle", ground()), 8), ...lying(map, all(".rail-now .train"), 20)],
  });
});

// --- what is lit ---

/**
 * The middle of a city or of a track.
 * @param {string} place
 * @returns {Point}
 */
function middleOf(place) {
  const numbers = (/** @type {string} */ words) => (words.match(/-?[\d.]+/g) ?? []).map(Number);
  const circle = find(`.city[data-cell="${CSS.escape(place)}"] circle`, ground());
  if (circle) return [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
  const [x = 0, y = 0, across = 0, down = 0] = numbers(lineOf(place)?.getAttribute("d") ?? "");
  return [x + across / 2, y + down / 2];
}

/**
 * @param {string} place
 * @param {Light} light
 * @param {number} pixel in millimetres
 */
function marker(place, { sign, says, aside }, pixel) {
  const [x, y] = middleOf(place);
  const size = 11.5 * pixel, radius = Math.max(7.4, 8 * pixel);
  /** @type {SVGElement[]} */
  const inside = [svg("circle", { r: radius })];
  if (sign) {
    const width = size * 0.62 * sign.length + 4 * pixel;
    inside.push(
      svg("rect", { x: -width / 2, y: -radius - size * 1.25, width, height: size * 1.3, rx: size * 0.3 }),
      svg("text", { y: -radius - size * 0.3, "font-size": size }, sign),
    );
  }
  const look = `marker${place === lights.chosen ? " chosen" : ""}${aside ? " aside" : ""}`;
  return svg("g", { class: look, transform: `translate(${x} ${y})`, "data-place": place, role: "button", tabindex: -1, "aria-label": says || place }, ...inside);
}

function paint() {
  if (!map) return;
  const { places, tracks, chosen, pick, pointed } = lights;
  const pixel = map.reach(1);
  if (!Number.isFinite(pixel)) return; // the map is not to be seen: nothing has a size
  const drawn = (/** @type {string[]} */ names, /** @type {string} */ look) =>
    names.flatMap((track) => {
      const d = lineOf(track)?.getAttribute("d");
      return d ? [svg("path", { class: look, d })] : [];
    });
  const ways = [...drawn(tracks, "ghost-case"), ...drawn(tracks, "ghost-track"), ...drawn(pointed, "ghost-track wrong")];
  const order = Object.entries(places).sort(([one], [other]) => Number(one === chosen) - Number(other === chosen));
  const marks = order.map(([place, light]) => marker(place, light, pixel));
  const focused = map.hand.contains(document.activeElement) ? /** @type {SVGElement} */ (document.activeElement).dataset.place : undefined;
  map.hand.replaceChildren(...ways, ...marks);
  if (focused) find(`[data-place="${CSS.escape(focused)}"]`, map.hand)?.focus({ preventScroll: true });
  map.hand.setAttribute("aria-hidden", String(!marks.length));
  ground().setAttribute("role", pick ? "group" : "img");
  ground().classList.toggle("picking", pick);
  for (const line of lines()) {
    for (const [name, value] of Object.entries({ role: "button", tabindex: line.getAttribute("tabindex") ?? "-1", "aria-label": _("Track {cell}", { cell: line.dataset.cell }) })) {
      if (pick) line.setAttribute(name, value);
      else line.removeAttribute(name);
    }
  }
  settleArrows();
}

/** @param {Partial<Lights>} wanted all else is dark */
export function light(wanted) {
  lights = { ...DARK, ...wanted };
  paint();
}

/** What a refusal is about, for a while. */
export function point(/** @type {string[]} */ tracks) {
  lights = { ...lights, pointed: tracks };
  paint();
  setTimeout(() => {
    lights = { ...lights, pointed: [] };
    paint();
  }, 6000);
}

/** @param {string} track */
export const suitOf = (track) => lineOf(track)?.dataset.suit;

// --- what is tapped ---

/** @param {(tapped: {place?: string, track?: string}) => void} listen */
export const onTap = (listen) => listeners.push(listen);

function tell(/** @type {{place?: string, track?: string}} */ tapped) {
  for (const listen of listeners) listen(tapped);
}

const caption = html("p", { class: "map-caption", role: "status" });

/** @param {string | undefined} name */
function sayCity(name) {
  const { says = "", good = "" } = cities().find((city) => city.dataset.cell === name)?.dataset ?? {};
  const price = JSON.parse(find(".rail-now")?.dataset.prices ?? "{}")[good];
  caption.textContent = says && price ? _("{says}, now ${price} at the market", { says, price }) : says;
}

/**
 * @param {string[]} names
 * @returns {[string, Point][]}
 */
const placed = (names) => names.map((name) => [name, middleOf(name)]);
const namesOf = (/** @type {HTMLElement[]} */ elements) => elements.map((one) => one.dataset.cell ?? "");

map?.onTap((at) => {
  const place = nearest(at, placed(Object.keys(lights.places)), map.reach(FINGER));
  const track = lights.pick ? nearest(at, placed(namesOf(lines())), map.reach(FINGER * 1.5)) : undefined;
  if (place) tell({ place });
  else if (track) tell({ track });
  else sayCity(nearest(at, placed(namesOf(cities())), map.reach(FINGER)));
});

view?.addEventListener("keydown", (event) => {
  const mark = hit(event, ".marker, .touch path");
  if (!mark || !pressed(event)) return;
  event.preventDefault();
  const { place, cell } = mark.dataset;
  if (place) tell({ place });
  else if (cell) tell({ track: cell });
});

// --- my network ---

const mine = () => /** @type {SVGGraphicsElement[]} */ (/** @type {unknown} */ (all(".rail-now .piece.mine .casing, .rail-now .train.mine")));

function lookAtMine() {
  map?.show(mine().flatMap((one) => {
    const { x, y, width, height } = one.getBBox();
    const { e, f } = one.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    return /** @type {Point[]} */ ([[x + e, y + f], [x + e + width, y + f + height]]);
  }), MOST, 45);
}

if (map) {
  const tool = map.addTool(_("Mine"), _("My network"), lookAtMine);
  const settle = () => { tool.hidden = !mine().length; };
  tool.before(caption);
  document.addEventListener("swapped", settle);
  settle();
  map.onScale(paint);
  if (!map.restored) lookAtMine(); // of the whole board no name can be read on a phone
}
