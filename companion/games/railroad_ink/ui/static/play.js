// @ts-check
// Railroad Ink under a finger: tap a lit cell, again to turn the route; the next cell, another die or Done draws it.
// Also the free editor, with which whole boards are entered by hand. The box decides what is legal; this only shows it.
import { post } from "/static/api.js";
import { arrows } from "/static/arrows.js";
import { all, button, closeSheet, drawn, find, hit, html, need, openSheet, pressed, svg } from "/static/elements.js";
import { act, actOrPropose, inMatch, refresh, say, trying, undo } from "/static/kit.js";
import { _ } from "/static/words.js";
import { corrected, entering } from "./entered.js";
import { loadPieces, moreShapes, signsFor } from "./marks.js";
import { cellPlace, explain, point } from "./pointing.js";

/** @typedef {{route: string, round?: number}} Route */
/** @typedef {Record<string, Route>} Board by cell */
/** @typedef {import("./entered.js").Event} Event */
/** @typedef {{kind: "draw", source: string} | {kind: "report"} | {kind: "free", round: number} | {kind: "correct", event: Event}} Aim */

const free = document.body.dataset.page === "quick";
/** @type {{free?: typeof import("./free.js"), expansion?: typeof import("./expansion.js")}} fetched where there is one */
const parts = {};
/** @type {{source: string, shape: string} | null} */
let chosen = null;
/** @type {{cell: string, turnings: string[], at: number, aim: Aim, first: string} | null} first: the choice that came up */
let ghost = null;

const board = () => find(".mine .board");
const settleArrows = arrows(".mine .board g[data-cell]");
const drawing = () => find("#drawing");
const told = (/** @type {string} */ name) => JSON.parse(drawing()?.dataset[name] || "{}");
const umpire = () => drawing()?.dataset.mode === "umpire";
const turningsOf = (/** @type {string} */ shape) =>
  all(`symbol[data-shape="${CSS.escape(shape)}"]`).map((one) => one.dataset.mark ?? "");

// --- what is on the board ---

/** @type {Board} */
let local = {}; // the free editor's board
/** @type {import("./marks.js").Marks} */
let localMarks = {}; // and what an expansion wrote on it
/** @returns {import("./marks.js").Marks} */
const marksNow = () => (free ? localMarks : JSON.parse(find("#expansion")?.dataset.marks || "{}"));
/** @returns {Board} */
const onBoard = () => (free ? local : told("board"));
const wordsOf = (/** @type {string | undefined} */ route) =>
  (route && find(`symbol[data-mark="${CSS.escape(route)}"]`)?.dataset.words) || _("empty");
const inHand = () => (chosen ? `${chosen.source}:${chosen.shape}` : "");
/** @returns {Record<string, string[]>} the turnings that fit, by cell */
const places = () => told("open")[inHand()] ?? {};

function paint() {
  const shown = board();
  if (!shown) return;
  for (const one of all(".ghost, .local", shown)) one.remove();
  shown.setAttribute("role", "group"); // its cells are buttons now, so it is no plain picture
  const open = places(), now = onBoard();
  for (const place of all("g[data-cell]", shown)) {
    const { cell = "" } = place.dataset;
    const turnings = open[cell];
    place.classList.toggle("open", Boolean(turnings));
    const can = free || !umpire() || turnings || cell in now;
    const words = !turnings ? `${cell}: ${wordsOf(now[cell]?.route)}`
      : turnings.length === 1 ? _("{cell}: it fits in one way.", { cell })
      : _("{cell}: fits in {turnings} ways", { cell, turnings: turnings.length });
    for (const [name, value] of Object.entries({ role: "button", tabindex: place.getAttribute("tabindex") ?? "-1", "aria-label": words })) {
      if (can) place.setAttribute(name, value);
      else place.removeAttribute(name);
    }
  }
  if (free) for (const [cell, one] of Object.entries(local)) ink(cell, one.route, one.round ?? 0, "local");
  parts.free?.paintBeside(localMarks);
  if (ghost) ink(ghost.cell, turningOf(ghost), 0, "ghost");
  settleArrows();
  paintButtons();
}

function paintButtons() {
  const choices = all(".choice[data-source]"); // two dice may show the same
  const taken = choices.find((one) => one.matches(":enabled") && one.dataset.source === chosen?.source && one.dataset.shape === chosen?.shape);
  for (const choice of choices) choice.setAttribute("aria-pressed", String(choice === taken));
  const placing = find("#placing");
  if (!placing) return;
  placing.hidden = !ghost;
  paintFits();
  // With the last die in hand, Done draws it, too.
  const last = ghost?.aim.kind === "draw" && diceLeft() < 2;
  const usual = need("#usual");
  usual.hidden = Boolean(ghost) && !last;
  usual.classList.toggle("only-done", Boolean(ghost));
  /** @type {HTMLButtonElement} */
  const turning = need("[data-do=turn]", placing);
  if (ghost) turning.disabled = ghost.turnings.length < 2;
}

const ofDice = (/** @type {string} */ choice) => /^(die|factory|copy):/.test(choice);
/** What came up comes first, then what the dice show, then special routes: nothing moves while another one is taken. */
const rank = (/** @type {string} */ choice, /** @type {string} */ first) => (choice === first ? 0 : ofDice(choice) ? 1 : 2);

/** Everything that fits the cell in hand as pictures, what the dice show every way round: one tap chooses it. */
function paintFits() {
  const place = find("#fits");
  if (!place) return;
  const now = ghost?.aim.kind === "draw" ? ghost : null;
  const open = /** @type {[string, Record<string, string[]>][]} */ (Object.entries(now ? told("open") : {}));
  const mine = inHand(), first = now?.first ?? "";
  const order = open.toSorted(([one], [other]) => rank(one, first) - rank(other, first));
  const fits = order.flatMap(([choice, cells]) => {
    const routes = cells[now?.cell ?? ""] ?? [];
    // Of special routes that are not in hand one way round of each: tapped again they are turned.
    return (choice === mine || ofDice(choice) ? routes : routes.slice(0, 1)).map((route, at) => ({ choice, route, at }));
  });
  place.hidden = fits.length < 2;
  place.replaceChildren(...fits.map(({ choice, route, at }) => {
    const is = choice === mine && route === (now && turningOf(now));
    const click = () => inTurn(() => take(choice, at));
    const use = drawn(route, [100, 100]);
    return html("button", { type: "button", class: "fit", "data-fit": `${choice}:${route}`, "aria-pressed": String(is), "aria-label": wordsOf(route), click },
      svg("svg", { class: "die", viewBox: "0 0 100 100", "aria-hidden": "true" }, use ?? ""));
  }));
}

/**
 * @param {string} choice of the cell in hand
 * @param {number} at which way round
 */
function take(choice, at) {
  if (!ghost) return;
  const between = choice.indexOf(":"), source = choice.slice(0, between), shape = choice.slice(between + 1);
  chosen = { source, shape };
  ghost = { ...ghost, turnings: places()[ghost.cell] ?? [], at, aim: { kind: "draw", source } };
  explainGhost();
  paint();
}

/** Dice that can still be drawn, the one in hand among them. */
const diceLeft = () => all(".choice.from-die:not(:disabled)").length;

const turningOf = (/** @type {NonNullable<typeof ghost>} */ one) => one.turnings[one.at] ?? "";

/**
 * @param {string} cell
 * @param {string} route
 * @param {number} round
 * @param {"ghost" | "local"} look
 */
function ink(cell, route, round, look) {
  const use = drawn(route, [100, 100]);
  const inside = [svg("rect", { class: "cell", width: 100, height: 100 }), use ?? "", round ? svg("text", { class: "round", x: 94, y: 17 }, String(round)) : ""];
  cellPlace(cell)?.append(svg("g", { class: `${look} drawn round-${round}` }, ...inside));
}

// --- choosing and placing ---

/**
 * Another die: what was in hand is drawn first.
 * @param {string} source
 * @param {string} shape
 */
async function choose(source, shape) {
  if (ghost?.aim.kind === "draw" && !(await place())) return;
  chosen = { source, shape };
  ghost = null;
  explain(_("Now a lit cell."));
  paint();
}

function chooseFirst() {
  const still = inHand() in told("open");
  if (still || !umpire()) return;
  const { source, shape } = find(".choice.from-die:not(:disabled)")?.dataset ?? {};
  chosen = source !== undefined && shape !== undefined ? { source, shape } : null;
}

/**
 * @param {string} cell
 * @param {string[]} turnings
 * @param {Aim} aim
 */
function aimAt(cell, turnings, aim) {
  ghost = { cell, turnings, at: 0, aim, first: inHand() };
  explainGhost();
  paint();
}

function explainGhost() {
  if (!ghost) return;
  const { cell, turnings, at, aim } = ghost;
  const ways = turnings.length > 1 ? _("{cell}: way {at} of {turnings}. Tap it again to turn it.", { cell, at: at + 1, turnings: turnings.length }) : _("{cell}: it fits in one way.", { cell });
  explain(`${ways}${aim.kind === "draw" && diceLeft() > 1 ? ` ${_("Tap the next cell, and this one is drawn.")}` : ""}`);
}

/** @param {string} cell */
async function tap(cell) {
  if (!drawing() || parts.expansion?.tapExpansion(cell)) return;
  if (ghost?.cell === cell) {
    if (ghost.aim.kind === "draw" && ghost.turnings.length === 1) await place();
    else turn();
  } else if (free || !umpire() || cell in onBoard()) pick(cell);
  else if (!ghost || ghost.aim.kind !== "draw" || (await place())) draw(cell);
}

/** @param {string} cell */
function draw(cell) {
  if (!(cell in places())) {
    /** @type {string | undefined} */
    const fits = told("best")[cell];
    if (!fits) {
      explain(_("Nothing fits {cell} now.", { cell }));
      return;
    }
    const at = fits.indexOf(":");
    chosen = { source: fits.slice(0, at), shape: fits.slice(at + 1) };
  }
  aimAt(cell, places()[cell] ?? [], { kind: "draw", source: chosen?.source ?? "" });
}

function turn() {
  if (!ghost) return;
  ghost.at = (ghost.at + 1) % ghost.turnings.length;
  explainGhost();
  paint();
}

/** What is in hand is drawn. Is the page as the box has it now? */
async function place() {
  if (!ghost) return true;
  const { cell, aim } = ghost;
  const route = turningOf(ghost);
  if (find("#placing")?.contains(document.activeElement)) cellPlace(cell)?.focus({ preventScroll: true });
  explain("");
  if (aim.kind === "free") {
    ghost = null;
    local[cell] = { route, round: aim.round };
    changed();
    return true;
  }
  const done = aim.kind === "correct"
    ? await correct({ seq: aim.event.seq, data: corrected(aim.event.data, cell, route) })
    : await wish(aim.kind === "draw"
      ? { kind: "draw", data: { cell, route, from: aim.source } }
      : reported({ ...onBoard(), [cell]: { ...onBoard()[cell], route } }));
  ghost = null;
  if (done) await refresh();
  paint();
  return done;
}

/**
 * Old ink, from before the last roll, is changed only if everybody agrees: then they are asked.
 * @param {{seq: number, data: any}} data
 */
async function correct(data) {
  const done = await actOrPropose({ kind: "correct", data }, _("This was drawn before the last roll. Ask everybody to agree to the change?"));
  paint();
  return done;
}

async function done() {
  if (await place()) await wish({ kind: "done" });
}

/** @returns {HTMLSelectElement | null} */
const reportRound = () => /** @type {HTMLSelectElement | null} */ (find("[name=report-round]"));

/** Saying the round says it of every route, too, of which it was not known. */
function sayRound() {
  const round = Number(reportRound()?.value ?? 0), now = onBoard();
  if (!round || Object.values(now).every((one) => one.round)) return;
  report(Object.fromEntries(Object.entries(now).map(([cell, one]) => [cell, { ...one, round: one.round || round }])));
}

/** @param {Board} cells */
const report = (cells) => wish(reported(cells));

/**
 * @param {Board} cells
 * @returns {import("/static/kit.js").Action}
 */
function reported(cells) {
  const routes = Object.fromEntries(Object.entries(cells).map(([cell, { route }]) => [cell, route]));
  const rounds = Object.fromEntries(Object.entries(cells).flatMap(([cell, { round }]) => (round ? [[cell, round]] : [])));
  const marks = find("#expansion")?.dataset.pieces ? { marks: marksNow() } : {};
  return { kind: "report", data: { cells: routes, rounds, round: Number(reportRound()?.value ?? 0), ...marks } };
}

/** @param {import("/static/kit.js").Action} action */
async function wish(action) {
  const done = await act(action, (refusal) => {
    say(refusal.message, true);
    point(refusal.detail);
  });
  paint();
  return done;
}

// --- a cell's own sheet: enter, correct, empty ---

/**
 * What the expansion's signs on a board are now; of a reported one the box is told.
 * @param {import("./marks.js").Marks} marks
 */
async function mark(marks) {
  if (free) {
    localMarks = marks;
    changed();
    return;
  }
  const { kind, data } = reported(onBoard());
  if (await wish({ kind, data: { ...data, marks } })) await refresh();
}

/** @param {string} cell */
async function pick(cell) {
  const found = find("#expansion")?.dataset.pieces;
  if (found) await loadPieces(found);
  const there = onBoard()[cell];
  const mine = free || !umpire(), round = parts.free?.roundNow();
  const hint = _("Correct it to something else, if it was entered wrongly. To take back what you just drew, use Undo.");
  const use = there && drawn(there.route, [100, 100]);
  const picture = use ? svg("svg", { class: "die there", viewBox: "0 0 100 100", role: "img", "aria-label": wordsOf(there.route) }, use) : "";
  const sheet = openSheet(
    html("h2", {}, there ? _("In {cell}", { cell }) : _("What is drawn in {cell}?", { cell })),
    picture,
    there && !mine ? html("p", {}, hint) : "",
    templated("#shapes"),
    mine ? moreShapes() : "",
    mine ? signsFor(cell, marksNow, mark) : "",
    parts.free?.wallsFor(cell, changed) ?? "",
    there && round ? button(_("Drawn in round {round}", { round }), () => { closeSheet(); local[cell] = { ...there, round }; changed(); }) : "",
    there && mine ? button(_("Empty this cell"), () => empty(cell)) : "",
    button(_("Close"), closeSheet),
  );
  for (const choice of all("[data-shape]", sheet)) {
    choice.addEventListener("click", () => {
      closeSheet();
      pickShape(cell, choice.dataset.shape ?? "");
    });
  }
}

const templated = (/** @type {string} */ name) => /** @type {HTMLTemplateElement} */ (need(name)).content.cloneNode(true);

/**
 * @param {string} cell
 * @param {string} shape
 */
async function pickShape(cell, shape) {
  const turnings = turningsOf(shape);
  if (free) {
    aimAt(cell, turnings, { kind: "free", round: local[cell]?.round || parts.free?.roundNow() || 0 });
  } else if (!umpire()) aimAt(cell, turnings, { kind: "report" });
  else {
    const event = await entering(cell);
    if (event) aimAt(cell, turnings, { kind: "correct", event });
  }
}

/** @param {string} cell */
function empty(cell) {
  closeSheet();
  const { [cell]: _, ...left } = onBoard();
  if (free) {
    local = left;
    changed();
  } else report(left);
}

// --- dice ---

async function roll() {
  await trying(() => post(inMatch("roll")));
  await refresh();
}

/**
 * What is tapped while the box is being told of the tap before waits for that: nothing is lost, nothing overtakes.
 * @param {() => unknown} work
 */
function inTurn(work) {
  doing = doing.then(work).then(() => {}, reportError);
}
let doing = Promise.resolve();

function drop() {
  ghost = null;
  explain("");
  paint();
}

/** @type {Record<string, () => unknown>} */
const deeds = {
  turn,
  place,
  drop,
  roll,
  undo: () => {
    drop();
    return undo(drawing()?.dataset.undo);
  },
  done,
  reroll: () => wish({ kind: "reroll", data: { dice: all("[name=again]:checked").map((one) => Number(/** @type {HTMLInputElement} */ (one).value)) } }),
  advise: () => parts.free?.advised(local, localMarks),
  clear: () => {
    [local, localMarks, ghost] = [{}, {}, null];
    parts.free?.noWalls();
    changed();
  },
};

document.addEventListener("click", (event) => {
  const choice = hit(event, ".choice[data-source]")?.dataset;
  const deed = hit(event, "[data-do]")?.dataset.do;
  const { cell } = hit(event, ".mine .board g[data-cell]")?.dataset ?? {};
  if (choice) inTurn(() => choose(choice.source ?? "", choice.shape ?? ""));
  else if (deed !== undefined) inTurn(() => deeds[deed]?.());
  else if (cell) inTurn(() => tap(cell));
});

document.addEventListener("change", (event) => { if (hit(event, "[name=report-round]")) sayRound(); });

document.addEventListener("keydown", (event) => {
  const { cell } = hit(event, ".mine .board g[data-cell]")?.dataset ?? {};
  if (cell && pressed(event)) {
    event.preventDefault();
    inTurn(() => tap(cell));
  }
  if (event.key === "Escape" && ghost) drop();
});

document.addEventListener("swapped", (event) => {
  if (!hit(event, "[data-piece=controls], [data-piece=board], [data-piece=dice]")) return;
  if (ghost?.aim.kind === "draw" && !(ghost.cell in places())) ghost = null;
  chooseFirst();
  paint();
});

// --- the free editor: scores as it is filled ---

/** @type {ReturnType<typeof setTimeout>} */
let counting;

function changed() {
  paint();
  parts.free?.keep(local, localMarks);
  clearTimeout(counting);
  counting = setTimeout(() => parts.free?.scored(local, localMarks), 120);
}

/** The board of the chosen size and the signs of the chosen expansion; what has no place there any more goes. */
async function setOut() {
  const told = await parts.free?.otherBoard();
  if (!told || !parts.free) return null;
  local = parts.free.fitting(local);
  localMarks = parts.free.fittingMarks(localMarks);
  ghost = null;
  changed();
  return told;
}

/** Another expansion begins with its own signs. */
async function otherExpansion() {
  localMarks = {};
  const told = await setOut();
  if (told) localMarks = told.start; // else yet another was chosen meanwhile, and brings its own
  changed();
}

async function beginFree() {
  const { fitting, remembered, select } = (parts.free = await import("./free.js"));
  ({ cells: local, marks: localMarks } = remembered());
  document.addEventListener("edit-board", async (event) => {
    const { cells, rounds, edition: played, blueprint } = /** @type {CustomEvent} */ (event).detail;
    parts.free?.photographed(played, blueprint);
    if (!blueprint || Object.keys(cells).length) local = Object.fromEntries(Object.entries(cells).map(([cell, route]) => [cell, { route, round: rounds[cell] ?? 0 }]));
    await setOut();
    board()?.scrollIntoView();
  });
  document.addEventListener("change", (event) => {
    const named = hit(event, "[name=size], [name=edition]"), other = hit(event, "[name=expansion]");
    if (other) otherExpansion();
    else if (named) setOut();
    else if (hit(event, ".quick-options")) changed();
  });
  if (select("size").value !== "usual" || select("expansion").value) await setOut();
  else local = fitting(local);
  changed();
}

const fetchExpansion = async () => { if (find("#expansion")) parts.expansion = await import("./expansion.js"); };
document.addEventListener("swapped", fetchExpansion);
fetchExpansion();
if (free) beginFree();
else {
  chooseFirst();
  paint();
}
