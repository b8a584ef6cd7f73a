// @ts-check
// "What can I do now?": whatever may be pressed at this moment glows, and one sentence says what it is for.
import { all, find } from "./elements.js";
import { say } from "./kit.js";

const LONG = 4000; // milliseconds
const CONTROLS = ".controls :is(button, select, input, .choice):not(:disabled, [data-do=undo], [hidden])";
const DICE = "[data-piece=dice] button:not(:disabled), [data-piece=hand-dice] button:not(:disabled)";
const BOARD = ".mine-board :is(.open, [role=button], .marker), .mine-board .hand-layer > *";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const isSeen = (/** @type {Element} */ one) => one.getClientRects().length > 0;

/** @param {Element} one */
function glow(one) {
  const rim = one instanceof SVGElement ? { filter: "drop-shadow(0 0 6px var(--lit-edge))" } : { outline: "4px solid var(--lit-edge)", outlineOffset: "1px" };
  one.classList.add("glow");
  one.animate([{ ...rim, opacity: 1 }, { ...rim, opacity: still.matches ? 1 : .55 }, { ...rim, opacity: 1 }], { duration: LONG / 3, iterations: 3 });
}

export function show() {
  const can = all(`${CONTROLS}, ${DICE}, ${BOARD}`).filter(isSeen);
  for (const one of can) glow(one);
  setTimeout(() => { for (const one of can) one.classList.remove("glow"); }, LONG);
  const within = can.some((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  if (!within) can[0]?.scrollIntoView({ block: "center" });
  const sentence = [find("#say"), find(".headline .status")].map((one) => one?.textContent?.replaceAll(/\s+/g, " ").trim()).find(Boolean);
  if (sentence) say(sentence, false);
}
