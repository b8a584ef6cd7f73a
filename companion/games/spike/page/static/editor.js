// A genuine board, described over its photograph. The file's text is the truth: every tap changes a line of it.
import { post, Refusal } from "/static/api.js";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const $ = (what) => document.querySelector(what);
  const board = $("#text-board"), cards = $("#text-cards"), drawing = $("#drawing"), photo = $("#photo");
  const before = []; // texts, for Undo
  let tool = "city", suit = "", chain = "", asked = null, corners = null, drag = null;
  const SAYS = {
    city: "Tap the middle of a city, then say its name.",
    point: "Tap every place outside a city where tracks meet.",
    track: "Choose a suit, then tap the two ends of a track. The next track goes on from there.",
    change: "Tap a city, a point or a track to change it; drag a city or a point to move it.",
  };

  function made(name, settings = {}, ...inside) {
    const one = Object.assign(document.createElement(name), settings);
    one.append(...inside);
    return one;
  }

  function shape(name, attributes, words = "") {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    if (words) one.textContent = words;
    return one;
  }

  // --- the file as lines ---

  const linesOf = (place) => place.value.split("\n");

  function read(line) {
    if (!line.trim() || line.trim().startsWith("#")) return null;
    try { const told = JSON.parse(line); return told && typeof told === "object" ? told : null; } catch { return null; }
  }

  // Everything that can be read, with the number of its line; the rest is the checker's business.
  function entries() {
    const found = linesOf(board).map((line, at) => ({ at, told: read(line) })).filter((one) => one.told);
    return found.map((one) => ({ ...one, kind: Object.keys(one.told)[0] }));
  }

  const of = (kind) => entries().filter((one) => one.kind === kind);
  const places = () => Object.fromEntries([...of("city"), ...of("point")].filter((one) => Array.isArray(one.told.at)).map((one) => [one.told[one.kind], one]));
  const written = (told) => JSON.stringify(told).replace(/":/g, '": ').replace(/,(?=["\d{[-])/g, ", ");
  const rounded = ({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10];

  function change(lines) {
    before.push(board.value);
    board.value = lines.join("\n");
    changed();
  }

  function changed() {
    $("#undo").disabled = !before.length;
    $("#kept-board").textContent = "";
    draw();
    basics();
  }

  // After the last line of its kind, so that the file stays in order.
  function add(told) {
    const lines = linesOf(board), kind = Object.keys(told)[0];
    const same = of(kind), last = same.length ? same.at(-1).at : (entries().at(-1)?.at ?? -1);
    lines.splice(last + 1, 0, written(told));
    change(lines);
  }

  function replace(changes) { // {line number: object or null}
    const lines = linesOf(board).map((line, at) => (at in changes ? changes[at] && written(changes[at]) : line));
    change(lines.filter((line) => line !== null));
  }

  const fileName = (words) => words.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 31);

  // --- the drawing ---

  function size() {
    const [width, height] = of("board")[0]?.told.size || [508, 571.5];
    return { width: Number(width) || 508, height: Number(height) || 571.5 };
  }

  function draw() {
    const { width, height } = size(), known = places(), suits = Object.fromEntries(of("suit").map((one) => [one.told.suit, one.told]));
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    $("#sheet").style.aspectRatio = `${width} / ${height}`;
    const tracks = of("track").filter(({ told }) => Array.isArray(told.track) && told.track.every((end) => known[end])).map(({ told, at }) => {
      const [a, b] = told.track.map((end) => known[end].told.at), look = suits[told.suit];
      return shape("path", { d: `M${a}L${b}`, class: `desk-track pattern-${look?.pattern || "none"}`, stroke: look?.colour || "#ff00ff", "data-line": at });
    });
    const beds = ["desk-case", "desk-bed"].flatMap((look) => tracks.map((track) => shape("path", { d: track.getAttribute("d"), class: look })));
    const marks = Object.entries(known).flatMap(([name, { kind, told, at }]) => [
      shape("circle", { cx: told.at[0], cy: told.at[1], r: kind === "city" ? 6.5 : 2.6, class: `desk-${kind}${name === chain ? " chained" : ""}`, "data-line": at, "data-name": name, tabindex: 0, role: "button", "aria-label": told.name || name }),
      ...(kind === "city" ? [shape("text", { x: told.at[0], y: told.at[1] + 13 }, told.name || name)] : []),
    ]);
    drawing.replaceChildren(...beds, ...tracks, ...marks, ...cornerMarks());
  }

  function where(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  }

  function near(at, most = 9) {
    const found = Object.entries(places()).map(([name, one]) => [Math.hypot(one.told.at[0] - at.x, one.told.at[1] - at.y), name, one]);
    const best = found.sort((a, b) => a[0] - b[0])[0];
    return best && best[0] <= most ? best[2] : null;
  }

  function nearTrack(at) {
    const known = places();
    const found = of("track").filter(({ told }) => told.track?.every((end) => known[end])).map((one) => {
      const [a, b] = one.told.track.map((end) => known[end].told.at);
      return [Math.hypot((a[0] + b[0]) / 2 - at.x, (a[1] + b[1]) / 2 - at.y), one];
    }).sort((a, b) => a[0] - b[0])[0];
    return found && found[0] < 12 ? found[1] : null;
  }

  const nameOf = (one) => one.told[one.kind];

  // --- taps ---

  const taps = {
    city: (at) => { const there = near(at); if (there) ask(there); else askNew(at); },
    point: (at) => { if (!near(at, 5)) add({ point: freePoint(), at: rounded(at) }); },
    track: joinTo,
    change: (at) => { const there = near(at); if (there) ask(there); else if (nearTrack(at)) askTrack(nearTrack(at)); },
  };

  function freePoint() {
    const known = places();
    let number = 1;
    while (known[`p${number}`]) number += 1;
    return `p${number}`;
  }

  function joinTo(at) {
    const there = near(at, 14);
    if (!there) { chain = ""; say("The chain is broken off: tap where the next track begins."); draw(); return; }
    const name = nameOf(there), from = chain;
    chain = name;
    if (!from || from === name) { draw(); return; }
    const old = of("track").find(({ told }) => told.track.includes(from) && told.track.includes(name));
    if (old) replace({ [old.at]: { ...old.told, suit } }); else add({ track: [from, name], suit });
    say(`${from} – ${name}: ${suit}. Now ${name} to where? Tap beside everything to begin elsewhere.`);
  }

  function say(words) { $("#say").textContent = words; }

  // --- what is asked ---

  function fill(list, values, chosen = "") {
    list.replaceChildren(...values.map(([value, words]) => made("option", { value, textContent: words, selected: value === chosen })));
  }

  const goods = () => of("good").map(({ told }) => [told.good, told.name || told.good]);

  function open(title, name, good, isCity, old) {
    const form = $("#place-form");
    asked = old;
    form.hidden = false;
    $("#place-title").textContent = title;
    form.elements.name.value = name;
    fill(form.elements.good, goods(), good);
    form.querySelector(".of-city").hidden = !isCity;
    $("#remove").hidden = !old.line;
    form.elements.name.focus({ preventScroll: true });
  }

  const askNew = (at) => open("A new city", "", leastGood(), true, { at: rounded(at) });
  const ask = (one) => open(one.kind === "city" ? `The city ${one.told.name}` : `The point ${one.told.point}`, one.told.name || one.told.point, one.told.good, one.kind === "city", { line: one });

  // The good that fewest cities supply so far is the likeliest one to come.
  function leastGood() {
    const count = (good) => of("city").filter(({ told }) => told.good === good).length;
    return goods().map(([good]) => good).sort((a, b) => count(a) - count(b))[0] || "";
  }

  function placed(event) {
    event.preventDefault();
    const { name, good } = event.target.elements, called = fileName(name.value);
    const taken = places()[called];
    if (!called || (taken && taken.at !== asked.line?.at)) { say(called ? `There is a ${called} already.` : "A name has letters."); return; }
    if (!asked.line) add({ city: called, name: name.value.trim(), good: good.value, at: asked.at });
    else replace({ ...renamed(nameOf(asked.line), called), [asked.line.at]: asked.line.kind === "city"
      ? { ...asked.line.told, city: called, name: name.value.trim(), good: good.value } : { ...asked.line.told, point: called } });
    close();
  }

  // Tracks follow a place that gets another name; without one they go.
  const renamed = (old, called) => Object.fromEntries(of("track").filter(({ told }) => told.track.includes(old))
    .map(({ at, told }) => [at, called && { ...told, track: told.track.map((end) => (end === old ? called : end)) }]));

  function remove() {
    replace({ ...renamed(nameOf(asked.line), null), [asked.line.at]: null });
    close();
  }

  function askTrack(one) {
    asked = { line: one };
    $("#track-form").hidden = false;
    $("#track-title").textContent = `The track ${one.told.track.join(" – ")}`;
    fill($("#track-form").elements.suit, of("suit").map(({ told }) => [told.suit, `${told.suit}, ${told.pattern}`]), one.told.suit);
  }

  function close() {
    asked = null;
    $("#place-form").hidden = $("#track-form").hidden = true;
  }

  // --- size, suits, goods ---

  function basics() {
    const head = of("board")[0]?.told || {}, form = $("#size-form").elements;
    form.title.value = head.board || "";
    form.width.value = size().width;
    form.height.value = size().height;
    const suits = of("suit");
    if (!suits.some(({ told }) => told.suit === suit)) suit = suits[0]?.told.suit || "";
    $("#suits").replaceChildren(...suits.map(({ told }) => suitButton(told)));
    $("#suits").hidden = tool !== "track";
    $("#suit-list").replaceChildren(...suits.map(suitLine));
    $("#good-list").replaceChildren(...of("good").map(goodLine));
    cardLists();
  }

  function suitButton(told) {
    const one = made("button", { type: "button", className: "task" }, suitPicture(told), told.suit);
    one.setAttribute("aria-pressed", String(told.suit === suit));
    one.addEventListener("click", () => { suit = told.suit; basics(); });
    return one;
  }

  function suitPicture(told) {
    const picture = shape("svg", { viewBox: "0 0 40 12", class: "suit-picture", "aria-hidden": "true" });
    picture.append(shape("path", { d: "M3 6L37 6", class: "desk-case" }), shape("path", { d: "M3 6L37 6", class: "desk-bed" }), shape("path", { d: "M3 6L37 6", class: `desk-track pattern-${told.pattern}`, stroke: told.colour }));
    return picture;
  }

  function field(words, input) { return made("label", {}, words, input); }

  function suitLine({ told, at }) {
    const name = made("input", { value: told.suit, maxLength: 30 }), colour = made("input", { type: "color", value: told.colour }), pattern = made("select");
    fill(pattern, JSON.parse($("#suit-list").dataset.patterns).map((one) => [one, one]), told.pattern);
    const set = made("button", { type: "button", className: "button plain", textContent: "Set" });
    set.addEventListener("click", () => {
      const called = fileName(name.value) || told.suit;
      const tracks = of("track").filter((one) => one.told.suit === told.suit).map((one) => [one.at, { ...one.told, suit: called }]);
      replace({ ...Object.fromEntries(tracks), [at]: { suit: called, colour: colour.value, pattern: pattern.value } });
    });
    return made("div", { className: "row basics-row" }, field("Suit", name), field("Colour", colour), field("Pattern", pattern), set);
  }

  function goodLine({ told, at }) {
    const name = made("input", { value: told.name, maxLength: 30 }), set = made("button", { type: "button", className: "button plain", textContent: "Set" });
    set.addEventListener("click", () => {
      const called = fileName(name.value) || told.good;
      const cities = of("city").filter((one) => one.told.good === told.good).map((one) => [one.at, { ...one.told, good: called }]);
      replace({ ...Object.fromEntries(cities), [at]: { good: called, name: name.value.trim() } });
    });
    return made("div", { className: "row basics-row" }, field("Good", name), set);
  }

  // --- cards ---

  function cardLists() {
    const form = $("#card-form"), { kind, good, card, side, start } = form.elements;
    const cities = of("city").map(({ told }) => [told.city, told.name]);
    for (const part of form.querySelectorAll(".of-contract")) part.hidden = kind.value !== "contract";
    form.querySelector(".of-route").hidden = kind.value !== "route";
    fill(good, goods(), good.value);
    fill(start, cities, start.value);
    if (!card.options.length) {
      fill(card, Array.from({ length: Number(form.dataset.count) }, (_, at) => [String(at + 1), String(at + 1)]));
      fill(side, JSON.parse(form.dataset.sides).map((one) => [one, one]));
    }
    const rows = [...$("#card-pays").children];
    if (!rows.length) for (let at = 0; at < 6; at += 1) $("#card-pays").append(payRow());
    for (const row of $("#card-pays").children) fill(row.querySelector("select"), [["", "none"], ...cities], row.querySelector("select").value);
  }

  function payRow() {
    const city = made("select"), dollars = made("input", { type: "number", min: 1, max: 99, inputMode: "numeric" });
    city.setAttribute("aria-label", "City");
    dollars.setAttribute("aria-label", "Dollars");
    return made("div", { className: "row pay-row" }, city, dollars);
  }

  function addCard(event) {
    event.preventDefault();
    const { kind, good, card, side, start } = event.target.elements;
    const rows = [...$("#card-pays").children].map((row) => [row.querySelector("select").value, Number(row.querySelector("input").value)]);
    const pays = Object.fromEntries(rows.filter(([city, dollars]) => city && dollars));
    const told = kind.value === "contract" ? { contract: good.value, card: Number(card.value), side: side.value, pays } : { route: start.value, pays };
    const lines = cards.value.trim() ? cards.value.replace(/\n+$/, "").split("\n") : ['{"cards": "My cards", "format": 1}'];
    cards.value = [...lines, written(told), ""].join("\n");
    for (const input of $("#card-pays").querySelectorAll("input, select")) input.value = "";
    $("#kept-cards").textContent = `Line ${lines.length + 1} was added.`;
  }

  // --- checking, keeping, files ---

  async function keep(name) {
    const list = $(`#faults-${name}`), place = $(`#text-${name}`);
    list.replaceChildren();
    try {
      const { message } = await post("/api/v1/host/options", { game: "spike", option: name, text: place.value });
      $(`#kept-${name}`).textContent = `${message}.`;
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      const faults = problem.detail.faults || [problem.message];
      $(`#kept-${name}`).textContent = `Not kept: ${faults.length === 1 ? "one thing is wrong" : `${faults.length} things are wrong`}. Tap one to see its line.`;
      list.replaceChildren(...faults.map(faultLine));
    }
  }

  function faultLine(words) {
    const [, file, number] = words.match(/^(board|cards), line (\d+)/) || [];
    const button = made("button", { type: "button", className: "fault", textContent: words });
    button.addEventListener("click", () => { if (file) showLine($(`#text-${file}`), Number(number)); });
    return made("li", {}, button);
  }

  function showLine(place, number) {
    const lines = place.value.split("\n"), start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    place.focus();
    place.setSelectionRange(start, start + (lines[number - 1] || "").length);
    place.scrollTop = (number - 3) * (place.scrollHeight / lines.length);
  }

  function download(name) {
    const link = made("a", { href: URL.createObjectURL(new Blob([$(`#text-${name}`).value], { type: "application/x-ndjson" })), download: `spike.${name}.jsonl` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function take(name, text) {
    if (name === "board") before.push(board.value);
    chain = "";
    $(`#faults-${name}`).replaceChildren();
    $(`#text-${name}`).value = text;
    changed();
  }

  // --- the photograph: its four corners are drawn onto the board's ---

  async function showPhoto(file) {
    photo.src = URL.createObjectURL(file);
    await photo.decode();
    photo.hidden = false;
    $("#corners").disabled = false;
    corners = null;
    straighten([[0, 0], [1, 0], [1, 1], [0, 1]]);
    say("If the photograph is not straight, tap Its corners.");
  }

  const cornerMarks = () => (corners || []).map(([x, y]) => shape("circle", { cx: x * size().width, cy: y * size().height, r: 7, class: "desk-corner" }));

  function beginCorners() {
    corners = [];
    straighten([[0, 0], [1, 0], [1, 1], [0, 1]]);
    say("Tap the board's corners in the photograph: top left, top right, bottom right, bottom left.");
    draw();
  }

  function corner(at) {
    corners.push([at.x / size().width, at.y / size().height]);
    if (corners.length === 4) { const four = corners; corners = null; straighten(four); say(SAYS[tool]); }
    draw();
  }

  // The perspective that takes these four places (in shares of the sheet) to its corners, as a CSS matrix.
  function straighten(from) {
    const { clientWidth: w, clientHeight: h } = $("#sheet");
    const to = [[0, 0], [1, 0], [1, 1], [0, 1]], rows = [];
    from.forEach(([x, y], at) => {
      const [px, py] = [x * w, y * h], [u, v] = [to[at][0] * w, to[at][1] * h];
      rows.push([px, py, 1, 0, 0, 0, -px * u, -py * u, u], [0, 0, 0, px, py, 1, -px * v, -py * v, v]);
    });
    const [a, b, c, d, e, f, g, i] = solved(rows);
    photo.style.transform = `matrix3d(${[a, d, 0, g, b, e, 0, i, 0, 0, 1, 0, c, f, 0, 1].join(",")})`;
    photo.dataset.from = JSON.stringify(from);
  }

  function solved(rows) {
    const count = rows.length;
    for (let at = 0; at < count; at += 1) {
      let best = at;
      for (let row = at; row < count; row += 1) if (Math.abs(rows[row][at]) > Math.abs(rows[best][at])) best = row;
      [rows[at], rows[best]] = [rows[best], rows[at]];
      for (let row = 0; row < count; row += 1) {
        if (row === at) continue;
        const share = rows[row][at] / rows[at][at];
        for (let column = at; column <= count; column += 1) rows[row][column] -= share * rows[at][column];
      }
    }
    return rows.map((row, at) => row[count] / row[at]);
  }

  function enlarge(times) {
    $("#sheet").style.width = `${times * 100}%`;
    if (photo.dataset.from) straighten(JSON.parse(photo.dataset.from));
  }

  // --- what is listened to ---

  drawing.addEventListener("pointerdown", (event) => {
    const there = tool === "change" && !corners ? near(where(event)) : null;
    drag = there && { one: there, moved: false, from: where(event) };
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const at = where(event);
    drag.moved ||= Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > 4;
    if (drag.moved) { drag.to = at; const mark = drawing.querySelector(`circle[data-line="${drag.one.at}"]`); mark.setAttribute("cx", at.x); mark.setAttribute("cy", at.y); }
  });
  drawing.addEventListener("click", (event) => {
    const dropped = drag?.moved ? drag : null;
    drag = null;
    if (corners) corner(where(event));
    else if (dropped) replace({ [dropped.one.at]: { ...dropped.one.told, at: rounded(dropped.to) } });
    else taps[tool](where(event));
  });
  drawing.addEventListener("keydown", (event) => {
    const at = event.target.closest("circle[data-name]");
    if (!at || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    taps[tool]({ x: Number(at.getAttribute("cx")), y: Number(at.getAttribute("cy")) });
  });
  for (const button of document.querySelectorAll("[data-tool]")) button.addEventListener("click", () => {
    tool = button.dataset.tool;
    chain = "";
    for (const one of document.querySelectorAll("[data-tool]")) one.setAttribute("aria-pressed", String(one === button));
    close();
    say(SAYS[tool]);
    changed();
  });
  $("#place-form").addEventListener("submit", placed);
  $("#remove").addEventListener("click", remove);
  $("#leave").addEventListener("click", close);
  $("#leave-track").addEventListener("click", close);
  $("#track-form").addEventListener("submit", (event) => {
    event.preventDefault();
    replace({ [asked.line.at]: { ...asked.line.told, suit: event.target.elements.suit.value } });
    close();
  });
  $("#remove-track").addEventListener("click", () => { replace({ [asked.line.at]: null }); close(); });
  $("#size-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { title, width, height } = event.target.elements, head = of("board")[0];
    const told = { ...(head?.told || { board: "", format: 1 }), board: title.value, size: [Number(width.value), Number(height.value)] };
    if (head) replace({ [head.at]: told }); else change([written(told), ...linesOf(board)]);
  });
  $("#card-form").addEventListener("submit", addCard);
  $("#card-form").elements.kind.addEventListener("change", cardLists);
  $("#undo").addEventListener("click", () => { board.value = before.pop(); close(); changed(); });
  $("#corners").addEventListener("click", beginCorners);
  $("#photo-file").addEventListener("change", (event) => { if (event.target.files[0]) showPhoto(event.target.files[0]); });
  $("#zoom").addEventListener("input", (event) => enlarge(Number(event.target.value)));
  $("#faded").addEventListener("input", (event) => { photo.style.opacity = event.target.value; });
  board.addEventListener("input", changed);
  document.addEventListener("change", async (event) => {
    const { upload } = event.target.dataset;
    if (upload && event.target.files[0]) take(upload, await event.target.files[0].text());
  });
  document.addEventListener("click", (event) => {
    const { keep: kept, download: saved, example } = event.target.closest("button")?.dataset || {};
    if (kept) keep(kept);
    if (saved) download(saved);
    if (example) take(example, document.getElementById(`shipped-${example}`).content.textContent);
  });
  say(SAYS[tool]);
  changed();
})();
