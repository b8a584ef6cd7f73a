// @ts-check
// Four corners that are dragged on a photograph, with a finger or with the arrow keys.
import { html, svg } from "./elements.js";
import { _ } from "./words.js";

/** @typedef {[x: number, y: number]} Corner */

const CORNERS = [_("top left"), _("top right"), _("bottom right"), _("bottom left")];
const STEPS = /** @type {Record<string, Corner>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

const [GLASS, TIMES] = [0.3, 4]; // of the picture's shorter side: the magnifier; how much larger it shows things

/**
 * A photograph with four marks on it, and a magnifier for whoever moves one.
 * @param {string} source its address
 * @param {string} label
 * @param {(corners: Corner[]) => void} [moved]
 * @returns {Promise<{drawing: SVGSVGElement, corners: Corner[], glass: Magnifier}>} corners in its pixels, clockwise from the board's own top left
 */
export async function cornerMarks(source, label, moved = () => {}) {
  const image = html("img", { src: source });
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const shares = /** @type {Corner[]} */ ([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]);
  const corners = shares.map(([x, y]) => /** @type {Corner} */ ([x * width, y * height]));
  const outline = svg("polygon", { class: "marked-edge" });
  const shown = svg("g", { id: `marked-${source.split("/").pop()}` }, svg("image", { href: image.src, width, height }), outline);
  const drawing = svg("svg", { class: "marking", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, shown);
  const glass = magnifier(shown, [width, height]);
  const draw = () => {
    outline.setAttribute("points", corners.join(" "));
    moved(corners);
  };
  const handles = CORNERS.map((name, number) => handle(drawing, name, Math.max(width, height), corners[number] ?? [0, 0], (to) => {
    corners[number] = to;
    draw();
  }, glass));
  drawing.append(...handles, glass.element);
  draw();
  return { drawing, corners, glass };
}

/** @typedef {{element: SVGSVGElement, show: (at: Corner) => void, hide: () => void}} Magnifier */

/**
 * What lies under a finger, larger, in the corner farthest from it.
 * @param {SVGGElement} shown
 * @param {Corner} size of the picture
 * @returns {Magnifier}
 */
function magnifier(shown, [width, height]) {
  const side = GLASS * Math.min(width, height);
  const seen = side / TIMES;
  const element = svg("svg", { class: "glass", width: side, height: side, visibility: "hidden", "aria-hidden": "true" },
    svg("use", { href: `#${shown.id}` }));
  const cross = svg("path", { class: "cross" });
  element.append(cross);
  return {
    element,
    show([x, y]) {
      element.setAttribute("x", String(x < width / 2 ? width - side : 0));
      element.setAttribute("y", String(y < height / 2 ? height - side : 0));
      element.setAttribute("viewBox", `${x - seen / 2} ${y - seen / 2} ${seen} ${seen}`);
      cross.setAttribute("d", `M${x - seen / 2} ${y}h${seen}M${x} ${y - seen / 2}v${seen}`);
      element.setAttribute("visibility", "visible");
    },
    hide() { element.setAttribute("visibility", "hidden"); },
  };
}

/**
 * A mark that a finger or the arrow keys move.
 * @param {SVGSVGElement} drawing
 * @param {string} name
 * @param {number} size of the picture, in its pixels
 * @param {Corner} at
 * @param {(to: Corner) => void} moved
 * @param {Magnifier} glass
 */
function handle(drawing, name, size, at, moved, glass) {
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
    glass.show(at);
  });
  for (const ended of ["pointerup", "pointercancel"]) circle.addEventListener(ended, () => glass.hide());
  circle.addEventListener("pointermove", (event) => {
    if (!circle.hasPointerCapture(event.pointerId)) return;
    move(inPicture(drawing, event));
    glass.show(at);
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

/**
 * Where in the picture a pointer is, in its pixels.
 * @param {SVGSVGElement} drawing
 * @param {PointerEvent} event
 * @returns {Corner}
 */
export function inPicture(drawing, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
  return [x, y];
}
