"use strict";
// Railroad Ink under a finger: choose what to draw, tap a lit cell, turn it, draw it. Also the free editor, with
// which whole boards are entered by hand. The box decides what is legal; this only shows it.
(() => {
  const { page, match, playing } = document.body.dataset;
  const SVG = "http://www.w3.org/2000/svg";
  const free = page === "quick";
  const address = `/api/v1/matches/${playing || match}/actions`;
  let chosen = null; // {source, shape}
  let ghost = null; // {cell, turnings, at, aim}

  const $ = (what) => document.querySelector(what);
  const board = () => $(".mine .board");
  const drawing = () => document.getElementById("drawing");
  const told = (name) => JSON.parse(drawing()?.dataset[name] || "{}");
  const umpire = () => drawing()?.dataset.mode === "umpire";
  const cellPlace = (cell) => board()?.querySelector(`g[data-cell="${cell}"]`);
  const symbol = (route) => document.querySelector(`symbol[data-route="${CSS.escape(route)}"]`);
  const turningsOf = (shape) => [...document.querySelectorAll(`symbol[data-shape="${CSS.escape(shape)}"]`)].map((one) => one.dataset.route);

  // --- what is on the board ---

  let local = {}; // the free editor's board: cell -> {route, round}
  const drawn = () => (free ? local : told("board"));
  const places = () => (chosen ? told("open")[`${chosen.source}:${chosen.shape}`] || {} : {});

  function element(name, attributes, inside = []) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  function paint() {
    if (!board()) return;
    board().querySelectorAll(".ghost, .local").forEach((one) => one.remove());
    board().setAttribute("role", "group"); // its cells are buttons now, so it is no plain picture
    const open = places();
    const editing = free || !umpire();
    for (const place of board().querySelectorAll("g[data-cell]")) {
      const cell = place.dataset.cell;
      const lit = cell in open;
      place.classList.toggle("open", lit);
      const can = editing || lit || cell in drawn();
      for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": wordsFor(cell, open) }))
        if (can) place.setAttribute(name, value); else place.removeAttribute(name);
    }
    if (free) for (const [cell, one] of Object.entries(local)) ink(cell, one.route, one.round, "local");
    if (ghost) ink(ghost.cell, ghost.turnings[ghost.at], 0, "ghost");
    for (const button of document.querySelectorAll(".choice[data-source]"))
      button.setAttribute("aria-pressed", String(Boolean(chosen) && button.dataset.source === chosen.source && button.dataset.shape === chosen.shape));
    const placing = document.getElementById("placing");
    if (!placing) return;
    placing.hidden = !ghost;
    document.getElementById("usual").hidden = Boolean(ghost);
    if (ghost) placing.querySelector("[data-do=turn]").disabled = ghost.turnings.length < 2;
  }

  function wordsFor(cell, open) {
    return cell in open ? `${cell}: fits in ${open[cell].length} ways` : `${cell}: ${drawn()[cell]?.route || "empty"}`;
  }

  function ink(cell, route, round, name) {
    const place = cellPlace(cell);
    const inside = [element("rect", { class: "cell", width: 100, height: 100 }), element("use", { href: `#${symbol(route).id}` })];
    if (round) {
      const number = element("text", { class: "round", x: 94, y: 17 });
      number.textContent = round;
      inside.push(number);
    }
    place.append(element("g", { class: `${name} drawn round-${round}` }, inside));
  }

  function explain(words) {
    const place = document.getElementById("say");
    if (place) place.textContent = words;
  }

  // --- choosing and placing ---

  function choose(source, shape) {
    chosen = { source, shape };
    ghost = null;
    explain("Now a lit cell. Tap it again to turn the route.");
    paint();
  }

  function chooseFirst() {
    const still = chosen && `${chosen.source}:${chosen.shape}` in told("open");
    if (still || !umpire()) return;
    const button = document.querySelector(".choice.from-die:not(:disabled)");
    chosen = button ? { source: button.dataset.source, shape: button.dataset.shape } : null;
  }

  function aim(cell, turnings, what) {
    const same = ghost && ghost.cell === cell && ghost.aim.kind === what.kind;
    if (same && turnings.length === 1 && what.kind === "draw") { place(); return; }
    ghost = { cell, turnings, at: same ? (ghost.at + 1) % turnings.length : 0, aim: what };
    explain(turnings.length > 1 ? `${cell}: way ${ghost.at + 1} of ${turnings.length}` : `${cell}: it fits in one way`);
    paint();
  }

  function tap(cell) {
    if (!drawing()) return;
    if (ghost && ghost.cell === cell && ghost.aim.kind !== "draw") { turn(); return; }
    if (free || !umpire()) { pick(cell); return; }
    if (cell in drawn()) { pick(cell); return; }
    if (!(cell in places())) {
      const found = Object.entries(told("open")).find(([, cells]) => cell in cells);
      if (!found) { explain(`Nothing fits ${cell} now.`); return; }
      const at = found[0].indexOf(":");
      chosen = { source: found[0].slice(0, at), shape: found[0].slice(at + 1) };
    }
    aim(cell, places()[cell], { kind: "draw", source: chosen.source });
  }

  function turn() {
    if (!ghost) return;
    ghost.at = (ghost.at + 1) % ghost.turnings.length;
    paint();
  }

  async function place() {
    const { cell, aim: what } = ghost;
    const route = ghost.turnings[ghost.at];
    ghost = null;
    if (what.kind === "free") { local[cell] = { route, round: what.round }; changed(); return; }
    const wishes = {
      draw: () => ({ kind: "draw", data: { cell, route, from: what.source } }),
      report: () => report({ ...drawn(), [cell]: { route, round: drawn()[cell]?.round } }),
      correct: () => ({ kind: "correct", data: { seq: what.event.seq, data: corrected(what.event.data, cell, route) } }),
    };
    await act(wishes[what.kind]());
  }

  // What an earlier event should have said: one route, or one of those that a photograph showed.
  function corrected(data, cell, route) {
    if (!data.moves) return { ...data, route };
    return { ...data, moves: data.moves.map((move) => (move.cell === cell ? { cell, route } : move)) };
  }

  function report(cells) {
    const routes = {}, rounds = {};
    for (const [cell, one] of Object.entries(cells)) {
      routes[cell] = one.route;
      if (one.round) rounds[cell] = one.round;
    }
    return { kind: "report", data: { cells: routes, rounds } };
  }

  async function act(wish) {
    try {
      const answer = await Box.post(address, wish);
      if (answer.data?.remarks?.length) Box.say(answer.data.remarks.join("; "), true);
    } catch (problem) {
      if (!(problem instanceof Box.Refusal)) throw problem;
      Box.say(problem.message, true);
      point(problem.detail);
    }
    paint();
    Box.refresh();
  }

  // A refusal that names cells shows them.
  function point(detail) {
    const cells = [detail.cell, ...(detail.cells || []), ...(detail.fits || []).map((one) => one.cell)].filter(Boolean);
    for (const cell of cells) {
      cellPlace(cell)?.classList.add("pointed");
      setTimeout(() => cellPlace(cell)?.classList.remove("pointed"), 6000);
    }
  }

  // --- a cell's own sheet: enter, correct, empty ---

  function pick(cell) {
    const there = drawn()[cell];
    const sheet = openSheet(there ? `${cell}: ${there.route}` : `What is drawn in ${cell}?`);
    if (there && !free && umpire()) sheet.append(line("Correct it to something else, if it was entered wrongly. To take back what you just drew, use Undo."));
    sheet.append(document.getElementById("shapes").content.cloneNode(true));
    for (const button of sheet.querySelectorAll("[data-shape]"))
      button.addEventListener("click", () => { closeSheet(); pickShape(cell, button.dataset.shape); });
    if (there && (free || !umpire())) sheet.append(action("Empty this cell", () => { closeSheet(); empty(cell); }));
  }

  async function pickShape(cell, shape) {
    const turnings = turningsOf(shape);
    if (free) { aim(cell, turnings, { kind: "free", round: local[cell]?.round || Number($("[name=round]")?.value || 0) }); return; }
    if (!umpire()) { aim(cell, turnings, { kind: "report" }); return; }
    const events = await Box.trying(() => Box.get(address.replace("/actions", "/events")));
    const undone = new Set((events || []).filter((one) => one.kind === "undo").map((one) => one.data.seq));
    const mine = (events || []).filter((one) => one.seat === Number(document.body.dataset.seat) && !undone.has(one.seq));
    const event = mine.findLast((one) => one.data.cell === cell || one.data.moves?.some((move) => move.cell === cell));
    if (event) aim(cell, turnings, { kind: "correct", event });
  }

  function empty(cell) {
    if (free) { delete local[cell]; changed(); return; }
    const left = { ...drawn() };
    delete left[cell];
    act(report(left));
  }

  let sheet = null;

  function openSheet(title) {
    closeSheet();
    sheet = document.createElement("dialog");
    sheet.className = "sheet";
    const head = document.createElement("h2");
    head.textContent = title;
    sheet.append(head);
    sheet.addEventListener("click", (event) => { if (event.target === sheet) closeSheet(); });
    sheet.addEventListener("close", () => { sheet?.remove(); sheet = null; });
    document.body.append(sheet);
    sheet.showModal();
    return sheet;
  }

  function closeSheet() { sheet?.close(); }

  function line(words) {
    const made = document.createElement("p");
    made.textContent = words;
    return made;
  }

  function action(words, work, look = "plain") {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `button ${look}`;
    made.textContent = words;
    made.addEventListener("click", work);
    return made;
  }

  // --- dice ---

  function enterDice() {
    const opened = openSheet("");
    opened.replaceChildren(document.getElementById("hand-dice").content.cloneNode(true));
    opened.append(action("These are the dice", () => {
      const faces = [...opened.querySelectorAll("select")].map((one) => one.value);
      closeSheet();
      act({ kind: "roll", data: { faces } });
    }, ""));
    opened.append(action("Not now", closeSheet));
  }

  async function undo() {
    ghost = null;
    const last = Number(document.getElementById("drawing").dataset.undo || 0);
    await act({ kind: "undo", data: last ? { seq: last } : {} });
  }

  const deeds = {
    turn,
    place,
    drop: () => { ghost = null; paint(); },
    undo,
    done: () => act({ kind: "done" }),
    roll: async () => { await Box.trying(() => Box.post(address.replace("/actions", "/roll"))); Box.refresh(); },
    "hand-roll": enterDice,
  };

  document.addEventListener("click", (event) => {
    const choice = event.target.closest(".choice[data-source]");
    if (choice) { choose(choice.dataset.source, choice.dataset.shape); return; }
    const deed = event.target.closest("[data-do]")?.dataset.do;
    if (deed in deeds) { deeds[deed](); return; }
    const cell = event.target.closest(".mine .board g[data-cell]");
    if (cell) tap(cell.dataset.cell);
  });

  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(".mine .board g[data-cell]");
    if (cell && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); tap(cell.dataset.cell); }
    if (event.key === "Escape" && ghost) { ghost = null; paint(); }
  });

  document.addEventListener("swapped", (event) => {
    if (!event.target.matches("[data-piece=controls], [data-piece=board], [data-piece=dice]")) return;
    if (ghost && ghost.aim.kind === "draw" && !(ghost.cell in places())) ghost = null;
    chooseFirst();
    paint();
  });

  // --- the free editor: scores as it is filled ---

  let counting = 0;

  function changed() {
    paint();
    localStorage.setItem("quick-board", JSON.stringify(local));
    clearTimeout(counting);
    counting = setTimeout(count, 120);
  }

  async function count() {
    const cells = {}, rounds = {};
    for (const [cell, one] of Object.entries(local)) { cells[cell] = one.route; if (one.round) rounds[cell] = one.round; }
    const edition = $("[name=edition]").value;
    const goals = edition === "classic" ? [] : [...document.querySelectorAll(".goal-entry")]
      .map((one) => ({ goal: one.querySelector("[name=goal]").value, points: Number(one.querySelector("[name=points]").value) }))
      .filter((one) => one.goal);
    const scored = await Box.trying(() => Box.post("/api/v1/scores", { game: "railroad-ink", position: { edition, cells, rounds, goals } }));
    if (!scored) return;
    const place = document.getElementById("quick-score");
    const open = [...place.querySelectorAll("details[open]")].map((one) => one.id);
    place.innerHTML = scored.html;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  }

  if (free) {
    try { local = JSON.parse(localStorage.getItem("quick-board") || "{}"); } catch { local = {}; }
    for (const cell of Object.keys(local)) if (!cellPlace(cell) || !symbol(local[cell]?.route || "")) delete local[cell];
    document.addEventListener("edit-board", (event) => {
      const { cells, rounds, edition } = event.detail;
      local = Object.fromEntries(Object.entries(cells).map(([cell, route]) => [cell, { route, round: rounds[cell] || 0 }]));
      $("[name=edition]").value = edition;
      changed();
      board().scrollIntoView();
    });
    deeds.clear = () => { local = {}; ghost = null; changed(); };
    document.addEventListener("change", (event) => { if (event.target.closest(".quick-options")) changed(); });
    changed();
  } else { chooseFirst(); paint(); }
})();
