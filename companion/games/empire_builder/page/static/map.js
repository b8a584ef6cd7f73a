"use strict";
// The map: moved with a finger or the mouse, zoomed with two fingers, the wheel or buttons. While two fingers are
// down the finished picture is only stretched; it is drawn anew, sharp, when they leave.
const EbMap = (() => {
  const COLUMN = 26, HALF_ROW = 15, SVG = "http://www.w3.org/2000/svg";
  const MOST = 1.7, FAR = 11, NEAR = 20; // pixels a unit at most; pixels between mileposts where more is written
  const view = document.getElementById("ground-view");
  const stage = view?.querySelector(".ground-stage");
  if (!view) return null;
  const [left, top, width, height] = view.querySelector(".eb-ground").getAttribute("viewBox").split(" ").map(Number);
  const listeners = [];
  let scale = 0; // pixels a unit
  let gesture = null; // {at, from, scale}: what stays under the fingers, in pixels of the stage

  // --- names and places: a milepost is its column letters and its half row ---

  function spot(name) {
    const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name) || [];
    if (!letters) return null;
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
    return [column * COLUMN, row * HALF_ROW];
  }

  function letters(column) {
    const first = Math.floor(column / 26);
    return (first ? String.fromCharCode(96 + first) : "") + String.fromCharCode(97 + column % 26);
  }

  // The milepost nearest to a point: column and half row together are even.
  function nameAt([x, y]) {
    let best = null;
    for (const column of [Math.floor(x / COLUMN), Math.ceil(x / COLUMN)]) {
      const odd = Math.abs(column) % 2;
      const row = 2 * Math.round((y / HALF_ROW - odd) / 2) + odd;
      const far = Math.hypot(column * COLUMN - x, row * HALF_ROW - y);
      if (column >= 0 && row > 0 && (!best || far < best.far)) best = { far, name: letters(column) + row };
    }
    return best?.name;
  }

  const path = (names) => names.map(spot).filter(Boolean).map(([x, y], place) => `${place ? "L" : "M"}${x} ${y}`).join("");
  const dots = (names) => names.map(spot).filter(Boolean).map(([x, y]) => `M${x} ${y}h0`).join("");

  // --- zoom ---

  const least = () => Math.min(view.clientWidth / width, view.clientHeight / height);
  const within = (wanted) => Math.min(MOST, Math.max(least(), wanted));
  const pitch = () => scale * 2 * HALF_ROW;

  function apply(wanted) {
    scale = within(wanted);
    stage.style.width = `${width * scale}px`;
    stage.style.height = `${height * scale}px`;
    view.dataset.zoom = pitch() < FAR ? "far" : pitch() < NEAR ? "mid" : "near";
  }

  // Where the stage begins in the view: a small map stands in its middle.
  const inset = () => [Math.max(0, (view.clientWidth - width * scale) / 2), Math.max(0, (view.clientHeight - height * scale) / 2)];

  function begin(client) {
    if (gesture) return;
    const box = stage.getBoundingClientRect();
    gesture = { at: [client[0] - box.left, client[1] - box.top], from: [box.left, box.top], scale, grown: 1, client };
  }

  function stretch(grown, client) {
    const { at, from } = gesture;
    gesture.grown = within(gesture.scale * grown) / gesture.scale;
    gesture.client = client;
    const [x, y] = [0, 1].map((axis) => client[axis] - from[axis] - at[axis] * gesture.grown);
    stage.style.transform = `translate(${x}px, ${y}px) scale(${gesture.grown})`;
  }

  function settle() {
    if (!gesture) return;
    const { at, grown, client, scale: before } = gesture;
    gesture = null;
    stage.style.transform = "";
    apply(before * grown);
    const box = view.getBoundingClientRect();
    const [x, y] = inset();
    view.scrollTo(at[0] * grown - (client[0] - box.left) + x, at[1] * grown - (client[1] - box.top) + y);
    remember();
  }

  function zoom(grown, client = middle()) {
    begin(client);
    stretch(grown, client);
    settle();
  }

  function middle() {
    const box = view.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  // Show these mileposts in the middle, near enough to tell them apart.
  function show(names, near = 26) {
    const spots = names.map(spot).filter(Boolean);
    if (!spots.length) return;
    const [low, high] = [Math.min, Math.max].map((pick) => [0, 1].map((axis) => pick(...spots.map((one) => one[axis]))));
    const room = [0, 1].map((axis) => high[axis] - low[axis] + 120);
    apply(Math.min(near / 2 / HALF_ROW, view.clientWidth / room[0], view.clientHeight / room[1]));
    const [x, y] = inset();
    view.scrollTo(((low[0] + high[0]) / 2 - left) * scale + x - view.clientWidth / 2, ((low[1] + high[1]) / 2 - top) * scale + y - view.clientHeight / 2);
    remember();
  }

  // --- fingers and mouse ---

  const fingers = new Map();
  let moved = 0, speed = [0, 0], stamp = 0, gliding = 0;

  const far = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const between = ([one, other]) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
  const two = () => [...fingers.values()];

  view.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.closest(".ground-tools")) return;
    cancelAnimationFrame(gliding);
    if (!fingers.size) { moved = 0; speed = [0, 0]; }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) { begin(between(two())); gesture.apart = far(two()); moved = 99; }
    view.setPointerCapture(event.pointerId);
  });

  view.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    fingers.set(event.pointerId, now);
    if (gesture?.apart && fingers.size === 2) { stretch(far(two()) / gesture.apart, between(two())); return; }
    if (fingers.size === 1) drag([now[0] - before[0], now[1] - before[1]], event.timeStamp);
  });

  function drag([x, y], time) {
    moved += Math.hypot(x, y);
    if (moved < 6) return;
    const past = Math.max(1, time - stamp);
    speed = [x, y].map((step, axis) => 0.7 * (step / past) + 0.3 * speed[axis]);
    stamp = time;
    view.scrollBy(-x, -y);
  }

  function lift(event) {
    const there = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId)) return;
    if (gesture?.apart) { settle(); return; }
    if (fingers.size) return;
    if (moved < 6 && event.type === "pointerup") tapped(there);
    else glide(event.timeStamp);
  }

  view.addEventListener("pointerup", lift);
  view.addEventListener("pointercancel", lift);

  // The map goes on a little after the finger has left.
  function glide(time) {
    if (time - stamp > 60 || matchMedia("(prefers-reduced-motion: reduce)").matches) { remember(); return; }
    let last = performance.now();
    const step = (now) => {
      const past = Math.min(50, now - last);
      last = now;
      view.scrollBy(-speed[0] * past, -speed[1] * past);
      speed = speed.map((one) => one * Math.exp(-past / 180));
      if (Math.hypot(...speed) > 0.02) gliding = requestAnimationFrame(step); else remember();
    };
    gliding = requestAnimationFrame(step);
  }

  function tapped(client) {
    const box = stage.getBoundingClientRect();
    const point = [(client[0] - box.left) / scale + left, (client[1] - box.top) / scale + top];
    for (const listen of listeners) listen(point, client);
  }

  let wheeling = 0;
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel moves the map, as it moves every page
    event.preventDefault();
    const client = [event.clientX, event.clientY];
    begin(client);
    stretch(gesture.grown * Math.exp(-event.deltaY / 300), gesture.client);
    clearTimeout(wheeling);
    wheeling = setTimeout(settle, 140);
  }, { passive: false });

  // --- buttons, and where one was before ---

  const shelf = `map-${document.body.dataset.page}-${document.body.dataset.playing}`;

  function remember() {
    sessionStorage.setItem(shelf, JSON.stringify([scale, (view.scrollLeft + view.clientWidth / 2) / scale, (view.scrollTop + view.clientHeight / 2) / scale]));
  }

  function restore() {
    let known = null;
    try { known = JSON.parse(sessionStorage.getItem(shelf)); } catch { known = null; }
    if (!Array.isArray(known)) { apply(0); return false; }
    apply(known[0]);
    view.scrollTo(known[1] * scale - view.clientWidth / 2, known[2] * scale - view.clientHeight / 2);
    return true;
  }

  const whole = () => { apply(0); remember(); };
  const tools = document.createElement("div");
  tools.className = "ground-tools";
  for (const [words, label, work] of [["+", "Nearer", () => zoom(1.6)], ["−", "Farther", () => zoom(1 / 1.6)], ["□", "The whole map", whole]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ground-tool";
    button.textContent = words;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", work);
    tools.append(button);
  }
  view.after(tools);

  const hand = document.createElementNS(SVG, "svg");
  hand.setAttribute("class", "board eb-hand-layer");
  hand.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  hand.setAttribute("aria-hidden", "true");
  stage.append(hand);

  view.classList.add("alive");
  const known = restore();
  new ResizeObserver(() => { if (scale < least() || view.dataset.zoom === "far") apply(scale); }).observe(view);

  return {
    spot, nameAt, path, dots, show, zoom, hand, known, view, pitch,
    onTap: (listen) => listeners.push(listen),
    reach: (pixels) => pixels / scale,
  };
})();
