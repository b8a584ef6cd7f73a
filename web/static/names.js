// @ts-check
// Names on a map, in letters that can be read: each moves to where it covers nothing, and none is left out.
// Greedy local search: every name in turn takes the cheapest of the places around its city, until no name moves any more.
import { svg } from "./elements.js";

/** @typedef {import("./map.js").Frame} Frame */
/** @typedef {import("./map.js").Point} Point */
/** @typedef {{at: Point, radius: number}} City */
/** @typedef {{width: number, height: number, home: Point, city: City}} Name its size, the middle of where it is printed, its city */
/** @typedef {{box: Frame, weight: number}} Thing what a name should not cover, and how much that matters */

const NAME = 40; // how much it matters that a name covers another
const OUTSIDE = 60; // or that it leaves the map
const AWAY = 0.12; // what it costs to be a line of text farther from the city
const MOVED = 0.05; // and not to be where it is printed
const APART = 0.6; // lines of text between two names side by side, so that they are not read as one
const ROUNDS = 6;
const RINGS = 8; // lines of text away from the city, where all nearer places are taken
const ENOUGH = 0.4; // a place as cheap as this is good enough: none farther away is looked for
const LEADER = 0.8; // lines of text between city and name, from which on a line joins them

/**
 * @param {Point} middle
 * @param {{width: number, height: number}} size
 * @returns {Frame}
 */
const boxAt = ([x, y], { width, height }) => ({ left: x - width / 2, top: y - height / 2, width, height });

/**
 * @param {Frame} one
 * @param {Frame} other
 */
function shared(one, other) {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * The places around a city: beside, above, below and at its corners, some lines of text away from its rim.
 * @param {Name} name
 * @param {number} lines
 * @returns {Point[]}
 */
function around({ city: { at: [x, y], radius }, width, height }, lines) {
  const gap = radius + height * (0.1 + lines);
  const [beside, over] = [gap + width / 2, gap + height / 2];
  const corner = Math.max(beside * 0.8, width / 2);
  /** @type {Point[]} */
  const near = [[x, y + over], [x, y - over], [x + beside, y], [x - beside, y]];
  for (const side of [-1, 1]) {
    for (const up of [-1, 1]) {
      near.push([x + side * corner, y + up * over * 0.75], [x + side * (width / 2), y + up * over]);
      if (lines) near.push([x + side * beside, y + up * over * 0.4]);
    }
  }
  return near;
}

/** How far, in lines of text, the rim of a name is from its city. */
function apart(/** @type {Name} */ { city: { at, radius }, width, height }, /** @type {Point} */ [x, y]) {
  const across = Math.max(0, Math.abs(x - at[0]) - width / 2), down = Math.max(0, Math.abs(y - at[1]) - height / 2);
  return Math.max(0, Math.hypot(across, down) - radius) / height;
}

/**
 * Where the middle of each name goes.
 * @param {Name[]} names
 * @param {Thing[]} things
 * @param {Frame} frame
 * @param {Point[]} before where they were, so that a name without a reason to move stays
 * @returns {Point[]}
 */
export function placed(names, things, frame, before = []) {
  const places = names.map((name, at) => before[at] ?? name.home);
  /**
   * @param {number} at
   * @param {Point} place
   */
  const cost = (at, place) => {
    const name = /** @type {Name} */ (names[at]), box = boxAt(place, name), area = name.width * name.height;
    const gap = APART * name.height, wide = { ...box, left: box.left - gap, width: box.width + 2 * gap };
    let sum = AWAY * apart(name, place) + (place === name.home ? 0 : MOVED) + (OUTSIDE * (area - shared(box, frame))) / area;
    for (const [number, other] of names.entries()) {
      if (number !== at) sum += (NAME * shared(wide, boxAt(/** @type {Point} */ (places[number]), other))) / area;
    }
    for (const thing of things) sum += (thing.weight * shared(box, thing.box)) / area;
    return sum;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = false;
    for (const [at, name] of names.entries()) {
      const now = /** @type {Point} */ (places[at]);
      let [best, least] = [now, cost(at, now)];
      for (let lines = 0; lines <= RINGS && (lines === 0 || least > ENOUGH + AWAY * lines); lines += 1) {
        for (const place of lines ? around(name, lines) : [name.home, ...around(name, 0)]) {
          const found = cost(at, place);
          if (found < least - 1e-6) [best, least] = [place, found];
        }
      }
      moved ||= best !== now;
      places[at] = best;
    }
    if (!moved) break;
  }
  return places;
}

/**
 * The part of a text's box where letters are.
 * @param {SVGGraphicsElement} text
 * @returns {Frame}
 */
function letters(text) {
  const { x, y, width, height } = text.getBBox();
  return { left: x, top: y + height * 0.14, width, height: height * 0.72 };
}

/**
 * A name with what is written under it.
 * @param {SVGGraphicsElement[]} texts
 * @returns {Frame}
 */
function together(texts) {
  const boxes = texts.map(letters).filter(({ width }) => width);
  const [left, top] = [Math.min(...boxes.map((one) => one.left)), Math.min(...boxes.map((one) => one.top))];
  const [right, bottom] = [Math.max(...boxes.map((one) => one.left + one.width)), Math.max(...boxes.map((one) => one.top + one.height))];
  return { left, top, width: boxes.length ? right - left : 0, height: bottom - top };
}

/**
 * @typedef {object} Wishes
 * @property {(scale: number) => number} size of the letters in units of the map, or 0: as the style sheet says
 * @property {(name: SVGGraphicsElement) => City | undefined} city that a name belongs to
 * @property {(name: SVGGraphicsElement) => SVGGraphicsElement[]} with the texts that go where a name goes
 * @property {() => Thing[]} things that lie on the map
 */

/**
 * Keeps the names of a map where they can be read, whatever is zoomed or moved.
 * @param {import("./map.js").ZoomMap} map
 * @param {SVGGraphicsElement[]} names the more important first
 * @param {Wishes} wishes
 * @returns {() => void} to be called when other names are shown than before
 */
export function writeNames(map, names, { size, city, with: more, things }) {
  const leaders = svg("path", { class: "leader" });
  names[0]?.before(leaders);
  /** @type {Map<SVGGraphicsElement, Point>} */
  let before = new Map();
  let written = 0; // at which scale

  function write() {
    if (!map.scale) return;
    if (map.scale !== written) before = new Map();
    written = map.scale;
    const wanted = size(map.scale);
    if (wanted) names[0]?.ownerSVGElement?.style.setProperty("--letters", wanted.toFixed(2));
    const shown = names.flatMap((element) => {
      const box = together([element, ...more(element)]), at = city(element);
      const home = /** @type {Point} */ ([box.left + box.width / 2, box.top + box.height / 2]);
      return at && box.width ? [{ element, name: { width: box.width, height: box.height, home, city: at } }] : [];
    });
    const middles = shown.map(({ element, name }) => before.get(element) ?? name.home);
    const places = placed(shown.map(({ name }) => name), things(), map.frame, middles);
    const lines = shown.map(({ element, name }, at) => {
      const [x, y] = /** @type {Point} */ (places[at]);
      for (const text of [element, ...more(element)]) text.style.transform = `translate(${x - name.home[0]}px, ${y - name.home[1]}px)`;
      before.set(element, [x, y]);
      return apart(name, [x, y]) > LEADER ? leader(name, [x, y]) : "";
    });
    leaders.setAttribute("d", lines.join(""));
  }

  map.onScale(write);
  document.addEventListener("swapped", write);
  return write;
}

/**
 * What lies on a map, as far as names should not cover it.
 * @param {import("./map.js").ZoomMap} map
 * @param {Element[]} elements
 * @param {number} weight
 * @returns {Thing[]}
 */
export const lying = (map, elements, weight) => elements.map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = map.at([left, top]);
  return { box: { left: x, top: y, width: map.reach(width), height: map.reach(height) }, weight };
});

/**
 * A line from the rim of a city to the nearest place of its name.
 * @param {Name} name
 * @param {Point} place
 */
function leader({ city: { at: [x, y], radius }, width, height }, [middle, level]) {
  const end = [Math.min(Math.max(x, middle - width / 2), middle + width / 2), Math.min(Math.max(y, level - height / 2), level + height / 2)];
  const [across, down] = [(end[0] ?? x) - x, (end[1] ?? y) - y], far = Math.hypot(across, down) || 1;
  return `M${x + (across * radius) / far} ${y + (down * radius) / far}L${end.join(" ")}`;
}
