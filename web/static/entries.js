// @ts-check
// What somebody has typed and chosen in a form is there again when its page is loaded anew: nothing is typed twice.
import { all } from "./elements.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

const isTick = (/** @type {Field} */ field) => field.matches("[type=radio], [type=checkbox]");

/**
 * The fields of a form by what tells each of them.
 * @param {HTMLFormElement} form
 * @returns {Map<string, Field>}
 */
function fieldsOf(form) {
  const found = new Map();
  for (const field of /** @type {Field[]} */ (all("input:not([type=hidden], [type=file]), select, textarea", form))) {
    const known = `${field.name || field.id} ${isTick(field) ? field.value : ""}`;
    let at = 0;
    while (found.has(`${known} ${at}`)) at += 1;
    found.set(`${known} ${at}`, field);
  }
  return found;
}

/** @param {Field} field @returns {string | boolean} */
const entryOf = (field) => (isTick(field) ? /** @type {HTMLInputElement} */ (field).checked : field.value);

/** @param {Field} field @returns {string | boolean} as the page came */
function usual(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].find((one) => one.defaultSelected)?.value ?? field.options[0]?.value ?? "";
  return isTick(field) ? /** @type {HTMLInputElement} */ (field).defaultChecked : field.defaultValue;
}

/** @param {string} place @returns {Record<string, string | boolean>} */
function kept(place) {
  try { return JSON.parse(sessionStorage.getItem(place) ?? "{}"); } catch { return {}; } // private windows keep nothing
}

/**
 * Keep what is entered in a form until it is sent, in this tab.
 * @param {HTMLFormElement} form
 * @param {string} place
 */
export function keepEntries(form, place) {
  const before = kept(place);
  for (const [name, field] of fieldsOf(form)) {
    const entry = before[name];
    if (entry === undefined) continue;
    if (isTick(field)) /** @type {HTMLInputElement} */ (field).checked = Boolean(entry);
    else if (!(field instanceof HTMLSelectElement) || [...field.options].some(({ value }) => value === entry)) field.value = String(entry);
  }
  form.addEventListener("input", () => {
    const changed = [...fieldsOf(form)].filter(([, field]) => entryOf(field) !== usual(field)).map(([name, field]) => [name, entryOf(field)]);
    try { sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(changed))); } catch { /* see above */ }
  });
  form.addEventListener("sent", () => sessionStorage.removeItem(place));
}
