// SPIKE's map under fingers: make it larger, move it, light places with signs, find out what was tapped.
export const RailMap = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LARGEST = 6, FINGER = 26; // times; pixels around a place that still hit it
  const map = () => document.querySelector(".rail-ground"); // as printed; what lies on it is a layer above
  const now = () => document.querySelector(".rail-now");
  const hand = () => document.querySelector(".rail-hand"); // what only this page shows
  const fingers = new Map();
  let whole = null, part = null, moved = 0, pinch = null;
  let lights = { places: {}, tracks: [], chosen: "", pick: false, pointed: [] };

  // --- which part is shown ---

  const boxOf = (text) => { const [x, y, w, h] = text.split(" ").map(Number); return { x, y, w, h }; };
  const unit = () => part.w / (map().clientWidth || 1); // millimetres a pixel
  const zoomed = () => part.w < whole.w - 0.5;

  function show() {
    const { x, y, w, h } = part;
    for (const layer of document.querySelectorAll(".rail-map")) {
      layer.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
      layer.classList.toggle("zoomed", zoomed());
    }
    for (const button of document.querySelectorAll("[data-zoom=whole], [data-zoom=out]")) button.disabled = !zoomed();
    paint();
  }

  function look(x, y, w) {
    const width = Math.min(whole.w, Math.max(whole.w / LARGEST, w)), height = width * whole.h / whole.w;
    const inside = (value, low, high) => Math.min(Math.max(value, low), high);
    part = { x: inside(x, whole.x, whole.x + whole.w - width), y: inside(y, whole.y, whole.y + whole.h - height), w: width, h: height };
    show();
  }

  function zoom(by, at = { x: part.x + part.w / 2, y: part.y + part.h / 2 }) {
    const w = Math.min(whole.w, Math.max(whole.w / LARGEST, part.w / by)), share = w / part.w;
    look(at.x - (at.x - part.x) * share, at.y - (at.y - part.y) * share, w);
  }

  // What belongs to me, with some room around it.
  function lookAtMine() {
    const boxes = [...now().querySelectorAll(".piece.mine .casing, .train.mine")].map((one) => {
      const box = one.getBBox(), at = one.matches(".train") ? one.transform.baseVal[0].matrix : { e: 0, f: 0 };
      return { left: box.x + at.e, top: box.y + at.f, right: box.x + at.e + box.width, bottom: box.y + at.f + box.height };
    });
    if (!boxes.length) return;
    const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
    const w = Math.max(right - left + 90, (bottom - top + 90) * whole.w / whole.h);
    look((left + right) / 2 - w / 2, (top + bottom) / 2 - w * whole.h / whole.w / 2, w);
  }

  const zooms = { in: () => zoom(1.6), out: () => zoom(1 / 1.6), whole: () => look(whole.x, whole.y, whole.w), mine: lookAtMine };
  const TOOLS = [["in", "+", "Larger"], ["out", "−", "Smaller"], ["whole", "All", "The whole map"], ["mine", "Mine", "My network"]];

  function tools() {
    const frame = document.querySelector(".ground-view");
    if (!frame.querySelector(".map-tools")) frame.append(toolbar(), captionPlace());
    frame.querySelector("[data-zoom=mine]").hidden = !now().querySelector(".mine");
  }

  function toolbar() {
    const bar = document.createElement("div");
    bar.className = "map-tools";
    for (const [name, sign, words] of TOOLS) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: sign, title: words });
      button.setAttribute("aria-label", words);
      button.dataset.zoom = name;
      bar.append(button);
    }
    return bar;
  }

  function captionPlace() {
    const place = document.createElement("p");
    place.className = "map-caption";
    place.setAttribute("role", "status");
    return place;
  }

  // --- lights ---

  function element(name, attributes, inside = []) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  const lineOf = (track) => map().querySelector(`.touch [data-cell="${CSS.escape(track)}"]`);

  function middleOf(place) {
    const city = map().querySelector(`.city[data-cell="${CSS.escape(place)}"] circle`);
    if (city) return { x: Number(city.getAttribute("cx")), y: Number(city.getAttribute("cy")) };
    const [x1, y1, x2, y2] = lineOf(place).getAttribute("d").match(/-?[\d.]+/g).map(Number);
    return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
  }

  function marker(place, told, pixel) {
    const at = middleOf(place), size = 11.5 * pixel, radius = Math.max(7.4, 8 * pixel);
    const inside = [element("circle", { r: radius })];
    if (told.sign) {
      const width = size * 0.62 * told.sign.length + 4 * pixel;
      const text = element("text", { y: -radius - size * 0.3, "font-size": size });
      text.textContent = told.sign;
      inside.push(element("rect", { x: -width / 2, y: -radius - size * 1.25, width, height: size * 1.3, rx: size * 0.3 }), text);
    }
    return element("g", {
      class: `marker${place === lights.chosen ? " chosen" : ""}`, transform: `translate(${at.x} ${at.y})`,
      "data-place": place, role: "button", tabindex: "0", "aria-label": told.says || place,
    }, inside);
  }

  function paint() {
    if (!map()) return;
    const pixel = unit();
    const lines = (names, look) => names.filter(lineOf).map((track) => element("path", { class: look, d: lineOf(track).getAttribute("d") }));
    const tracks = [...lines(lights.tracks, "ghost-case"), ...lines(lights.tracks, "ghost-track"), ...lines(lights.pointed, "ghost-track wrong")];
    const order = Object.entries(lights.places).sort(([place]) => (place === lights.chosen ? 1 : -1));
    const marks = order.map(([place, told]) => marker(place, told, pixel));
    hand().replaceChildren(...tracks, ...marks);
    map().setAttribute("role", lights.pick ? "group" : "img");
    for (const line of map().querySelectorAll(".touch path"))
      for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": `Track ${line.dataset.cell}` }))
        if (lights.pick) line.setAttribute(name, value); else line.removeAttribute(name);
    map().classList.toggle("picking", lights.pick);
  }

  function light(wanted) {
    lights = { places: {}, tracks: [], chosen: "", pick: false, pointed: [], ...wanted };
    if (map() && part) paint();
  }

  // What a refusal is about, for a while.
  function point(tracks) {
    lights.pointed = tracks;
    paint();
    setTimeout(() => { lights.pointed = []; paint(); }, 6000);
  }

  // --- fingers ---

  function onMap(event) {
    const box = map().getBoundingClientRect();
    return { x: part.x + (event.clientX - box.left) * unit(), y: part.y + (event.clientY - box.top) * unit() };
  }

  function down(event) {
    if (!event.target.closest?.(".rail-map")) return;
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    pinch = null;
  }

  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    moved += Math.abs(dx) + Math.abs(dy);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) spread();
    else if (zoomed() && moved > 6) look(part.x - dx * unit(), part.y - dy * unit(), part.w);
  }

  function spread() {
    const [a, b] = fingers.values();
    const now = { apart: Math.hypot(a.x - b.x, a.y - b.y), clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 };
    moved = 99;
    if (pinch) {
      look(part.x - (now.clientX - pinch.clientX) * unit(), part.y - (now.clientY - pinch.clientY) * unit(), part.w);
      zoom(now.apart / pinch.apart, onMap(now));
    }
    pinch = now;
  }

  function up(event) { fingers.delete(event.pointerId); pinch = null; }

  const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) / unit();

  function nearest(names, at, most) {
    const found = names.map((name) => [apart(middleOf(name), at), name]).sort((a, b) => a[0] - b[0])[0];
    return found && found[0] <= most ? found[1] : "";
  }

  const allTracks = () => [...map().querySelectorAll(".touch path")].map((line) => line.dataset.cell);
  const allCities = () => [...map().querySelectorAll(".city")].map((city) => city.dataset.cell);

  function tapped(at) {
    const place = nearest(Object.keys(lights.places), at, FINGER);
    if (place) { tell({ place }); return; }
    const track = lights.pick && nearest(allTracks(), at, FINGER * 1.5);
    if (track) { tell({ track }); return; }
    caption(nearest(allCities(), at, FINGER));
  }

  const tell = (detail) => document.dispatchEvent(new CustomEvent("map-tap", { detail }));

  function caption(city) {
    const place = document.querySelector(".map-caption");
    if (place) place.textContent = city ? saysOf(map().querySelector(`.city[data-cell="${CSS.escape(city)}"]`).dataset) : "";
  }

  function saysOf({ says, good }) {
    const price = JSON.parse(now().dataset.prices)[good];
    return price ? `${says}, now $${price} at the market` : says;
  }

  // --- what is listened to ---

  function arrive() {
    if (!map()) return;
    if (!whole) { whole = boxOf(map().getAttribute("viewBox")); part = whole; }
    if (!hand()) document.querySelector(".ground-stage").append(element("svg", { class: "board rail-map rail-hand" }));
    tools();
    show();
  }

  document.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, up);
  document.addEventListener("click", (event) => {
    const tool = event.target.closest("[data-zoom]");
    if (tool) zooms[tool.dataset.zoom]();
    else if (event.target.closest(".rail-map") && moved < 10) tapped(onMap(event));
  });
  document.addEventListener("keydown", (event) => {
    const mark = event.target.closest?.(".marker, .touch path");
    if (!mark || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    tell(mark.dataset.place ? { place: mark.dataset.place } : { track: mark.dataset.cell });
  });
  document.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !event.target.closest?.(".rail-map")) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, onMap(event));
  }, { passive: false });
  document.addEventListener("swapped", (event) => { if (event.target.querySelector(".rail-map")) arrive(); });
  window.addEventListener("resize", () => { if (map() && part) paint(); });
  arrive();

  return { light, point, suitOf: (track) => lineOf(track)?.dataset.suit };
})();
