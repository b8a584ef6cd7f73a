// @ts-check
// Photographs of sheets: sent with progress, shown from above with what was read laid over, doubts settled by a tap.
// What a sheet looks like and how its slots and marks are called, the page of the game says in data-sheet.
import { answerOf, key, post, Refusal } from "./api.js";
import { cornerMarks } from "./corners.js";
import { button, closeSheet, drawn, find, html, need, openSheet, pressed, svg } from "./elements.js";
import { act, count, inMatch, percent, refresh, say, trying, undo, upper } from "./kit.js";
import { _ } from "./words.js";

/** @typedef {[x: number, y: number, width: number, height: number]} Box */
/** @typedef {import("./corners.js").Corner} Corner */
/**
 * @typedef {object} Sheet how a photographed sheet is shown
 * @property {Box | null} view what the picture shows, in the units of the slots; null: what was read is drawn in it
 * @property {Record<string, Box>} slots
 * @property {string} sheet what it is called: "The board"
 * @property {[one: string, many: string]} entered how many new marks were entered, "{n}" for their number
 * @property {[width: number, height: number]} size of a mark's drawing
 * @property {string} look the class of a mark's drawing
 * @property {string} asks the question about a slot, as far as its name: "What is drawn in"
 * @property {string} none a reading without news: "Nothing new is drawn"
 * @property {string} corners where four marks are dragged on a board without tags; empty: nowhere
 * @property {boolean} teachable may an empty board of the owner's own be taught?
 */
/** @typedef {[mark: string | null, share: number]} Option */
/**
 * @typedef {object} Ruling
 * @property {Record<string, string>} cells
 * @property {string[]} changed
 * @property {Record<string, Option[]>} questions
 * @property {Record<string, string>} [marked] what is new besides, in slots of its own; "" where something is gone
 * @property {string[]} [doubtful] slots that are not clear, and that nobody is asked about
 */
/** @typedef {Record<string, string>} Answers by slot; "" where nothing is */
/**
 * @typedef {object} Told
 * @property {string} photo
 * @property {"entered" | "ask" | "refused" | "nothing" | string} outcome
 * @property {string[]} says
 * @property {string} [picture]
 * @property {Ruling | null} [ruling]
 * @property {{seq: number} | null} [done]
 * @property {Corner[] | null} [corners]
 * @property {{seat: number, name: string}[]} [others] whose boards are in the picture, and may be entered
 * @property {number} [seat] whose board it is, when it is not one's own
 * @property {boolean} [settled] has it been ruled on with answers?
 * @property {{parts: string[], missing: string}} [shown] what the photographs show together, and what is missing
 * @property {import("./mappicture.js").Overlay | null} [overlay] of a map: what its places and marks are called
 * @property {(next: Told) => void} [then] what is done with what comes of an answer, instead of showing it
 */

// --- what was read and answered ---

/**
 * @param {Ruling["questions"]} questions
 * @param {Answers} answers
 */
export const unanswered = (questions, answers) => Object.keys(questions).filter((slot) => !(slot in answers));

const SURE = 0.98;

/**
 * Answers to questions that nobody needs to be asked: they are as good as certain.
 * @param {Ruling["questions"]} questions
 * @returns {Answers}
 */
export function certain(questions) {
  const found = Object.entries(questions).filter(([, [first]]) => first && first[1] >= SURE);
  return Object.fromEntries(found.map(([slot, [first]]) => [slot, first?.[0] ?? ""]));
}

/**
 * Every slot worth showing, with its mark: what is new, and what is or was in doubt.
 * @param {Ruling} ruling
 * @param {Answers} answers
 * @returns {{slot: string, mark: string, look: "new" | "unclear" | "doubt" | "answered"}[]}
 */
export function shown({ cells, changed, questions, marked = {}, doubtful = [] }, answers) {
  return [...new Set([...changed, ...Object.keys(marked), ...Object.keys(questions), ...doubtful])].map((slot) => {
    const look = !(slot in questions) ? (doubtful.includes(slot) ? "unclear" : "new") : slot in answers ? "answered" : "doubt";
    return { slot, mark: answers[slot] ?? marked[slot] ?? cells[slot] ?? "", look };
  });
}

/**
 * Where a slot lies; one that is named by others ("c3+", "c3-d3") in the middle between them.
 * @param {Record<string, Box>} slots
 * @param {string} slot
 * @returns {Box | undefined}
 */
export function boxOf(slots, slot) {
  const boxes = slot in slots ? [slot] : slot.split(/[+-]/).filter((one) => one in slots);
  const [first, last] = [slots[boxes[0] ?? ""], slots[boxes.at(-1) ?? ""]];
  if (!first || !last) return undefined;
  return [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2, first[2], first[3]];
}

/**
 * What came of a photograph, as a heading.
 * @param {Told} told
 * @param {Sheet} sheet
 */
export function outcomeOf(told, sheet) {
  if (told.done) return count(told.ruling?.changed.length ?? 0, ...sheet.entered);
  return told.outcome === "refused" ? _("Not entered") : sheet.none;
}

// --- sending, with progress: fetch cannot tell how much has gone ---

/**
 * @param {string} to
 * @param {File} file
 * @param {(share: number) => void} progress
 * @returns {Promise<any>}
 */
export function send(to, file, progress) {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open("POST", to);
    request.setRequestHeader("Content-Type", file.type || "image/jpeg");
    request.setRequestHeader("Idempotency-Key", key());
    request.upload.onprogress = (event) => progress(event.loaded / event.total);
    request.onerror = () => reject(new Refusal(0, { code: "away", message: _("the photograph did not arrive: try again") }));
    request.onload = () => {
      let told = {};
      try { told = JSON.parse(request.responseText); } catch { /* an answer that is no JSON is a fault of the box, said by answerOf */ }
      try { resolve(answerOf(request.status, told)); } catch (problem) { reject(problem); }
    };
    request.send(file);
  });
}

/**
 * @template T
 * @param {string} title
 * @param {(progress: (share: number) => void) => Promise<T>} work
 */
export async function waiting(title, work) {
  const bar = html("progress", { max: 1, "aria-label": title });
  const words = html("p", { role: "status" }, title);
  openSheet(words, bar);
  const told = await trying(() => work((share) => {
    if (share < 1) {
      bar.value = share;
      words.textContent = _("Sending: {share}", { share: percent(share) });
      return;
    }
    bar.removeAttribute("value");
    words.textContent = _("Reading the photograph");
  }));
  if (told === undefined) closeSheet();
  return told;
}

// --- what was read, over the picture ---

/** @returns {Sheet} */
export const sheetOf = () => JSON.parse(need("[data-sheet]").dataset.sheet ?? "");

/**
 * @param {Sheet} sheet
 * @param {string} picture
 * @param {Ruling} ruling
 * @param {Answers} answers
 * @param {(slot: string) => void} tap
 */
export function overlay({ view, slots, size, sheet, asks }, picture, ruling, answers, tap) {
  if (!view) return picture ? html("img", { class: "reading", src: picture, alt: _("{sheet} as read", { sheet }) }) : "";
  const [x, y, width, height] = view;
  const drawing = svg("svg", { class: "reading", viewBox: view.join(" "), role: "group", "aria-label": _("{sheet} as read", { sheet }) });
  if (picture) drawing.append(svg("image", { href: picture, x, y, width, height }));
  for (const { slot, mark, look } of shown(ruling, answers)) {
    const box = boxOf(slots, slot);
    if (!box) continue;
    const place = slotPlace(box, size, look, mark);
    place.dataset.slot = slot;
    if (look === "new" || look === "unclear") place.setAttribute("role", "img");
    else {
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", "0");
      place.addEventListener("click", () => tap(slot));
      place.addEventListener("keydown", (event) => {
        if (!pressed(event)) return;
        event.preventDefault();
        tap(slot);
      });
    }
    const words = `${slot}: ${mark || _("empty")}`;
    place.setAttribute("aria-label", look === "doubt" ? `${asks} ${slot}?` : look === "unclear" ? _("{words}, not clear", { words }) : words);
    drawing.append(place);
  }
  return drawing;
}

/**
 * A slot in the picture: a frame, and the drawing of its mark.
 * @param {Box} box
 * @param {[number, number]} size
 * @param {"new" | "unclear" | "doubt" | "answered"} look
 * @param {string} mark
 */
function slotPlace([x, y, width, height], size, look, mark) {
  const place = svg("g", { transform: `translate(${x} ${y})`, class: look === "answered" ? "doubt answered" : look });
  const use = mark ? drawn(mark, size) : null;
  const scale = `scale(${width / size[0]} ${height / size[1]})`;
  if (use) place.append(svg("g", { class: look === "doubt" ? "read unsure" : "read", transform: scale }, use));
  const rim = width / 25;
  place.append(svg("rect", { class: "frame", x: rim, y: rim, width: width - 2 * rim, height: height - 2 * rim, rx: 2 * rim }));
  return place;
}

/** @param {string[]} sentences */
export const said = (sentences) => html("ul", { class: "says" }, ...sentences.map((one) => html("li", {}, upper(one))));

const NOTHING = /** @type {Ruling} */ ({ cells: {}, changed: [], questions: {} });

/**
 * What there is left to do after a photograph that shows everything: the controls say it.
 * @returns {import("./kit.js").Action | null}
 */
const finish = () => JSON.parse(find("[data-finish]")?.dataset.finish ?? "null");

/** @type {string[]} */
let photos = []; // those of parts of one board that are read as one, the latest last

/** @param {Told} told */
function asWell(told) {
  photos = [...photos.filter((one) => one !== told.photo), told.photo];
  /** @type {HTMLInputElement} */ (need("[data-photo]")).click();
}

/**
 * Where nothing could be read at all, most often the picture is the reason.
 * @param {Told} told
 */
const howElse = async ({ done, ruling }) => (done || ruling ? "" : (await import("./holding.js")).howToHold());

/** @param {Told} told */
async function show(told) {
  await refresh();
  const sheet = sheetOf();
  const ruling = told.ruling ?? NOTHING;
  if (told.outcome === "ask") {
    const known = told.settled ? {} : certain(ruling.questions);
    if (unanswered(ruling.questions, known).length) ask(sheet, told, ruling, known);
    else await settle(told, known);
    return;
  }
  const { done } = told;
  const mark = !told.ruling && sheet.corners ? [button(_("Mark the corners"), () => markCorners(sheet, told))] : [];
  const more = told.shown?.missing && !done ? [button(_("Photograph it as well"), () => asWell(told), "")] : [];
  const close = button(_("Close"), () => { photos = []; closeSheet(); });
  const others = (told.others ?? []).map(({ seat, name }) => button(_("Enter it for {name}", { name }), () => settle({ ...told, seat }, {}), ""));
  const last = done && finish();
  const finished = last ? [button(_("All right, I am done"), () => { closeSheet(); act(last); }, "")] : [];
  const right = last ? button(_("Looks right, I go on"), closeSheet) : button(_("Looks right"), closeSheet, "");
  const how = await howElse(told);
  const another = button(_("Take another"), () => { closeSheet(); again(); }, others.length || more.length ? "plain" : "");
  openSheet(
    html("h2", {}, outcomeOf(told, sheet)),
    told.says.length ? said(told.says) : "",
    told.picture ? overlay(sheet, told.picture, { ...ruling, questions: {} }, {}, () => {}) : how,
    html("p", { class: "row" }, ...(done ? [...finished, right, button(_("Take it back"), () => back(done.seq))] : [...more, ...others, another, ...mark, close])),
  );
}

/** @param {number} seq */
function back(seq) {
  closeSheet();
  undo(String(seq));
}

/**
 * @param {Sheet} sheet
 * @param {Told} told
 * @param {Ruling} ruling
 * @param {Answers} answers
 * @param {string} [at]
 */
export function ask(sheet, told, ruling, answers, at) {
  const left = unanswered(ruling.questions, answers);
  const slot = at ?? left[0] ?? "", place = boxOf(sheet.slots, slot); // a question may be about no single place
  /** @param {string} mark */
  const choose = (mark) => {
    const now = { ...answers, [slot]: mark };
    if (unanswered(ruling.questions, now).length) ask(sheet, told, ruling, now);
    else settle(told, now);
  };
  const { slots: named = {}, marks: called = {} } = told.overlay ?? {}, onMap = named[slot]?.says;
  const several = _("{left} places are not clear. Touch a pulsing one, or answer this one.", { left: left.length });
  openSheet(
    html("h2", {}, place ? `${sheet.asks} ${slot}?` : onMap ? `${upper(onMap)}?` : slot === UPPER ? _("Where is the upper edge of the board?") : _("What else is drawn?")),
    place || onMap ? html("p", {}, left.length > 1 ? several : _("This place is not clear.")) : said(told.says),
    html("div", { class: "options" }, ...(ruling.questions[slot] ?? []).map((one) => option(sheet, one, choose, place || onMap ? _("empty") : _("none of these"), called[one[0] ?? ""]?.says))),
    overlay(sheet, told.picture ?? "", ruling, answers, (other) => ask(sheet, told, ruling, answers, other)),
    button(_("Never mind"), closeSheet),
  );
}

const UPPER = "upper+"; // the slot of the question where a board's upper edge is

/** @returns {Record<string, string>} answers that are words and no marks */
const WORDS = () => ({
  "nothing more": _("nothing more"),
  "at the top of the picture": _("at the top of the picture"),
  "on the right of the picture": _("on the right of the picture"),
  "at the bottom of the picture": _("at the bottom of the picture"),
  "on the left of the picture": _("on the left of the picture"),
});

/**
 * @param {Sheet} sheet
 * @param {Option} offered
 * @param {(mark: string) => void} choose
 * @param {string} nothing what the option without a mark is called
 * @param {string} [called] how people call the mark, where it does not say that itself
 */
function option({ look, size }, [mark], choose, nothing, called) {
  const use = mark ? drawn(mark, size) : null, words = WORDS()[mark ?? ""] ?? called ?? (mark || nothing);
  const picture = use ? svg("svg", { class: look, viewBox: `0 0 ${size.join(" ")}`, "aria-hidden": "true" }, use) : html("b", {}, words);
  const click = () => choose(mark ?? "");
  return html("button", { type: "button", class: `choice${mark ? "" : " none"}`, "aria-label": words, click }, picture);
}

/**
 * @param {Told} told
 * @param {Answers} answers
 */
export async function settle({ photo, corners = null, seat, then }, answers) {
  const next = await waiting(_("Asking the rules"), () => post(inMatch(`photos/${photo}/answers`), { answers, corners, parts: photos.join(","), ...(seat ? { seat } : {}) }));
  if (next && then) { closeSheet(); then(next); }
  else if (next) show({ ...next, corners, settled: true, ...(seat ? { seat } : {}) });
}

// --- a board without corner tags: four corners dragged by hand ---

/**
 * @param {Sheet} sheet
 * @param {Told} told
 */
export async function markCorners(sheet, told) {
  const label = _("The photograph: put the four marks on {corners}", { corners: sheet.corners });
  const { drawing, corners } = await cornerMarks(`/api/v1/photos/${told.photo}`, label);
  const empty = html("input", { type: "checkbox" });
  openSheet(
    html("h2", {}, _("Where is the board?")),
    html("p", {}, _("Drag the four marks to {corners}, the board's own top left first.", { corners: sheet.corners })),
    drawing,
    sheet.teachable ? html("label", { class: "check row" }, empty, _("The board is still empty: remember how it looks, so that this is needed only once")) : "",
    html("p", { class: "row" }, button(_("Read it"), () => marked(told, corners, empty.checked), ""), button(_("Never mind"), closeSheet)),
  );
}

/**
 * @param {Told} told
 * @param {Corner[]} corners
 * @param {boolean} teach
 */
async function marked({ photo }, corners, teach) {
  if (teach) {
    const taught = await waiting(_("Remembering the board"), () => post(inMatch(`photos/${photo}/teach`), { corners }));
    closeSheet();
    if (taught) say(taught.message);
    return;
  }
  if (large()) {
    (await maps()).withCorners(photo, corners);
    return;
  }
  const next = await waiting(_("Reading the photograph"), () => post(inMatch(`photos/${photo}/answers`), { answers: {}, corners }));
  if (next) show({ ...next, corners });
}

// --- finished boards without a match ---

/** @typedef {{seat: number, says: string[], picture: string, doubtful: string[], html: string, position: object, marks: Record<string, string>}} Board */

/** @param {File[]} files */
async function score(files) {
  for (const [number, file] of files.entries()) {
    /** @type {{notes: string[], boards: Board[]} | undefined} */
    const told = await waiting(_("Photograph {number} of {files}", { number: number + 1, files: files.length }), (progress) => send(`/api/v1/scores/photos?game=${document.body.dataset.game}`, file, progress));
    if (!told) return;
    closeSheet();
    for (const note of told.notes) say(note, true);
    for (const board of told.boards) {
      const place = scored(board);
      need("#photo-scores").append(place);
      // The game's own script may have more to tell of it.
      place.dispatchEvent(new CustomEvent("board-scored", { bubbles: true, detail: board.position }));
    }
    if (told.boards.length) byHand(false);
  }
}

/**
 * Below photographed boards another, empty one is in the way until somebody wants it.
 * @param {boolean} wanted
 */
function byHand(wanted) {
  need("#by-hand").hidden = !wanted;
  need("#instead").hidden = wanted;
  need("#instead button").onclick = () => byHand(true);
}

/** @param {Board} board */
function scored(board) {
  const score = html("div");
  score.innerHTML = board.html;
  const correct = () => {
    byHand(true);
    document.dispatchEvent(new CustomEvent("edit-board", { detail: board.position }));
  };
  return html("article", { class: "seat" },
    html("h2", {}, board.seat ? _("Seat {seat}", { seat: board.seat }) : _("A card")),
    board.says.length ? said(board.says) : "",
    overlay(sheetOf(), board.picture, { cells: board.marks, changed: Object.keys(board.marks), questions: {}, doubtful: board.doubtful }, {}, () => {}),
    board.doubtful.length ? html("p", {}, _("Not clear: {doubtful} (dashed in the picture). Check them by hand.", { doubtful: board.doubtful.join(", ") })) : "",
    score,
    button(_("Correct it by hand"), correct),
  );
}

// --- what is photographed ---

// A map with thousands of places has a view of its own, fetched when it is wanted.
const large = () => find("[data-photo][data-large]");
const maps = () => /** @type {Promise<typeof import("./mapphoto.js")>} */ (import("/static/mapphoto.js"));

/** Photograph was tapped: of a map one says first what of it. */
export async function chosen() {
  if (large()) (await maps()).choose();
}

/** How the photograph before was taken; the next one is taken so, too. */
let again = () => {};

/** The box's own camera. */
export async function shoot() {
  again = shoot;
  const told = await waiting(_("The box takes a picture: hands away"), () => post(inMatch("photos/camera")));
  if (told) show(told);
}

/** @param {HTMLInputElement} input where pictures were chosen or taken */
export async function taken(input) {
  again = () => input.click();
  const files = [...(input.files ?? [])];
  if (input.dataset.scorePhotos !== undefined) await score(files);
  else if (input.dataset.large !== undefined) await (await maps()).photographed(files);
  else {
    const parts = find("dialog[open]") ? photos : []; // else no part of what was photographed before
    const to = parts.length ? `${inMatch("photos")}?${new URLSearchParams({ parts: parts.join(",") })}` : inMatch("photos");
    photos = parts;
    const told = await waiting(_("Sending"), (progress) => send(to, /** @type {File} */ (files[0]), progress));
    if (told) show(told);
  }
  input.value = "";
}
