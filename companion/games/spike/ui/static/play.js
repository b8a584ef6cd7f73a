// @ts-check
// SPIKE on a phone: choose what to do, tap a lit place, see what it costs and what follows, confirm.
// The box decides what is legal; this only shows it.
import { all, button, find, hit, html, need } from "/static/elements.js";
import { act, count, say as toast, undo } from "/static/kit.js";
import { light, onTap, point, suitOf } from "./map.js";
import { _ } from "/static/words.js";

/** @typedef {import("/static/kit.js").Action} Action */
/** @typedef {{path: string[], brings: number, need: number[], ways: number[][]}} Path ways: cards to pay with, by suit */
/** @typedef {{paths: Path[], total: number}} Offer */
/**
 * @typedef {object} Plan what the box tells of this seat
 * @property {number} seat
 * @property {string[]} suits
 * @property {number[]} [hand] cards by suit, where the box deals
 * @property {number} held
 * @property {boolean} box
 * @property {Record<string, Offer>} [offers] by city
 * @property {Record<string, Record<string, {sign: string, says?: string}>>} [places] by task
 * @property {Record<string, string>} names
 */
/** @typedef {Record<string, number>} Cards by suit */

let task = "";
/** @type {{action: Action, says: string} | null} */
let wish = null; // waiting to be confirmed
/** @type {{city: string, at: number, way: number} | null} */
let offer = null; // a build being looked at
/** @type {string[] | null} */
let own = null; // tracks tapped one after the other
/** @type {Cards | null} */
let pay = null; // cards chosen by hand

const controls = () => find("#spike");
/** @returns {Plan} */
const plan = () => JSON.parse(controls()?.dataset.plan ?? "{}");
const panel = () => find(`[data-panel="${task}"]`);

function say(/** @type {string | undefined} */ words) {
  const place = find("#say");
  if (place && words !== undefined) place.textContent = words;
}

// --- sending ---

/** @param {Action} action */
async function send(action) {
  const done = await act(action, ({ message, detail }) => {
    toast(message, true);
    say(message);
    point(detail.tracks ?? []);
  });
  if (done) forget();
}

function forget() {
  wish = offer = own = pay = null;
}

// --- tasks ---

/** @param {string} name */
function choose(name) {
  task = name;
  for (const one of all("[data-panel]")) one.hidden = one.dataset.panel !== task;
  for (const one of all("[data-task]")) one.setAttribute("aria-pressed", String(one.dataset.task === task));
  say(panel()?.dataset.says);
}

function settle() {
  if (!controls()) return;
  const there = all("[data-panel]").map((one) => one.dataset.panel);
  if (!reporting()) {
    if (offer && !plan().offers?.[offer.city]) offer = null;
    const still = there.includes(task);
    if (!still) forget();
    choose(still ? task : (there[0] ?? ""));
  }
  paint();
}

function paint() {
  const bar = find("#sure");
  if (reporting()) {
    light({ pick: true, tracks: reported });
    return;
  }
  if (!bar) {
    light({});
    return;
  }
  bar.hidden = !(wish || offer || own);
  need("#usual").hidden = !bar.hidden;
  if (offer) showOffer(offer);
  else if (own) showOwn(own);
  else if (wish) showWish(wish);
  if (own) light({ pick: true, tracks: own });
  else light({ places: lit(), chosen: chosenPlace(), tracks: offer ? pathOf(offer).path : [] });
}

/** The places of the task with their signs and words; fainter the cities to which one could build instead. */
function lit() {
  const { places = {}, names } = plan();
  const signs = Object.entries({ ...places.build, ...places[task] });
  return Object.fromEntries(signs.map(([place, { sign, says }]) => [place, { sign, says: says || `${names[place]}: ${sign}`, aside: !(place in (places[task] ?? {})) }]));
}

/** @returns {string} */
const chosenPlace = () => offer?.city || wish?.action.data?.to || wish?.action.data?.city || "";

/** @param {string} words on the button that confirms */
function ready(words, possible = true) {
  /** @type {HTMLButtonElement} */
  const yes = need("#sure-yes");
  yes.textContent = words;
  yes.disabled = !possible;
}

// --- a choice with one consequence ---

/**
 * @param {Action} action
 * @param {string} says
 */
function propose(action, says) {
  forget();
  wish = { action, says };
  paint();
}

/** @param {NonNullable<typeof wish>} wanted */
function showWish({ action, says }) {
  need("#sure-says").textContent = says;
  need("#sure-more").replaceChildren();
  ready({ place: _("Begin here"), give: _("Give it") }[action.kind] ?? _("Go"));
}

/** @returns {Action} */
const wishOf = (/** @type {HTMLElement} */ one) => JSON.parse(one.dataset.wish ?? "");

const AT_ONCE = ["draw", "move", "motion", "boost", "upgrade"]; // one way to do it, and Undo takes it back

/** @param {HTMLElement} one */
function option(one) {
  const action = wishOf(one);
  if (AT_ONCE.includes(action.kind)) send(action);
  else propose(action, all("span, small", one).map((part) => part.textContent).join(": "));
}

const optionAt = (/** @type {string} */ place) =>
  all("[data-wish]", panel() ?? document).find((one) => {
    const { data } = wishOf(one);
    return data?.to === place || data?.city === place;
  });

// --- building ---

/** @param {NonNullable<typeof offer>} wanted */
function pathOf({ city, at }) {
  const path = plan().offers?.[city]?.paths[at];
  if (!path) throw new Error(`no way ${at} to ${city} is offered`);
  return path;
}

/** @param {string} city */
function openOffer(city) {
  forget();
  offer = { city, at: 0, way: 0 };
  paint();
}

/** @param {NonNullable<typeof offer>} wanted */
function showOffer(wanted) {
  const { offers, names } = plan();
  const { paths, total } = offers?.[wanted.city] ?? { paths: [], total: 0 };
  const one = pathOf(wanted);
  need("#sure-says").textContent = _("{city}: {count}, the market pays ${brings}.", { city: names[wanted.city] || wanted.city, count: count(one.path.length, _("{n} track"), _("{n} tracks")), brings: one.brings });
  const before = all("[data-now]").some((one) => /"kind": "(load|deliver)"/.test(one.dataset.now ?? "")) ? [html("p", {}, _("Building ends your turn: you could still load or deliver."))] : [];
  const longer = total > paths.length ? [html("p", { class: "soft" }, _("and {paths} longer ones: go your own way", { paths: total - paths.length }))] : [];
  const others = paths.length > 1 ? [stepper(wanted, paths.length)] : [];
  need("#sure-more").replaceChildren(...before, ...others, ...longer, pay ? cardSteps(pay) : ways(wanted, one));
  ready(_("Build it"));
}

/**
 * @param {NonNullable<typeof offer>} wanted
 * @param {number} number of ways
 */
function stepper(wanted, number) {
  const turn = (/** @type {number} */ by) => () => {
    offer = { ...wanted, at: (wanted.at + by + number) % number, way: 0 };
    pay = null;
    paint();
  };
  const words = html("b", {}, _("Way {at} of {number}", { at: wanted.at + 1, number }));
  return html("div", { class: "steps row" }, button(_("‹ other way"), turn(-1)), words, button(_("other way ›"), turn(1)));
}

/**
 * @param {NonNullable<typeof offer>} wanted
 * @param {Path} path
 */
function ways(wanted, path) {
  const rows = path.ways.map((way, at) => {
    const wild = way.some((cards, suit) => cards !== path.need[suit]);
    const label = _("Pay {way}{wild}", { way: wordsOf(way), wild: wild ? _(", with wild sets") : "" });
    const click = () => {
      offer = { ...wanted, way: at };
      paint();
    };
    const words = html("span", {}, wild ? _("with wild sets") : _("card for track"));
    return html("button", { type: "button", class: "way", "aria-pressed": String(at === wanted.way), "aria-label": label, click }, ...cardsOf(way), words);
  });
  const choosing = () => {
    pay = cardsBySuit(path.ways[wanted.way] ?? []);
    paint();
  };
  return html("div", { class: "ways" }, ...rows, button(_("Other cards"), choosing));
}

/** @returns {Cards} */
const cardsBySuit = (/** @type {number[]} */ way) => Object.fromEntries(plan().suits.map((suit, at) => [suit, way[at] ?? 0]));
const wordsOf = (/** @type {number[]} */ way) => plan().suits.flatMap((suit, at) => (way[at] ? [`${way[at]} ${suit}`] : [])).join(", ");

/** @param {string} suit */
function picture(suit) {
  /** @type {HTMLTemplateElement | null} */
  const cards = find("#suit-cards");
  return cards?.content.querySelector(`[data-suit="${suit}"] svg`)?.cloneNode(true) ?? suit;
}

/** @param {number[]} way */
const cardsOf = (way) => plan().suits.flatMap((suit, at) => (way[at] ? [html("i", { class: "pay" }, picture(suit), html("b", {}, `×${way[at]}`))] : []));

/**
 * Any cards at all: the rules say whether they pay.
 * @param {Cards} cards
 */
function cardSteps(cards) {
  const { suits, hand, held } = plan();
  const rows = suits.map((suit, at) => {
    const now = cards[suit] ?? 0;
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ by) => {
      const click = () => {
        pay = { ...cards, [suit]: Math.min(Math.max(now + by, 0), hand?.[at] ?? held) };
        paint();
      };
      return html("button", { type: "button", class: "button plain", "aria-label": label, click }, sign);
    };
    const less = step("−", _("One {suit} card less", { suit }), -1), more = step("+", _("One {suit} card more", { suit }), 1);
    return html("div", { class: "card-step" }, picture(suit), less, html("b", {}, String(now)), more);
  });
  return html("div", { class: "card-steps" }, ...rows);
}

// --- my own way, track by track ---

/** @param {string[]} tracks */
function showOwn(tracks) {
  const needed = tracks.map(suitOf);
  const { suits, box } = plan();
  const cards = suits.map((suit) => /** @type {[string, number]} */ ([suit, needed.filter((one) => one === suit).length]));
  const told = cards.filter(([, number]) => number);
  need("#sure-says").textContent = tracks.length
    ? `${count(tracks.length, _("{n} track"), _("{n} tracks"))}: ${told.map(([suit, number]) => `${number} ${suit}`).join(", ")}.`
    : _("Tap the tracks in their order, from your network to a new city.");
  const shorter = button(_("Last one away"), () => go(tracks.slice(0, -1)));
  const choosing = () => {
    pay = Object.fromEntries(cards);
    paint();
  };
  const paying = pay ? cardSteps(pay) : button(box ? _("Choose the cards") : _("Paid with wild sets"), choosing);
  need("#sure-more").replaceChildren(...(tracks.length ? [html("div", { class: "row" }, shorter, paying)] : []));
  ready(tracks.length ? _("Build it") : _("Build"), tracks.length > 0);
}

/** @param {string[]} tracks one's own way */
function go(tracks) {
  own = tracks;
  pay = null;
  paint();
}

/**
 * With this track, or without it if it was there.
 * @param {string[]} tracks
 * @param {string} track
 */
const toggled = (tracks, track) => (tracks.includes(track) ? tracks.filter((one) => one !== track) : [...tracks, track]);

/** @param {string} track */
function pickTrack(track) {
  if (reporting()) {
    reported = toggled(reported, track);
    need("#piece-count").textContent = String(reported.length);
    paint();
  } else if (own) go(toggled(own, track));
}

/** @param {Cards | null} fallback */
function chosenCards(fallback) {
  const cards = pay ?? fallback;
  return cards ? { cards: Object.fromEntries(Object.entries(cards).filter(([, number]) => number)) } : {};
}

function sure() {
  if (offer) {
    const path = pathOf(offer);
    send({ kind: "build", data: { path: path.path, ...chosenCards(cardsBySuit(path.ways[offer.way] ?? [])) } });
  } else if (own) send({ kind: "build", data: { path: own, ...chosenCards(null) } });
  else if (wish) send(wish.action);
}

// --- a scorekeeper's network ---

/** @type {string[]} */
let reported = [];
let reportedFrom = "";
const reporting = () => find("[data-form=report]");

function readReported() {
  const said = reporting()?.dataset.tracks;
  if (said === undefined || said === reportedFrom) return;
  reportedFrom = said;
  reported = JSON.parse(said);
}

// --- forms: what is asked before the first turn and after the last ---

// A list shows one line of what is chosen, which a small phone cuts: below it stands the whole.
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target.name !== "contract") return;
  need(".chosen", /** @type {HTMLElement} */ (target.parentElement)).textContent = target.value ? target.selectedOptions[0]?.textContent ?? "" : "";
});

/** @type {Record<string, (form: HTMLFormElement, entered: FormData) => Action>} */
const forms = {
  declare: (_form, entered) => ({ kind: "declare", data: { contracts: entered.getAll("contract").filter(Boolean) } }),
  market: (form) => ({ kind: "market", data: { columns: columns(form) } }),
  sides: (form) => {
    const turned = /** @type {HTMLInputElement[]} */ (all("input:checked", form)).map((one) => one.value);
    return { kind: "sides", data: { turned: turned.filter(Boolean) } };
  },
  route: (_form, entered) => ({ kind: "route", data: { card: entered.get("card") } }),
  report: (_form, entered) => {
    const { seat } = plan(), route = entered.get("route");
    const routes = route ? { routes: { [seat]: route } } : {};
    return { kind: "report", data: { tracks: { [seat]: reported }, money: { [seat]: Number(entered.get("money")) }, ...routes } };
  },
};

/** @param {HTMLFormElement} form */
function columns(form) {
  /** @type {string[][]} */
  const found = [];
  for (const chip of /** @type {HTMLSelectElement[]} */ (all("[name=chip]", form))) {
    const column = Number(chip.dataset.column);
    found[column] = [...(found[column] ?? []), chip.value];
  }
  return found;
}

// --- events ---

function drop() {
  forget();
  say(panel()?.dataset.says);
  paint();
}

/** @type {Record<string, () => void>} */
const deeds = {
  sure,
  drop,
  "own-way": () => {
    forget();
    go([]);
  },
  undo: () => undo(controls()?.dataset.undo),
  done: () => send({ kind: "done" }),
};

/** @type {Record<string, (one: HTMLElement) => void>} by what is tapped */
const taps = {
  "[data-task]": (one) => {
    forget();
    choose(one.dataset.task ?? "");
    paint();
  },
  "[data-wish]": option,
  "[data-city]": (one) => openOffer(one.dataset.city ?? ""),
  "[data-now]": (one) => send(JSON.parse(one.dataset.now ?? "")),
  "[data-give]": ({ dataset: { give, words = "" } }) => propose({ kind: "give", data: { card: give } }, _("Give a {give} card to the right", { give: words })),
  "[data-do]": (one) => deeds[one.dataset.do ?? ""]?.(),
};

document.addEventListener("click", (event) => {
  for (const [what, work] of Object.entries(taps)) {
    const one = hit(event, what);
    if (one && controls()?.contains(one)) {
      work(one);
      return;
    }
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const maker = forms[form.dataset.form ?? ""];
  if (!maker) return;
  event.preventDefault();
  send(maker(form, new FormData(form)));
});

onTap(({ place, track }) => {
  if (track) pickTrack(track);
  if (!place) return;
  const one = optionAt(place);
  if (plan().offers?.[place] && (task === "build" || !one)) {
    choose("build");
    openOffer(place);
  } else if (panel() && one) option(one);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && (wish || offer || own)) drop();
});

document.addEventListener("swapped", (event) => {
  if (!hit(event, "[data-piece=controls], [data-piece=board]")) return;
  readReported();
  settle();
});

readReported();
settle();
