// @ts-check
// Boards of the owner's own: a photograph of one while it is empty, its corners, where pieces lie on it, and a name. What is
// drawn over the photograph shows whether the corners are right.
import { get, post } from "./api.js";
import { cornerMarks, inPicture } from "./corners.js";
import { find, html, need, svg } from "./elements.js";
import { count, say, trying } from "./kit.js";
import { Picture } from "./mappicture.js";
import { send } from "./photo.js";
import { homography, through } from "./plane.js";
import { Routes } from "./routes.js";
import { _ } from "./words.js";

/** @typedef {import("./corners.js").Corner} Corner */
/** @typedef {{size: Corner, slots: Record<string, Corner[]>}} Places */

/** @type {{photo: string, corners: Corner[]} | null} */
let board = null;
/** @type {Places | null} */
let places = null;
let own = false; // from a file of the owner's, or drawn on the photograph
/** @type {Routes | null} */
let routes = null;
const outlines = svg("path", { class: "places" });

/** @type {HTMLSelectElement} */
const source = need("#places");
/** @type {HTMLInputElement} */
const name = need("#board-name");
/** @type {HTMLButtonElement} */
const keep = need("#remember");
/** @type {HTMLInputElement} */
const number = need("#route-places");
/** @type {HTMLSelectElement} */
const lanes = need("#route-lanes");

const tell = (/** @type {string} */ words) => { need("#board-says").textContent = words; };

/** Where the places lie in the photograph, if its corners are right. */
function paint() {
  keep.disabled = !(board && places && name.value);
  if (!board || !places) {
    outlines.setAttribute("d", "");
    return;
  }
  const [width, height] = places.size;
  const to = homography([[0, 0], [width, 0], [width, height], [0, height]], board.corners);
  const quads = to ? Object.values(places.slots).map((quad) => quad.map((corner) => through(to, corner).map((one) => one.toFixed(1)).join(" "))) : [];
  outlines.setAttribute("d", quads.map((quad) => `M${quad.join("L")}Z`).join(""));
}

/** @param {File} file */
async function photographed(file) {
  tell(_("Sending"));
  const told = await trying(() => send("/api/v1/host/photos", file, () => {}));
  if (!told) {
    tell("");
    return;
  }
  const label = _("The photograph: put the four marks on the corners of the board");
  const { drawing, corners, glass } = await cornerMarks(`/api/v1/photos/${told.photo}`, label, () => {
    routes?.painted();
    paint();
  });
  board = { photo: told.photo, corners };
  routes = new Routes(drawing, corners);
  taps(drawing, glass);
  find("polygon", drawing)?.after(outlines);
  need("#empty-board").replaceChildren(drawing);
  tell(_("Drag the four marks to the corners of the board, its own top left first."));
  paint();
}

/**
 * Taps on the photograph, where places are drawn on it: a finger sees under itself until it leaves.
 * @param {SVGSVGElement} drawing
 * @param {import("./corners.js").Magnifier} glass
 */
function taps(drawing, glass) {
  const draws = (/** @type {PointerEvent} */ { target }) => source.value === "drawn" && target instanceof Element && !target.closest(".handle");
  drawing.addEventListener("pointerdown", (event) => {
    if (!draws(event)) return;
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
    glass.show(inPicture(drawing, event));
  });
  drawing.addEventListener("pointermove", (event) => {
    if (drawing.hasPointerCapture(event.pointerId)) glass.show(inPicture(drawing, event));
  });
  drawing.addEventListener("pointerup", (event) => {
    if (!drawing.hasPointerCapture(event.pointerId)) return;
    glass.hide();
    routes?.tapped(inPicture(drawing, event), Number(number.value) || 1, Number(lanes.value));
    drawnSoFar();
  });
}

/** What was drawn on the photograph takes the place of a file. */
function drawnSoFar() {
  places = routes?.places() ?? null;
  tell(routes?.begun ? _("Now tap the city to which it leads.") : count(routes?.routes.length ?? 0, _("{n} route"), _("{n} routes")));
  paint();
}

/** The drawn places as a file, for others who own this board. */
async function shared() {
  if (!places) return;
  const file = new File([JSON.stringify(places)], `${name.value || "board"}.json`, { type: "application/json" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // whoever closes that dialog has changed his mind
    return;
  }
  const link = html("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function placed() {
  const [game = "", mine] = source.value.split("/");
  const drawn = source.value === "drawn";
  own = drawn || source.value === "file";
  places = null;
  need("#places-file").hidden = source.value !== "file";
  need("#places-drawn").hidden = !drawn;
  if (drawn) {
    drawnSoFar();
    return;
  }
  if (game && !own) places = await trying(() => get(`/api/v1/host/places?${new URLSearchParams({ game, own: String(mine === "own") })}`)) ?? null;
  paint();
}

/** @param {File} file */
async function described(file) {
  try {
    const told = JSON.parse(await file.text());
    if (!Array.isArray(told.size) || typeof told.slots !== "object") throw new Error();
    places = told;
    tell(count(Object.keys(told.slots).length, _("{n} place"), _("{n} places")));
  } catch {
    places = null;
    tell(_("That file describes no board: it needs a size and slots."));
  }
  paint();
}

async function remember() {
  if (!board || !places) return;
  const [game = "", mine] = source.value.split("/");
  const where = own ? { slots: places } : { game, own: mine === "own" };
  const colours = [...document.querySelectorAll("#colours input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
  keep.disabled = true;
  tell(_("Learning the board, and trying to find it again"));
  const told = await trying(() => post("/api/v1/host/taught", { name: name.value, photo: board?.photo, corners: board?.corners, colours, ...where }));
  tell(told?.message ?? "");
  keep.disabled = false;
  if (told) location.hash = "taught";
  if (told) setTimeout(() => location.reload(), told.message.length > 60 ? 6000 : 1500);
}

/**
 * @param {string} taught
 * @param {File} file
 */
async function tried(taught, file) {
  const place = need("#tried");
  place.replaceChildren(html("p", { role: "status" }, _("Reading the photograph")));
  /** @type {{cells: Record<string, string>, doubtful: string[], says: string[], picture: string, overlay: import("./mappicture.js").Overlay | null} | undefined} */
  const told = await trying(() => send(`/api/v1/host/taught/${encodeURIComponent(taught)}/photos`, file, () => {}));
  place.replaceChildren(...(told?.says ?? []).map((words) => html("p", {}, words)));
  if (!told?.overlay) return;
  const picture = new Picture({ picture: told.picture, overlay: told.overlay, cells: told.cells, doubts: [], tap: () => {}, tell: (words) => say(words) });
  const colours = Object.values(told.cells).reduce((sums, colour) => sums.set(colour, (sums.get(colour) ?? 0) + 1), /** @type {Map<string, number>} */ (new Map()));
  place.append(
    html("p", {}, [...colours].map(([colour, number]) => `${number} ${_(colour)}`).join(", ") || _("Nothing lies on it.")),
    told.doubtful.length ? html("p", { class: "soft" }, count(told.doubtful.length, _("{n} place is not clear"), _("{n} places are not clear"))) : "",
    picture.element,
  );
  picture.open();
}

/** @typedef {{name: string, photo: string, game: string, number: number, edition: string}} DeckPhotograph */
/** @type {{wish: DeckPhotograph, corners: Corner[]} | null} */
let marked = null; // a photograph of a deck whose corners somebody marks

/**
 * One photograph of a deck's cards in the printed order.
 * @param {number} number
 * @param {File} file
 */
async function taughtDeck(number, file) {
  /** @type {HTMLInputElement} */
  const called = need("#deck-name");
  tellOfDeck("");
  if (!called.value || !called.checkValidity()) {
    tellOfDeck(_("Give the deck a name first: letters and digits."));
    called.focus();
    return;
  }
  const { value: edition, dataset } = chosenOrder();
  tellOfDeck(_("Learning the cards"));
  const kept = await trying(() => send("/api/v1/host/photos", file, () => {}));
  if (!kept) tellOfDeck("");
  else await learnDeck({ name: called.value, photo: kept.photo, game: dataset.game ?? "", number, edition });
}

/**
 * Learn a kept photograph's cards; where they are not found, their corners are asked for.
 * @param {DeckPhotograph} wish
 * @param {Corner[]} [corners]
 */
async function learnDeck(wish, corners) {
  const told = await trying(() => post("/api/v1/host/decks", corners ? { ...wish, corners } : wish), (refusal) => {
    tellOfDeck(refusal.message);
    if (!corners && refusal.code === "bad-photo") markDeck(wish);
  });
  if (!told) return;
  tellOfDeck(told.message);
  need("#deck-marked").hidden = true;
}

/** @param {DeckPhotograph} wish */
async function markDeck(wish) {
  const { drawing, corners } = await cornerMarks(`/api/v1/photos/${wish.photo}`, _("The photograph: put the four marks on the outer corners of all the cards"));
  marked = { wish, corners };
  need("#deck-photo").replaceChildren(drawing);
  need("#deck-marked").hidden = false;
}

/** @param {string} words */
function tellOfDeck(words) {
  need("#deck-says").textContent = words;
  if (!words) need("#deck-marked").hidden = true;
}

/** @returns {HTMLOptionElement} */
function chosenOrder() {
  /** @type {HTMLSelectElement} */
  const orders = need("#deck-edition");
  return /** @type {HTMLOptionElement} */ (orders.selectedOptions[0]);
}

/** The printed order of the chosen edition, and as many photographs as it has. */
function ordered() {
  const { order, photographs } = chosenOrder().dataset;
  need("#deck-order").setAttribute("href", order ?? "");
  need("#deck-photographs").querySelectorAll("label").forEach((label, number) => { label.hidden = number >= Number(photographs); });
}

document.addEventListener("change", ({ target }) => {
  if (target === source) placed();
  if (target instanceof HTMLSelectElement && target.id === "deck-edition") ordered();
  if (!(target instanceof HTMLInputElement)) return;
  const file = target.files?.[0];
  if (file && target.id === "board-photo") photographed(file);
  else if (file && target.id === "board-file") described(file);
  else if (file && target.dataset.try) tried(target.dataset.try, file);
  else if (file && target.dataset.deck) taughtDeck(Number(target.dataset.deck), file);
  if (target.type === "file") target.value = "";
});
name.addEventListener("input", paint);
keep.addEventListener("click", remember);
need("#route-undo").addEventListener("click", () => {
  routes?.undo();
  drawnSoFar();
});
need("#places-share").addEventListener("click", shared);
find("#deck-again")?.addEventListener("click", () => {
  if (!marked) return;
  tellOfDeck(_("Learning the cards"));
  learnDeck(marked.wish, marked.corners);
});
if (find("#deck-edition")) ordered();
placed();
