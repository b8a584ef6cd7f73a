// @ts-check
// The owner's own map: a tapped milepost becomes a line of corrections. Whether it can be so, the rules say.
import { need, svg } from "/static/elements.js";
import { map, pitch, show } from "./map.js";
import { dots, nameAt, spot } from "./mileposts.js";
import { _ } from "/static/words.js";

/** @type {HTMLFormElement} */
const form = need("#milepost");
/** @type {HTMLInputElement} */
const entry = need("[name=name]", form);
/** @type {HTMLTextAreaElement} */
const text = need("textarea");
const SIGNS = { mountain: "eb-now-mountain", clear: "eb-now-clear", none: "eb-now-none" };

const say = (/** @type {string} */ words) => { need("#say").textContent = words; };

/** @param {string} name */
function choose(name) {
  entry.value = name;
  say(_("{name}: what is printed there?", { name }));
  paint();
}

/**
 * One line a milepost: a later word about the same one takes the place of the earlier.
 * @param {string} name
 * @param {string} terrain
 */
function correct(name, terrain) {
  const others = text.value.split("\n").filter((line) => line.trim() && !line.startsWith(`terrain ${name} `));
  // After a whole map (JSON or a table) corrections begin with a line of their own.
  if (/^\s*(\{|what\b)/i.test(text.value) && !others.includes("corrections:")) others.push("corrections:");
  text.value = `${[...others, `terrain ${name} ${terrain}`].join("\n")}\n`;
  say(_("{name} will be {terrain}. Check and keep the corrections when you are done.", { name, terrain: terrain === "none" ? _("no milepost") : terrain }));
  paint();
}

function paint() {
  const found = [...text.value.matchAll(/^terrain ([a-z]+\d+) (mountain|clear|none)/gm)];
  const layer = Object.entries(SIGNS).map(([terrain, sign]) => {
    const names = found.flatMap(([, name = "", as]) => (as === terrain ? [name] : []));
    return svg("path", { class: sign, d: dots(names) });
  });
  map?.hand.replaceChildren(...layer, svg("path", { class: "eb-chosen", d: dots([entry.value].filter(Boolean)) }));
}

map?.onTap((point, client) => {
  const name = nameAt(point);
  if (pitch() < 15) map?.zoom(26 / pitch(), client);
  else if (name) choose(name);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = entry.value.trim().toLowerCase();
  if (!spot(name)) {
    say(_("{name} is no milepost: they are called like ao38.", { name }));
    return;
  }
  show([name], Math.max(26, pitch()));
  correct(name, event.submitter?.dataset.terrain ?? "");
});
text.addEventListener("input", paint);
paint();
