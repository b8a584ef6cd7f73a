"use strict";
// Photographs of boards: sent with progress, shown from above with what was read laid over, doubts settled by a tap.
const Photos = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const { playing } = document.body.dataset;
  const address = `/api/v1/matches/${playing}/photos`;
  const columns = "abcdefg";
  let dialog = null;

  function html(name, attributes = {}, ...inside) { return made(document.createElement(name), attributes, inside); }
  function svg(name, attributes = {}, ...inside) { return made(document.createElementNS(SVG, name), attributes, inside); }
  function made(element, attributes, inside) {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  function button(words, work, look = "") {
    const one = html("button", { type: "button", class: `button ${look}` }, words);
    one.addEventListener("click", work);
    return one;
  }

  function open(...inside) {
    dialog?.close();
    const opened = dialog = html("dialog", { class: "sheet" }, ...inside);
    opened.addEventListener("close", () => { opened.remove(); if (dialog === opened) dialog = null; });
    document.body.append(opened);
    opened.showModal();
    return opened;
  }

  // --- sending, with progress: fetch cannot tell how much has gone ---

  function send(to, file, progress) {
    const request = new XMLHttpRequest();
    return new Promise((resolve, reject) => {
      request.open("POST", to);
      request.setRequestHeader("Content-Type", file.type || "image/jpeg");
      request.setRequestHeader("Idempotency-Key", Box.key());
      request.upload.onprogress = (event) => progress(event.loaded / event.total);
      request.onerror = () => reject(new Box.Refusal(0, { code: "away", message: "the photograph did not arrive: try again" }));
      request.onload = () => {
        let told = {};
        try { told = JSON.parse(request.responseText); } catch { /* an answer that is no JSON is treated as a fault below */ }
        if (request.status < 300) resolve(told);
        else reject(new Box.Refusal(request.status, told.error || { code: "fault", message: "the box answered something strange: try again" }));
      };
      request.send(file);
    });
  }

  async function waiting(title, work) {
    const bar = html("progress", { max: 1, "aria-label": title });
    const words = html("p", { role: "status" }, title);
    open(words, bar);
    const told = await Box.trying(() => work((share) => {
      if (share < 1) { bar.value = share; words.textContent = `Sending: ${Math.round(100 * share)} %`; return; }
      bar.removeAttribute("value");
      words.textContent = "Reading the board";
    }));
    if (told === undefined) dialog?.close();
    return told;
  }

  // --- what was read, over the picture ---

  const corner = (cell) => [100 * columns.indexOf(cell[0]), 100 * (Number(cell[1]) - 1)];
  const symbol = (route) => document.querySelector(`symbol[data-route="${CSS.escape(route)}"]`);

  // A page without drawings of routes shows a game of cards: its picture comes with what was read drawn on it.
  const cards = () => !document.querySelector("symbol[data-route]");

  function overlay(picture, cells, changed, doubts, answers, tap) {
    if (cards()) return picture ? html("img", { class: "reading", src: picture, alt: "The cards as they were read" }) : "";
    const drawing = svg("svg", { class: "reading", viewBox: "-62 -62 796 796", role: "group", "aria-label": "The board as it was read" });
    if (picture) drawing.append(svg("image", { href: picture, x: -62, y: -62, width: 796, height: 796 }));
    for (const cell of new Set([...changed, ...Object.keys(doubts)])) {
      const [x, y] = corner(cell);
      const route = cell in answers ? answers[cell] : cells[cell];
      const unsure = cell in doubts && !(cell in answers);
      const place = svg("g", { transform: `translate(${x} ${y})`, class: cell in doubts ? `doubt${unsure ? "" : " answered"}` : "new" });
      if (route && symbol(route)) place.append(svg("g", { class: `read${unsure ? " unsure" : ""}` }, svg("use", { href: `#${symbol(route).id}` })));
      place.append(svg("rect", { class: "frame", x: 4, y: 4, width: 92, height: 92, rx: 8 }));
      if (cell in doubts) {
        made(place, { role: "button", tabindex: 0, "aria-label": `${cell}: ${unsure ? "what is drawn here?" : answers[cell] || "empty"}` }, []);
        place.addEventListener("click", () => tap(cell));
        place.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(cell); } });
      } else made(place, { role: "img", "aria-label": `${cell}: ${route || "empty"}` }, []);
      drawing.append(place);
    }
    return drawing;
  }

  const said = (sentences) => html("ul", { class: "says" }, ...sentences.map((one) => html("li", {}, one[0].toUpperCase() + one.slice(1))));

  function show(told) {
    Box.refresh();
    const ruling = told.ruling || { cells: {}, changed: [], questions: {} };
    if (told.outcome === "ask") { ask(told, ruling, {}); return; }
    const entered = Boolean(told.done);
    const count = ruling.changed.length;
    const title = entered ? `Entered: ${count} new ${cards() ? "card" : "route"}${count === 1 ? "" : "s"}` : told.outcome === "refused" ? "Not entered" : `Nothing new is ${cards() ? "laid" : "drawn"}`;
    open(
      html("h2", {}, title),
      told.says.length ? said(told.says) : "",
      told.picture ? overlay(told.picture, ruling.cells, ruling.changed, {}, {}, () => {}) : "",
      html("p", { class: "row" }, ...(entered
        ? [button("Looks right", () => dialog.close()), button("Take it back", () => back(told.done.seq), "plain")]
        : [...(told.ruling || cards() ? [] : [button("Mark the corners", () => mark(told))]), button("Close", () => dialog.close(), "plain")])),
    );
  }

  async function back(seq) {
    dialog.close();
    await Box.trying(() => Box.post(`/api/v1/matches/${playing}/actions`, { kind: "undo", data: { seq } }));
    Box.refresh();
  }

  function ask(told, ruling, answers, at = null) {
    const left = Object.keys(ruling.questions).filter((cell) => !(cell in answers));
    const cell = at || left[0];
    const choose = (route) => {
      answers[cell] = route;
      if (Object.keys(ruling.questions).every((one) => one in answers)) settle(told, answers);
      else ask(told, ruling, answers);
    };
    open(
      html("h2", {}, `What ${cards() ? "lies" : "is drawn"} in ${cell}?`),
      html("p", {}, left.length > 1 ? `${left.length} cells are not clear. Touch a pulsing one, or answer this one.` : "This cell is not clear."),
      html("div", { class: "options" }, ...ruling.questions[cell].map(([route, p]) => option(route, p, () => choose(route || "")))),
      overlay(told.picture, ruling.cells, ruling.changed, ruling.questions, answers, (other) => ask(told, ruling, answers, other)),
      button("Never mind", () => dialog.close(), "plain"),
    );
  }

  // A card as it lies: its own picture, or the same turned by half.
  function cardPicture(face) {
    const one = document.querySelector(`symbol[data-card="${CSS.escape(face)}"], symbol[data-turned="${CSS.escape(face)}"]`);
    if (!one) return html("b", {}, face);
    const turned = one.dataset.card === face ? {} : { transform: "rotate(180 31.5 44)" };
    return svg("svg", { class: "rail-card", viewBox: "0 0 63 88", "aria-hidden": "true" }, svg("use", { href: `#${one.id}`, ...turned }));
  }

  function option(route, p, work) {
    const share = `${Math.max(1, Math.round(100 * p))} %`;
    const one = html("button", { type: "button", class: `choice${route ? "" : " none"}`, "aria-label": `${route || "empty"}, ${share}` });
    if (route && !symbol(route)) one.append(cardPicture(route));
    else if (route) one.append(svg("svg", { class: "die", viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("use", { href: `#${symbol(route).id}` })));
    else one.append("empty");
    one.append(html("span", {}, share));
    one.addEventListener("click", work);
    return one;
  }

  async function settle(told, answers) {
    const next = await waiting("Asking the rules", () => Box.post(`${address}/${told.photo}/answers`, { answers, corners: told.corners || null }));
    if (next) show({ ...next, corners: told.corners });
  }

  // --- a board without corner tags: four corners dragged by hand ---

  async function mark(told) {
    const image = new Image();
    image.src = `/api/v1/photos/${told.photo}`;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * width, y * height]);
    const drawing = svg("svg", { class: "marking", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "The photograph: put the four marks on the corners of the grid" });
    const outline = svg("polygon");
    drawing.append(svg("image", { href: image.src, width, height }), outline);
    const size = Math.max(width, height);
    const handles = ["top left", "top right", "bottom right", "bottom left"].map((name, number) => handle(drawing, name, number, corners, size, draw));
    function draw() {
      outline.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
      handles.forEach((place, number) => place.setAttribute("transform", `translate(${corners[number].join(" ")})`));
    }
    drawing.append(...handles);
    draw();
    const empty = html("input", { type: "checkbox" });
    open(
      html("h2", {}, "Where is the grid?"),
      html("p", {}, "Drag the four marks to the corners of the 7 by 7 grid, the board's own top left first."),
      drawing,
      html("label", { class: "check row" }, empty, "The board is still empty: remember how it looks, so that this is needed only once"),
      html("p", { class: "row" }, button("Read it", () => marked(told, corners, empty.checked)), button("Never mind", () => dialog.close(), "plain")),
    );
  }

  function handle(drawing, name, number, corners, size, draw) {
    const place = svg("g", {}, svg("circle", { class: "handle", r: size / 22, tabindex: 0, role: "button", "aria-label": `${name} corner; arrow keys move it` }), svg("circle", { class: "dot", r: size / 220 }));
    const move = (x, y) => { corners[number] = [x, y]; draw(); };
    const circle = place.firstChild;
    circle.addEventListener("pointerdown", (event) => { circle.setPointerCapture(event.pointerId); event.preventDefault(); });
    circle.addEventListener("pointermove", (event) => {
      if (!circle.hasPointerCapture(event.pointerId)) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
      move(at.x, at.y);
    });
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    circle.addEventListener("keydown", (event) => {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? size / 40 : size / 400;
      move(corners[number][0] + step[0] * far, corners[number][1] + step[1] * far);
    });
    return place;
  }

  async function marked(told, corners, teach) {
    if (teach) {
      const taught = await waiting("Remembering the board", () => Box.post(`${address}/${told.photo}/teach`, { corners }));
      dialog?.close();
      if (taught) Box.say(taught.message);
      return;
    }
    const next = await waiting("Reading the board", () => Box.post(`${address}/${told.photo}/answers`, { answers: {}, corners }));
    if (next) show({ ...next, corners });
  }

  // --- finished boards without a match ---

  async function score(files) {
    const place = document.getElementById("photo-scores");
    for (const [number, file] of [...files].entries()) {
      const told = await waiting(`Photograph ${number + 1} of ${files.length}`, (progress) => send("/api/v1/scores/photos", file, progress));
      if (!told) return;
      dialog?.close();
      for (const note of told.notes) Box.say(note, true);
      for (const board of told.boards) place.append(card(board));
    }
  }

  function card(board) {
    const one = html("article", { class: "seat" }, html("h2", {}, `Seat ${board.seat}`), board.says.length ? said(board.says) : "");
    one.append(overlay(board.picture, board.position.cells, Object.keys(board.position.cells), {}, {}, () => {}));
    if (board.doubtful.length) one.append(html("p", {}, `Not clear: ${board.doubtful.join(", ")}. Check them by hand.`));
    const score = html("div");
    score.innerHTML = board.html;
    one.append(score, button("Correct it by hand", () => document.dispatchEvent(new CustomEvent("edit-board", { detail: board.position })), "plain"));
    return one;
  }

  document.addEventListener("change", async (event) => {
    const { files } = event.target;
    if (!files?.length) return;
    if (event.target.dataset.scorePhotos !== undefined) await score(files);
    else if (event.target.dataset.photo !== undefined) {
      const told = await waiting("Sending", (progress) => send(address, files[0], progress));
      if (told) show(told);
    } else return;
    event.target.value = "";
  });

  document.addEventListener("click", async (event) => {
    if (event.target.closest("[data-do=photo]")) document.querySelector("[data-photo]").click();
    if (event.target.closest("[data-do=camera]")) {
      const told = await waiting("The box takes a picture: hands away", () => Box.post(`${address}/camera`));
      if (told) show(told);
    }
  });

  return { show };
})();
