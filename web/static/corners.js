// @ts-check
// Four corners that are dragged on a photograph, with a finger or with the arrow keys.
import { html, svg } from "./elements.js";
import { _ } from "./words.js";

/** @typedef {[x: number, y: number]} Corner */

const CORNERS = [_("top left"), _("top right"), _("bottom right"), _("bottom left")];
const STEPS = /** @type {Record<string, Corner>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/**
 * A photograph with four marks on it.
 * @param {string} source its address
 * @param {string} label
 * @param {(corners: Corner[]) => void} [moved]
 * @returns {Promise<{drawing: SVGSVGElement, corners: Corner[]}>} corners in its pixels, clockwise from the board's own top left
 */
export async function cornerMarks(source, label, moved = () => {}) {
  const image = html("img", { src: source });
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const shares = /** @type {Corner[]} */ ([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]);
  const corners = shares.map(([x, y]) => /** @type {Corner} */ ([x * width, y * height]));
  const outline = svg("polygon");
  const drawing = svg("svg", { class: "marking", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, svg("image", { href: image.src, width, height }), outline);
  const draw = () => {
    outline.setAttribute("points", corners.join(" "));
    moved(corners);
  };
  const handles = CORNERS.map((name, number) => handle(drawing, name, Math.max(width, height), corners[number] ?? [0, 0], (to) => {
    corners[number] = to;
    draw();
  }));
  drawing.append(...handles);
  draw();
  return { drawing, corners };
}

/**
 * A mark that a finger or the arrow keys move.
 * @param {SVGSVGElement} drawing
 * @param {string} name
 * @param {number} size of the picture, in its pixels
 * @param {Corner} at
 * @param {(to: Corner) => void} moved
 */
function handle(drawing, name, size, at, moved) {
  const label = _("{name} corner; arrow keys move it", { name });
  const circle = svg("circle", { class: "handle", r: size / 22, tabindex: 0, role: "button", "aria-label": label });
  const place = svg("g", {}, circle, svg("circle", { class: "dot", r: size / 220 }));
  const move = (/** @type {Corner} */ to) => {
    at = to;
    place.setAttribute("transform", `translate(${to.join(" ")})`);
    moved(to);
  };
  circle.addEventListener("pointerdown", (event) => {
    circle.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  circle.addEventListener("pointermove", (event) => {
    if (!circle.hasPointerCapture(event.pointerId)) return;
    const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
    move([to.x, to.y]);
  });
  circle.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? size / 40 : size / 400;
    move([at[0] + step[0] * far, at[1] + step[1] * far]);
  });
  move(at);
  return place;
}
