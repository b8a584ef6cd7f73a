// @ts-check
// The owner's own map: what is tapped becomes a line of corrections. Whether it can be so, the rules say.
import { all, hit, need, svg } from "/static/elements.js";
import { onMap } from "./laying.js";
import { changedLines, wayAt } from "./lines.js";
import { map, pitch, show } from "./map.js";
import { dots, nameAt, path, spot } from "./mileposts.js";

/** @typedef {"milepost" | "way" | "city"} Tool */
/** @typedef {{at: string, size: string, loads: string[]}} City */

/** @type {{cities: Record<string, City>, landmarks: [string, string][]}} */
const told = JSON.parse(need("#tools").dataset.told ?? "{}");
/** @type {HTMLTextAreaElement} */
const text = need("textarea");
const ASKS = {
  milepost: "Tap a milepost on the map, or write its name.",
  way: "Tap the middle of the way between two mileposts.",
  city: "Tap where the city lies, or choose it and write its milepost.",
};
const MARKS = { mountain: "eb-now-mountain", clear: "eb-now-clear", none: "eb-now-none" };
/** @type {Tool} */
let tool = "milepost";

const say = (/** @type {string} */ words) => { need("#say").textContent = words; };
/** @returns {HTMLFormElement} */
const form = (name = tool) => need(`#${name}`);
/**
 * @param {string} name
 * @returns {HTMLInputElement}
 */
const entry = (name, within = form()) => need(`[name=${name}]`, within);

/** @param {string} name of a milepost, or of a way */
function choose(name) {
  entry("name").value = name;
  const [city, about] = Object.entries(told.cities).find(([, one]) => one.at === name) ?? [];
  if (tool === "city" && city && about) describe(city, about);
  say(`${name}: what is printed there?`);
  paint();
}

/**
 * @param {string} city
 * @param {City} about
 */
function describe(city, about) {
  entry("city").value = city;
  entry("size").value = about.size;
  entry("loads").value = about.loads.join(", ");
}

/** @param {HTMLElement} button */
function wished({ dataset: { line = "", says, from } }) {
  const name = entry("name").value.trim().toLowerCase();
  const wrong = name.split("-").find((one) => !spot(one));
  if (wrong !== undefined || (tool === "way") !== name.includes("-")) {
    say(`${name} is no ${tool === "way" ? "way: they are called like am40-an39" : "milepost: they are called like ao38"}.`);
    return;
  }
  const value = says ?? (from ? entry(from).value.trim() : "");
  if (from && !value) {
    say("Say its name first.");
    return;
  }
  const words = line === "city" ? `city ${name} ${entry("size").value} ${entry("city").value}`
    : line === "loads" ? `loads ${entry("city").value}: ${entry("loads").value}`
    : `${line} ${name} ${value}`.trim();
  show(name.split("-"), Math.max(26, pitch()));
  text.value = changedLines(text.value, words);
  say(`Written down: ${words}. Check and keep the corrections when you are done.`);
  paint();
}

function paint() {
  const lines = [...text.value.matchAll(/^(terrain|river|channel|closed|open|city|country|coast) (\S+)(?: (\S+))?/gm)];
  /** @type {Record<string, string[]>} */
  const looks = {};
  for (const [, kind = "", where = "", value = ""] of lines) {
    const look = kind === "terrain" ? (MARKS[/** @type {keyof typeof MARKS} */ (value)] ?? "") : `eb-now-${kind}`;
    const drawn = where.includes("-") ? path(where.split("-")) : dots([where]);
    if (look) (looks[look] ??= []).push(drawn);
  }
  const chosen = entry("name").value.trim().toLowerCase().split("-");
  const layer = Object.entries(looks).map(([look, drawn]) => svg("path", { class: look, d: drawn.join("") }));
  map?.hand.replaceChildren(...layer, svg("path", { class: "eb-chosen", d: tool === "way" ? path(chosen) : dots(chosen) }));
}

map?.onTap((point, client) => {
  const name = tool === "way" ? wayAt(point) : nameAt(point);
  if (pitch() < 15) map?.zoom(26 / pitch(), client);
  else if (name) choose(name);
});
document.addEventListener("click", (event) => {
  const wanted = hit(event, "[data-tool]")?.dataset.tool;
  if (!wanted) return;
  tool = /** @type {Tool} */ (wanted);
  for (const button of all("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  for (const one of /** @type {Tool[]} */ (Object.keys(ASKS))) form(one).hidden = one !== tool;
  say(ASKS[tool]);
  paint();
});
for (const one of Object.keys(ASKS)) {
  form(/** @type {Tool} */ (one)).addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter) wished(event.submitter);
  });
}
entry("city", form("city")).addEventListener("change", ({ target }) => {
  const name = /** @type {HTMLSelectElement} */ (target).value, about = told.cities[name];
  if (!about) return;
  describe(name, about);
  entry("name").value = about.at;
  show([about.at], Math.max(26, pitch()));
  paint();
});
text.addEventListener("input", paint);
paint();
onMap(told.landmarks);
