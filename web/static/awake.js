// @ts-check
// The screen stays on while people play. Browsers have a wake lock for that, on https only. A box at home is on plain
// http: there a film of one still picture, drawn here, is played in a corner, for no browser goes dark during a film.
// Chromium and Firefox ask that it is a live picture in view; Safari, that it has sound, so there it gets a silent one.
import { html } from "./elements.js";

/** @typedef {"lock" | "film" | "tap" | "no"} State `tap`: as soon as the page is touched */

const SAFARI = "GestureEvent" in window;

/** @type {HTMLVideoElement | undefined} */
let film;
/** @type {WakeLockSentinel | undefined} */
let lock;
/** @type {ReturnType<typeof setInterval> | undefined} */
let painting;

function made() {
  const canvas = html("canvas", { width: 8, height: 8 });
  const brush = canvas.getContext("2d");
  const stream = canvas.captureStream(2);
  let dark = false;
  painting = setInterval(() => {
    if (!brush) return;
    dark = !dark; // a picture that never changes is none
    brush.fillStyle = dark ? "#000" : "#010101";
    brush.fillRect(0, 0, 8, 8);
  }, 500);
  if (SAFARI) stream.addTrack(/** @type {MediaStreamTrack} */ (new AudioContext().createMediaStreamDestination().stream.getAudioTracks()[0]));
  const video = html("video", { class: "awake", playsinline: true, "aria-hidden": "true", tabindex: -1 });
  video.muted = !SAFARI;
  video.srcObject = stream;
  document.body.append(video);
  return video;
}

/** @returns {Promise<State>} how it is done here */
export async function stayAwake() {
  if (navigator.wakeLock) {
    try {
      if (!lock || lock.released) lock = await navigator.wakeLock.request("screen");
      return "lock";
    } catch { /* not now: a battery that is nearly empty, or a page out of sight. The film may still do. */ }
  }
  if (!HTMLCanvasElement.prototype.captureStream) return "no";
  film ??= made();
  try {
    await film.play();
    return "film";
  } catch { return "tap"; }
}

export function sleepAgain() {
  lock?.release();
  clearInterval(painting);
  film?.remove();
  film = lock = undefined;
}
