"use strict";
// Derailed! under a finger: choose a card, tap a lit place, turn it, see what follows, lay it. In a scorekeeper's match
// whole lanes are entered by hand. The box decides what is legal; this only shows it.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const address = `/api/v1/matches/${document.body.dataset.playing}`;
  let chosen = null; // {id, card}: id is the button's, for a hand may hold the same card twice
  let ghost = null; // {cell, faces, at}
  let changing = new Set(); // buttons of the cards to be changed between rounds
  let asked = 0;

  const $ = (what) => document.querySelector(what);
  const laying = () => document.getElementById("laying");
  const told = (name) => JSON.parse(laying()?.dataset[name] || "{}");
  const keeper = () => laying()?.dataset.mode === "scorekeeper";
  const myTurn = () => Boolean(laying()?.dataset.turn);
  const board = () => $(".mine .lanes");
  const spot = (cell) => board()?.querySelector(`g[data-cell="${cell}"]`);
  const places = (card) => told("open")[card] || {};
  const face = () => ghost.faces[ghost.at];
  const cardButtons = () => [...document.querySelectorAll(".hand-card[data-card]")];

  // --- drawing ---

  function element(name, attributes, ...inside) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  // A face is the card of that name, or that card turned by half.
  function drawnFace(name, card) {
    const symbol = document.querySelector(`symbol[data-card="${CSS.escape(card)}"]`);
    return element("use", { href: `#${symbol.id}`, ...(name === card ? {} : { transform: "rotate(180 31.5 44)" }) });
  }

  // Small cards in the corners of a lit place: the ways in which the chosen card may lie there.
  function ways(faces) {
    const small = faces.map((one, number) =>
      element("g", { transform: `translate(${number ? 40 : 3} 57) scale(.32)` }, drawnFace(one, chosen.card)));
    return element("g", { class: "ways" }, ...small);
  }

  function paint() {
    if (!board() || !laying()) return;
    board().querySelectorAll(".ghost, .ways").forEach((one) => one.remove());
    board().setAttribute("role", "group"); // its places are buttons now, so it is no plain picture
    const open = chosen ? places(chosen.card) : {};
    // While one looks for a place, one's own track matters.
    board().classList.toggle("choosing", Boolean(chosen) && !keeper());
    for (const track of board().querySelectorAll(".tracks > g")) track.classList.toggle("own", track.classList.contains(`of-${laying().dataset.company}`));
    for (const place of board().querySelectorAll("g[data-cell]")) paintPlace(place, open[place.dataset.cell]);
    if (ghost) spot(ghost.cell)?.append(element("g", { class: "ghost" }, drawnFace(face(), chosen.card), element("rect", { class: "frame", width: 63, height: 88, rx: 5 })));
    paintButtons();
  }

  function paintPlace(place, faces) {
    const lit = Boolean(faces);
    place.classList.toggle("open", lit);
    place.classList.toggle("aimed", ghost?.cell === place.dataset.cell);
    const lies = place.querySelector("title").textContent;
    const words = lit ? `${lies}; the chosen card fits ${faces.length > 1 ? "both ways round" : "one way round"}` : lies;
    for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": words })) place.setAttribute(name, value);
    if (lit && ghost?.cell !== place.dataset.cell) place.append(ways(faces));
  }

  function paintButtons() {
    for (const button of cardButtons()) button.setAttribute("aria-pressed", String(button.id === chosen?.id || changing.has(button.id)));
    $("#placing").hidden = !ghost;
    $("#usual").hidden = Boolean(ghost);
    if (ghost) $("#placing [data-do=turn]").disabled = ghost.faces.length < 2;
    const change = $("[data-do=discard]");
    if (change) change.disabled = !changing.size;
  }

  // --- words, beside the place they are about ---

  function say(words) { const place = document.getElementById("say"); if (place) place.textContent = words; }

  function list(lines) {
    const place = document.getElementById("foreseen");
    if (!place) return;
    place.hidden = !lines.length;
    place.replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  }

  function bubble(cell, words) {
    $(".bubble")?.remove();
    const place = spot(cell), frame = $(".mine .derailed");
    if (!place || !frame) { Box.say(words, true); return; }
    const made = Object.assign(document.createElement("p"), { className: "bubble", textContent: words[0].toUpperCase() + words.slice(1) });
    made.setAttribute("role", "alert");
    frame.append(made);
    const at = place.getBoundingClientRect(), around = frame.getBoundingClientRect();
    const left = Math.min(Math.max(at.left - around.left + at.width / 2 - made.offsetWidth / 2, 0), around.width - made.offsetWidth);
    const above = at.top - around.top - made.offsetHeight - 6;
    made.style.left = `${left}px`;
    made.style.top = `${above < 0 ? at.bottom - around.top + 6 : above}px`;
    setTimeout(() => made.remove(), 8000);
  }

  // The places that a refusal names.
  function point(detail) {
    for (const cell of [detail.cell, ...(detail.stops || [])]) {
      const place = cell && spot(cell);
      if (!place) continue;
      place.classList.add("pointed");
      setTimeout(() => place.classList.remove("pointed"), 8000);
    }
  }

  function refused(cell, problem) {
    if (!(problem instanceof Box.Refusal)) throw problem;
    bubble(cell, problem.message);
    point(problem.detail);
  }

  // --- choosing and placing ---

  function choose(id, card) {
    forget();
    chosen = chosen?.id === id && keeper() === false ? null : { id, card };
    if (chosen) {
      const count = Object.keys(places(card)).length;
      say(count ? `It fits in ${count} lit place${count > 1 ? "s" : ""}. Tap one.` : "It fits nowhere now. Tap a place to hear why.");
    }
    paint();
  }

  // Without a chosen card, the first of the hand that fits there.
  function chooseFor(cell) {
    if (chosen) return;
    const button = cardButtons().find((one) => cell in places(one.dataset.card));
    if (button) chosen = { id: button.id, card: button.dataset.card };
  }

  function tap(cell) {
    if (!laying()) return;
    $(".bubble")?.remove();
    if (keeper()) { enter(cell); return; }
    if (ghost?.cell === cell) { turn(); return; }
    chooseFor(cell);
    if (!chosen) { say(spot(cell).querySelector("title").textContent); return; }
    const faces = places(chosen.card)[cell];
    if (!faces) { explain(cell); return; }
    forget();
    ghost = { cell, faces, at: 0 };
    aim();
  }

  function turn() {
    if (!ghost || ghost.faces.length < 2) return;
    ghost.at = 1 - ghost.at;
    aim();
  }

  function aim() {
    const both = ghost.faces.length > 1 ? "; it fits the other way round, too" : "";
    say(myTurn() ? `At ${ghost.cell}${both}.` : `At ${ghost.cell}${both}. You can lay it when it is your turn.`);
    paint();
    if (myTurn()) foresee();
  }

  const wish = () => ({ kind: "place", data: { cell: ghost.cell, card: face() } });

  // What would follow: the box draws everybody's track as it would be, and says who gains and who loses.
  async function foresee() {
    const mine = ++asked;
    let ahead;
    try { ahead = await Box.post(`${address}/preview`, wish()); } catch (problem) {
      if (mine === asked && ghost) refused(ghost.cell, problem);
      return;
    }
    if (mine !== asked || !ghost) return;
    list(ahead.says);
    const drawn = document.createElement("template");
    drawn.innerHTML = ahead.board;
    showTracks(drawn.content.querySelector(".tracks"));
  }

  let present = null; // the tracks as they are, while others are shown

  function showTracks(group) {
    const now = board()?.querySelector(".tracks");
    if (!now || !group) return;
    present ||= now;
    group.classList.add("ahead");
    group.querySelector(`.of-${laying().dataset.company}`)?.classList.add("own");
    now.replaceWith(group);
  }

  function forget() {
    ghost = null;
    asked += 1;
    list([]);
    const shown = board()?.querySelector(".tracks.ahead");
    if (shown && present) shown.replaceWith(present);
    present = null;
  }

  // Why a card does not fit: the box says it, as it would if it were laid.
  async function explain(cell) {
    if (!myTurn()) { say(`It does not fit at ${cell} now.`); return; }
    try { await Box.post(`${address}/preview`, { kind: "place", data: { cell, card: chosen.card } }); } catch (problem) { refused(cell, problem); }
  }

  async function act(body, cell = "") {
    try {
      const answer = await Box.post(`${address}/actions`, body);
      if (answer.data?.remarks?.length) Box.say(answer.data.remarks.join("; "), true);
      return true;
    } catch (problem) {
      if (cell) refused(cell, problem);
      else if (problem instanceof Box.Refusal) { Box.say(problem.message, true); point(problem.detail); } else throw problem;
      return false;
    } finally { Box.refresh(); }
  }

  async function place() {
    const body = wish(), { cell } = ghost;
    if (await act(body, cell)) { chosen = null; forget(); paint(); }
  }

  // --- the scorekeeper's lanes, and paper cards ---

  let sheet = null;

  function openSheet(title, ...inside) {
    sheet?.close();
    const opened = sheet = document.createElement("dialog");
    opened.className = "sheet";
    opened.append(Object.assign(document.createElement("h2"), { textContent: title }), ...inside);
    opened.addEventListener("click", (event) => { if (event.target === opened) opened.close(); });
    opened.addEventListener("close", () => { opened.remove(); if (sheet === opened) sheet = null; });
    document.body.append(opened);
    opened.showModal();
    return opened;
  }

  function button(words, work, look = "plain") {
    const made = Object.assign(document.createElement("button"), { type: "button", className: `button ${look}`, textContent: words });
    made.addEventListener("click", work);
    return made;
  }

  function palette(title, work, ...more) {
    const opened = openSheet(title, document.getElementById("palette").content.cloneNode(true), ...more, button("Never mind", () => opened.close()));
    for (const one of opened.querySelectorAll("[data-palette]"))
      one.addEventListener("click", () => { opened.close(); work(one.dataset.palette, one.dataset.faces.split(" ")); });
  }

  function pickPaper() {
    palette("Which card do you lay?", (card) => {
      const own = document.getElementById("hand-0");
      own.dataset.card = card;
      const picture = element("svg", { class: "rail-card", viewBox: "0 0 63 88", "aria-hidden": "true" }, drawnFace(card, card));
      own.replaceChildren(picture, Object.assign(document.createElement("span"), { className: "note", textContent: "another card" }));
      choose("hand-0", card);
    });
  }

  const report = (grid, more = {}) => act({ kind: "report", data: { grid, ...more } });

  function enter(cell) {
    const grid = told("grid");
    const empty = cell in grid ? [button("Empty this place", () => { sheet.close(); delete grid[cell]; report(grid); })] : [];
    palette(`Which card lies at ${cell}?`, (card, faces) => {
      if (faces.length < 2) { report({ ...grid, [cell]: faces[0] }); return; }
      wayRound(cell, card, faces, (chosenFace) => report({ ...grid, [cell]: chosenFace }));
    }, ...empty);
  }

  function wayRound(cell, card, faces, work) {
    const choices = faces.map((one, number) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: "hand-card" });
      made.setAttribute("aria-label", number ? "the other way round" : "this way round");
      made.append(element("svg", { class: "rail-card", viewBox: "0 0 63 88" }, drawnFace(one, card)));
      made.addEventListener("click", () => { sheet.close(); work(one); });
      return made;
    });
    const row = Object.assign(document.createElement("div"), { className: "palette" });
    row.append(...choices);
    openSheet(`Which way round, seen from the start, at ${cell}?`, row);
  }

  function stations() {
    const opened = openSheet("Stations", document.getElementById("stations").content.cloneNode(true), button("They lie like this", () => {
      const column = (name) => [...opened.querySelectorAll(`select[name=${name}]`)].map((one) => one.value);
      const ends = { starts: column("starts"), destinations: column("destinations") };
      opened.close();
      report(told("grid"), ends);
    }, ""), button("Never mind", () => opened.close()));
  }

  // --- between rounds ---

  function change(id) {
    const most = Number(laying().dataset.discards);
    if (!changing.delete(id)) changing = new Set([...changing, id].slice(-most));
    say(`Chosen to be changed: ${changing.size} of at most ${most}.`);
    paint();
  }

  function discard() {
    const cards = cardButtons().filter((one) => changing.has(one.id)).map((one) => one.dataset.card);
    changing = new Set();
    act({ kind: "discard", data: { cards } });
  }

  function undo() {
    forget();
    const last = Number(laying().dataset.undo || 0);
    act({ kind: "undo", data: last ? { seq: last } : {} });
  }

  const turns = (step) => (source) => act({ kind: "turns", data: { count: Number(source.dataset.turns) + step } });

  const deeds = {
    turn, place, undo, discard, stations,
    drop: () => { forget(); paint(); },
    palette: pickPaper,
    take: () => act({ kind: "take" }),
    pass: () => act({ kind: "pass" }),
    round: () => act({ kind: "round" }),
    fewer: turns(-1),
    more: turns(1),
  };

  function pressed(target) {
    const card = target.closest(".hand-card[data-card]");
    if (card && card.dataset.do !== "palette") { if (Number(laying().dataset.discards)) change(card.id); else choose(card.id, card.dataset.card); return; }
    const source = target.closest("[data-do]");
    if (source && source.dataset.do in deeds && laying()?.contains(source)) { deeds[source.dataset.do](source); return; }
    const place = target.closest(".mine .lanes g[data-cell]");
    if (place) tap(place.dataset.cell);
  }

  document.addEventListener("click", (event) => pressed(event.target));

  document.addEventListener("keydown", (event) => {
    const place = event.target.closest?.(".mine .lanes g[data-cell]");
    if (place && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); tap(place.dataset.cell); }
    if (event.key === "Escape" && ghost) { forget(); paint(); }
  });

  // After news from the box: what was chosen stays if it is still there and still fits.
  document.addEventListener("swapped", (event) => {
    if (!event.target.matches("[data-piece=controls], [data-piece=board]")) return;
    if (event.target.matches("[data-piece=board]")) present = null;
    const held = cardButtons().find((one) => one.id === chosen?.id && one.dataset.card === chosen.card)
      || cardButtons().find((one) => one.dataset.card === chosen?.card);
    chosen = held ? { id: held.id, card: held.dataset.card } : null;
    const still = ghost && chosen && places(chosen.card)[ghost.cell];
    if (ghost && !still) forget();
    if (still) { ghost.faces = still; ghost.at = Math.min(ghost.at, still.length - 1); aim(); } else paint();
  });
  paint();
})();
