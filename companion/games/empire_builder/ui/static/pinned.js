// @ts-check
// The chosen demand stays under the map, with all that its card says; a tap lets it go.
import { all, html, need } from "/static/elements.js";
import { _ } from "/static/words.js";

/**
 * @param {HTMLElement[]} demands
 * @param {(demand: HTMLElement) => boolean} isChosen
 */
export function pin(demands, isChosen) {
  for (const one of demands) one.setAttribute("aria-pressed", String(isChosen(one)));
  const place = need("#eb-pinned"), demand = demands.find(isChosen);
  place.hidden = !demand;
  if (demand) place.replaceChildren(...[...demand.childNodes].map((one) => one.cloneNode(true)), html("span", { class: "sr" }, _("Forget it")));
}

/** The city of a demand that was tapped, by its name on the map, which may lie on the water beside it. */
export const namedAt = (/** @type {import("/static/map.js").Point} */ [x, y]) => all(".eb-names .eb-wanted").find((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return x > left && x < right && y > top && y < bottom;
})?.dataset.at;
