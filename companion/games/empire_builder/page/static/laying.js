// @ts-check
// A photograph of the owner's board under the map: laid by three mileposts that are known on both.
import { need } from "/static/elements.js";
import { affine } from "./affine.js";
import { map } from "./map.js";
import { spot } from "./mileposts.js";

/** @typedef {import("/static/map.js").Point} Point */

/** @type {HTMLImageElement} */
const raw = need("#photo-raw");
/** @type {HTMLImageElement} */
const photo = need("#photo");
/** @type {Point[]} */
let tapped = []; // in pixels of the photograph
/** @type {[string, string][]} */
let landmarks = []; // names, and the mileposts where they lie
/** @type {number[] | null} */
let laid = null; // from pixels of the photograph to units of the map

const say = (/** @type {string} */ words) => { need("#photo-say").textContent = words; };

/** @param {Blob} file */
async function take(file) {
  const address = URL.createObjectURL(file);
  raw.src = photo.src = address;
  try {
    await raw.decode();
    await photo.decode();
  } catch {
    say("This file cannot be shown as a picture: choose a JPEG or a PNG.");
    return;
  }
  begin();
}

function begin() {
  tapped = [];
  need("#photo-desk").hidden = false;
  ask();
}

function ask() {
  const [name] = landmarks[tapped.length] ?? [];
  say(`Tap the middle of ${name} in the photograph (${tapped.length + 1} of 3).`);
}

/** @param {MouseEvent} event */
function tap({ offsetX, offsetY }) {
  if (tapped.length === landmarks.length) return;
  tapped.push([(offsetX / raw.clientWidth) * raw.naturalWidth, (offsetY / raw.clientHeight) * raw.naturalHeight]);
  if (tapped.length < landmarks.length) ask();
  else finish();
}

function finish() {
  const places = landmarks.map(([, at]) => spot(at) ?? /** @type {Point} */ ([0, 0]));
  laid = affine(tapped, places);
  if (!laid) {
    say("These three lie on one line: tap the cities that are named.");
    begin();
    return;
  }
  need("#photo-desk").hidden = true;
  need("#again").hidden = need("#fade").hidden = photo.hidden = false;
  need("#ground-view").classList.add("over-photo");
  say("It lies under the map. Correct what differs.");
  lay();
}

function lay() {
  if (!laid || !map) return;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = laid, { left, top } = map.frame, { scale } = map;
  photo.style.width = `${photo.naturalWidth}px`;
  photo.style.transform = `matrix(${[a * scale, b * scale, c * scale, d * scale, (e - left) * scale, (f - top) * scale].join(",")})`;
}

/** @param {[string, string][]} known three cities and their mileposts */
export function onMap(known) {
  landmarks = known;
  raw.addEventListener("click", tap);
  need("#again").addEventListener("click", begin);
  need("#faded").addEventListener("input", ({ target }) => { photo.style.opacity = /** @type {HTMLInputElement} */ (target).value; });
  need("#photo-file").addEventListener("change", ({ target }) => {
    const file = /** @type {HTMLInputElement} */ (target).files?.[0];
    if (file) take(file);
  });
  map?.onScale(lay);
}
