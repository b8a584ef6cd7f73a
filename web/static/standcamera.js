// @ts-check
// An old phone on a stand as the table's camera: it sends a picture every second, or, where its browser gives a page no
// camera (it does so on https only), one for each tap.
import { answerOf, key, post } from "./api.js";
import { stayAwake } from "./awake.js";
import { look } from "./cameraview.js";
import { find, hit, need } from "./elements.js";
import { say, trying } from "./kit.js";
import { shootTable } from "./tablephoto.js";
import { _ } from "./words.js";

const LONGEST = 2560, QUALITY = .85; // of the pictures sent
const sender = key();
const wanted = { video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } }, audio: false };

const says = (/** @type {string} */ words) => { need("#stand-says").textContent = words; };
const pause = (/** @type {number} */ seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** @type {MediaStream | undefined} */
let stream;

/**
 * @param {Blob} picture
 * @returns {Promise<{again: number, says: string}>}
 */
async function send(picture) {
  const answer = await fetch(`/api/v1/host/camera/pictures?sender=${sender}`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture });
  return answerOf(answer.status, await answer.json().catch(() => ({})));
}

/**
 * What is seen now, no larger than the box needs it.
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
function packed(source, width, height) {
  const share = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = /** @type {HTMLCanvasElement} */ (need("#stand-canvas"));
  [canvas.width, canvas.height] = [Math.round(width * share), Math.round(height * share)];
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/jpeg", QUALITY));
}

async function film() {
  const video = /** @type {HTMLVideoElement} */ (need("#stand-video"));
  try {
    stream = await navigator.mediaDevices.getUserMedia(wanted);
  } catch {
    say(_("The browser was not allowed to use the camera: allow it in its settings for this page."), true);
    return;
  }
  video.srcObject = stream;
  video.hidden = false;
  await video.play();
  stayAwake();
  await trying(() => post("/api/v1/host/settings", { settings: { camera: { name: "phone", watch: true } } }));
  for (const one of ["#stand-start", "#stand-tap"]) find(one)?.setAttribute("hidden", "");
  need("#stand-stop").hidden = false;
  while (stream) {
    let again = 2;
    if (!document.hidden) {
      try {
        const told = await send(await packed(video, video.videoWidth, video.videoHeight));
        again = told.again;
        says(told.says);
      } catch (problem) {
        says(problem instanceof Error ? problem.message : "");
      }
    }
    await pause(again);
  }
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  location.reload();
}

/** @param {File} file */
async function tapped(file) {
  const image = await createImageBitmap(file);
  await trying(() => post("/api/v1/host/settings", { settings: { camera: { name: "phone", watch: false } } }));
  says(_("The box reads the picture"));
  const sent = await trying(async () => send(await packed(image, image.width, image.height)));
  if (!sent) return;
  const { playing } = document.body.dataset;
  if (playing) await shootTable();
  says(playing ? "" : _("There is no match yet: begin one, then take the picture again."));
}

const films = window.isSecureContext && Boolean(navigator.mediaDevices);
need("#stand-start").hidden = !films;
need("#stand-tap").hidden = films;
document.addEventListener("click", (event) => {
  if (hit(event, "[data-do=film]")) film();
  else if (hit(event, "[data-do=stop-film]")) stop();
  else if (hit(event, "[data-do=look]")) look();
});
document.addEventListener("change", ({ target }) => {
  const file = target instanceof HTMLInputElement && target.id === "stand-photo" ? target.files?.[0] : undefined;
  if (file) tapped(file);
});
