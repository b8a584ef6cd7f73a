// @ts-check
// A photographed map, seen from above, to be moved and zoomed: what is new is ringed in its owner's colour, what is
// doubtful has a number, what has vanished a cross. Rings are hollow: what they are around stays to be seen.
import { html, pressed, svg } from "./elements.js";
import { nearest, ZoomMap } from "./map.js";
import { _ } from "./words.js";

/** @typedef {import("./map.js").Point} Point */
/** @typedef {{line: Point[], look: string, says: string}} LaidSlot */
/** @typedef {{says: string, colours: string[]}} MarkWords */
/** @typedef {{size: Point, slots: Record<string, LaidSlot>, marks: Record<string, MarkWords>}} Overlay */
/**
 * @typedef {object} Wish what a picture shows
 * @property {string} picture
 * @property {Overlay} overlay
 * @property {Record<string, string>} cells marks by slot
 * @property {string[]} doubts slots, in the order of their numbers
 * @property {(slot: string) => void} tap on a doubt
 * @property {(words: string) => void} tell what was tapped
 */

const MOST = 3; // pixels of the window for one of the picture
const NEAR = 0.8; // as near as a tapped place is shown
const AROUND = 130; // pixels of the picture around it
const FINGER = 28, ASIDE = 30; // pixels of the window; a number stands so far beside its place

/** @param {Point[]} line */
export const middle = ([[x1, y1] = [0, 0], [x2, y2] = [x1, y1]]) => /** @type {Point} */ ([(x1 + x2) / 2, (y1 + y2) / 2]);

/**
 * Across a line, a step of one, upwards: where its number stands.
 * @param {Point[]} line
 * @returns {Point}
 */
export function across([[x1, y1] = [0, 0], [x2, y2] = [x1 + 1, y1]]) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [x, y] = [(y1 - y2) / long, (x2 - x1) / long];
  return y > 0 || (y === 0 && x < 0) ? [-x, -y] : [x, y];
}

/** @param {Point[][]} lines */
export const path = (lines) => lines.map((line) => `M${line.map(([x, y]) => `${x} ${y}`).join("L")}`).join("");

/**
 * Slots by how they are drawn: those that are in doubt apart, the others by look and owner.
 * @param {Overlay} overlay
 * @param {Record<string, string>} cells
 * @param {string[]} doubts
 * @returns {Record<string, string[]>} names of slots by the class of their lines
 */
export function grouped({ slots, marks }, cells, doubts) {
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const [name, { look, line }] of Object.entries(slots)) {
    if (!look || !line.length || doubts.includes(name)) continue;
    const [colour = ""] = marks[cells[name] ?? ""]?.colours ?? [];
    const group = look === "new" && colour ? `new colour-${colour}` : look;
    (found[group] ??= []).push(name);
  }
  return found;
}

export class Picture {
  /** @type {ZoomMap | null} */
  #map = null;
  #wish;
  #drawing;

  /** @param {Wish} wish */
  constructor(wish) {
    this.#wish = wish;
    const { picture, overlay, cells, doubts } = wish;
    const [width, height] = overlay.size;
    this.#drawing = svg("svg", { class: "board from-above", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": _("The map as it was photographed") });
    this.#drawing.append(svg("image", { href: picture, width, height }));
    const groups = grouped(overlay, cells, doubts);
    const lines = (/** @type {string[]} */ names) => path(names.flatMap((name) => (overlay.slots[name]?.line.length ? [overlay.slots[name].line] : [])));
    const every = lines([...Object.values(groups).flat(), ...doubts]);
    const hollow = svg("mask", { id: "hollow", maskUnits: "userSpaceOnUse", x: 0, y: 0, width, height }, svg("rect", { width, height, fill: "#fff" }), svg("path", { class: "inside", d: every }));
    const rings = svg("g", { mask: "url(#hollow)" });
    for (const [group, names] of Object.entries(groups)) {
      const d = lines(names);
      rings.append(svg("g", { class: `ring ${group}` }, svg("path", { class: "case", d }), svg("path", { class: "rim", d })));
    }
    const unsure = lines(doubts);
    rings.append(svg("g", { class: "ring unsure" }, svg("path", { class: "case", d: unsure }), svg("path", { class: "rim", d: unsure })));
    this.#drawing.append(hollow, rings, ...this.#crosses(groups.gone ?? []), ...doubts.map((name, at) => this.#badge(name, at + 1)));
    /** What is put on the page. */
    this.element = html("div", { class: "photo-map" },
      html("div", { class: "ground-view", tabindex: 0, role: "region", "aria-label": _("The photograph; it can be moved and zoomed") }, html("div", { class: "ground-stage" }, this.#drawing)));
  }

  /** Now that it is on the page: zoom and tap. */
  open() {
    const view = /** @type {HTMLElement} */ (this.element.firstElementChild);
    const map = new ZoomMap(view, MOST, "");
    map.addTool(_("New"), _("What is new or in doubt"), () => this.news());
    map.onScale((scale) => this.#drawing.style.setProperty("--px", String(1 / scale)));
    map.onTap((point) => this.#tapped(point));
    this.#map = map;
    this.news();
  }

  /** Show what is new, in doubt or gone; everything where nothing is. */
  news() {
    const lines = Object.values(this.#wish.overlay.slots).flatMap(({ line }) => line);
    if (lines.length) this.#map?.show(lines, NEAR, AROUND);
    else this.#map?.whole();
  }

  /** @param {string} name of a slot to look at */
  show(name) {
    const line = this.#wish.overlay.slots[name]?.line ?? [];
    if (line.length) this.#map?.show(line, 1.5 * NEAR, AROUND);
    for (const badge of this.#drawing.querySelectorAll(".badge")) badge.classList.toggle("chosen", /** @type {SVGElement} */ (badge).dataset.slot === name);
  }

  /** @param {Point} point */
  #tapped(point) {
    const { overlay, doubts, cells, tap, tell } = this.#wish;
    const reach = this.#map?.reach(FINGER) ?? 0;
    const placed = (/** @type {string[]} */ names) => names.flatMap((name) => {
      const line = overlay.slots[name]?.line ?? [];
      return line.length ? [/** @type {[string, Point]} */ ([name, middle(line)])] : [];
    });
    const numbers = placed(doubts).map(([name, at]) => {
      const [x, y] = across(overlay.slots[name]?.line ?? []), far = this.#map?.reach(ASIDE) ?? 0;
      return /** @type {[string, Point]} */ ([name, [at[0] + x * far, at[1] + y * far]]);
    });
    const doubt = nearest(point, numbers, reach) ?? nearest(point, placed(doubts), reach);
    const other = nearest(point, placed(Object.keys(overlay.slots)), reach);
    if (doubt) tap(doubt);
    else if (other) tell(this.#words(other, cells[other] ?? ""));
  }

  /**
   * @param {string} name
   * @param {string} mark
   */
  #words(name, mark) {
    const { slots, marks } = this.#wish.overlay;
    const { says = name, look = "" } = slots[name] ?? {};
    return `${says}: ${look === "gone" ? _("it was there before") : (marks[mark]?.says ?? _("nothing"))}`;
  }

  /** @param {string[]} names */
  #crosses(names) {
    return names.flatMap((name) => {
      const line = this.#wish.overlay.slots[name]?.line ?? [];
      if (!line.length) return [];
      const [x, y] = middle(line);
      return [svg("g", { class: "badge gone", transform: `translate(${x} ${y})` }, svg("g", { class: "sized" }, svg("circle", { r: 9 }), svg("path", { d: "M-4 -4L4 4M4 -4L-4 4" })))];
    });
  }

  /**
   * @param {string} name
   * @param {number} number
   */
  #badge(name, number) {
    const { overlay, tap } = this.#wish;
    const { line = [], says = name } = overlay.slots[name] ?? {};
    if (!line.length) return svg("g");
    const [x, y] = middle(line);
    const keydown = (/** @type {KeyboardEvent} */ event) => {
      if (!pressed(event)) return;
      event.preventDefault();
      tap(name);
    };
    const [right, down] = across(line).map((one) => one * ASIDE);
    const sign = svg("g", { transform: `translate(${right} ${down})` }, svg("circle", { class: "finger", r: 22 }), svg("circle", { r: 13 }), svg("text", { y: 5 }, String(number)));
    const inside = svg("g", { class: "sized" }, svg("path", { class: "stem", d: `M0 0L${right} ${down}` }), sign);
    return svg("g", { class: "badge", "data-slot": name, transform: `translate(${x} ${y})`, role: "button", tabindex: 0, "aria-label": _("{number}: {says}, not clear", { number, says }), keydown }, inside);
  }
}
