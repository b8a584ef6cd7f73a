// @ts-check
// The buttons that photograph. All that comes after the first tap is fetched then: most evenings need none of it.
import { find, hit, html, need, svg } from "./elements.js";
import { _, wordsOf } from "./words.js";

const photos = () => {
  if (!find("link[href^='/static/photo.css']")) document.head.append(html("link", { rel: "stylesheet", href: "/static/photo.css" }));
  return Promise.all([import("./photo.js"), wordsOf("photo.js")]).then(([script]) => script);
};

document.addEventListener("DOMContentLoaded", () => {
  if (!find("[data-photo][data-large]")) return;
  const camera = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M3 7h4l2-3h6l2 3h4v13H3z" }), svg("circle", { cx: 12, cy: 13, r: 4 }));
  find(".mine .ground-tools")?.append(html("button", { type: "button", class: "ground-tool photo-tool", "data-do": "photo", title: _("Photograph the map"), "aria-label": _("Photograph the map") }, camera));
});

document.addEventListener("change", async ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.files?.length) return;
  if (target.dataset.photo === undefined && target.dataset.scorePhotos === undefined && target.dataset.large === undefined) return;
  const { taken } = await photos();
  await taken(target);
});

document.addEventListener("click", async (event) => {
  if (hit(event, "[data-do=photo]")) {
    const input = need("[data-photo]");
    if (input.dataset.large === undefined) input.click();
    const { chosen } = await photos();
    await chosen();
  }
  if (hit(event, "[data-do=camera]")) {
    const { shoot } = await photos();
    await shoot();
  }
});
