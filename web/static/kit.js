// @ts-check
// Acting at the table and saying what came of it, in words for people.
import { get, post, Refusal } from "./api.js";
import { button, closeSheet, html, openSheet } from "./elements.js";
import { _ } from "./words.js";

/** @typedef {{kind: string, data?: Record<string, any>, as_host?: boolean}} Action */

// --- the match this page plays, and acting in it ---

/** The address of something of this page's match. */
export const inMatch = (/** @type {string} */ what) => `${document.body.dataset.at ?? `/api/v1/matches/${document.body.dataset.playing}`}/${what}`;

/**
 * Ask for the present state of every piece of the page; live.js does that.
 * @returns {Promise<void>} when it is shown
 */
export const refresh = () => new Promise((resolve) => {
  document.addEventListener("refreshed", () => resolve(), { once: true });
  document.dispatchEvent(new Event("refresh"));
});

/**
 * Do something that may be refused. What is no refusal is a fault, and thrown on.
 * @template T
 * @param {() => Promise<T>} work
 * @param {(refusal: Refusal) => void} refused
 * @returns {Promise<T | undefined>} nothing if it was refused
 */
export async function trying(work, refused = (refusal) => say(refusal.message, true)) {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    refused(problem);
    return undefined;
  }
}

/**
 * Send an action. The box's own sentence says why it is refused, or what there is to remark.
 * @param {Action} action
 * @param {(refusal: Refusal) => void} [refused] says it elsewhere, or shows what it is about
 * @returns {Promise<boolean>} was it done?
 */
export async function act(action, refused) {
  const seen = Number(document.body.dataset.seen); // two who press Roll at once get one roll
  const wish = action.kind === "roll" && seen ? { ...action, seen } : action;
  const done = await trying(() => post(inMatch("actions"), wish), refused);
  const remarks = done?.data?.remarks ?? [];
  if (remarks.length) say(remarks.join("; "), true);
  refresh();
  return done !== undefined;
}

/** Take back the last step, or the step that the controls name. */
export const undo = (/** @type {string | undefined} */ last) => act({ kind: "undo", data: Number(last) ? { seq: Number(last) } : {} });

/**
 * Questions to the box of which only the latest counts.
 * @returns {(about: string, data: unknown) => Promise<any>} the answer, `{refused: sentence, code}`, or nothing if
 *   something else was asked meanwhile
 */
export function asking() {
  let latest = 0;
  return async (about, data) => {
    const number = ++latest;
    const address = inMatch(`ask?about=${about}&data=${encodeURIComponent(JSON.stringify(data))}`);
    /** @type {any} */
    let refused;
    const told = await trying(() => get(address), (refusal) => { refused = { refused: refusal.message, code: refusal.code }; });
    return number === latest ? (refused ?? told.answer) : undefined;
  };
}

/**
 * Ask before something is done that cannot simply be taken back.
 * @param {string} question
 * @param {string} deed what the button that does it says
 * @returns {Promise<boolean>}
 */
export const agreed = (question, deed) => new Promise((resolve) => {
  const yes = button(deed, () => { resolve(true); closeSheet(); }, "");
  const sheet = openSheet(html("p", {}, question), html("p", { class: "row" }, yes, button(_("Never mind"), closeSheet)));
  sheet.setAttribute("aria-label", question);
  sheet.addEventListener("close", () => resolve(false));
});

/**
 * Change what was done, or, where everybody has to agree to that, propose it to them.
 * @param {Action} action
 * @param {string} question whether they shall be asked
 * @returns {Promise<boolean>} was it done?
 */
export async function actOrPropose(action, question) {
  let everybody = false;
  const done = await act(action, (refusal) => {
    everybody = refusal.code === "everybody";
    if (!everybody) say(refusal.message, true);
  });
  if (everybody && (await agreed(question, _("Ask everybody")))) await act({ kind: "propose", data: action.data ?? {} });
  return done;
}

/** @type {ReturnType<typeof setTimeout>} */
let hiding;

/**
 * Show a sentence for a while, or until it is tapped.
 * @param {string} words
 * @param {boolean} [bad]
 */
export function say(words, bad = false, stays = false) {
  hush();
  const away = html("button", { type: "button", "aria-label": _("Close this message") }, "×");
  const place = html("div", { id: "toast", role: bad ? "alert" : "status", class: bad ? "bad" : "", click: hush }, html("span", {}, upper(words)), away);
  document.body.append(place);
  if (!stays) hiding = setTimeout(hush, bad ? 9000 : 4000);
}

/** The message has been read. */
function hush() {
  clearTimeout(hiding);
  document.getElementById("toast")?.remove();
}

// --- words ---

/** A sentence with a capital letter. */
export const upper = (/** @type {string} */ words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * @param {number} number
 * @param {string} one
 * @param {string} many
 */
export const count = (number, one, many) => (number === 1 ? one : many).replace("{n}", String(number));

/** A probability as people say it: never nothing, as it was offered. */
export const percent = (/** @type {number} */ share) => `${Math.max(1, Math.round(100 * share))} %`;
