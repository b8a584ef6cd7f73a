// @ts-check
// The join page: a typed code (of the match, or of a seat on the move), and a seat's own colour and shape.
import { post } from "./api.js";
import { find, need } from "./elements.js";
import { trying } from "./kit.js";

find("#code-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {HTMLInputElement} */
  const entry = need("#code");
  const code = entry.value.trim().toUpperCase();
  if (code.replace(/[^0-9A-Z]/g, "").length < 6) { location.assign(`/j/${encodeURIComponent(code)}`); return; }
  if (await trying(() => post("/api/v1/seats/arrive", { code }))) location.assign("/play");
});

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "seat" || !target.form) return;
  const enter = (/** @type {string} */ name, value = "") => {
    /** @type {HTMLInputElement} */
    const field = need(`[name=${name}]`, /** @type {HTMLFormElement} */ (target.form));
    field.value = value;
  };
  const { name, colour, shape } = target.dataset;
  if (!name?.startsWith("Seat ")) enter("name", name);
  enter("colour", colour);
  enter("shape", shape);
});
