// @ts-check
// Derailed! under a finger: choose a card, tap a lit place, turn it, see what follows, lay it. In a scorekeeper's match
// whole lanes are entered by hand. The box decides what is legal; this only shows it.
import { post } from "/static/api.js";
import { arrows } from "/static/arrows.js";
import { all, button, closeSheet, drawn, find, hit, html, need, openSheet, pressed, svg } from "/static/elements.js";
import { act, count, inMatch, say, trying, undo, upper } from "/static/kit.js";
import { _ } from "/static/words.js";

/** @typedef {import("/static/api.js").Refusal} Refusal */
/** @typedef {import("/static/kit.js").Action} Action */
/** @typedef {Record<string, string>} Grid the face at each cell */

/** @type {[number, number]} */
const SIZE = [63, 88]; // of a card's drawing
/** @type {{id: string, card: string} | null} */
let chosen = null; // id is the button's, for a hand may hold the same card twice
/** @type {{cell: string, card: string, faces: string[], at: number} | null} */
let ghost = null;
/** @type {Set<string>} */
let changing = new Set(); // buttons of the cards to be changed between rounds
let asked = 0;

const laying = () => find("#laying");
/** @returns {DOMStringMap} what the controls say; nothing when there are none any more */
const controls = () => laying()?.dataset ?? {};
const told = (/** @type {string} */ name) => JSON.parse(controls()[name] || "{}");
const keeper = () => controls().mode === "scorekeeper";
const myTurn = () => Boolean(controls().turn);
const board = () => find(".mine .lanes");
const settleArrows = arrows(".mine .lanes g[data-cell]");
const spot = (/** @type {string} */ cell) => find(`.mine .lanes g[data-cell="${cell}"]`);
/** @returns {Record<string, string[]>} the faces that fit, by cell */
const places = (/** @type {string | undefined} */ card) => told("open")[card ?? ""] ?? {};
const faceOf = (/** @type {NonNullable<typeof ghost>} */ one) => one.faces[one.at] ?? "";
const cardButtons = () => all(".hand-card[data-card]");

// --- drawing ---

/** Small cards in the corners of a lit place: the ways in which the chosen card may lie there. */
function ways(/** @type {string[]} */ faces) {
  const small = faces.map((face, number) => svg("g", { transform: `translate(${number ? 40 : 3} 57) scale(.32)` }, drawn(face, SIZE) ?? ""));
  return svg("g", { class: "ways" }, ...small);
}

const picture = (/** @type {string} */ face) =>
  svg("svg", { class: "rail-card", viewBox: `0 0 ${SIZE.join(" ")}`, "aria-hidden": "true" }, drawn(face, SIZE) ?? "");

function paint() {
  const lanes = board();
  if (!lanes || !laying()) return;
  for (const one of all(".ghost, .ways", lanes)) one.remove();
  lanes.setAttribute("role", "group"); // its places are buttons now, so it is no plain picture
  const open = chosen ? places(chosen.card) : {};
  // While one looks for a place, one's own track matters.
  lanes.classList.toggle("choosing", Boolean(chosen) && !keeper());
  for (const track of all(".tracks > g", lanes)) track.classList.toggle("own", track.classList.contains(`of-${controls().company}`));
  for (const place of all("g[data-cell]", lanes)) paintPlace(place, open[place.dataset.cell ?? ""]);
  if (ghost) {
    const frame = svg("rect", { class: "frame", width: SIZE[0], height: SIZE[1], rx: 5 });
    spot(ghost.cell)?.append(svg("g", { class: "ghost" }, drawn(faceOf(ghost), SIZE) ?? "", frame));
  }
  settleArrows();
  paintButtons();
}

/**
 * @param {HTMLElement} place
 * @param {string[] | undefined} faces that fit there
 */
function paintPlace(place, faces) {
  const aimed = ghost?.cell === place.dataset.cell;
  place.classList.toggle("open", Boolean(faces));
  place.classList.toggle("aimed", aimed);
  const lies = need("title", place).textContent;
  const words = faces ? _("{lies}; the chosen card fits {faces}", { lies, faces: faces.length > 1 ? _("both ways round") : _("one way round") }) : lies;
  for (const [name, value] of Object.entries({ role: "button", tabindex: place.getAttribute("tabindex") ?? "-1", "aria-label": words })) place.setAttribute(name, value);
  if (faces && !aimed) place.append(ways(faces));
}

function paintButtons() {
  for (const one of cardButtons()) one.setAttribute("aria-pressed", String(one.id === chosen?.id || changing.has(one.id)));
  need("#placing").hidden = !ghost;
  need("#usual").hidden = Boolean(ghost);
  /** @type {HTMLButtonElement} */
  const turning = need("#placing [data-do=turn]");
  if (ghost) turning.disabled = ghost.faces.length < 2;
  /** @type {HTMLButtonElement | null} */
  const change = find("[data-do=discard]");
  if (change) change.disabled = !changing.size;
}

// --- words, beside the place they are about ---

function explain(/** @type {string} */ words) {
  const place = find("#say");
  if (place) place.textContent = words;
}

function list(/** @type {string[]} */ lines) {
  const place = find("#foreseen");
  if (!place) return;
  place.hidden = !lines.length;
  place.replaceChildren(...lines.map((line) => html("li", {}, line)));
}

/**
 * @param {string} cell
 * @param {string} words
 */
function bubble(cell, words) {
  find(".bubble")?.remove();
  const place = spot(cell), frame = find(".mine .derailed");
  if (!place || !frame) {
    say(words, true);
    return;
  }
  const made = html("p", { class: "bubble", role: "alert" }, upper(words));
  frame.append(made);
  const at = place.getBoundingClientRect(), around = frame.getBoundingClientRect();
  const left = Math.min(Math.max(at.left - around.left + at.width / 2 - made.offsetWidth / 2, 0), around.width - made.offsetWidth);
  const above = at.top - around.top - made.offsetHeight - 6;
  made.style.left = `${left}px`;
  made.style.top = `${above < 0 ? at.bottom - around.top + 6 : above}px`;
  setTimeout(() => made.remove(), 8000);
}

/**
 * Says a refusal where it belongs, and shows the places that it names.
 * @param {string} cell
 * @returns {(refusal: Refusal) => void}
 */
const refusedAt = (cell) => ({ message, detail }) => {
  if (cell) bubble(cell, message);
  else say(message, true);
  for (const one of [detail.cell, ...(detail.stops ?? [])]) {
    const place = one && spot(one);
    if (!place) continue;
    place.classList.add("pointed");
    setTimeout(() => place.classList.remove("pointed"), 8000);
  }
};

// --- choosing and placing ---

/**
 * @param {string} id
 * @param {string} card
 */
function choose(id, card) {
  forget();
  chosen = chosen?.id === id && !keeper() ? null : { id, card };
  if (chosen) {
    const open = Object.keys(places(card)).length;
    explain(open ? _("It fits in {count}: tap there.", { count: count(open, _("{n} lit place"), _("{n} lit places")) }) : _("It fits nowhere now. Tap a place to hear why."));
  }
  paint();
}

/** @param {HTMLElement | undefined} one a card of the hand */
const asChosen = (one) => (one ? { id: one.id, card: one.dataset.card ?? "" } : null);

/** @param {string} cell */
function tap(cell) {
  if (!laying()) return;
  find(".bubble")?.remove();
  if (keeper()) {
    enter(cell);
    return;
  }
  if (ghost?.cell === cell) {
    if (ghost.faces.length < 2 && myTurn()) place();
    else turn();
    return;
  }
  chosen ??= asChosen(cardButtons().find((one) => cell in places(one.dataset.card))); // the first of the hand that fits
  if (!chosen) {
    explain(find("title", spot(cell) ?? document)?.textContent ?? "");
    return;
  }
  const { card } = chosen;
  const faces = places(card)[cell];
  if (!faces) {
    whyNot(cell, card);
    return;
  }
  forget();
  ghost = { cell, card, faces, at: 0 };
  aim(ghost);
}

function turn() {
  if (!ghost || ghost.faces.length < 2) return;
  ghost.at = 1 - ghost.at;
  aim(ghost);
}

/** @param {NonNullable<typeof ghost>} wanted */
function aim(wanted) {
  const both = wanted.faces.length > 1 ? _("; it fits the other way round, too") : "";
  explain(_("At {cell}{both}.{myTurn}", { cell: wanted.cell, both, myTurn: myTurn() ? "" : _(" You can lay it when it is your turn.") }));
  paint();
  if (myTurn()) foresee(wanted);
}

/**
 * @param {string} cell
 * @param {string} card as it lies
 * @returns {Action}
 */
const laid = (cell, card) => ({ kind: "place", data: { cell, card } });

/**
 * What would follow: the box draws everybody's track as it would be, and says who gains and who loses.
 * @param {NonNullable<typeof ghost>} wanted
 */
async function foresee(wanted) {
  const mine = ++asked;
  const refused = refusedAt(wanted.cell);
  const ahead = await trying(() => post(inMatch("preview"), laid(wanted.cell, faceOf(wanted))), (refusal) => {
    if (mine === asked && ghost) refused(refusal);
  });
  if (!ahead || mine !== asked || !ghost) return;
  list(ahead.says);
  const template = html("template");
  template.innerHTML = ahead.board;
  showTracks(find(".tracks", template.content));
}

/** @type {Element | null} */
let present = null; // the tracks as they are, while others are shown

/** @param {Element | null} group */
function showTracks(group) {
  const now = find(".mine .lanes .tracks");
  if (!now || !group) return;
  present ??= now;
  group.classList.add("ahead");
  find(`.of-${controls().company}`, group)?.classList.add("own");
  now.replaceWith(group);
}

function forget() {
  ghost = null;
  asked += 1;
  list([]);
  if (present) find(".mine .lanes .tracks.ahead")?.replaceWith(present);
  present = null;
}

/**
 * Why a card does not fit: the box says it, as it would if it were laid.
 * @param {string} cell
 * @param {string} card
 */
async function whyNot(cell, card) {
  if (myTurn()) await trying(() => post(inMatch("preview"), laid(cell, card)), refusedAt(cell));
  else explain(_("It does not fit at {cell} now.", { cell }));
}

/** @param {Action} action */
const wish = (action) => act(action, refusedAt(""));

async function place() {
  if (!ghost) return;
  const { cell } = ghost;
  if (!(await act(laid(cell, faceOf(ghost)), refusedAt(cell)))) return;
  chosen = null;
  drop();
}

function drop() {
  forget();
  paint();
}

// --- the scorekeeper's lanes, and paper cards ---

const templated = (/** @type {string} */ name) => /** @type {HTMLTemplateElement} */ (need(name)).content.cloneNode(true);

/**
 * @param {string} title
 * @param {(card: string, faces: string[]) => void} work
 * @param {...Node} more
 */
function palette(title, work, ...more) {
  const sheet = openSheet(html("h2", {}, title), templated("#palette"), ...more, button(_("Never mind"), closeSheet));
  for (const one of all("[data-palette]", sheet)) {
    const { palette: card = "", faces = "" } = one.dataset;
    one.addEventListener("click", () => {
      closeSheet();
      work(card, faces.split(" "));
    });
  }
}

function pickPaper() {
  palette(_("Which card do you lay?"), (card) => {
    const own = need("#hand-0");
    own.dataset.card = card;
    own.replaceChildren(picture(card), html("span", { class: "note" }, _("another card")));
    choose("hand-0", card);
  });
}

/**
 * @param {Grid} grid
 * @param {Record<string, string[]>} [ends]
 */
function report(grid, ends = {}) {
  const by = Number(/** @type {HTMLSelectElement | null} */ (document.getElementById("laid-by"))?.value);
  wish({ kind: "report", data: { grid, ...ends, ...(by ? { by } : {}) } });
}

/** @param {string} cell */
function enter(cell) {
  const { [cell]: lies, ...others } = /** @type {Grid} */ (told("grid"));
  const lay = (/** @type {string} */ face) => report({ ...others, [cell]: face });
  const take = () => {
    closeSheet();
    report(others);
  };
  palette(_("Which card lies at {cell}?", { cell }), (_card, faces) => {
    if (faces.length < 2) lay(faces[0] ?? "");
    else wayRound(cell, faces, lay);
  }, ...(lies ? [button(_("Empty this place"), take)] : []));
}

/**
 * @param {string} cell
 * @param {string[]} faces
 * @param {(face: string) => void} work
 */
function wayRound(cell, faces, work) {
  const choices = faces.map((face, number) => {
    const click = () => {
      closeSheet();
      work(face);
    };
    const label = number ? _("the other way round") : _("this way round");
    return html("button", { type: "button", class: "hand-card", "aria-label": label, click }, picture(face));
  });
  openSheet(html("h2", {}, _("Which way round, seen from the start, at {cell}?", { cell })), html("div", { class: "palette" }, ...choices));
}

function stations() {
  const sheet = openSheet(html("h2", {}, "Stations"), templated("#stations"));
  const column = (/** @type {string} */ name) => /** @type {HTMLSelectElement[]} */ (all(`select[name=${name}]`, sheet)).map((one) => one.value);
  const lie = () => {
    const ends = { starts: column("starts"), destinations: column("destinations") };
    closeSheet();
    report(told("grid"), ends);
  };
  sheet.append(button(_("They lie like this"), lie, ""), button(_("Never mind"), closeSheet));
}

// --- between rounds ---

/** @param {string} id of a card of the hand */
function change(id) {
  const most = Number(controls().discards);
  if (!changing.delete(id)) changing = new Set([...changing, id].slice(-most));
  explain(_("Chosen to be changed: {changing} of at most {most}.", { changing: changing.size, most }));
  paint();
}

function discard() {
  const cards = cardButtons().filter((one) => changing.has(one.id)).map((one) => one.dataset.card);
  changing = new Set();
  wish({ kind: "discard", data: { cards } });
}

const turns = (/** @type {number} */ step) => (/** @type {HTMLElement} */ source) =>
  wish({ kind: "turns", data: { count: Number(source.dataset.turns) + step } });

// --- the next card comes by itself, after time enough to take the one laid back ---

const PATIENCE = 4000; // milliseconds
/** @type {ReturnType<typeof setTimeout> | undefined} */
let taking;

function settleTaking() {
  const waiting = Boolean(find("[data-do=take][data-by-itself]"));
  if (!waiting) {
    clearTimeout(taking);
    taking = undefined;
  } else taking ??= setTimeout(() => {
    taking = undefined;
    wish({ kind: "take" });
  }, PATIENCE);
}

/** @type {Record<string, (source: HTMLElement) => void>} */
const deeds = {
  turn,
  place,
  drop,
  discard,
  stations,
  palette: pickPaper,
  undo: () => {
    forget();
    undo(controls().undo);
  },
  take: () => wish({ kind: "take" }),
  pass: () => wish({ kind: "pass" }),
  round: () => wish({ kind: "round" }),
  fewer: turns(-1),
  more: turns(1),
};

document.addEventListener("click", (event) => {
  const card = hit(event, ".hand-card[data-card]");
  const source = hit(event, "#laying [data-do]");
  const { cell } = hit(event, ".mine .lanes g[data-cell]")?.dataset ?? {};
  if (card && card.dataset.do !== "palette") {
    if (Number(controls().discards)) change(card.id);
    else choose(card.id, card.dataset.card ?? "");
  } else if (source) deeds[source.dataset.do ?? ""]?.(source);
  else if (cell) tap(cell);
});

document.addEventListener("keydown", (event) => {
  const { cell } = hit(event, ".mine .lanes g[data-cell]")?.dataset ?? {};
  if (cell && pressed(event)) {
    event.preventDefault();
    tap(cell);
  }
  if (event.key === "Escape" && ghost) drop();
});

// After news from the box: what was chosen stays if it is still there and still fits.
document.addEventListener("swapped", (event) => {
  const piece = hit(event, "[data-piece=controls], [data-piece=board]")?.dataset.piece;
  if (!piece) return;
  if (piece === "board") present = null;
  settleTaking();
  const held = cardButtons().filter((one) => one.dataset.card === chosen?.card);
  chosen = asChosen(held.find((one) => one.id === chosen?.id) ?? held[0]);
  const still = ghost && chosen && places(chosen.card)[ghost.cell];
  if (ghost && still) {
    ghost.faces = still;
    ghost.at = Math.min(ghost.at, still.length - 1);
    aim(ghost);
    return;
  }
  if (ghost) forget();
  paint();
});
settleTaking();
paint();
