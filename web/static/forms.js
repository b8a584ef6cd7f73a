// @ts-check
// Forms that say what they send: data-post is the address; names like options.goals and players[] make nested JSON.
// Afterwards data-then goes to a page, data-reload shows this one anew, or only the part that it names; data-stays
// keeps the answer until it is closed, data-returns waits for a box that starts again.
import { post } from "./api.js";
import { find, need } from "./elements.js";
import { agreed, say, trying } from "./kit.js";

/** @typedef {Record<string, any>} Told */

/**
 * @param {Told} told
 * @param {string} name
 * @param {unknown} value
 */
function put(told, name, value) {
  const [first = "", ...rest] = name.split(".");
  if (rest.length) {
    told[first] ??= {};
    put(told[first], rest.join("."), value);
  } else if (first.endsWith("[]")) {
    const list = first.slice(0, -2);
    told[list] = [...(told[list] ?? []), value];
  } else told[first] = value;
}

/**
 * @param {Iterable<[name: string, value: unknown]>} entries
 * @returns {Told}
 */
export function nested(entries) {
  const told = {};
  for (const [name, value] of entries) put(told, name, value);
  return told;
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement} Field */

/** @param {Field} field */
function entered(field) {
  if (field instanceof HTMLInputElement && field.type === "checkbox" && !field.name.endsWith("[]")) return field.checked;
  if (field.dataset.type === "number") return Number(field.value);
  if (field.dataset.type === "number-or-nothing") return field.value.trim() ? Number(field.value) : null;
  if (field.dataset.type === "lines") return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
  return field.dataset.type === "json" ? JSON.parse(field.value) : field.value;
}

/** @param {HTMLFormElement} form */
function fields(form) {
  const told = /** @type {Field[]} */ ([...form.elements]).filter(
    (field) => field.name && !field.matches(":disabled, [type=radio]:not(:checked), [type=checkbox][name$='[]']:not(:checked)"),
  );
  return nested(told.map((field) => [field.name, entered(field)]));
}

/**
 * Show a part of the page as it is now; what is chosen and typed elsewhere on it stays.
 * @param {string} part its selector
 */
async function renew(part) {
  const answer = await fetch(location.href);
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  need(part).replaceWith(need(part, now));
}

/**
 * Wait for a box that starts again, and show its page anew once it no longer has this form.
 * @param {HTMLFormElement} form
 */
async function returned(form) {
  const same = `[data-post="${form.dataset.post}"]`;
  for (let tries = 0; tries < 60; tries += 1) {
    await new Promise((next) => { setTimeout(next, 2000); });
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null); // it is not there yet
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector(same)) {
      location.reload();
      return;
    }
  }
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const { post: address = "", method, empty, then, reload } = form.dataset;
  /** @type {HTMLButtonElement | null} */
  const button = find("button:not([type=button])", form);
  const question = form.dataset.ask ?? find("[data-question]", form)?.dataset.question;
  if (question && !(await agreed(question, button?.textContent?.trim() ?? ""))) return;
  if (button) button.disabled = true;
  const body = empty === undefined ? fields(form) : {};
  const told = await trying(() => post(address, body, method === "DELETE" ? "DELETE" : "POST"));
  if (button) button.disabled = false;
  if (told === undefined) return;
  form.dispatchEvent(new CustomEvent("sent", { bubbles: true, detail: told }));
  if (then) location.assign(then);
  else if (reload) await renew(reload);
  else if (reload !== undefined) location.reload();
  else if (told.message) say(told.message, false, form.dataset.stays !== undefined);
  if (form.dataset.returns !== undefined) await returned(form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.post === undefined) return;
  event.preventDefault();
  send(form);
});
