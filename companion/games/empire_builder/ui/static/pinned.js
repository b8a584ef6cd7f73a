// @ts-check
// The chosen demand stays under the map, with all that its card says; a tap lets it go.
import { html, need } from "/static/elements.js";
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
