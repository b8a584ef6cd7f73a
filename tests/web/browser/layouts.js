// @ts-check
// What does not fit on the table's screen, said in sentences. It runs in the page; layouts.py sends it there.

/** @typedef {(problem: string) => void} Say */

const CARDS = ".joining.between, .seat, .goals li, .tv-lead, .eb-event, .rail-table > *, .latest";
const NEIGHBOURS = ".seat, .shared:not(:has(.ground-view)), .ground-view, .tv-lead, .goals li";
const FILLED = ".finale-head, .finale-board, .podium, .finale-curves, .tv-lead, .seat, .shared, .ground-view, .rail-table, .tv-foot";
const hair = () => 2 + innerWidth / 1000; // pixels are whole, rem are not, and a line is higher than its letters

/** @param {number} smallest text, as a share of the height of a screen that lies */
export function problems(smallest) {
  /** @type {Set<string>} */
  const found = new Set();
  const say = (/** @type {string} */ problem) => { found.add(problem); };
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) say(`the page is ${scrollWidth} x ${scrollHeight}`);
  const least = smallest * Math.min(innerHeight, (innerWidth * 9) / 16) - 0.5;
  const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) lookAtText(/** @type {Text} */ (text), least, say);
  for (const card of document.querySelectorAll(".seat")) lookAtCard(card, say);
  return [...found];
}

/**
 * @param {Text} text
 * @param {number} least
 * @param {Say} say
 */
function lookAtText(text, least, say) {
  const one = /** @type {HTMLElement} */ (text.parentElement), words = text.data.trim().slice(0, 30);
  const look = getComputedStyle(one);
  if (!words || !one.getClientRects().length || look.visibility === "hidden") return;
  if (one.closest("title, .sr, details:not([open]) > :not(summary), .link")) return;
  const drawing = /** @type {any} */ (one).ownerSVGElement, drawn = drawing && /** @type {any} */ (one).getScreenCTM();
  const size = parseFloat(look.fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
  if (size < least) say(`"${words}" is ${size.toFixed(1)} px high, not ${least.toFixed(1)}`);
  if (look.textOverflow === "ellipsis" && look.whiteSpace === "nowrap") return; // older news may end in dots
  const range = document.createRange();
  range.selectNodeContents(text);
  for (const box of range.getClientRects()) if (box.width) lookAtLine(one, box, words, Boolean(drawing), say);
}

/**
 * @param {Element} one
 * @param {DOMRect} box of a line of its text
 * @param {string} words
 * @param {boolean} drawn
 * @param {Say} say
 */
function lookAtLine(one, box, words, drawn, say) {
  if (outside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) say(`"${words}" is off the screen`);
  if (drawn) return;
  const card = one.closest(CARDS);
  if (card && outside(box, card.getBoundingClientRect())) say(`"${words}" is outside its card`);
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const seen = top && !top.closest(".tv-switches"); // those come only with a mouse
  if (seen && !one.contains(top) && !top.contains(one)) say(`"${words}" lies under ${top.className}`);
}

/** @typedef {Pick<DOMRect, "left" | "top" | "right" | "bottom">} Sides */
/**
 * @param {Sides} box
 * @param {Sides} around
 */
const outside = (box, around) =>
  box.left < around.left - hair() || box.top < around.top - hair() || box.right > around.right + hair() || box.bottom > around.bottom + hair();

/**
 * @param {Element} card
 * @param {Say} say
 */
function lookAtCard(card, say) {
  const box = card.getBoundingClientRect();
  if (outside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) say("a card is off the screen");
  for (const picture of card.querySelectorAll("svg.board, .train-tiles, .freight, .eb-progress")) {
    if (outside(picture.getBoundingClientRect(), box)) say("a picture is outside its card");
  }
  for (const other of document.querySelectorAll(NEIGHBOURS)) {
    if (other === card || other.contains(card) || getComputedStyle(card).visibility === "hidden") continue;
    const near = other.getBoundingClientRect();
    const across = Math.min(box.right, near.right) - Math.max(box.left, near.left);
    const down = Math.min(box.bottom, near.bottom) - Math.max(box.top, near.top);
    if (across > 1 && down > 1) say(`a card lies over ${other.className}`);
  }
}

/** How much of the screen is not left empty. */
export function used() {
  const steps = [...Array(40).keys()].map((step) => (step + 0.5) / 40);
  const filled = steps.flatMap((x) => steps.filter((y) => document.elementFromPoint(innerWidth * x, innerHeight * y)?.closest(FILLED)));
  return filled.length / steps.length ** 2;
}
