// @ts-check
// Empire Builder under a finger: run the train, plan and build track, load and deliver. What a plan costs and what
// the rules say to it is asked of the box; nothing of that is worked out here.
import { all, button, find, hit, need, svg } from "/static/elements.js";
import { act, asking, count, say, undo, upper } from "/static/kit.js";
import { nearest } from "/static/map.js";
import { map, pitch, settleNames, show } from "./map.js";
import { COLUMN, dots, HALF_ROW, nameAt, path, spot, spots } from "./mileposts.js";
import { namedAt, pin } from "./pinned.js";
import { _ } from "/static/words.js";

/** @typedef {import("/static/kit.js").Action} Action */
/** @typedef {"run" | "build" | "erase" | "look"} Tap */
/**
 * @typedef {object} Plan what is being thought about
 * @property {"run" | "way" | "place" | "erase" | "look"} about
 * @property {string[]} through mileposts tapped
 * @property {string} [start] where a way begins that is not joined to one's own line
 * @property {string} says
 * @property {any} [answer] of the box
 * @property {[words: string, wish: Action, ...then: Action[]]} [confirm]
 * @property {[words: string, wish: Action, ...then: Action[]][]} [more] other things that can be done
 */
/** @typedef {{start: string, price: number, says: string}} Other a cheaper way from elsewhere */
/** @typedef {{price: number, turns: number, path: string[], says?: string, others?: Other[], now?: {price: number, path: string[]}}} Way */

const ground = /** @type {import("/static/map.js").ZoomMap} */ (map);
const view = need("#ground-view");
const ask = asking();
/** @returns {DOMStringMap} what the controls say; nothing when there are none any more */
const controls = () => find("#eb")?.dataset ?? {};
const told = (/** @type {string} */ name) => JSON.parse(controls()[name] || "null");
const doing = () => controls().doing ?? "";
const may = (/** @type {string} */ kind) => (controls().may ?? "").split(" ").includes(kind);
const scorekeeping = () => controls().mode === "scorekeeper";
const nameOfSeat = (/** @type {string} */ number) => told("names")[number];
const seat = document.body.dataset.seat ?? "";

/** @type {Tap | ""} */
let tap = "";
/** @type {Plan | null} */
let plan = null;
/** @type {{key: string, goal: string, sources: string[]} | null} */
let trip = null; // the demand that is shown
let cursor = ""; // the milepost the keyboard is at

// --- cities, by their names on the map ---

/** @type {Record<string, string>} */
const cities = Object.fromEntries(all(".eb-names [data-at]").map((one) => [one.textContent, one.dataset.at ?? ""]));
/** A milepost as people say it: a city by its name, another by where it is lit. */
const spoken = (/** @type {string} */ name) => Object.keys(cities).find((city) => cities[city] === name) ?? _("the place you tapped");

// --- choosing a milepost ---

/** @returns {string[]} */
function lit() {
  const open = told("lit") ?? {};
  if (doing() === "place") return open.place ?? [];
  return tap === "run" || tap === "build" ? Object.keys(open[tap] ?? {}) : [];
}

/**
 * On a small map a finger covers many mileposts: cities and lit ones first, and otherwise the map comes nearer.
 * @param {import("/static/map.js").Point} point
 */
function found(point) {
  if (pitch() >= 15) return nameAt(point);
  const near = (/** @type {string[]} */ names) => nearest(point, names.map((name) => [name, spot(name) ?? [0, 0]]), ground.reach(22));
  return near(Object.values(cities)) ?? (tap === "run" || doing() === "place" ? near(lit()) : undefined);
}

ground.onTap((point, client) => {
  const name = namedAt(client) ?? found(point);
  if (name) choose(name);
  else ground.zoom(26 / pitch(), client);
});

/** @param {string} name */
function choose(name) {
  if (!find("#eb")) return;
  cursor = name;
  if (doing() === "place" && tap !== "build" && tap !== "look") setDown(name);
  else if (tap === "run") planRun(name);
  else if (tap === "build") planWay(name);
  else if (tap === "erase") planErase(name);
  else look(name);
}

/** @param {string} name */
function setDown(name) {
  const here = lit().includes(name);
  const says = here ? _("Your train begins in {name}.", { name: spoken(name) }) : _("{name} is no city of your track: a train begins in one.", { name: spoken(name) });
  plan = { about: "place", through: [name], says };
  if (here) plan.confirm = [_("Put it here"), { kind: "place", data: { at: name } }];
  paint();
}

/** @param {string} name */
async function planRun(name) {
  plan = { about: "run", through: [name], says: "…" };
  paint();
  const answer = await ask("run", { to: name });
  if (!answer || plan?.about !== "run") return;
  if (answer.refused && answer.code === "out-of-reach" && may("build")) { // no track leads there: build it
    plan = null;
    planWay(name);
    return;
  }
  plan = { ...plan, answer, says: answer.refused ? upper(answer.refused) : runWords(name, answer) };
  if (answer.now) offerRun(plan, answer);
  paint();
}

/** A load in the language of the page: the demands, of which every load is that is offered here, have its words. */
const loadWords = (/** @type {string} */ load) => find(`#eb [data-load="${load}"] .eb-what b`)?.textContent ?? load;

/**
 * To run, and with the same tap what brings money or freight there: all of it first, then the best of it.
 * @param {Plan} wanted
 * @param {{path: string[], steps?: number, there?: {deliver: {card: string, load: string, payout: number}[], pickup: string[], room: number}}} answer
 */
function offerRun(wanted, { path, steps, there = { deliver: [], pickup: [], room: 0 } }) {
  /** @type {Action} */
  const move = { kind: "move", data: { path } };
  const demands = there.deliver.toSorted((one, other) => other.payout - one.payout);
  const deliveries = demands.map(({ card, load, payout }) => ({ words: _("deliver {load} +{payout}", { load: loadWords(load), payout }), wish: { kind: "deliver", data: { card, load } } }));
  const loads = there.pickup.map((load) => ({ words: _("load {load}", { load: loadWords(load) }), wish: { kind: "pickup", data: { load } } }));
  const single = deliveries.filter((_one, at) => demands.findIndex(({ load }) => load === demands[at]?.load) === at);
  const everything = [...single, ...(loads.length <= there.room + single.length ? loads : [])];
  const wishes = [...(everything.length > 1 ? [everything] : []), ...[...deliveries, ...(there.room ? loads : [])].map((one) => [one])];
  wanted.confirm = [steps ? _("Run towards it") : _("Run there"), move];
  wanted.more = wishes.map((some) => [_("Run, {things}", { things: some.map((one) => one.words).join(", ") }), move, ...some.map((one) => one.wish)]);
}

/**
 * @param {string} name
 * @param {{path: string[], fees: Record<string, number>, left: number, now: boolean, steps?: number}} answer
 */
function runWords(name, answer) {
  const fees = Object.entries(answer.fees).map(([to, price]) => _("{price} million to {to}", { price, to: nameOfSeat(to) }));
  const pays = fees.length ? _(", pays {fees} first", { fees: fees.join(` ${_("and")} `) }) : _(", nothing to pay");
  const when = answer.now ? "" : _(" In your next turn it can be done.");
  if (answer.steps) return _("Run {path} of {count} towards {name}{pays}.{when}", { path: answer.path.length, count: count(answer.steps, _("{n} milepost"), _("{n} mileposts")), name: spoken(name), pays, when });
  return _("To {name}: {count}{pays}; {left} left then.{when}", { name: spoken(name), count: count(answer.path.length, _("{n} milepost"), _("{n} mileposts")), pays, left: answer.left, when });
}

// --- building ---

/** @param {string} name */
function planWay(name) {
  const through = plan?.about === "way" ? plan.through : [];
  if (through.at(-1) !== name) askWay([...through, name], plan?.start);
}

/**
 * @param {string[]} through
 * @param {string} [start]
 */
async function askWay(through, start = "") {
  const last = through.at(-1);
  if (!last) {
    forget();
    return;
  }
  plan = { about: "way", through, start, says: plan?.says || "…", answer: plan?.about === "way" ? plan.answer : null };
  paint();
  const answer = await ask("way", start ? { through, start } : { through });
  if (!answer || plan?.about !== "way") return;
  const known = answer.code === "unknown-milepost" ? through.slice(0, -1) : through; // what is not there is no part of a way
  plan = { about: "way", through: known, start, answer, says: answer.refused ? upper(answer.refused) : wayWords(last, answer) };
  if (!answer.refused) offer(plan, answer);
  paint();
}

/**
 * @param {string} name
 * @param {Way} way
 */
function wayWords(name, { price, turns, now, says, path: whole }) {
  if (whole.length < 2) return _("You can build from {name}: tap on to lead your track further.", { name: spoken(name) });
  if (!price) return _("Your track leads to {name} already.", { name: spoken(name) });
  const all = _("To {name}: {price} million", { name: spoken(name), price });
  if (now && now.price === price) return `${all}.`;
  const long = turns > 1 ? `, ${count(turns, _("{n} turn"), _("{n} turns"))}` : "";
  const part = now ? _(" Now as far as the solid line goes, for {price}", { price: now.price }) : "";
  return `${all}${long}.${part}${says ? `${part ? ": " : _(" Not now: ")}${says}` : ""}.`;
}

/**
 * @param {Plan} wanted
 * @param {Way} way
 */
function offer(wanted, { now, path: whole, price }) {
  if (scorekeeping()) {
    const track = { [seat]: [...told("lines"), whole.join(" ")] };
    if (price) wanted.confirm = [_("It is drawn"), { kind: "report", data: { track } }];
  } else if (now && may("build")) {
    /** @type {Action} */
    const build = { kind: "build", data: { path: now.path } };
    wanted.confirm = [_("Build for {price} million", { price: now.price }), build];
    if (may("done")) wanted.more = [[_("Build, end turn"), build, { kind: "done" }]];
  }
}

/** @param {string} name */
function planErase(name) {
  const lines = /** @type {string[]} */ (told("lines"));
  const edges = lines.flatMap((line) => pairs(line.split(" ")));
  const gone = edges.filter((edge) => edge.includes(name));
  const says = gone.length ? _("{count} of yours at {name}.", { count: count(gone.length, _("{n} segment"), _("{n} segments")), name: spoken(name) }) : _("No track of yours is at {name}.", { name: spoken(name) });
  plan = { about: "erase", through: [name], says };
  const left = edges.filter((edge) => !edge.includes(name)).map((edge) => edge.join(" "));
  if (gone.length) plan.confirm = [_("Erase them"), { kind: "report", data: { track: { [seat]: left } } }];
  paint();
}

const pairs = (/** @type {string[]} */ names) => names.slice(1).map((name, at) => [names[at], name]);

/** @param {string} name */
async function look(name) {
  plan = { about: "look", through: [name], says: "…" };
  paint();
  const answer = await ask("here", { at: name });
  if (!answer || plan?.about !== "look") return;
  plan.says = answer.refused ? upper(answer.refused) : lookWords(answer);
  paint();
}

/**
 * @typedef {object} Here
 * @property {string} city
 * @property {string} size
 * @property {string} terrain
 * @property {number} price
 * @property {Record<string, number>} supplies
 * @property {{load: string, payout: number}[]} wanted
 * @property {string[]} builders
 */

/** @param {Here} here */
function lookWords({ city, size, terrain, price, supplies, wanted, builders }) {
  if (!city) return _("{terrain}: track to here costs {price} million, and 2 more over water.", { terrain: upper(terrain), price });
  const loads = Object.entries(supplies).map(([load, left]) => _("{load} ({left} left)", { load, left })).join(", ") || _("nothing");
  const asks = wanted.map(({ load, payout }) => _("{load} for {payout}", { load, payout })).join(", ");
  const built = builders.map(nameOfSeat).join(", ");
  return _("{city}, {size}: has {loads}.{asks}{built} Track into it: {price} million.", { city, size, loads, asks: asks ? _(" You deliver {asks}.", { asks }) : "", built: built ? _(" Built into by {built}.", { built }) : "", price });
}

function forget() {
  plan = null;
  paint();
}

const confirm = () => carryOut(plan?.confirm);

/** @param {Plan["confirm"]} chosen one thing after the other, as long as each is done */
async function carryOut(chosen) {
  const { about, through, start, answer } = plan ?? {};
  if (!chosen || !through) return;
  const [, wish, ...then] = chosen;
  if (!(await act(wish))) return;
  for (const next of then) {
    plan = null;
    if (!(await act(next))) break;
  }
  if (then.length) {
    paint();
    return;
  }
  // What is built now hangs together with the rest of the plan, wherever it began.
  const open = about === "way" && wish.kind === "build" && wish.data?.path.at(-1) !== answer?.path.at(-1);
  plan = null;
  if (open) askWay(through.slice(-1), start);
  else paint();
}

// --- showing it ---

/** The cities of my demands have their names on the map, however far it is; with the chosen one those that have its load. */
function nameWanted() {
  const wanted = new Set([...all("#eb [data-do=trip]").map((one) => one.dataset.goal), ...(trip?.sources ?? [])]);
  for (const name of all(".eb-names .eb-name")) name.classList.toggle("eb-wanted", wanted.has(name.dataset.at));
  settleNames();
}

function paint() {
  nameWanted();
  /** @type {SVGPathElement[]} */
  const layer = [];
  const add = (/** @type {string} */ name, /** @type {string} */ d) => { if (d) layer.push(svg("path", { class: `eb-${name}`, d })); };
  add("lit", dots(lit()));
  if (trip) {
    add("source", dots(trip.sources));
    add("goal", dots([trip.goal]));
  }
  if (plan) paintPlan(plan, add);
  if (cursor && document.activeElement === view) add("cursor", dots([cursor]));
  ground.hand.replaceChildren(...layer);
  paintBar();
}

/**
 * @param {Plan} wanted
 * @param {(name: string, d: string) => void} add
 */
function paintPlan({ answer, about, through }, add) {
  if (answer?.path) {
    const whole = path(about === "run" ? [controls().at ?? "", ...answer.path] : answer.path);
    add("wish", whole);
    if (answer.now?.path) add("now-wish", path(answer.now.path));
    else if (about === "run") add("now-wish", whole);
  }
  add(answer?.refused ? "refused" : "chosen", dots(through));
}

/**
 * A button for each choice. One that stays is not made anew under a finger: its tap would be lost.
 * @template T
 * @param {HTMLElement} place
 * @param {T[]} some
 * @param {(one: T) => string} words
 * @param {(one: T) => void} work
 * @param {string} look
 */
function choices(place, some, words, work, look) {
  const said = JSON.stringify(some);
  if (place.dataset.said === said) return;
  place.dataset.said = said;
  place.replaceChildren(...some.map((one) => button(words(one), () => work(one), look)));
}

function paintBar() {
  if (!find("#eb")) return;
  need("#eb-plan").hidden = !plan;
  need("#eb-usual").hidden = Boolean(plan);
  if (plan) {
    const says = need("#eb-plan-says");
    if (says.textContent !== plan.says) says.textContent = plan.says;
    const yes = need("#eb [data-do=confirm]");
    yes.hidden = !plan.confirm;
    if (plan.confirm) yes.textContent = plan.confirm[0];
    choices(need("#eb-more"), plan.more ?? [], ([words]) => words, carryOut, "");
    need("#eb [data-do=back]").hidden = plan.about !== "way" || plan.through.length < 2;
    const others = /** @type {Other[]} */ (plan.answer?.others ?? []);
    choices(need("#eb-others"), others, ({ says }) => upper(says), ({ start }) => askWay(plan?.through ?? [], start), "plain");
  }
  for (const one of all("#eb [data-tap]")) one.setAttribute("aria-pressed", String(one.dataset.tap === tap));
  pin(all("#eb [data-do=trip]"), (one) => trip?.key === keyOf(one));
}

const keyOf = (/** @type {HTMLElement} */ { dataset }) => `${dataset.goal} ${dataset.sources}`;

/** @param {HTMLElement} demand */
function showTrip(demand) {
  const { goal = "", sources = "" } = demand.dataset;
  const key = keyOf(demand);
  trip = trip?.key === key ? null : { key, goal, sources: sources.split(" ") };
  paint();
  if (trip) show([trip.goal, ...trip.sources, controls().at ?? ""]);
  if (trip) view.scrollIntoView({ block: "nearest" });
}

// --- scorekeeping: what lies on the table; and places by their names ---

/** @param {FormData} form */
function report(form) {
  const entry = (/** @type {string} */ name) => String(form.get(name) ?? "").trim();
  const wanted = entry("at");
  const loads = form.getAll("load").filter(Boolean);
  const train = { kind: entry("kind"), loads, ...(wanted ? { at: cities[wanted] ?? wanted } : {}) };
  act({ kind: "report", data: { cash: { [seat]: Number(entry("cash")) }, trains: { [seat]: train }, spent: {} } });
}

/** @param {FormData} form */
function byName(form) {
  const wanted = String(form.get("place")).trim().toLowerCase();
  const city = Object.keys(cities).find((name) => name.toLowerCase() === wanted);
  const name = (city && cities[city]) || wanted;
  show([name]);
  choose(name);
}

// --- events ---

/** @type {Record<string, (pressed: HTMLElement) => void>} */
const deeds = {
  confirm,
  forget,
  back: () => askWay(plan?.through.slice(0, -1) ?? [], plan?.start),
  trip: showTrip,
  unpin: () => { trip = null; paint(); },
  undo: () => undo(controls().undo),
  done: ({ dataset }) => {
    const { undone } = dataset;
    if (undone) { // asked once, where something seems forgotten
      delete dataset.undone;
      say(undone, true);
      return;
    }
    plan = null;
    act({ kind: "done" });
  },
};

document.addEventListener("click", (event) => {
  const pressed = hit(event, "#eb button");
  if (!pressed) return;
  if (pressed.dataset.action) act(JSON.parse(pressed.dataset.action));
  else if (pressed.dataset.tap) {
    tap = /** @type {Tap} */ (pressed.dataset.tap);
    forget();
  } else deeds[pressed.dataset.do ?? ""]?.(pressed);
});

/** @type {Record<string, (form: FormData) => void>} */
const forms = {
  "eb-go": byName,
  "eb-report": report,
  "eb-deliver": (form) => act({ kind: "deliver", data: {
    load: form.get("load"), card: String(form.get("card") ?? "").trim(), payout: Number(form.get("payout") ?? 0),
  } }),
  "eb-borrow": (form) => act({ kind: "borrow", data: { amount: Number(form.get("amount")) } }),
  "eb-repay": (form) => act({ kind: "repay", data: { amount: Number(form.get("amount")) } }),
  "eb-event": (form) => act({ kind: "event", data: { card: form.get("card") } }),
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !forms[form.id]) return;
  event.preventDefault();
  forms[form.id]?.(new FormData(form));
});

// --- the keyboard: arrows go from milepost to milepost, Enter is a tap ---

/** @type {Record<string, [across: number, down: number]>} */
const STEPS = { ArrowUp: [0, -2], ArrowDown: [0, 2], ArrowLeft: [-1, 1], ArrowRight: [1, 1] };

view.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (event.key === "Escape") forget();
  else if (event.key === "Enter" && cursor) choose(cursor);
  else if (step) {
    event.preventDefault();
    stepCursor(step);
  }
});

/** @param {[across: number, down: number]} step */
function stepCursor([across, down]) {
  const [from] = spots([cursor, controls().at ?? "", ...Object.values(cities)]);
  if (!from) return;
  const [x, y] = from;
  const half = (x / COLUMN) % 2 ? -HALF_ROW : HALF_ROW;
  cursor = nameAt([x + across * COLUMN, y + (across ? half : down * HALF_ROW)]) ?? cursor;
  show([cursor], Math.max(26, pitch()));
  view.setAttribute("aria-label", _("The map, at {cursor}{cursor2}. Arrows go on, Enter chooses.", { cursor: spoken(cursor), cursor2: lit().includes(cursor) ? _(", lit") : "" }));
  paint();
}

// --- after every change ---

/** @type {Record<string, Tap>} */
const USUAL = { run: "run", place: "run", build: "build", report: "build", wait: "build", over: "build" };
let settled = ""; // what was being done when the tap was chosen

function settleTap() {
  if (!find(`#eb [data-tap="${tap}"]:not(:disabled)`) || settled !== doing()) tap = USUAL[doing()] ?? "look";
  settled = doing();
}

/** @type {ReturnType<typeof setTimeout>} */
let soon;

function fresh() {
  settleTap();
  find("#eb-places")?.replaceChildren(...Object.keys(cities).sort().map((city) => new Option(city)));
  clearTimeout(soon);
  if (plan && plan.about !== "look") soon = setTimeout(again, 250);
  paint();
}

// Something has happened: what is planned may cost something else now, or be possible at last.
function again() {
  if (!plan || plan.about === "look") return;
  const { about, through, start } = plan;
  const [first = ""] = through;
  if (about === "way") askWay(through, start);
  else if (about === "run") planRun(first);
  else if (about === "place" && doing() === "place") setDown(first);
  else forget();
}

document.addEventListener("swapped", (event) => { if (hit(event, "[data-piece=controls]")) fresh(); });
view.addEventListener("focus", paint);
view.addEventListener("blur", paint);
fresh();
const { at } = controls();
if (!ground.restored && at) show([at]);
