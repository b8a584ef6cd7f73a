"use strict";
// Keeps a page fresh: one stream of server-sent events while the page is visible, polling where there is none.
(() => {
  const { page, match, follow } = document.body.dataset;
  if (follow !== undefined) return; // on the way to the rematch
  const link = document.getElementById("link");
  const POLL = 2000, TRY_AGAIN = 60000;
  const shown = {};
  let etag = "", source = null, heard = 0, beat = 10000, polling = 0, running = false, again = false, hushed = false;
  const { playing, past } = document.body.dataset;

  function say(state, words) {
    link.className = `link ${state}`;
    if (link.textContent !== words) link.textContent = words;
  }

  // --- pieces ---

  const address = () => `/api/v1/pieces?page=${page}` + (match ? `&match=${match}` : "");

  async function refresh() {
    if (hushed) return;
    if (running) { again = true; return; }
    running = true;
    try {
      const answer = await fetch(address(), { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
      if (answer.status === 200) {
        const told = await answer.json();
        etag = answer.headers.get("ETag") || "";
        if (playing && told.current !== playing && !past) { location.reload(); return; }
        show(told.pieces);
      } else if (playing && (answer.status === 403 || answer.status === 404)) { location.reload(); return; } // without a match nothing is lost
      if (!source) say("polling", "checking every 2 s");
    } catch {
      say("away", "the box is away");
    } finally {
      running = false;
      if (again) { again = false; refresh(); }
    }
  }

  function show(pieces) {
    const places = [...document.querySelectorAll("[data-piece]")];
    const known = new Set(places.map((place) => place.dataset.piece));
    if (Object.keys(pieces).some((name) => !known.has(name))) { location.reload(); return; }
    for (const place of places) {
      const html = pieces[place.dataset.piece];
      if (html !== undefined && shown[place.dataset.piece] !== html) swap(place, html);
    }
  }

  function swap(place, html) {
    const name = place.dataset.piece;
    const open = [...place.querySelectorAll("details[open]")].map((one) => one.id);
    const focused = place.contains(document.activeElement) ? document.activeElement.closest("[id]")?.id : "";
    const first = shown[name] === undefined;
    const entries = filledIn(place);
    place.innerHTML = html;
    shown[name] = html;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused) (document.getElementById(focused)?.querySelector("summary") || document.getElementById(focused))?.focus();
    fillIn(place, entries);
    place.classList.toggle("fresh", !first);
    place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  }

  // --- what somebody is filling in stays when the others go on ---

  const chosen = (field) => (field.matches("[type=radio], [type=checkbox]") ? "checked" : "value");
  const formOf = (place, name) => [...place.querySelectorAll("form")].find((form) => (form.dataset.form || form.id) === name);

  function touched(field) {
    if (field.matches("select")) return field.selectedIndex !== Math.max([...field.options].findIndex((one) => one.defaultSelected), 0);
    return chosen(field) === "checked" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  }

  function filledIn(place) {
    return [...place.querySelectorAll("form:not([data-sent])")].flatMap((form) => [...form.elements].flatMap((field, at) => {
      const active = field === document.activeElement;
      const kept = field.matches("input:not([type=hidden]), select, textarea") && touched(field);
      return kept || active ? [{ form: form.dataset.form || form.id, at, name: field.name, kept, active, entry: field[chosen(field)] }] : [];
    }));
  }

  function fillIn(place, entries) {
    for (const { form, at, name, kept, active, entry } of entries) {
      const field = formOf(place, form)?.elements[at];
      if (!field || field.name !== name) continue;
      if (kept && (!field.matches("select") || [...field.options].some((one) => one.value === entry))) field[chosen(field)] = entry;
      if (active) field.focus();
    }
  }

  document.addEventListener("submit", (event) => { event.target.dataset.sent = ""; });
  document.addEventListener("input", (event) => { if (event.target.form) delete event.target.form.dataset.sent; });

  // --- the stream ---

  function listen() {
    if (source || document.hidden) return;
    source = new EventSource("/api/v1/stream");
    heard = Date.now();
    say("waking", "connecting"); // back from sleep or from the browser's cache: "live" would be yesterday's news
    source.addEventListener("hello", (event) => {
      beat = JSON.parse(event.data).beat * 1000;
      clearInterval(polling); polling = 0;
      hear();
      refresh();
    });
    source.addEventListener("beat", hear);
    source.addEventListener("resync", () => { hear(); refresh(); });
    source.addEventListener("changed", (event) => {
      hear();
      const told = JSON.parse(event.data);
      if (told.pieces && told.match === playing) show(told.pieces);
      setTimeout(refresh, Math.random() * 60);
    });
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) { stop(); poll(); } else say("away", "the box is away");
    };
  }

  function hear() { heard = Date.now(); say("live", "live"); }

  function stop() { source?.close(); source = null; }

  function poll() {
    if (polling) return;
    polling = setInterval(refresh, POLL);
    setTimeout(listen, TRY_AGAIN);
    refresh();
  }

  function wake() {
    if (document.hidden) { stop(); clearInterval(polling); polling = 0; return; }
    refresh();
    listen();
  }

  setInterval(() => { if (source && Date.now() - heard > 3 * beat) { stop(); wake(); } }, 5000);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("online", wake);
  window.addEventListener("pagehide", stop);
  if (typeof Box !== "undefined") Object.assign(Box, { refresh, hush() { hushed = true; stop(); } });
  listen();
})();
