// @ts-check
// "What can I do now?": what comes next glows, and one sentence says what it is for. A game names that in data-next, with
// its sentence, and the first that is on the page counts. Where nothing is named, whatever may be pressed glows.
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
  const step = all("[data-next]").find((one) => all(one.dataset.next ?? "").some(isSeen));
  const can = all(step?.dataset.next ?? `${CONTROLS}, ${DICE}, ${BOARD}`).filter(isSeen);
  for (const one of can) glow(one);
  setTimeout(() => { for (const one of can) one.classList.remove("glow"); }, LONG);
  const within = can.some((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  if (!within) can[0]?.scrollIntoView({ block: "center" });
  const told = [find("#say"), find(".headline .status")].map((one) => one?.textContent?.replaceAll(/\s+/g, " ").trim());
  const sentence = step?.dataset.says || told.find(Boolean);
  if (sentence) say(sentence, false);
  const toast = find("#toast"), menu = find("header.top")?.getBoundingClientRect().bottom ?? 0;
  if (toast && menu > 0) toast.style.top = `${menu}px`; // the pages' menu stays in sight
}
