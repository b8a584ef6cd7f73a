// @ts-check
// Sheets to print: what is chosen is seen before it is printed, and who waits for a PDF sees that it is being made.
import { all, html, need } from "./elements.js";

const LONG = 60_000; // milliseconds; the largest map takes a quarter of that on a small box
const OFTEN = 300; // milliseconds

/** The PDF comes with a cookie that says which one it is: a browser that downloads it stays on this page, and tells nothing. */
const come = (/** @type {string} */ asked) => document.cookie.split("; ").includes(`sheet=${asked}`);

for (const form of /** @type {HTMLFormElement[]} */ (all(".sheet-form"))) {
  const look = /** @type {HTMLImageElement} */ (need(".sheet-look", form));
  const works = need("[data-works]", form);
  form.addEventListener("change", () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (name !== "paper" && name !== "asked") wanted.set(name, String(value));
    look.src = `${look.dataset.look}?${wanted}`;
  });
  /** @type {ReturnType<typeof setInterval>} */
  let waiting;
  form.addEventListener("submit", () => {
    const named = /** @type {HTMLInputElement} */ (need("[name=asked]", form));
    const since = Date.now(), asked = since.toString(36);
    [named.disabled, named.value] = [false, asked];
    works.replaceChildren(html("progress", { "aria-hidden": "true" }), works.dataset.works ?? "");
    works.scrollIntoView({ block: "nearest" });
    clearInterval(waiting);
    waiting = setInterval(() => {
      const here = come(asked);
      if (!here && Date.now() - since < LONG) return;
      clearInterval(waiting);
      works.replaceChildren((here ? works.dataset.done : works.dataset.late) ?? "");
    }, OFTEN);
  });
}

window.addEventListener("pageshow", () => { // back from the PDF
  for (const works of all(".sheet-form [data-works]")) works.replaceChildren();
});
