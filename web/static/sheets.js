// @ts-check
// Sheets to print: what is chosen is seen before it is printed, and who waits for a PDF sees that it is being made.
import { all, html, need } from "./elements.js";

const LONG = 15_000; // milliseconds that the largest map takes on a small box

for (const form of /** @type {HTMLFormElement[]} */ (all(".sheet-form"))) {
  const look = /** @type {HTMLImageElement} */ (need(".sheet-look", form));
  const works = need("[data-works]", form);
  form.addEventListener("change", () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (name !== "paper") wanted.set(name, String(value));
    look.src = `${look.dataset.look}?${wanted}`;
  });
  form.addEventListener("submit", () => {
    works.replaceChildren(html("progress", { "aria-hidden": "true" }), works.dataset.works ?? "");
    setTimeout(() => works.replaceChildren(), LONG); // a browser that downloads the PDF stays here
  });
}

window.addEventListener("pageshow", () => { // back from the PDF
  for (const works of all(".sheet-form [data-works]")) works.replaceChildren();
});
