// @ts-check
// Places drawn over the photograph of an empty board: a tap on one city, a tap on the next, and between them so many places in
// one lane or two. They are kept on the board's own plane, so that they follow when its corners are dragged.
import { svg } from "./elements.js";
import { homography, through } from "./plane.js";

/** @typedef {[x: number, y: number]} Corner */
/** @typedef {{size: Corner, slots: Record<string, Corner[]>, groups: Record<string, string[]>}} Places */
/** @typedef {{from: Corner, to: Corner, places: number, lanes: number}} Route */

const LONGEST = 1500; // units of the plane
const CITY = 16; // units: how far routes end before a city's middle, and how near a tap means that city
const [WIDEST, SHARE, GAP, FILLED] = [14, 0.4, 1.3, 0.92]; // of a place: its width, and that of its length; between lanes; of its room

export class Routes {
  /**
   * @param {SVGSVGElement} drawing the photograph
   * @param {Corner[]} corners of the board in it, as they are dragged
   */
  constructor(drawing, corners) {
    this.corners = corners;
    this.routes = /** @type {Route[]} */ ([]);
    this.begun = /** @type {Corner | null} */ (null); // the city tapped first
    this.size = /** @type {Corner | null} */ (null);
    this.mark = svg("circle", { class: "city", hidden: true, r: Math.max(drawing.viewBox.baseVal.width, drawing.viewBox.baseVal.height) / 120 });
    drawing.append(this.mark);
  }

  /** The plane, as long and as wide as the board seems when the first city is tapped. @returns {Corner} */
  plane() {
    if (this.size) return this.size;
    const side = (/** @type {number} */ one, /** @type {number} */ other) => {
      const [[ax, ay], [bx, by]] = [this.corners[one] ?? [0, 0], this.corners[other] ?? [0, 0]];
      return Math.hypot(ax - bx, ay - by);
    };
    const [across, down] = [side(0, 1) + side(3, 2), side(0, 3) + side(1, 2)];
    const scale = LONGEST / Math.max(across, down, 1);
    return [Math.round(across * scale), Math.round(down * scale)];
  }

  /** @returns {Corner[]} */
  outline() {
    const [width, height] = this.plane();
    return [[0, 0], [width, 0], [width, height], [0, height]];
  }

  /**
   * A tap in the photograph: the first of two cities, or the second, to which the route leads.
   * @param {Corner} at in its pixels
   * @param {number} places
   * @param {number} lanes
   * @returns {boolean} whether a route was made
   */
  tapped(at, places, lanes) {
    const to = homography(this.corners, this.outline());
    if (!to) return false;
    this.size = this.plane();
    const city = this.city(through(to, at));
    const { begun } = this;
    this.begun = begun ? null : city;
    const made = begun !== null && Math.hypot(begun[0] - city[0], begun[1] - city[1]) > 3 * CITY;
    if (begun && made) this.routes.push({ from: begun, to: city, places, lanes });
    this.painted();
    return made;
  }

  /** A city that has a route already, if one is near; else this place. @param {Corner} at @returns {Corner} */
  city(at) {
    const known = this.routes.flatMap(({ from, to }) => [from, to]);
    const away = (/** @type {Corner} */ one) => Math.hypot(one[0] - at[0], one[1] - at[1]);
    const near = known.filter((one) => away(one) < CITY).sort((one, other) => away(one) - away(other));
    return near[0] ?? at;
  }

  /** The last tap or route is taken back. */
  undo() {
    if (this.begun) this.begun = null;
    else this.routes.pop();
    this.painted();
  }

  /** The mark of the city that was tapped first. */
  painted() {
    const back = homography(this.outline(), this.corners);
    this.mark.toggleAttribute("hidden", !(this.begun && back));
    if (this.begun && back) this.mark.setAttribute("transform", `translate(${through(back, this.begun).join(" ")})`);
  }

  /** @returns {Places | null} what an owner's file says; nothing where no route is drawn yet */
  places() {
    if (!this.routes.length) return null;
    const slots = /** @type {Record<string, Corner[]>} */ ({});
    const groups = /** @type {Record<string, string[]>} */ ({});
    for (const [number, route] of this.routes.entries()) {
      for (let lane = 0; lane < route.lanes; lane += 1) {
        const name = `r${String(number + 1).padStart(3, "0")}${route.lanes > 1 ? "ab"[lane] : ""}`;
        const quads = laneOf(route, lane);
        quads.forEach((quad, place) => { slots[`${name}s${place}`] = quad; });
        groups[name] = quads.map((_, place) => `${name}s${place}`);
      }
    }
    return { size: this.plane(), slots, groups };
  }
}

/**
 * The places of one lane of a route, each with four corners.
 * @param {Route} route
 * @param {number} lane
 * @returns {Corner[][]}
 */
function laneOf({ from, to, places, lanes }, lane) {
  const whole = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [x, y] = [(to[0] - from[0]) / whole, (to[1] - from[1]) / whole];
  const step = (whole - 2 * CITY) / places;
  const [length, width] = [FILLED * step, Math.min(WIDEST, SHARE * step)];
  const aside = (lane - (lanes - 1) / 2) * GAP * width;
  const point = (/** @type {number} */ along, /** @type {number} */ across) => /** @type {Corner} */ (
    [from[0] + along * x - across * y, from[1] + along * y + across * x].map((one) => Math.round(10 * one) / 10));
  return Array.from({ length: places }, (_, place) => {
    const [start, end] = [CITY + (place + 0.5) * step - length / 2, CITY + (place + 0.5) * step + length / 2];
    return [point(start, aside - width / 2), point(end, aside - width / 2), point(end, aside + width / 2), point(start, aside + width / 2)];
  });
}
