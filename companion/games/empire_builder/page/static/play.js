"use strict";
// Empire Builder under a finger: run the train, plan and build track, load and deliver. What a plan costs and what
// the rules say to it is asked of the box; nothing of that is worked out here.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const { playing } = document.body.dataset;
  const address = `/api/v1/matches/${playing}/actions`;
  const place = (name) => document.getElementById(name);
  const eb = () => place("eb");
  const told = (name) => JSON.parse(eb()?.dataset[name] || "null");
  const doing = () => eb()?.dataset.doing;
  const may = (kind) => (eb()?.dataset.may || "").split(" ").includes(kind);
  const scorekeeping = () => eb()?.dataset.mode === "scorekeeper";
  const view = EbMap.view;

  let tap = ""; // run, build, erase or look
  let plan = null; // {about, through, answer, says, confirm}
  let trip = null; // the demand that is shown
  let cursor = ""; // the milepost the keyboard is at
  let asked = 0;

  // --- asking and doing ---

  async function ask(about, data) {
    const number = ++asked;
    const query = `about=${about}&data=${encodeURIComponent(JSON.stringify(data))}`;
    try {
      const { answer } = await Box.get(address.replace("/actions", `/ask?${query}`));
      return number === asked ? answer : undefined;
    } catch (problem) {
      if (!(problem instanceof Box.Refusal)) throw problem;
      return number === asked ? { refused: problem.message } : undefined;
    }
  }

  async function act(wish) {
    try {
      const done = await Box.post(address, wish);
      if (done.data?.remarks?.length) Box.say(named(done.data.remarks.join("; ")), true);
      return done;
    } catch (problem) {
      if (!(problem instanceof Box.Refusal)) throw problem;
      Box.say(named(problem.message), true);
      return null;
    } finally { Box.refresh(); }
  }

  // The rules speak of seats; people have names.
  const named = (words) => words.replace(/\bseat (\d)\b/g, (all, seat) => told("names")?.[seat] || all);
  const upper = (words) => (words ? words[0].toUpperCase() + words.slice(1) : "");
  const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

  // --- cities, by their names on the map ---

  const cities = Object.fromEntries([...document.querySelectorAll(".eb-names [data-at]")].map((one) => [one.textContent, one.dataset.at]));
  const cityAt = (name) => Object.keys(cities).find((city) => cities[city] === name);
  const spoken = (name) => cityAt(name) || name;

  // --- choosing a milepost ---

  function lit() {
    const open = told("lit") || {};
    if (doing() === "place") return open.place;
    return { run: Object.keys(open.run || {}), build: Object.keys(open.build || {}) }[tap] || [];
  }

  // On a small map a finger covers many mileposts: cities and lit ones first, and otherwise the map comes nearer.
  function found(point) {
    if (EbMap.pitch() >= 15) return EbMap.nameAt(point);
    const reach = EbMap.reach(22);
    const near = (names) => names.map((name) => [name, EbMap.spot(name)])
      .map(([name, spot]) => [name, Math.hypot(spot[0] - point[0], spot[1] - point[1])])
      .filter(([, far]) => far < reach).sort((one, other) => one[1] - other[1])[0]?.[0];
    return near(Object.values(cities)) || (tap === "run" || doing() === "place" ? near(lit()) : undefined);
  }

  EbMap.onTap((point, client) => {
    const name = found(point);
    if (name) choose(name); else EbMap.zoom(26 / EbMap.pitch(), client);
  });

  function choose(name) {
    if (!eb()) return;
    cursor = name;
    if (doing() === "place" && tap !== "build" && tap !== "look") { setDown(name); return; }
    ({ run: planRun, build: planWay, erase: planErase, look }[tap] || look)(name);
  }

  function setDown(name) {
    const here = lit().includes(name);
    plan = { about: "place", through: [name], says: here ? `Your train begins in ${spoken(name)}.` : `${spoken(name)} is no city of your track: a train begins in one.` };
    if (here) plan.confirm = ["Put it here", { kind: "place", data: { at: name } }];
    paint();
  }

  async function planRun(name) {
    plan = { about: "run", through: [name], says: "…" };
    paint();
    const answer = await ask("run", { to: name });
    if (!answer || plan?.about !== "run") return;
    plan = { ...plan, answer, says: answer.refused ? upper(named(answer.refused)) : runWords(name, answer) };
    if (answer.now) plan.confirm = ["Run there", { kind: "move", data: { path: answer.path } }];
    paint();
  }

  function runWords(name, answer) {
    const fees = Object.entries(answer.fees).map(([seat, price]) => `${price} million to ${told("names")[seat]}`);
    const pays = fees.length ? `, pays ${fees.join(" and ")} first` : ", nothing to pay";
    const when = answer.now ? "" : " In your next turn it can be done.";
    return `To ${spoken(name)}: ${count(answer.path.length, "milepost")}${pays}; ${answer.left} left then.${when}`;
  }

  // --- building ---

  function planWay(name) {
    const through = plan?.about === "way" ? plan.through : [];
    if (through.at(-1) !== name) askWay([...through, name]);
  }

  async function askWay(through) {
    if (!through.length) { forget(); return; }
    plan = { about: "way", through, says: plan?.says || "…", answer: plan?.about === "way" ? plan.answer : null };
    paint();
    const answer = await ask("way", { through });
    if (!answer || plan?.about !== "way") return;
    plan = { about: "way", through, answer, says: answer.refused ? upper(named(answer.refused)) : wayWords(through.at(-1), answer) };
    if (answer.refused) plan.through = through; else offer(answer);
    paint();
  }

  function wayWords(name, { price, turns, now, says, path }) {
    if (path.length < 2) return `You can build from ${spoken(name)}: tap on to lead your track further.`;
    const whole = `To ${spoken(name)}: ${price} million`;
    if (now && now.price === price) return `${whole}.`;
    const long = turns > 1 ? `, ${count(turns, "turn")}` : "";
    const part = now ? ` Now as far as ${now.path.at(-1)} for ${now.price}` : "";
    return `${whole}${long}.${part}${says ? `${part ? ": " : " Not now: "}${named(says)}` : ""}.`;
  }

  function offer({ now, path, price }) {
    if (scorekeeping()) {
      if (price) plan.confirm = ["It is drawn", { kind: "report", data: { track: { [seat()]: [...told("lines"), path.join(" ")] } } }];
    } else if (now && may("build")) {
      plan.confirm = [`Build for ${now.price} million`, { kind: "build", data: { path: now.path } }];
    }
  }

  const seat = () => document.body.dataset.seat;

  function planErase(name) {
    const edges = told("lines").flatMap((line) => pairs(line.split(" ")));
    const gone = edges.filter((edge) => edge.includes(name));
    plan = { about: "erase", through: [name], says: gone.length ? `${count(gone.length, "segment")} of yours at ${spoken(name)}.` : `No track of yours is at ${spoken(name)}.` };
    const left = edges.filter((edge) => !edge.includes(name)).map((edge) => edge.join(" "));
    if (gone.length) plan.confirm = ["Erase them", { kind: "report", data: { track: { [seat()]: left } } }];
    paint();
  }

  const pairs = (names) => names.slice(1).map((name, at) => [names[at], name]);

  async function look(name) {
    plan = { about: "look", through: [name], says: "…" };
    paint();
    const answer = await ask("here", { at: name });
    if (!answer || plan?.about !== "look") return;
    plan.says = answer.refused ? upper(named(answer.refused)) : lookWords(answer);
    paint();
  }

  function lookWords({ at, city, size, terrain, price, supplies, wanted, builders }) {
    if (!city) return `${at}: ${terrain}; track into it costs ${price} million, and 2 more over water.`;
    const loads = Object.entries(supplies).map(([load, left]) => `${load} (${left} left)`).join(", ") || "nothing";
    const asks = wanted.map(({ load, payout }) => `${load} for ${payout}`).join(", ");
    const built = builders.map((one) => told("names")[one]).join(", ");
    return `${city}, ${size}: has ${loads}.${asks ? ` You deliver ${asks}.` : ""}${built ? ` Built into by ${built}.` : ""} Track into it: ${price} million.`;
  }

  function forget() { plan = null; paint(); }

  async function confirm() {
    if (!plan?.confirm) return;
    const { about, through, confirm: [, wish] } = plan;
    if (!await act(wish)) return;
    const open = about === "way" && wish.kind === "build" && wish.data.path.at(-1) !== plan?.answer?.path.at(-1);
    plan = null;
    if (open) askWay([through.at(-1)]); else paint();
  }

  // --- showing it ---

  function element(kind, attributes) {
    const made = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function paint() {
    const layer = [];
    const add = (name, drawn) => { if (drawn) layer.push(element("path", { class: `eb-${name}`, d: drawn })); };
    add("lit", EbMap.dots(lit()));
    if (trip) { add("source", EbMap.dots(trip.sources)); add("goal", EbMap.dots([trip.goal])); }
    paintPlan(add);
    if (cursor && document.activeElement === view) add("cursor", EbMap.dots([cursor]));
    EbMap.hand.replaceChildren(...layer);
    paintBar();
  }

  function paintPlan(add) {
    if (!plan) return;
    const { answer, about } = plan;
    if (answer?.path) {
      const path = about === "run" ? [eb()?.dataset.at, ...answer.path].filter(Boolean) : answer.path;
      add("wish", EbMap.path(path));
      if (answer.now?.path) add("now-wish", EbMap.path(answer.now.path)); else if (about === "run") add("now-wish", EbMap.path(path));
    }
    add(answer?.refused ? "refused" : "chosen", EbMap.dots(plan.through));
  }

  function paintBar() {
    if (!eb()) return;
    place("eb-plan").hidden = !plan;
    place("eb-usual").hidden = Boolean(plan);
    if (plan) {
      if (place("eb-plan-says").textContent !== plan.says) place("eb-plan-says").textContent = plan.says;
      const [yes, back] = ["confirm", "back"].map((name) => eb().querySelector(`[data-do=${name}]`));
      yes.hidden = !plan.confirm;
      if (plan.confirm) yes.textContent = plan.confirm[0];
      back.hidden = plan.about !== "way" || plan.through.length < 2;
    }
    for (const button of eb().querySelectorAll("[data-tap]")) button.setAttribute("aria-pressed", String(button.dataset.tap === tap));
    for (const button of eb().querySelectorAll("[data-do=trip]")) button.setAttribute("aria-pressed", String(trip?.key === keyOf(button)));
  }

  const keyOf = (button) => `${button.dataset.goal} ${button.dataset.sources}`;

  function showTrip(button) {
    const key = keyOf(button);
    trip = trip?.key === key ? null : { key, goal: button.dataset.goal, sources: button.dataset.sources.split(" ") };
    paint();
    if (!trip) return;
    EbMap.show([trip.goal, ...trip.sources, eb()?.dataset.at].filter(Boolean));
    view.scrollIntoView({ block: "nearest" });
  }

  // --- scorekeeping: what lies on the table ---

  function report(form) {
    const loads = [...form.querySelectorAll("[name=load]")].map((one) => one.value).filter(Boolean);
    const wanted = form.elements.at.value.trim();
    const train = { kind: form.elements.kind.value, loads, ...(wanted ? { at: cities[wanted] || wanted } : {}) };
    act({ kind: "report", data: { cash: { [seat()]: Number(form.elements.cash.value) }, trains: { [seat()]: train } } });
  }

  function byName(form) {
    const wanted = form.elements.place.value.trim();
    const city = Object.keys(cities).find((name) => name.toLowerCase() === wanted.toLowerCase());
    const name = city ? cities[city] : wanted.toLowerCase();
    EbMap.show([name]);
    choose(name);
  }

  // --- events ---

  const deeds = {
    confirm,
    forget,
    back: () => askWay(plan.through.slice(0, -1)),
    trip: showTrip,
    undo: () => { const last = Number(eb().dataset.undo || 0); act({ kind: "undo", data: last ? { seq: last } : {} }); },
    done: () => { plan = null; act({ kind: "done" }); },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#eb button");
    if (!button) return;
    if (button.dataset.action) act(JSON.parse(button.dataset.action));
    else if (button.dataset.tap) { tap = button.dataset.tap; plan = null; paint(); }
    else deeds[button.dataset.do]?.(button);
  });

  document.addEventListener("submit", (event) => {
    if (!["eb-go", "eb-report"].includes(event.target.id)) return;
    event.preventDefault();
    (event.target.id === "eb-go" ? byName : report)(event.target);
  });

  // --- the keyboard: arrows go from milepost to milepost, Enter is a tap, plus and minus zoom ---

  const STEPS = { ArrowUp: [0, -2], ArrowDown: [0, 2], ArrowLeft: [-1, 1], ArrowRight: [1, 1] };

  view.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "-") { EbMap.zoom(event.key === "+" ? 1.6 : 1 / 1.6); return; }
    if (event.key === "Escape") { forget(); return; }
    if (event.key === "Enter" && cursor) { choose(cursor); return; }
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    stepCursor(STEPS[event.key]);
  });

  function stepCursor([across, down]) {
    const [x, y] = EbMap.spot(cursor || eb()?.dataset.at || Object.values(cities)[0]);
    const column = x / 26;
    cursor = EbMap.nameAt([x + across * 26, y + (across ? (column % 2 ? -15 : 15) : down * 15)]) || cursor;
    EbMap.show([cursor], Math.max(26, EbMap.pitch()));
    view.setAttribute("aria-label", `The map, at ${spoken(cursor)}${lit().includes(cursor) ? ", lit" : ""}. Arrows go on, Enter chooses.`);
    paint();
  }

  // --- after every change ---

  function settleTap() {
    const usual = { run: "run", place: "run", build: "build", report: "build", wait: "build", over: "build" }[doing()] || "look";
    const open = eb()?.querySelector(`[data-tap="${tap}"]:not(:disabled)`);
    if (!open || settleTap.last !== doing()) tap = usual;
    settleTap.last = doing();
  }

  function fresh() {
    settleTap();
    const list = place("eb-places");
    if (list) list.replaceChildren(...Object.keys(cities).sort().map((city) => new Option(city)));
    clearTimeout(fresh.soon);
    if (plan && plan.about !== "look") fresh.soon = setTimeout(again, 250);
    paint();
  }

  // Something has happened: what is planned may cost something else now, or be possible at last.
  function again() {
    const { about, through } = plan || {};
    if (about === "way") askWay(through);
    else if (about === "run") planRun(through[0]);
    else if (about === "place" && doing() === "place") setDown(through[0]);
    else if (about !== "look") forget();
  }

  document.addEventListener("swapped", (event) => { if (event.target.matches("[data-piece=controls]")) fresh(); });
  view.addEventListener("focus", paint);
  view.addEventListener("blur", paint);
  fresh();
  if (!EbMap.known && eb()?.dataset.at) EbMap.show([eb()?.dataset.at]);
})();
