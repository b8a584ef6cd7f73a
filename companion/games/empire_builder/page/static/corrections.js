"use strict";
// The owner's own map: a tapped milepost becomes a line of corrections. Whether it can be so, the rules say.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const form = document.getElementById("milepost");
  const text = document.querySelector("textarea");
  const SIGNS = { mountain: "eb-now-mountain", clear: "eb-now-clear", none: "eb-now-none" };

  function chosen(name) {
    form.elements.name.value = name;
    document.getElementById("say").textContent = `${name}: what is printed there?`;
    paint();
  }

  // One line a milepost: a later word about the same one takes the place of the earlier.
  function correct(name, terrain) {
    const others = text.value.split("\n").filter((line) => line.trim() && !line.startsWith(`terrain ${name} `));
    text.value = `${[...others, `terrain ${name} ${terrain}`].join("\n")}\n`;
    document.getElementById("say").textContent = `${name} will be ${terrain === "none" ? "no milepost" : terrain}. Check and keep the corrections when you are done.`;
    paint();
  }

  function paint() {
    const found = { mountain: [], clear: [], none: [] };
    for (const [, name, terrain] of text.value.matchAll(/^terrain ([a-z]+\d+) (mountain|clear|none)/gm)) found[terrain].push(name);
    const layer = Object.entries(found).map(([terrain, names]) => path(SIGNS[terrain], names));
    EbMap.hand.replaceChildren(...layer, path("eb-chosen", [form.elements.name.value].filter(Boolean)));
  }

  function path(name, names) {
    const made = document.createElementNS(SVG, "path");
    made.setAttribute("class", name);
    made.setAttribute("d", EbMap.dots(names));
    return made;
  }

  EbMap.onTap((point, client) => {
    if (EbMap.pitch() < 15) EbMap.zoom(26 / EbMap.pitch(), client); else chosen(EbMap.nameAt(point));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const terrain = event.submitter?.dataset.terrain;
    const name = form.elements.name.value.trim().toLowerCase();
    if (!EbMap.spot(name)) { document.getElementById("say").textContent = `${name} is no milepost: they are called like ao38.`; return; }
    EbMap.show([name], Math.max(26, EbMap.pitch()));
    correct(name, terrain);
  });
  text.addEventListener("input", paint);
  paint();
})();
