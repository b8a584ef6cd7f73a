// @ts-check
// Sheets to print: what is chosen is seen before it is printed, and who waits for a PDF sees that it is being made.
import { all, find, need } from "./elements.js";

for (const form of /** @type {HTMLFormElement[]} */ (all(".sheet-form"))) {
  const look = /** @type {HTMLImageElement} */ (need(".sheet-look", form));
  const works = need("[data-works]", form);
  form.addEventListener("change", () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (name !== "paper") wanted.set(name, String(value));
    look.src = `${look.dataset.look}?${wanted}`;
  });
  form.addEventListener("submit", () => { works.textContent = works.dataset.works ?? ""; });
}

window.addEventListener("pageshow", () => { // back from the PDF
  for (const form of all(".sheet-form")) {
    const works = find("[data-works]", form);
    if (works) works.textContent = "";
  }
});
