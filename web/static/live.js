// @ts-check
// Keeps a page fresh: one stream of server-sent events while the page is visible, polling where there is none.
import { isSending } from "./api.js";
import { all, find, need } from "./elements.js";
import { _ } from "./words.js";

(() => {
  const { page, match, follow, past, stays, at, poll: seconds } = document.body.dataset; // at: a match that nobody else plays
  let playing = document.body.dataset.playing;
  if (follow !== undefined) return; // on the way to the rematch
  const link = need("#link");
  const POLL = 1000 * Number(seconds || 2), TRY_AGAIN = 60000;
  /** @type {Record<string, string>} */
  const shown = {};
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let polling;
  let etag = "", heard = 0, beat = 10000, running = false, again = false, hushed = false;

  /** @param {"live" | "away" | "waking" | "polling"} state */
  function say(state, /** @type {string} */ words) {
    link.className = `link ${state}`;
    if (link.textContent !== words) link.textContent = words;
  }

  // --- pieces ---

  const address = () => (at ? `${at}/pieces` : `/api/v1/pieces?page=${page}${match ? `&match=${match}` : ""}`);

  async function refresh() {
    if (hushed) return;
    if (running) { again = true; return; }
    running = true;
    try {
      const answer = await fetch(address(), { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
      document.body.dataset.ahead = String(Date.now() - (Date.parse(answer.headers.get("Date") ?? "") || Date.now())); // of the box's clock
      await lifted;
      if (answer.status === 200) {
        const told = await answer.json();
        etag = answer.headers.get("ETag") || "";
        if (isOutdated(told)) { loadAnew(); return; }
        await insertMissing(told.pieces);
        show(told.pieces);
        document.body.dataset.seen = told.version;
      } else if (playing && (answer.status === 403 || answer.status === 404)) { loadAnew(); return; } // without a match nothing is lost
      if (!source && !at) say("polling", _("checking every {n} s", { n: POLL / 1000 }));
    } catch {
      say("away", _("the box is away"));
    } finally {
      running = false;
      if (again) { again = false; refresh(); } else document.dispatchEvent(new Event("refreshed"));
    }
  }

  // What is drawn anew under a finger gets no tap: news wait until it is lifted, but not for one that rests.
  const RESTS = 5000;
  let lifted = Promise.resolve(), lift = () => {};
  const fingerDown = () => {
    lifted = new Promise((resolve) => {
      lift = resolve;
      setTimeout(resolve, RESTS);
    });
  };
  window.addEventListener("pointerdown", fingerDown, true);
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => setTimeout(lift), true); // after its click

  /** @param {Record<string, string>} pieces the markup of each, by name; those that this page does not show are passed over */
  function show(pieces) {
    for (const place of all("[data-piece]")) {
      const name = place.dataset.piece ?? "", html = pieces[name];
      if (html !== undefined && shown[name] !== html) swap(place, name, html);
    }
  }

  const placeOf = (/** @type {string} */ name, /** @type {ParentNode} */ within = document) => find(`[data-piece="${CSS.escape(name)}"]`, within);

  /**
   * Pieces that came since the page was loaded, as the seat of a late guest, with what is around them.
   * @param {Record<string, string>} pieces the markup of each, by name
   */
  async function insertMissing(pieces) {
    if (Object.keys(pieces).every((name) => placeOf(name))) return;
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return; // at the next news
    const anew = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const name of Object.keys(pieces)) {
      const place = placeOf(name, anew), before = place?.previousElementSibling;
      const beside = before instanceof HTMLElement && before.dataset.piece ? placeOf(before.dataset.piece) : null;
      if (placeOf(name) || !place?.parentElement || !beside?.parentElement) continue;
      beside.parentElement.className = place.parentElement.className; // which may tell how many there are
      beside.after(document.adoptNode(place));
    }
  }

  // --- loading the page anew: never while somebody is on the way elsewhere, or the box is being told something ---

  const LEAVES = 10000, LOOK_AGAIN = 300;
  let left = -LEAVES;
  // Also before a download, which leaves the page here: so it counts for a while only.
  window.addEventListener("beforeunload", () => { left = performance.now(); });

  function loadAnew() {
    if (isSending() || performance.now() - left < LEAVES) setTimeout(refresh, LOOK_AGAIN);
    else location.reload();
  }

  /**
   * Does the page show another match, or speak another language, than it should? The host's page goes from match to match.
   * @param {{current: string, language: string}} told
   */
  function isOutdated({ current, language }) {
    if (stays !== undefined) document.body.dataset.playing = playing = current;
    if (playing && current !== playing && !past) return true;
    return Boolean(language) && language !== document.documentElement.lang && !isTouched();
  }

  /** Is anything chosen or typed in a form of this page that has not been sent? */
  function isTouched() {
    return all("form").some((form) => filledIn(form).some(({ kept }) => kept));
  }

  /**
   * @param {HTMLElement} place
   * @param {string} name
   * @param {string} html
   */
  function swap(place, name, html) {
    const open = all("details[open]", place).map((one) => one.id);
    const focused = document.activeElement;
    const traces = focused && place.contains(focused) ? tracesOf(focused) : [];
    const first = shown[name] === undefined;
    const entries = filledIn(place);
    place.innerHTML = html;
    shown[name] = html;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    fillIn(place, entries);
    place.classList.toggle("fresh", !first);
    place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
    if (traces.length && !place.contains(document.activeElement)) focusAgain(place, traces);
  }

  // --- who works with the keyboard stays where they were ---

  /**
   * How to find an element in the markup that replaces it: by its name, by all that its data say, by the first of them.
   * @param {Element} element
   */
  function tracesOf(element) {
    const named = element.closest("[id]");
    const inNamed = element.localName === "summary" && named ? [`#${CSS.escape(named.id)} > summary`] : [];
    if (element.id) return [`#${CSS.escape(element.id)}`];
    const data = [...element.attributes].filter(({ name }) => name.startsWith("data-"));
    const said = data.map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`);
    return [...inNamed, ...(said[0] ? [said.join(""), said[0]] : []), ".bar .button:not(.plain)", ".bar .button", "button"];
  }

  /**
   * Nothing scrolls by it; what is hidden or cannot be used is passed over.
   * @param {HTMLElement} place
   * @param {string[]} traces
   */
  function focusAgain(place, traces) {
    for (const one of traces.flatMap((trace) => all(trace, place))) {
      if (one.getClientRects().length) one.focus({ preventScroll: true });
      if (document.activeElement === one) return;
    }
  }

  // --- what somebody is filling in stays when the others go on ---

  /** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
  /** @typedef {{field: string, kept: boolean, active: boolean, entry: string | boolean}} Entry */

  const isTick = (/** @type {Field} */ field) => field.matches("[type=radio], [type=checkbox]");
  const tick = (/** @type {Field} */ field) => /** @type {HTMLInputElement} */ (field);
  const nameOf = (/** @type {HTMLFormElement} */ form) => form.dataset.form || form.id;

  /**
   * The fields of forms in a place, or of a form around it, by what tells each of them: others may come and go beside it.
   * @param {HTMLElement} place
   * @returns {Map<string, Field>}
   */
  function fieldsIn(place) {
    const found = new Map();
    for (const one of all("input:not([type=hidden]), select, textarea, button", place)) {
      const field = /** @type {Field} */ (one);
      if (!field.form) continue;
      const known = `${nameOf(field.form)} ${field.name} ${isTick(field) ? field.value : ""}`;
      let at = 0;
      while (found.has(`${known} ${at}`)) at += 1;
      found.set(`${known} ${at}`, field);
    }
    return found;
  }

  /** @param {Field} field */
  function touched(field) {
    if (field instanceof HTMLSelectElement) {
      return field.selectedIndex !== Math.max([...field.options].findIndex((one) => one.defaultSelected), 0);
    }
    return isTick(field) ? tick(field).checked !== tick(field).defaultChecked : field.value !== field.defaultValue;
  }

  /**
   * @param {HTMLElement} place
   * @returns {Entry[]}
   */
  function filledIn(place) {
    return [...fieldsIn(place)].filter(([, { form }]) => form?.dataset.sent === undefined).map(([name, field]) => {
      const kept = !(field instanceof HTMLButtonElement) && touched(field);
      const entry = isTick(field) ? tick(field).checked : field.value;
      return { field: name, kept, active: field === document.activeElement, entry };
    }).filter(({ kept, active }) => kept || active);
  }

  /**
   * @param {HTMLElement} place
   * @param {Entry[]} entries
   */
  function fillIn(place, entries) {
    const fields = fieldsIn(place);
    for (const { field: name, kept, active, entry } of entries) {
      const field = fields.get(name);
      if (!field) continue;
      if (kept) enter(field, entry);
      if (active) field.focus();
    }
  }

  /**
   * @param {Field} field
   * @param {string | boolean} entry
   */
  function enter(field, entry) {
    if (typeof entry === "boolean") tick(field).checked = entry;
    else if (!(field instanceof HTMLSelectElement) || [...field.options].some((one) => one.value === entry)) field.value = entry;
  }

  document.addEventListener("submit", (event) => {
    if (event.target instanceof HTMLFormElement) event.target.dataset.sent = "";
  });
  document.addEventListener("input", (event) => {
    const { form } = /** @type {Field} */ (event.target);
    if (form) delete form.dataset.sent;
  });

  // --- the stream ---

  function listen() {
    if (source || document.hidden || at) return;
    const opened = new EventSource("/api/v1/stream");
    source = opened;
    heard = Date.now();
    say("waking", _("connecting")); // back from sleep or from the browser's cache: "live" would be yesterday's news
    opened.addEventListener("hello", (event) => {
      beat = JSON.parse(event.data).beat * 1000;
      endPolling();
      hear();
      refresh();
    });
    opened.addEventListener("beat", hear);
    opened.addEventListener("resync", () => { hear(); refresh(); });
    opened.addEventListener("changed", (event) => {
      hear();
      const told = JSON.parse(event.data);
      const newer = told.version > Number(document.body.dataset.seen ?? 0); // else what is shown would go back
      if (told.pieces && told.match === playing && newer) lifted.then(() => show(told.pieces));
      if (told.says && told.match === playing) document.dispatchEvent(new CustomEvent("told", { detail: told }));
      setTimeout(refresh, Math.random() * 60);
    });
    opened.addEventListener("room", () => { hear(); setTimeout(refresh, Math.random() * 60); });
    opened.onerror = () => {
      if (opened.readyState === EventSource.CLOSED) { stop(); poll(); } else say("away", _("the box is away"));
    };
  }

  function endPolling() {
    clearInterval(polling);
    polling = undefined;
  }

  function hear() { heard = Date.now(); say("live", _("live")); }

  function stop() { source?.close(); source = null; }

  function poll() {
    if (polling) return;
    polling = setInterval(refresh, POLL);
    setTimeout(listen, TRY_AGAIN);
    refresh();
  }

  function wake() {
    if (document.hidden) { stop(); endPolling(); return; }
    refresh();
    listen();
  }

  setInterval(() => { if (source && Date.now() - heard > 3 * beat) { stop(); wake(); } }, 5000);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("online", wake);
  window.addEventListener("pagehide", stop);
  document.addEventListener("refresh", refresh);
  document.addEventListener("hush", () => {
    hushed = true;
    stop();
  });
  listen();
})();
