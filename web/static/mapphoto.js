// @ts-check
// Photographs of a map: of my turn or of everything, in one picture or in several that are joined. What was read lies
// over the picture; what is doubtful has a number and is settled by a tap. The umpire's match gets a proposal, which one
// tap accepts; for the scorekeeper a photograph that shows everything is the report.
import { post } from "./api.js";
import { button, closeSheet, find, html, need, openSheet } from "./elements.js";
import { act, inMatch, refresh, say, undo, upper } from "./kit.js";
import { Picture } from "./mappicture.js";
import { markCorners, said, send, sheetOf, unanswered, waiting } from "./photo.js";
import { _ } from "./words.js";

/** @typedef {import("./photo.js").Answers} Answers */
/** @typedef {import("./photo.js").Corner} Corner */
/** @typedef {import("./photo.js").Option} Option */
/** @typedef {"turn" | "whole"} Scope */
/**
 * @typedef {object} Told
 * @property {string} photo
 * @property {string} outcome
 * @property {string[]} says
 * @property {string} picture
 * @property {import("./photo.js").Ruling | null} ruling
 * @property {{seq: number} | null} done
 * @property {import("./kit.js").Action | null} proposed
 * @property {import("./mappicture.js").Overlay | null} overlay
 * @property {{parts: string[], missing: string}} shown
 */

// --- what is asked for ---

/** @type {Scope | null} */
let chosen = null;
/** @type {string[]} */
let photos = []; // those that are read as one, the latest last
/** @type {Corner[] | null} */
let corners = null;

const umpire = () => find("[data-piece=controls] [data-mode]")?.dataset.mode !== "scorekeeper";
const scope = () => chosen ?? (umpire() ? "turn" : "whole");

/** @param {string[]} parts earlier photographs of the same map */
const wishes = (parts) => ({ scope: scope(), propose: umpire() ? "always" : "parts", parts: parts.join(",") });

const style = new Promise((resolve) => {
  document.head.append(html("link", { rel: "stylesheet", href: "/static/mapphoto.css", load: resolve, error: resolve }));
});

/** @param {(to: Scope) => void} changed */
function scopes(changed) {
  const one = (/** @type {Scope} */ to, /** @type {string} */ words) =>
    html("button", { type: "button", "aria-pressed": String(scope() === to), click: () => changed(to) }, words);
  return html("div", { class: "scopes", role: "group", "aria-label": _("What the photograph is about") }, one("turn", _("My last turn")), one("whole", _("The whole map")));
}

/** What to photograph, and with what. */
export async function choose() {
  await style;
  photos = [];
  corners = null;
  /** @type {HTMLInputElement} */
  const input = need("[data-photo]");
  const camera = input.dataset.camera === undefined ? [] : [button(_("The box's camera"), () => shoot([]))];
  openSheet(
    html("h2", {}, _("Photograph the map")),
    scopes((to) => {
      chosen = to;
      choose();
    }),
    html("p", {}, _("From above, with its corners in the picture, and hands away.")),
    html("p", { class: "soft" }, _("Does it not fit? Photograph one half, then the other: they are read as one.")),
    html("p", { class: "photo-ways" }, button(_("Take a picture"), () => pick(false), ""), ...camera, button(_("Choose pictures"), () => pick(true)), button(_("Never mind"), closeSheet)),
  );
}

/** @param {boolean} kept pictures that are on this device already; else its camera */
function pick(kept) {
  /** @type {HTMLInputElement} */
  const input = need("[data-photo]");
  input.toggleAttribute("multiple", kept);
  if (kept) input.removeAttribute("capture");
  else input.setAttribute("capture", "environment");
  input.click();
}

// --- sending, one picture or several ---

/** @param {File[]} files */
export async function photographed(files) {
  await style;
  if (!find(".photo-sheet[open]")) { // no part of what was photographed before
    photos = [];
    corners = null;
  }
  for (const [number, file] of files.entries()) {
    const last = number === files.length - 1;
    const asked = last ? wishes(photos) : { ...wishes(photos), propose: "always" };
    const title = files.length > 1 ? _("Photograph {number} of {files}", { number: number + 1, files: files.length }) : _("Sending");
    const told = await waiting(title, (progress) => send(`${inMatch("photos")}?${new URLSearchParams(asked)}`, file, progress));
    if (!told) return;
    if (!(await taken(told, last))) return;
  }
}

/** @param {string[]} parts */
async function shoot(parts) {
  const told = await waiting(_("The box takes a picture: hands away"), () => post(inMatch("photos/camera"), wishes(parts)));
  if (told) await taken(told, true);
}

/**
 * @param {Told} told
 * @param {boolean} last of several that are sent at once
 */
async function taken(told, last) {
  if (!told.overlay && photos.length) { // it shows nothing that could be joined: what was there before stays
    await again({});
    say(told.says[0] ?? _("nothing of the map is in that picture"), true);
    return false;
  }
  photos = told.overlay ? [...photos, told.photo] : [told.photo];
  if (last) await show(told);
  return true;
}

/**
 * Ask the rules again: with answers, or about something else.
 * @param {Answers} answers
 */
async function again(answers) {
  const photo = photos.at(-1);
  const wish = { ...wishes(photos.slice(0, -1)), answers, corners };
  const told = await waiting(_("Asking the rules"), () => post(inMatch(`photos/${photo}/answers`), wish));
  if (told) await show(told, answers);
}

/**
 * @param {string} photo
 * @param {Corner[]} marked
 */
export async function withCorners(photo, marked) {
  photos = [photo];
  corners = marked;
  await again({});
}

// --- what came of it ---

/**
 * @param {Told} told
 * @param {Answers} answers
 */
async function show(told, answers = {}) {
  await refresh();
  if (!told.overlay) lost(told);
  else if (told.outcome === "ask" && told.ruling) ask(told, answers);
  else settled(told);
}

/** @param {Told} told */
function lost(told) {
  const sheet = sheetOf();
  const marking = sheet.corners ? [button(_("Mark the corners"), () => markCorners(sheet, told))] : [];
  openSheet(
    html("h2", {}, _("The map was not found")),
    said(told.says),
    html("p", { class: "row" }, button(_("Photograph it again"), choose, ""), ...marking, button(_("Close"), closeSheet)),
  );
}

/**
 * A dialog as large as the window: the picture, and beside or under it what there is to say and to do.
 * @param {Told} told
 * @param {string[]} doubts
 * @param {(slot: string) => void} tap
 * @param {string} title
 * @param {...(Node | string)} inside
 */
function sheet(told, doubts, tap, title, ...inside) {
  const heard = html("p", { class: "heard", role: "status" });
  const overlay = /** @type {import("./mappicture.js").Overlay} */ (told.overlay);
  const picture = new Picture({
    picture: told.picture, overlay, cells: told.ruling?.cells ?? {}, doubts, tap,
    tell: (words) => { heard.textContent = upper(words); },
  });
  const opened = openSheet(picture.element, html("div", { class: "beside-photo" }, html("h2", { tabindex: -1 }, title), heard, ...inside));
  opened.classList.add("photo-sheet");
  picture.open();
  need("h2", opened).focus(); // what came of it is read out first
  return picture;
}

/**
 * What the photographs show together, and what is still missing.
 * @param {Told} told
 */
function parts({ shown, done }) {
  const line = (/** @type {string} */ words, /** @type {number} */ at) => {
    const told = { number: at + 1, part: words || _("nothing more") };
    return html("li", {}, at ? _("Photograph {number} adds {part}", told) : _("Photograph {number} shows {part}", told));
  };
  const each = shown.parts.length > 1 ? [html("ul", { class: "photo-parts" }, ...shown.parts.map(line))] : [];
  if (!shown.missing || done) return each;
  const more = button(_("Photograph it as well"), () => pick(false));
  const camera = need("[data-photo]").dataset.camera === undefined ? [] : [button(_("With the box's camera"), () => shoot(photos))];
  return [...each, html("div", { class: "notice" }, html("p", {}, upper(_("{part} is not in the picture: it stays as it was.", { part: shown.missing }))), html("p", { class: "row" }, more, ...camera))];
}

/** @param {Told} told */
function headline({ ruling, done, proposed, outcome }) {
  const number = ruling?.changed.length ?? 0;
  const what = `${number} ${number === 1 ? _("new segment of track") : _("new segments of track")}`;
  if (done) return number ? _("Entered: {what}", { what }) : _("Entered: nothing has changed");
  if (proposed) return number ? _("{what}: is that right?", { what }) : _("Is that right?");
  return outcome === "refused" ? _("Not entered") : _("Nothing new is seen");
}

/** @param {Told} told */
function settled(told) {
  const { done, proposed } = told;
  const yes = () => {
    closeSheet();
    if (proposed) act(proposed);
  };
  const back = () => {
    closeSheet();
    if (done) undo(String(done.seq));
  };
  const rescope = (/** @type {Scope} */ to) => {
    chosen = to;
    again({});
  };
  const row = done
    ? [button(_("Looks right"), closeSheet, ""), button(_("Take it back"), back)]
    : [...(proposed ? [button(_("Enter it"), yes, "")] : []), button(_("Photograph again"), choose), button(proposed ? _("Not now") : _("Close"), closeSheet)];
  sheet(told, [], () => {}, headline(told), ...parts(told), told.says.length ? said(told.says) : "", done ? "" : scopes(rescope), html("p", { class: "row" }, ...row));
}

// --- what is doubtful ---

/**
 * @param {Told} told
 * @param {Answers} answers
 */
function ask(told, answers) {
  const ruling = /** @type {import("./photo.js").Ruling} */ (told.ruling);
  const overlay = /** @type {import("./mappicture.js").Overlay} */ (told.overlay);
  const doubts = Object.keys(ruling.questions);
  const panel = html("div", { class: "asking" });
  const more = [...parts(told), told.says.length ? said(told.says) : ""]; // below the answers: they are in sight first
  const picture = sheet(told, doubts, (slot) => about(slot), "", panel, ...more);
  const title = need("h2", need(".beside-photo"));
  /** @type {Answers} */
  let now = { ...answers };

  /** @param {string} slot */
  const about = (slot) => {
    const { says = slot } = overlay.slots[slot] ?? {};
    title.textContent = doubts.length > 1 ? _("{number} of {many}: {says}?", { number: doubts.indexOf(slot) + 1, many: doubts.length, says }) : `${upper(says)}?`;
    const options = (ruling.questions[slot] ?? []).map((one) => option(overlay, one, (mark) => {
      now = { ...now, [slot]: mark };
      const [next] = unanswered(ruling.questions, now);
      if (next) about(next);
      else again(now);
    }));
    const help = doubts.length > 1 ? _("What lies there? Touch another number to answer that first.") : _("What lies there?");
    panel.replaceChildren(html("div", { class: "map-options", role: "group", "aria-label": help }, ...options), html("p", { class: "soft" }, help), html("p", { class: "row" }, button(_("Photograph again"), choose), button(_("Never mind"), closeSheet)));
    picture.show(slot);
  };
  about(unanswered(ruling.questions, answers)[0] ?? doubts[0] ?? "");
}

/**
 * @param {import("./mappicture.js").Overlay} overlay
 * @param {Option} offered
 * @param {(mark: string) => void} choose
 */
function option({ marks }, [mark], choose) {
  const { says = mark || _("Nothing"), colours = [] } = marks[mark ?? ""] ?? {};
  const swatches = (colours.length ? colours : ["none"]).map((colour) => html("i", { class: `swatch colour-${colour}` }));
  return html("button", { type: "button", class: "map-option", click: () => choose(mark ?? "") }, ...swatches, html("b", {}, upper(says)));
}
