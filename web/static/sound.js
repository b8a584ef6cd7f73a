// @ts-check
// What is heard and felt, made from tones and noise as it is needed: no files.

/** @typedef {"turn" | "dice" | "goal" | "end" | "late"} Cue */
/** @typedef {[begin: number, length: number, hertz: number]} Tone in seconds; no hertz: a rattle */

/** @type {Record<Cue, {tones: Tone[], felt: number[]}>} */
export const CUES = {
  turn: { tones: [[0, .14, 659], [.13, .3, 880]], felt: [90, 60, 90] },
  dice: { tones: [[0, .05, 0], [.09, .05, 0], [.16, .04, 0], [.28, .09, 0]], felt: [25, 40, 25] },
  goal: { tones: [[0, .12, 523], [.09, .12, 659], [.18, .12, 784], [.27, .4, 1047]], felt: [40, 40, 40, 40, 160] },
  end: { tones: [[0, .2, 392], [.18, .2, 523], [.36, .2, 659], [.54, .8, 784], [.54, .8, 1047]], felt: [250, 80, 250] },
  late: { tones: [[0, .1, 440], [.2, .1, 440], [.4, .2, 370]], felt: [60, 80, 60] },
};
const LOUD = .22;

/** @type {AudioContext | undefined} */
let context;

/** Browsers let nothing be heard before the first tap on a page. */
function unlock() {
  context ??= new AudioContext();
  if (context.state !== "running") context.resume();
}
for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, unlock, { passive: true });

/**
 * A tone of a soft bell: one wave and a little of its octave, fading.
 * @param {AudioContext} to
 * @param {Tone} tone
 */
function ring(to, [begin, length, hertz]) {
  const at = to.currentTime + begin, fading = to.createGain();
  fading.connect(to.destination);
  fading.gain.setValueAtTime(0, at);
  fading.gain.linearRampToValueAtTime(LOUD, at + .012);
  fading.gain.exponentialRampToValueAtTime(.0008, at + length + .15);
  for (const source of hertz ? waves(to, hertz) : [rattle(to)]) {
    source.connect(fading);
    source.start(at);
    source.stop(at + length + .16);
  }
}

/** @param {AudioContext} to */
const waves = (to, /** @type {number} */ hertz) => [hertz, 2 * hertz].map((frequency, octave) =>
  new OscillatorNode(to, { frequency, type: octave ? "sine" : "triangle" }));

/** @param {AudioContext} to */
function rattle(to) {
  const buffer = to.createBuffer(1, .05 * to.sampleRate, to.sampleRate), heard = buffer.getChannelData(0);
  for (let at = 0; at < heard.length; at++) heard[at] = (2 * Math.random() - 1) * Math.exp(-at / 300);
  return new AudioBufferSourceNode(to, { buffer });
}

/** Let it be heard, if anybody has touched the page yet, and felt, where a phone can. */
export function play(/** @type {Cue} */ cue) {
  if (context?.state === "running") for (const tone of CUES[cue].tones) ring(context, tone);
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(CUES[cue].felt);
}
