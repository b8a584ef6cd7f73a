// @ts-check
// A genuine board, described over its photograph. The file's text is the truth: every tap changes a line of it.
import { post } from "/static/api.js";
import { all, hit, html, need, pressed, svg } from "/static/elements.js";
import { trying } from "/static/kit.js";
import { nearest, ZoomMap } from "/static/map.js";
import { cardLists, field, fill } from "./cards.js";
import { entriesOf, fileName, laid, nextNumber, perspective, rounded, withChanges, withLine, written } from "./boardfile.js";
import { _ } from "/static/words.js";

/** @typedef {import("/static/map.js").Point} Point */
/** @typedef {import("./boardfile.js").Entry} Entry */
/** @typedef {import("./boardfile.js").Told} Told */
/** @typedef {"city" | "point" | "track" | "change"} Tool */
/** @typedef {"board" | "cards"} File */

/** @type {Record<Tool, string>} */
const SAYS = {
  city: _("Tap the middle of a city, then say its name."),
  point: _("Tap every place outside a city where tracks meet."),
  track: _("Choose a suit, then tap the two ends of a track. The next track goes on from there."),
  change: _("Tap a city, a point or a track to change it; drag a city or a point to move it."),
};
const MOST = 8; // pixels a millimetre
/** @type {Point[]} */
const STRAIGHT = [[0, 0], [1, 0], [1, 1], [0, 1]];

/** @type {HTMLTextAreaElement} */
const board = need("#text-board");
/** @type {HTMLTextAreaElement} */
const cards = need("#text-cards");
/** @type {SVGSVGElement} */
const drawing = need("#drawing");
/** @type {HTMLImageElement} */
const photo = need("#photo");
/** @type {HTMLFormElement} */
const placeForm = need("#place-form");
/** @type {HTMLFormElement} */
const trackForm = need("#track-form");
/** @type {HTMLButtonElement} */
const undo = need("#undo");
/** @type {string[]} */
const before = []; // texts, for Undo
/** @type {Tool} */
let tool = "city";
let suit = "", chain = "";
/** @type {{line?: Entry, at?: Point} | null} */
let asked = null; // what a form is about
/** @type {Point[] | null} */
let corners = null; // of the photograph, as they are being tapped
/** @type {Point[]} */
let straightened = STRAIGHT;
/** @type {{one: Entry, from: Point, to: Point | null} | null} */
let drag = null;

const say = (/** @type {string} */ words) => { need("#say").textContent = words; };

// --- the file as lines ---

const of = (/** @type {string} */ kind) => entriesOf(board.value).filter((one) => one.kind === kind);
const nameOf = (/** @type {Entry} */ one) => one.told[one.kind];

/** @returns {Record<string, Entry>} cities and points by their names */
const places = () => Object.fromEntries([...of("city"), ...of("point")].filter((one) => Array.isArray(one.told.at)).map((one) => [nameOf(one), one]));

const tracks = () => laid(of("track"), Object.fromEntries(Object.entries(places()).map(([name, { told }]) => [name, told.at])));

/** @param {string} text */
function change(text) {
  before.push(board.value);
  board.value = text;
  changed();
}

const add = (/** @type {Told} */ told) => change(withLine(board.value, told));
const replace = (/** @type {Record<number, Told | null>} */ changes) => change(withChanges(board.value, changes));

function changed() {
  undo.disabled = !before.length;
  need("#kept-board").textContent = "";
  draw();
  basics();
}

// --- the drawing ---

function size() {
  const [width, height] = of("board")[0]?.told.size || [508, 571.5];
  return { width: Number(width) || 508, height: Number(height) || 571.5 };
}

function draw() {
  const suits = Object.fromEntries(of("suit").map(({ told }) => [told.suit, told]));
  const lines = tracks().map(({ one, ends: [a, b] }) => ({ d: `M${a}L${b}`, at: one.at, look: suits[one.told.suit] }));
  const beds = ["desk-case", "desk-bed"].flatMap((look) => lines.map(({ d }) => svg("path", { d, class: look })));
  const drawn = lines.map(({ d, at, look }) =>
    svg("path", { d, class: `desk-track pattern-${look?.pattern || "none"}`, stroke: look?.colour || "#ff00ff", "data-line": at }));
  const marks = Object.entries(places()).flatMap(([name, { kind, told, at }]) => {
    const [cx, cy] = told.at, isCity = kind === "city", label = told.name || name;
    const mark = { cx, cy, r: isCity ? 6.5 : 2.6, class: `desk-${kind}${name === chain ? " chained" : ""}`, "data-line": at, "data-name": name };
    const circle = svg("circle", { ...mark, tabindex: 0, role: "button", "aria-label": label });
    return isCity ? [circle, svg("text", { x: cx, y: cy + 13 }, label)] : [circle];
  });
  const { width, height } = size();
  const taken = (corners ?? []).map(([x, y]) => svg("circle", { cx: x * width, cy: y * height, r: 7, class: "desk-corner" }));
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.replaceChildren(...beds, ...drawn, ...marks, ...taken);
  need("#view").style.setProperty("--high", String(height / width));
  if (map.frame.width !== width || map.frame.height !== height) map.resize({ left: 0, top: 0, width, height });
}

/**
 * @param {Point} at
 * @param {number} reach in millimetres
 */
const near = (at, reach = 9) => nearest(at, Object.values(places()).map((one) => [one, one.told.at]), reach);

/** @param {Point} at */
const nearTrack = (at) => nearest(at, tracks().map(({ one, ends: [a, b] }) => [one, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]]), 12);

// --- taps ---

/** @type {Record<Tool, (at: Point) => void>} */
const taps = {
  city: (at) => {
    const there = near(at);
    if (there) ask(there);
    else open(_("A new city"), { good: leastGood() }, true, { at: rounded(at) });
  },
  point: (at) => { if (!near(at, 5)) add({ point: freePoint(), at: rounded(at) }); },
  track: joinTo,
  change: (at) => {
    const there = near(at), track = nearTrack(at);
    if (there) ask(there);
    else if (track) askTrack(track);
  },
};

function freePoint() {
  const known = places();
  let number = 1;
  while (known[`p${number}`]) number += 1;
  return `p${number}`;
}

/** @param {Point} at */
function joinTo(at) {
  const there = near(at, 14);
  const name = there ? nameOf(there) : "", from = chain;
  chain = name;
  if (!there) say(_("The chain is broken off: tap where the next track begins."));
  if (!from || !name || from === name) {
    draw();
    return;
  }
  const old = of("track").find(({ told }) => told.track.includes(from) && told.track.includes(name));
  if (old) replace({ [old.at]: { ...old.told, suit } });
  else add({ track: [from, name], suit });
  say(_("{from} – {name}: {suit}. Now {name} to where? Tap beside everything to begin elsewhere.", { from, name, suit }));
}

// --- what is asked ---

/** @returns {[string, string][]} */
const goods = () => of("good").map(({ told }) => [told.good, told.name || told.good]);
/** @returns {[string, string][]} */
const cities = () => of("city").map(({ told }) => [told.city, told.name]);

/**
 * @param {string} title
 * @param {Told} told
 * @param {boolean} isCity
 * @param {NonNullable<typeof asked>} about
 */
function open(title, told, isCity, about) {
  asked = about;
  placeForm.hidden = false;
  need("#place-title").textContent = title;
  field("name", placeForm).value = told.name || told.point || "";
  fill(field("good", placeForm), goods(), told.good);
  need(".of-city", placeForm).hidden = !isCity;
  need("#remove").hidden = !about.line;
  field("name", placeForm).focus({ preventScroll: true });
}

/** @param {Entry} one */
const ask = (one) => open(one.kind === "city" ? _("The city {name}", { name: one.told.name }) : _("The point {point}", { point: one.told.point }), one.told, one.kind === "city", { line: one });

// The good that fewest cities supply so far is the likeliest one to come.
function leastGood() {
  const supplied = (/** @type {string} */ good) => of("city").filter(({ told }) => told.good === good).length;
  return goods().map(([good]) => good).sort((a, b) => supplied(a) - supplied(b))[0] ?? "";
}

/** @param {SubmitEvent} event */
function placed(event) {
  event.preventDefault();
  const name = field("name", placeForm).value.trim(), good = field("good", placeForm).value, called = fileName(name);
  const taken = places()[called], line = asked?.line;
  if (!called || (taken && taken.at !== line?.at)) {
    say(called ? _("There is a {called} already.", { called }) : _("A name has letters."));
    return;
  }
  if (!line) add({ city: called, name, good, at: asked?.at });
  else {
    const told = line.kind === "city" ? { ...line.told, city: called, name, good } : { ...line.told, point: called };
    replace({ ...renamed(nameOf(line), called), [line.at]: told });
  }
  close();
}

/**
 * Tracks follow a place that gets another name; without one they go.
 * @param {string} old
 * @param {string | null} called
 * @returns {Record<number, Told | null>}
 */
const renamed = (old, called) => Object.fromEntries(of("track").filter(({ told }) => told.track.includes(old)).map(({ at, told }) =>
  [at, called === null ? null : { ...told, track: told.track.map((/** @type {string} */ end) => (end === old ? called : end)) }]));

/** @param {Entry} one */
function askTrack(one) {
  asked = { line: one };
  trackForm.hidden = false;
  need("#track-title").textContent = _("The track {track}", { track: one.told.track.join(" – ") });
  fill(field("suit", trackForm), of("suit").map(({ told }) => [told.suit, `${told.suit}, ${told.pattern}`]), one.told.suit);
}

function close() {
  asked = null;
  placeForm.hidden = trackForm.hidden = true;
}

/** @param {(line: Entry) => Record<number, Told | null>} changes */
function settle(changes) {
  if (asked?.line) replace(changes(asked.line));
  close();
}

// --- size, suits, goods ---

function basics() {
  /** @type {HTMLFormElement} */
  const form = need("#size-form");
  const { width, height } = size(), suits = of("suit");
  field("title", form).value = of("board")[0]?.told.board ?? "";
  field("width", form).value = String(width);
  field("height", form).value = String(height);
  if (!suits.some(({ told }) => told.suit === suit)) suit = suits[0]?.told.suit ?? "";
  need("#suits").replaceChildren(...suits.map(({ told }) => suitButton(told)));
  need("#suits").hidden = tool !== "track";
  need("#suit-list").replaceChildren(...suits.map(suitLine));
  need("#good-list").replaceChildren(...of("good").map(goodLine));
  cardLists(goods(), cities());
}

/** @param {Told} told */
function suitButton(told) {
  const line = (/** @type {string} */ look) => svg("path", { d: "M3 6L37 6", class: look, stroke: look.startsWith("desk-track") && told.colour });
  const looks = ["desk-case", "desk-bed", `desk-track pattern-${told.pattern}`];
  const picture = svg("svg", { viewBox: "0 0 40 12", class: "suit-picture", "aria-hidden": "true" }, ...looks.map(line));
  const click = () => {
    suit = told.suit;
    basics();
  };
  return html("button", { type: "button", class: "task", "aria-pressed": String(told.suit === suit), click }, picture, told.suit);
}

/**
 * @param {() => void} click
 * @param {...[words: string, input: HTMLElement]} inputs
 */
function basicsRow(click, ...inputs) {
  const set = html("button", { type: "button", class: "button plain", click }, _("Set"));
  return html("div", { class: "row basics-row" }, ...inputs.map(([words, input]) => html("label", {}, words, input)), set);
}

/** @param {Entry} line */
function suitLine({ told, at }) {
  const name = html("input", { value: told.suit, maxlength: 30 }), colour = html("input", { type: "color", value: told.colour });
  const pattern = html("select");
  /** @type {string[]} */
  const patterns = JSON.parse(need("#suit-list").dataset.patterns ?? "[]");
  fill(pattern, patterns.map((one) => [one, one]), told.pattern);
  return basicsRow(() => {
    const called = fileName(name.value) || told.suit;
    const follow = of("track").filter((one) => one.told.suit === told.suit).map((one) => [one.at, { ...one.told, suit: called }]);
    replace({ ...Object.fromEntries(follow), [at]: { suit: called, colour: colour.value, pattern: pattern.value } });
  }, [_("Suit"), name], [_("Colour"), colour], [_("Pattern"), pattern]);
}

/** @param {Entry} line */
function goodLine({ told, at }) {
  const name = html("input", { value: told.name, maxlength: 30 });
  return basicsRow(() => {
    const called = fileName(name.value) || told.good;
    const follow = of("city").filter((one) => one.told.good === told.good).map((one) => [one.at, { ...one.told, good: called }]);
    replace({ ...Object.fromEntries(follow), [at]: { good: called, name: name.value.trim() } });
  }, ["Good", name]);
}

// --- checking, keeping, files ---

const textOf = (/** @type {File} */ name) => (name === "board" ? board : cards);

/** @param {File} name */
async function keep(name) {
  const list = need(`#faults-${name}`), kept = need(`#kept-${name}`);
  list.replaceChildren();
  const told = await trying(() => post("/api/v1/host/options", { game: "spike", option: name, text: textOf(name).value }), ({ detail, message }) => {
    /** @type {string[]} */
    const faults = detail.faults ?? [message];
    kept.textContent = _("Not kept: {faults}. Tap one to see its line.", { faults: faults.length === 1 ? _("one thing is wrong") : _("{faults} things are wrong", { faults: faults.length }) });
    list.replaceChildren(...faults.map(faultLine));
  });
  if (told) kept.textContent = `${told.message}.`;
}

/** @param {string} words */
function faultLine(words) {
  const [, file, number] = words.match(/^(board|cards), line (\d+)/) ?? [];
  const click = () => { if (file) showLine(textOf(/** @type {File} */ (file)), Number(number)); };
  return html("li", {}, html("button", { type: "button", class: "fault", click }, words));
}

/**
 * @param {HTMLTextAreaElement} place
 * @param {number} number
 */
function showLine(place, number) {
  const lines = place.value.split("\n"), start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  place.focus();
  place.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  place.scrollTop = (number - 3) * (place.scrollHeight / lines.length);
}

/** @param {File} name */
function download(name) {
  const href = URL.createObjectURL(new Blob([textOf(name).value], { type: "application/x-ndjson" }));
  html("a", { href, download: `spike.${name}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/**
 * @param {File} name
 * @param {string} text
 */
function take(name, text) {
  if (name === "board") before.push(board.value);
  chain = "";
  need(`#faults-${name}`).replaceChildren();
  textOf(name).value = text;
  changed();
}

// --- the photograph: its four corners are drawn onto the board's ---

/** @param {Blob} file */
async function showPhoto(file) {
  photo.src = URL.createObjectURL(file);
  await photo.decode();
  photo.hidden = false;
  /** @type {HTMLButtonElement} */
  const marking = need("#corners");
  marking.disabled = false;
  corners = null;
  straighten(STRAIGHT);
  say(_("If the photograph is not straight, tap Its corners."));
}

function beginCorners() {
  corners = [];
  straighten(STRAIGHT);
  say(_("Tap the board's corners in the photograph: top left, top right, bottom right, bottom left."));
  draw();
}

/**
 * @param {Point[]} four
 * @param {Point} at
 */
function corner(four, [x, y]) {
  four.push([x / size().width, y / size().height]);
  if (four.length === 4) {
    corners = null;
    straighten(four);
    say(SAYS[tool]);
  }
  draw();
}

function straighten(from = straightened) {
  straightened = from;
  const { clientWidth, clientHeight } = need("#sheet");
  photo.style.transform = perspective(from, clientWidth, clientHeight);
}

// --- what is listened to ---

drawing.setAttribute("viewBox", `0 0 ${size().width} ${size().height}`);
need("#view").style.setProperty("--high", String(size().height / size().width));
const map = new ZoomMap(need("#view"), MOST);
map.onScale(() => { if (!photo.hidden) straighten(); });
map.onTap((at) => {
  if (corners) corner(corners, at);
  else taps[tool](at);
});

/** @returns {Point} */
const where = (/** @type {PointerEvent} */ event) => map.at([event.clientX, event.clientY]);

// A place that is dragged moves; the map stays.
drawing.addEventListener("pointerdown", (event) => {
  const from = where(event), one = tool === "change" && !corners ? near(from) : null;
  if (!one) return;
  event.stopPropagation();
  drawing.setPointerCapture(event.pointerId);
  drag = { one, from, to: null };
});
drawing.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const at = where(event), [x, y] = drag.from;
  if (!drag.to && Math.hypot(at[0] - x, at[1] - y) <= 4) return;
  drag.to = at;
  const mark = need(`circle[data-line="${drag.one.at}"]`, drawing);
  mark.setAttribute("cx", String(at[0]));
  mark.setAttribute("cy", String(at[1]));
});
drawing.addEventListener("pointerup", () => {
  const dropped = drag;
  drag = null;
  if (dropped?.to) replace({ [dropped.one.at]: { ...dropped.one.told, at: rounded(dropped.to) } });
  else if (dropped) ask(dropped.one);
});
drawing.addEventListener("keydown", (event) => {
  const mark = hit(event, "circle[data-name]");
  if (!mark || !pressed(event)) return;
  event.preventDefault();
  taps[tool]([Number(mark.getAttribute("cx")), Number(mark.getAttribute("cy"))]);
});

for (const button of all("[data-tool]")) button.addEventListener("click", () => {
  tool = /** @type {Tool} */ (button.dataset.tool);
  chain = "";
  for (const one of all("[data-tool]")) one.setAttribute("aria-pressed", String(one === button));
  close();
  say(SAYS[tool]);
  changed();
});
placeForm.addEventListener("submit", placed);
trackForm.addEventListener("submit", (event) => {
  event.preventDefault();
  settle((line) => ({ [line.at]: { ...line.told, suit: field("suit", trackForm).value } }));
});
need("#size-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target), head = of("board")[0];
  const told = { ...(head?.told ?? { board: "", format: 1 }), board: field("title", form).value, size: [Number(field("width", form).value), Number(field("height", form).value)] };
  change(head ? withChanges(board.value, { [head.at]: told }) : `${written(told)}\n${board.value}`);
});
need("#card-form").addEventListener("change", () => cardLists(goods(), cities()));
/** @type {Record<string, () => void>} by the button's id */
const deeds = {
  remove: () => settle((line) => ({ ...renamed(nameOf(line), null), [line.at]: null })),
  "double-track": () => {
    const told = asked?.line?.told;
    if (told) add({ track: told.track, suit: field("suit", trackForm).value, number: nextNumber(of("track"), told) });
    close();
  },
  "remove-track": () => settle((line) => ({ [line.at]: null })),
  leave: close,
  "leave-track": close,
  corners: beginCorners,
  undo: () => {
    board.value = before.pop() ?? board.value;
    close();
    changed();
  },
};
document.addEventListener("click", (event) => {
  const button = hit(event, "button");
  if (!button) return;
  const { keep: kept, download: saved, example } = button.dataset;
  deeds[button.id]?.();
  if (kept) keep(/** @type {File} */ (kept));
  if (saved) download(/** @type {File} */ (saved));
  if (example) take(/** @type {File} */ (example), /** @type {HTMLTemplateElement} */ (need(`#shipped-${example}`)).content.textContent ?? "");
});
need("#faded").addEventListener("input", (event) => { photo.style.opacity = /** @type {HTMLInputElement} */ (event.target).value; });
board.addEventListener("input", changed);
document.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
  if (!file || !(target instanceof HTMLInputElement)) return;
  if (target.id === "photo-file") showPhoto(file);
  else if (target.dataset.upload) take(/** @type {File} */ (target.dataset.upload), await file.text());
});
say(SAYS[tool]);
changed();
