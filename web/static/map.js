// @ts-check
// A board larger than the screen: moved with a finger or the mouse, zoomed with two fingers, the wheel, keys or buttons.
// While two fingers are down the finished picture is only stretched; it is drawn anew, sharp, when they leave.
import { html, need, svg } from "./elements.js";
import { _ } from "./words.js";

/** @typedef {[x: number, y: number]} Point in the units of the board, or in pixels of the window */
/** @typedef {{left: number, top: number, width: number, height: number}} Frame */

// --- geometry ---

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * The scale at which all of something fits into the view.
 * @param {Pick<Frame, "width" | "height">} frame in units
 * @param {Pick<Frame, "width" | "height">} view in pixels
 */
export const fitting = ({ width, height }, view) => Math.min(view.width / width, view.height / height);

/**
 * How far a picture that is stretched has to be moved so that what was under the fingers stays under them.
 * @param {Point} from where the picture began, in pixels of the window
 * @param {Point} at what the fingers took hold of, in pixels of the picture
 * @param {number} grown
 * @param {Point} client where the fingers are now
 * @returns {Point}
 */
export const shifted = (from, at, grown, client) => [client[0] - from[0] - at[0] * grown, client[1] - from[1] - at[1] * grown];

/**
 * The rectangle around these points, with some room.
 * @param {Point[]} points
 * @param {number} room
 * @returns {Frame}
 */
export function around(points, room) {
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  return { left: left - room, top: top - room, width: right - left + 2 * room, height: bottom - top + 2 * room };
}

/**
 * The place nearest to a point, if it is within reach.
 * @template T
 * @param {Point} point
 * @param {Iterable<[place: T, at: Point]>} places
 * @param {number} reach
 * @returns {T | undefined}
 */
export function nearest([x, y], places, reach = Number.POSITIVE_INFINITY) {
  /** @type {T | undefined} */
  let best;
  let least = reach;
  for (const [place, at] of places) {
    const far = Math.hypot(at[0] - x, at[1] - y);
    if (far > least || (far === least && best !== undefined)) continue;
    best = place;
    least = far;
  }
  return best;
}

const apart = (/** @type {Point[]} */ [a = [0, 0], b = a]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
/** @type {(two: Point[]) => Point} */
const between = ([a = [0, 0], b = a]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

// --- the map ---

const STEP = 1.6; // one press of a zoom button
const STILL = 6; // pixels that a finger may move and still tap
const ROOM = 60; // units around places that are to be shown

/** A board in a view (which scrolls) on a stage (which is as large as the board is drawn). */
export class ZoomMap {
  #view;
  #stage;
  #most;
  #shelf;
  #scale = 0;
  /** @type {{at: Point, from: Point, scale: number, grown: number, client: Point, apart: number} | null} */
  #gesture = null;
  /** @type {Map<number, Point>} */
  #fingers = new Map();
  #moved = 0;
  /** @type {Point} */
  #speed = [0, 0];
  #stamp = 0;
  #gliding = 0;
  /** @type {((point: Point, client: Point) => void)[]} */
  #tapped = [];
  /** @type {((scale: number) => void)[]} */
  #scaled = [];

  /**
   * @param {HTMLElement} view with a stage in it, and on that the board as a drawing
   * @param {number} most pixels a unit at most
   * @param {string} name under which this browser remembers which part was shown; empty: a picture in a dialog,
   *   which is not remembered, and which a plain wheel zooms
   */
  constructor(view, most, name = "map") {
    this.#shelf = name && `${name}-${document.body.dataset.page}-${document.body.dataset.playing}`;
    this.#view = view;
    this.#stage = need(".ground-stage", view);
    this.#most = most;
    const { x: left, y: top, width, height } = /** @type {SVGSVGElement} */ (need("svg", this.#stage)).viewBox.baseVal;
    /** The board, in its units. */
    this.frame = { left, top, width, height };
    /** A layer on top of the board, for what only this page shows. */
    this.hand = svg("svg", { class: "board hand-layer", viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" });
    this.#stage.append(this.hand);
    this.#listen();
    this.#tools = html("div", { class: "ground-tools" });
    view.after(this.#tools);
    this.addTool("+", _("Nearer"), () => this.zoom(STEP)).classList.add("zooms");
    this.addTool("−", _("Farther"), () => this.zoom(1 / STEP)).classList.add("zooms");
    this.addTool(_("All"), _("The whole map"), () => this.whole());
    view.classList.add("alive");
    /** Is it shown as it was left when this page was open before? */
    this.restored = this.#restore();
    new ResizeObserver(() => this.#resized()).observe(view);
  }

  #tools;

  /**
   * @param {string} sign
   * @param {string} label
   * @param {() => void} click
   */
  addTool(sign, label, click) {
    const tool = html("button", { type: "button", class: "ground-tool", "aria-label": label, title: label, click }, sign);
    this.#tools.append(tool);
    return tool;
  }

  /** Pixels a unit. */
  get scale() { return this.#scale; }

  /** @param {(point: Point, client: Point) => void} listen to where the board was tapped, in its units */
  onTap(listen) { this.#tapped.push(listen); }

  /** @param {(scale: number) => void} listen now, and whenever the scale has changed */
  onScale(listen) {
    this.#scaled.push(listen);
    listen(this.#scale);
  }

  /** As large as a finger's width of so many pixels, in units. */
  reach(/** @type {number} */ pixels) { return pixels / this.#scale; }

  /** @returns {Point} the place in the board under a place in the window */
  at(/** @type {Point} */ [x, y]) {
    const box = this.#stage.getBoundingClientRect();
    return [(x - box.left) / this.#scale + this.frame.left, (y - box.top) / this.#scale + this.frame.top];
  }

  /**
   * Show these places in the middle.
   * @param {Point[]} points
   * @param {number} near pixels a unit at most
   * @param {number} room units around them
   */
  show(points, near = this.#most, room = ROOM) {
    if (!points.length) return;
    const { left, top, width, height } = around(points, room);
    this.#apply(Math.min(near, fitting({ width, height }, this.#room())));
    this.#lookAt([left + width / 2, top + height / 2]);
    this.#remember();
  }

  whole() {
    this.#apply(0);
    this.#remember();
  }

  /**
   * The board has another size now.
   * @param {Frame} frame
   */
  resize(frame) {
    this.frame = frame;
    this.hand.setAttribute("viewBox", `${frame.left} ${frame.top} ${frame.width} ${frame.height}`);
    this.#apply(this.#scale);
  }

  /**
   * @param {number} grown
   * @param {Point} client what stays where it is: a place in the window
   */
  zoom(grown, client = this.#middle()) {
    this.#begin(client);
    this.#stretch(grown, client);
    this.#settle();
  }

  // --- which part is shown ---

  #room() { return { width: this.#view.clientWidth, height: this.#view.clientHeight }; }

  #least() { return Math.min(this.#most, fitting(this.frame, this.#room())); }

  #within(/** @type {number} */ wanted) { return clamp(wanted, this.#least(), this.#most); }

  #apply(/** @type {number} */ wanted) {
    const before = this.#scale;
    this.#scale = this.#within(wanted);
    this.#stage.style.width = `${this.frame.width * this.#scale}px`;
    this.#stage.style.height = `${this.frame.height * this.#scale}px`;
    this.#view.classList.toggle("zoomed", this.#scale > 1.01 * this.#least());
    if (this.#scale !== before) for (const listen of this.#scaled) listen(this.#scale);
  }

  #resized() {
    if (this.#scale < this.#least() || !this.#view.classList.contains("zoomed")) this.#apply(0);
  }

  /** @returns {Point} where the stage begins in the view: a small map stands in its middle */
  #inset() {
    const { width, height } = this.#room();
    return [Math.max(0, (width - this.frame.width * this.#scale) / 2), Math.max(0, (height - this.frame.height * this.#scale) / 2)];
  }

  /** @returns {Point} */
  #middle() {
    const box = this.#view.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  #lookAt(/** @type {Point} */ [x, y]) {
    const [right, down] = this.#inset();
    const { width, height } = this.#room();
    this.#view.scrollTo((x - this.frame.left) * this.#scale + right - width / 2, (y - this.frame.top) * this.#scale + down - height / 2);
  }

  #remember() {
    if (!this.#shelf) return;
    const [x, y] = this.at(this.#middle());
    sessionStorage.setItem(this.#shelf, JSON.stringify([this.#scale, x, y]));
  }

  #restore() {
    const known = this.#shelf && JSON.parse(sessionStorage.getItem(this.#shelf) ?? "null");
    if (!Array.isArray(known)) {
      this.#apply(0);
      return false;
    }
    const [scale, x, y] = known;
    this.#apply(scale);
    this.#lookAt([x, y]);
    return true;
  }

  // --- stretched by two fingers or the wheel ---

  #begin(/** @type {Point} */ client, distance = 0) {
    if (this.#gesture) return this.#gesture;
    const { left, top } = this.#stage.getBoundingClientRect();
    this.#gesture = { at: [client[0] - left, client[1] - top], from: [left, top], scale: this.#scale, grown: 1, client, apart: distance };
    return this.#gesture;
  }

  #stretch(/** @type {number} */ grown, /** @type {Point} */ client) {
    const gesture = this.#begin(client);
    gesture.grown = this.#within(gesture.scale * grown) / gesture.scale;
    gesture.client = client;
    const [x, y] = shifted(gesture.from, gesture.at, gesture.grown, client);
    this.#stage.style.transform = `translate(${x}px, ${y}px) scale(${gesture.grown})`;
  }

  #settle() {
    if (!this.#gesture) return;
    const { at, grown, client, scale } = this.#gesture;
    this.#gesture = null;
    this.#stage.style.transform = "";
    this.#apply(scale * grown);
    const box = this.#view.getBoundingClientRect();
    const [x, y] = this.#inset();
    this.#view.scrollTo(at[0] * grown - (client[0] - box.left) + x, at[1] * grown - (client[1] - box.top) + y);
    this.#remember();
  }

  // --- fingers, mouse, wheel and keys ---

  #listen() {
    const view = this.#view;
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#lift(event));
    view.addEventListener("pointercancel", (event) => this.#lift(event));
    /** @type {ReturnType<typeof setTimeout>} */
    let wheeling;
    view.addEventListener("wheel", (event) => {
      if (this.#shelf && !event.ctrlKey && !event.metaKey) return; // in a page a plain wheel moves the map, as it moves every page
      event.preventDefault();
      const gesture = this.#begin([event.clientX, event.clientY]);
      this.#stretch(gesture.grown * Math.exp(-event.deltaY / 300), gesture.client);
      clearTimeout(wheeling);
      wheeling = setTimeout(() => this.#settle(), 140);
    }, { passive: false });
    view.addEventListener("keydown", ({ key }) => {
      if (key === "+") this.zoom(STEP);
      if (key === "-") this.zoom(1 / STEP);
    });
  }

  #down(/** @type {PointerEvent} */ event) {
    if (event.button) return;
    cancelAnimationFrame(this.#gliding);
    if (!this.#fingers.size) {
      this.#moved = 0;
      this.#speed = [0, 0];
    }
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) {
      const two = [...this.#fingers.values()];
      this.#begin(between(two), apart(two));
      this.#moved = 99;
    }
    this.#view.setPointerCapture(event.pointerId);
  }

  #move(/** @type {PointerEvent} */ event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const two = [...this.#fingers.values()];
    if (this.#gesture?.apart && two.length === 2) this.#stretch(apart(two) / this.#gesture.apart, between(two));
    else if (two.length === 1) this.#drag([event.clientX - before[0], event.clientY - before[1]], event.timeStamp);
  }

  #drag(/** @type {Point} */ [x, y], /** @type {number} */ time) {
    this.#moved += Math.hypot(x, y);
    if (this.#moved < STILL) return;
    const past = Math.max(1, time - this.#stamp);
    this.#speed = [0.7 * (x / past) + 0.3 * this.#speed[0], 0.7 * (y / past) + 0.3 * this.#speed[1]];
    this.#stamp = time;
    this.#view.scrollBy(-x, -y);
  }

  #lift(/** @type {PointerEvent} */ event) {
    const client = this.#fingers.get(event.pointerId);
    if (!client) return;
    this.#fingers.delete(event.pointerId);
    if (this.#gesture?.apart) this.#settle();
    else if (this.#fingers.size) return;
    else if (this.#moved < STILL && event.type === "pointerup") for (const listen of this.#tapped) listen(this.at(client), client);
    else this.#glide(event.timeStamp);
  }

  // The map goes on a little after the finger has left.
  #glide(/** @type {number} */ time) {
    if (time - this.#stamp > 60 || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#remember();
      return;
    }
    let last = performance.now();
    const step = (/** @type {number} */ now) => {
      const past = Math.min(50, now - last);
      last = now;
      this.#view.scrollBy(-this.#speed[0] * past, -this.#speed[1] * past);
      const slower = Math.exp(-past / 180);
      this.#speed = [this.#speed[0] * slower, this.#speed[1] * slower];
      if (Math.hypot(...this.#speed) > 0.02) this.#gliding = requestAnimationFrame(step);
      else this.#remember();
    };
    this.#gliding = requestAnimationFrame(step);
  }
}
