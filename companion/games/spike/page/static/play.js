// SPIKE on a phone: choose what to do, tap a lit place, see what it costs and what follows, confirm.
// The box decides what is legal; this only shows it.
import { post, Refusal } from "/static/api.js";
import { refresh, say as toast } from "/static/kit.js";
import { RailMap } from "./map.js";

(() => {
  const { playing } = document.body.dataset;
  const address = `/api/v1/matches/${playing}/actions`;
  let task = "";
  let wish = null; // {kind, data} waiting to be confirmed
  let offer = null; // {city, at, way}: a build being looked at
  let own = null; // tracks tapped one after the other
  let pay = null; // cards chosen by hand, by suit

  const $ = (what) => document.querySelector(what);
  const controls = () => document.getElementById("spike");
  const plan = () => JSON.parse(controls()?.dataset.plan || "{}");
  const panel = () => document.querySelector(`[data-panel="${task}"]`);

  function made(name, settings = {}, ...inside) {
    const one = Object.assign(document.createElement(name), settings);
    one.append(...inside);
    return one;
  }

  function button(words, work, look = "plain") {
    const one = made("button", { type: "button", className: `button ${look}`, textContent: words });
    one.addEventListener("click", work);
    return one;
  }

  function say(words) { if ($("#say")) $("#say").textContent = words; }

  // --- sending ---

  async function act(what) {
    try {
      const answer = await post(address, what);
      forget();
      if (answer.data?.remarks?.length) toast(answer.data.remarks.join("; "), true);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      toast(problem.message, true);
      say(problem.message);
      RailMap.point(problem.detail.tracks || []);
    }
    refresh();
  }

  function forget() { wish = offer = own = pay = null; }

  // --- tasks ---

  function choose(name) {
    task = name;
    forget();
    for (const one of document.querySelectorAll("[data-panel]")) one.hidden = one.dataset.panel !== task;
    for (const one of document.querySelectorAll("[data-task]")) one.setAttribute("aria-pressed", String(one.dataset.task === task));
    if (panel()) say(panel().dataset.says);
    paint();
  }

  function settle() {
    const there = [...document.querySelectorAll("[data-panel]")].map((one) => one.dataset.panel);
    if (!controls()) return;
    if (reporting()) { paint(); return; }
    if (offer && !plan().offers[offer.city]) offer = null;
    if (!there.includes(task)) choose(there[0] || "");
    else { const kept = { wish, offer, own, pay }; choose(task); ({ wish, offer, own, pay } = kept); paint(); }
  }

  function paint() {
    const bar = $("#sure");
    if (reporting()) { RailMap.light({ pick: true, tracks: reported }); return; }
    if (!bar) { RailMap.light({}); return; }
    bar.hidden = !(wish || offer || own);
    $("#usual").hidden = !bar.hidden;
    if (offer) showOffer(); else if (own) showOwn(); else if (wish) showWish();
    const places = plan().places?.[task] || {};
    const named = Object.fromEntries(Object.entries(places).map(([place, told]) => [place, { sign: told.sign, says: told.says || `${plan().names[place]}: ${told.sign}` }]));
    const chosen = offer?.city || wish?.data.to || wish?.data.city || "";
    RailMap.light({ places: own ? {} : named, chosen, pick: Boolean(own), tracks: own || (offer ? path().path : []) });
  }

  // --- a choice with one consequence ---

  function propose(what, says) {
    forget();
    wish = { ...what, says };
    paint();
  }

  function showWish() {
    $("#sure-says").textContent = wish.says;
    $("#sure-more").replaceChildren();
    $("#sure-yes").textContent = { place: "Begin here", upgrade: "Upgrade", give: "Give it" }[wish.kind] || "Go";
    $("#sure-yes").disabled = false;
  }

  function option(one) {
    const what = JSON.parse(one.dataset.wish);
    if (what.kind === "draw") act(what);
    else propose(what, [...one.querySelectorAll("span, small")].map((part) => part.textContent).join(": "));
  }

  const optionAt = (place) => [...panel().querySelectorAll("[data-wish]")].find((one) => {
    const { data } = JSON.parse(one.dataset.wish);
    return data.to === place || data.city === place;
  });

  // --- building ---

  const path = () => plan().offers[offer.city].paths[offer.at];

  function openOffer(city) {
    forget();
    offer = { city, at: 0, way: 0 };
    paint();
  }

  function showOffer() {
    const { paths, total } = plan().offers[offer.city];
    const one = path();
    const tracks = one.path.length === 1 ? "1 track" : `${one.path.length} tracks`;
    $("#sure-says").textContent = `${plan().names[offer.city] || offer.city}: ${tracks}, the market pays $${one.brings}.`;
    const more = [];
    if (paths.length > 1) more.push(stepper(`Way ${offer.at + 1} of ${paths.length}`, paths.length));
    if (total > paths.length) more.push(made("p", { className: "soft", textContent: `and ${total - paths.length} longer ones: go your own way` }));
    more.push(pay ? cardSteps() : ways(one));
    $("#sure-more").replaceChildren(...more);
    ready("Build it");
  }

  function stepper(words, count) {
    const turn = (by) => () => { offer = { ...offer, at: (offer.at + by + count) % count, way: 0 }; pay = null; paint(); };
    return made("div", { className: "steps row" }, button("‹ other way", turn(-1)), made("b", { textContent: words }), button("other way ›", turn(1)));
  }

  function ways(one) {
    const rows = one.ways.map((way, at) => {
      const wild = way.some((count, suit) => count !== one.need[suit]);
      const row = made("button", { type: "button", className: "way" }, ...cardsOf(way), made("span", { textContent: wild ? "with wild sets" : "card for track" }));
      row.setAttribute("aria-pressed", String(at === offer.way));
      row.setAttribute("aria-label", `Pay ${wordsOf(way)}${wild ? ", with wild sets" : ""}`);
      row.addEventListener("click", () => { offer = { ...offer, way: at }; paint(); });
      return row;
    });
    const other = button("Other cards", () => { pay = counts(one.ways[offer.way]); paint(); });
    return made("div", { className: "ways" }, ...rows, other);
  }

  const counts = (way) => Object.fromEntries(plan().suits.map((suit, at) => [suit, way[at] || 0]));
  const wordsOf = (way) => plan().suits.map((suit, at) => (way[at] ? `${way[at]} ${suit}` : "")).filter(Boolean).join(", ");

  function picture(suit) {
    const kept = document.getElementById("suit-cards")?.content.querySelector(`[data-suit="${suit}"] svg`);
    return kept ? kept.cloneNode(true) : document.createTextNode(suit);
  }

  function cardsOf(way) {
    return plan().suits.flatMap((suit, at) => (way[at] ? [made("i", { className: "pay" }, picture(suit), made("b", { textContent: `×${way[at]}` }))] : []));
  }

  // Any cards at all: the rules say whether they pay.
  function cardSteps() {
    const most = (at) => plan().hand?.[at] ?? plan().held;
    const rows = plan().suits.map((suit, at) => {
      const change = (by) => () => { pay[suit] = Math.min(Math.max(pay[suit] + by, 0), most(at)); paint(); };
      const less = button("−", change(-1)), more = button("+", change(1));
      less.setAttribute("aria-label", `One ${suit} card less`);
      more.setAttribute("aria-label", `One ${suit} card more`);
      return made("div", { className: "card-step" }, picture(suit), less, made("b", { textContent: pay[suit] }), more);
    });
    return made("div", { className: "card-steps" }, ...rows);
  }

  // --- my own way, track by track ---

  function ownWay() {
    forget();
    own = [];
    paint();
  }

  function showOwn() {
    const need = own.map((track) => RailMap.suitOf(track));
    const told = plan().suits.map((suit) => [suit, need.filter((one) => one === suit).length]).filter(([, count]) => count);
    $("#sure-says").textContent = own.length
      ? `${own.length} ${own.length === 1 ? "track" : "tracks"}: ${told.map(([suit, count]) => `${count} ${suit}`).join(", ")}.`
      : "Tap the tracks in their order, from your network to a new city.";
    if (!plan().box && !pay) pay = null;
    const back = button("Last one away", () => { own.pop(); pay = null; paint(); });
    const cards = pay ? cardSteps() : button(plan().box ? "Choose the cards" : "Paid with wild sets", () => { pay = { ...counts([]), ...Object.fromEntries(told) }; paint(); });
    $("#sure-more").replaceChildren(...(own.length ? [made("div", { className: "row" }, back, cards)] : []));
    ready(own.length ? "Build it" : "Build");
    $("#sure-yes").disabled = !own.length;
  }

  function ready(words) {
    $("#sure-yes").textContent = words;
    $("#sure-yes").disabled = false;
  }

  function pickTrack(track) {
    if (reporting()) { toggleReported(track); return; }
    if (!own) return;
    own = own.includes(track) ? own.filter((one) => one !== track) : [...own, track];
    pay = null;
    paint();
  }

  function chosenCards(fallback) {
    const cards = pay || fallback;
    return cards ? { cards: Object.fromEntries(Object.entries(cards).filter(([, count]) => count)) } : {};
  }

  function sure() {
    if (offer) act({ kind: "build", data: { path: path().path, ...chosenCards(counts(path().ways[offer.way])) } });
    else if (own) act({ kind: "build", data: { path: own, ...chosenCards(null) } });
    else if (wish) act({ kind: wish.kind, data: wish.data });
  }

  // --- a scorekeeper's network ---

  let reported = [], reportedFrom = "";
  const reporting = () => $("[data-form=report]");

  function readReported() {
    const said = reporting()?.dataset.tracks;
    if (said === undefined || said === reportedFrom) return;
    reportedFrom = said;
    reported = JSON.parse(said);
  }

  function toggleReported(track) {
    reported = reported.includes(track) ? reported.filter((one) => one !== track) : [...reported, track];
    $("#piece-count").textContent = reported.length;
    paint();
  }

  // --- forms: what is asked before the first turn and after the last ---

  const forms = {
    declare: (form) => ({ kind: "declare", data: { contracts: [...form.elements.contract].map((one) => one.value).filter(Boolean) } }),
    market: (form) => ({ kind: "market", data: { columns: columns(form) } }),
    sides: (form) => ({ kind: "sides", data: { turned: [...form.querySelectorAll("input:checked")].map((one) => one.value).filter(Boolean) } }),
    route: (form) => ({ kind: "route", data: { card: form.elements.card.value } }),
    report: (form) => {
      const seat = String(plan().seat), { money, route } = form.elements;
      return { kind: "report", data: { tracks: { [seat]: reported }, money: { [seat]: Number(money.value) }, ...(route.value ? { routes: { [seat]: route.value } } : {}) } };
    },
  };

  function columns(form) {
    const found = [];
    for (const chip of form.elements.chip) {
      const column = Number(chip.dataset.column);
      found[column] = [...(found[column] ?? []), chip.value];
    }
    return found;
  }

  const deeds = {
    sure,
    drop: () => { forget(); if (panel()) say(panel().dataset.says); paint(); },
    "own-way": ownWay,
    undo: () => { const last = Number(controls().dataset.undo || 0); act({ kind: "undo", data: last ? { seq: last } : {} }); },
    done: () => act({ kind: "done" }),
  };

  const taps = {
    "[data-task]": (one) => choose(one.dataset.task),
    "[data-wish]": option,
    "[data-city]": (one) => openOffer(one.dataset.city),
    "[data-now]": (one) => act(JSON.parse(one.dataset.now)),
    "[data-give]": (one) => propose({ kind: "give", data: { card: one.dataset.give } }, `Give a ${one.dataset.give} card to the right`),
    "[data-do]": (one) => deeds[one.dataset.do]?.(),
  };

  document.addEventListener("click", (event) => {
    for (const [what, work] of Object.entries(taps)) {
      const one = event.target.closest(what);
      if (one && controls()?.contains(one)) { work(one); return; }
    }
  });

  document.addEventListener("submit", (event) => {
    const maker = forms[event.target.dataset.form];
    if (!maker) return;
    event.preventDefault();
    act(maker(event.target));
  });

  document.addEventListener("map-tap", (event) => {
    const { place, track } = event.detail;
    if (track) { pickTrack(track); return; }
    if (plan().offers?.[place] && task === "build") openOffer(place);
    else if (panel() && optionAt(place)) option(optionAt(place));
  });

  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && (wish || offer || own)) deeds.drop(); });

  document.addEventListener("swapped", (event) => {
    if (!event.target.matches("[data-piece=controls], [data-piece=board]")) return;
    readReported();
    settle();
  });

  readReported();
  settle();
})();
