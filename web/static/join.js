// @ts-check
// The join page: a typed code, one's name and mark as this phone remembers them, and asking to be let in.
import { post } from "./api.js";
import { all, find, hit, need } from "./elements.js";
import { trying } from "./kit.js";
import { me, remember } from "./me.js";
import { askedIn } from "./knock.js";

find("#code-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {HTMLInputElement} */
  const entry = need("#code");
  const code = entry.value.trim().toUpperCase();
  if (code.replace(/[^0-9A-Z]/g, "").length < 6) { location.assign(`/j/${encodeURIComponent(code)}`); return; }
  if (await trying(() => post("/api/v1/seats/arrive", { code }))) location.assign("/play");
});

// --- who this is ---

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
const field = (form, name) => need(`[name=${name}]`, form);

/** @param {HTMLFormElement} form */
const marksOf = (form) => /** @type {HTMLInputElement[]} */ (all("[name=colour]", form));

/**
 * @param {HTMLFormElement} form
 * @param {string} colour
 */
function mark(form, colour) {
  const tile = marksOf(form).find((one) => one.value === colour && !one.disabled);
  if (!tile) return;
  tile.checked = true;
  field(form, "shape").value = tile.dataset.shape ?? "";
}

/** @param {HTMLFormElement} form */
function begin(form) {
  const known = me();
  field(form, "device").value = known.device;
  if (known.name && !field(form, "name").defaultValue) field(form, "name").value = known.name;
  if (known.colour && !find("[name=seat]", form)) mark(form, known.colour); // a seat has a colour of its own
  if (!marksOf(form).some((one) => one.checked && !one.disabled)) mark(form, marksOf(form).find((one) => !one.disabled)?.value ?? "");
  const quick = need(".quick", form);
  need("b", quick).textContent = field(form, "name").value;
  quick.hidden = !known.name || !field(form, "name").value;
  form.classList.toggle("known", !quick.hidden);
  form.addEventListener("input", () => { need("b", quick).textContent = field(form, "name").value; });
  form.addEventListener("sent", () => {
    const tile = marksOf(form).find((one) => one.checked);
    const mark = tile ? { colour: tile.value, shape: tile.dataset.shape ?? "" } : {}; // a demonstration asks for the name only
    remember({ name: field(form, "name").value.trim(), ...mark });
  });
}

for (const form of /** @type {HTMLFormElement[]} */ (all("form.remembered"))) begin(form);

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.form) return;
  if (target.name === "colour") field(target.form, "shape").value = target.dataset.shape ?? "";
  if (target.name !== "seat") return;
  const { name, colour } = target.dataset;
  if (name && !name.startsWith("Seat ") && !me().name) field(target.form, "name").value = name;
  if (colour) mark(target.form, colour);
});

// --- asking to be let in ---

const asking = /** @type {HTMLFormElement | null} */ (find("#ask-in"));
if (asking) {
  asking.hidden = false;
  field(asking, "name").value = me().name;
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field(asking, "name").value.trim();
    remember({ name }); // the page after it asks for no name again
    askedIn({ what: "join", name }, need("#ask-says"));
  });
}
document.addEventListener("click", (event) => {
  const { again, code } = hit(event, "[data-again]")?.dataset ?? {};
  if (again) askedIn({ what: "seat", seat: Number(again), code: code ?? "" }, need("#again-says"));
});
