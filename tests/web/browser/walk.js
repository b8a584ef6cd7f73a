// @ts-check
// What looks broken on a page, said in sentences. It runs in the page; walk.py sends it there.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Sides */
/** @typedef {{element: Element, words: string, box: Sides, floor: Element | null}} Run a line of text, as far as it can be seen */
/** @typedef {(fault: string) => void} Say */

/** Who is awaited, on one or two lines, so that nothing moves below it: all of them are in the table of everybody. */
const CLAMPED = ".play .status";
/** What is cut off or broken on purpose: older news, addresses and hashes, a sample of code, lists that are pushed sideways. */
const MEANT = ".latest li, .sr, .skip, .tv-switches, code, textarea, .proof dd";
const HAIR = 1.5; // pixels: rem and shares of a row are not whole
const LEAST_GAP = 4; // pixels between two buttons
const WORDS = /\S+/gu;
const PARTS = /[^\u00ad\u200b/–-]+[/–-]*/gu; // a word may be broken behind these, nowhere else
const ADDRESS = /[\w)][._:@/\\=]+\w/u; // an address, or the name of a file: broken anywhere

/** @returns {string[]} */
export function faults() {
  /** @type {Set<string>} */
  const found = new Set();
  const say = (/** @type {string} */ fault) => { found.add(fault); };
  const root = document.querySelector("dialog[open]") ?? document.body;
  lookAtPage(say);
  const texts = [...shownTexts(root)];
  for (const text of texts) lookForCuts(text, say);
  const runs = texts.flatMap(linesOf);
  lookForOverlaps(runs, say);
  for (const run of runs) lookForEdges(run, say);
  for (const one of root.querySelectorAll("*")) lookForHidden(one, say);
  lookAtButtons(root, runs, say);
  lookAtMaps(root, say);
  return [...found];
}

const visible = (/** @type {Element} */ one) =>
  one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
const short = (/** @type {string} */ words) => (words.length > 40 ? `${words.slice(0, 40)}…` : words);
const called = (/** @type {Element} */ one) => one.tagName.toLowerCase() + [...one.classList].map((name) => `.${name}`).join("");

/** @param {Say} say */
function lookAtPage(say) {
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && visible(one));
    say(`the page is ${scrollWidth} pixels wide, the window ${innerWidth}: ${wide.slice(0, 3).map(called).join(", ")}`);
  }
  if (document.body.matches(".tv") && innerWidth > 640 && scrollHeight > innerHeight + 1) say(`the page is ${scrollHeight} pixels high, the screen ${innerHeight}`);
}

/**
 * @param {Element} root
 * @returns {Generator<Text>}
 */
function* shownTexts(root) {
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = /** @type {Text} */ (node), one = text.parentElement;
    if (!one || !text.data.trim() || one.closest(`title, script, style, template, option, datalist, ${MEANT}`)) continue;
    if (parseFloat(getComputedStyle(one).fontSize) && visible(one)) yield text;
  }
}

// --- words ---

/**
 * @param {Text} text
 * @param {Say} say
 */
function lookForCuts(text, say) {
  const one = /** @type {Element} */ (text.parentElement);
  if (one instanceof SVGElement) return; // never broken
  const range = document.createRange();
  for (const { 0: word, index: from } of text.data.matchAll(WORDS)) {
    if (ADDRESS.test(word)) continue;
    for (const { 0: part, index } of word.matchAll(PARTS)) {
      range.setStart(text, from + index);
      range.setEnd(text, from + index + part.length);
      const rows = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
      if (rows.size > 1) say(`“${part}” is broken over ${rows.size} lines in ${called(one)}`);
    }
  }
}

// --- text over text ---

/**
 * @param {Text} text
 * @returns {Run[]}
 */
function linesOf(text) {
  const element = /** @type {Element} */ (text.parentElement);
  const range = document.createRange();
  range.selectNodeContents(text);
  const floor = floorOf(element), words = short(text.data.trim());
  return [...range.getClientRects()].flatMap((line) => {
    const box = seen(inked(line), element);
    return box ? [{ element, words, box, floor }] : [];
  });
}

/**
 * The part of a line's box where letters are: the rest is room above and below.
 * @param {DOMRect} line
 * @returns {Sides}
 */
const inked = ({ left, top, right, bottom }) => ({ left, right, top: top + (bottom - top) * 0.2, bottom: bottom - (bottom - top) * 0.2 });

/** What lies on a layer of its own, above the page: a bar, a message, the tools of a map. */
function floorOf(/** @type {Element} */ one) {
  for (let at = /** @type {Element | null} */ (one); at; at = at.parentElement) {
    if (["fixed", "sticky"].includes(getComputedStyle(at).position) || at.matches(".ground-tools")) return at;
  }
  return null;
}

/**
 * @param {Sides} box
 * @param {Element} element
 * @returns {Sides | null} what is left of it in the frames that it is scrolled in
 */
function seen(box, element) {
  let left = { ...box };
  for (let at = /** @type {Element | null} */ (element); at && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at), frame = at.getBoundingClientRect();
    if (overflowX !== "visible") left = { ...left, left: Math.max(left.left, frame.left), right: Math.min(left.right, frame.right) };
    if (overflowY !== "visible") left = { ...left, top: Math.max(left.top, frame.top), bottom: Math.min(left.bottom, frame.bottom) };
  }
  return left.right - left.left > 1 && left.bottom - left.top > 1 ? left : null;
}

/**
 * @param {Sides} one
 * @param {Sides} other
 * @returns {[across: number, down: number]} how far they lie over each other, in pixels
 */
const overlap = (one, other) => [Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];

/**
 * @param {Run[]} runs
 * @param {Say} say
 */
function lookForOverlaps(runs, say) {
  const rows = runs.toSorted((one, other) => one.box.top - other.box.top);
  for (const [at, one] of rows.entries()) {
    for (let next = at + 1; next < rows.length; next += 1) {
      const other = /** @type {Run} */ (rows[next]);
      if (other.box.top >= one.box.bottom) break;
      if (one.element === other.element || one.floor !== other.floor) continue;
      const [across, down] = overlap(one.box, other.box);
      const height = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
      if (across > 2 && down > Math.max(1.5, height * 0.25)) say(`“${one.words}” and “${other.words}” lie over each other`);
    }
  }
}

// --- what runs out of its box, or is cut off ---

/**
 * @param {Run} run
 * @param {Say} say
 */
function lookForEdges({ element, words, box, floor }, say) {
  if (box.left < -HAIR || box.right > innerWidth + HAIR) say(`“${words}” runs out of the page`);
  if (element instanceof SVGElement) return;
  const block = element.closest("button, .button, td, th, .seat, .panel, .goals li, .podium li, .notice, .eb-demand, .option, .task, fieldset");
  const frame = block?.getBoundingClientRect();
  if (block && frame && (!floor || floor.contains(block)) && getComputedStyle(block).display !== "contents" && (box.left < frame.left - HAIR || box.right > frame.right + HAIR))
    say(`“${words}” runs out of ${called(block)}`);
}

/**
 * @param {Element} one
 * @param {Say} say
 */
function lookForHidden(one, say) {
  if (!(one instanceof HTMLElement) || one.closest(`${CLAMPED}, ${MEANT}`) || !one.innerText.trim() || !visible(one)) return;
  const { overflowX, overflowY } = getComputedStyle(one);
  const hides = (/** @type {string} */ way) => way === "hidden" || way === "clip";
  const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
  if (one.matches(".bar") && wide > HAIR) say(`the bar is ${one.scrollWidth} pixels wide, there are ${one.clientWidth}`);
  if (one.matches(".ground-view, .alive, body, html") || (!one.clientWidth && !one.clientHeight)) return;
  if ((hides(overflowX) && wide > HAIR) || (hides(overflowY) && high > 3)) say(`“${short(one.innerText.trim().replace(/\s+/g, " "))}” is cut off in ${called(one)}`);
}

// --- buttons ---

/**
 * @param {Element} root
 * @param {Run[]} runs
 * @param {Say} say
 */
function lookAtButtons(root, runs, say) {
  const buttons = [...root.querySelectorAll(".button, button.choice, button.option")].filter((one) => visible(one) && !one.closest(".eb-modes"));
  const boxes = buttons.map((one) => ({ one, box: one.getBoundingClientRect(), floor: floorOf(one) }));
  for (const [at, { one, box, floor }] of boxes.entries()) {
    const name = short(/** @type {HTMLElement} */ (one).innerText.trim().replace(/\s+/g, " "));
    for (const other of boxes.slice(at + 1)) {
      if (other.floor !== floor || other.one.contains(one) || one.contains(other.one)) continue;
      const [across, down] = overlap(box, other.box);
      const touching = (across > 1 && down > -LEAST_GAP) || (down > 1 && across > -LEAST_GAP);
      if (touching) say(`the buttons “${name}” and “${short(/** @type {HTMLElement} */ (other.one).innerText.trim())}” touch each other`);
    }
    for (const run of runs) {
      if (run.floor !== floor || one.contains(run.element)) continue;
      const [across, down] = overlap(box, run.box);
      if (across > 0 && down > -1) say(`“${run.words}” touches the button “${name}”`);
    }
  }
}

// --- maps: names that are left out, and locomotives that stand on one ---

/**
 * @param {Element} root
 * @param {Say} say
 */
function lookAtMaps(root, say) {
  const names = [...root.querySelectorAll(".rail-names text, .eb-names .eb-name")].filter((one) => getComputedStyle(one).display !== "none");
  const missing = names.filter((one) => getComputedStyle(one).visibility === "hidden").map((one) => one.textContent);
  if (missing.length && document.querySelector(".ground-view")?.checkVisibility()) say(`${missing.length} of ${names.length} names are left out of the map: ${missing.join(", ")}`);
  const written = names.filter((one) => visible(one)).map((one) => ({ one, box: inked(one.getBoundingClientRect()) }));
  for (const train of root.querySelectorAll(".train, .eb-train")) {
    const place = train.getBoundingClientRect();
    for (const { one, box } of written) {
      const [across, down] = overlap(place, box);
      if (across > 2 && down > 2) say(`${train.querySelector("title")?.textContent ?? "a train"} lies under “${one.textContent}”`);
    }
  }
}
