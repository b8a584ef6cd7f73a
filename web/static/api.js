"use strict";
// Talking to the box: JSON, idempotent POSTs with retries, one place for messages, and forms that say what they send.
const Box = (() => {
  const TRIES = [0, 400, 1200, 3000];

  const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

  class Refusal extends Error {
    constructor(status, told) { super(told.message); this.status = status; this.code = told.code; this.detail = told.detail || {}; }
  }

  async function answerOf(response) {
    const told = await response.json().catch(() => ({}));
    if (!response.ok) throw new Refusal(response.status, told.error || { code: "fault", message: "the box answered something strange: try again" });
    return told;
  }

  // The same key every time: however often the network fails, the box does it once.
  async function post(address, body = {}, method = "POST") {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key() };
    for (const wait of TRIES) {
      await pause(wait);
      let response;
      try {
        response = await fetch(address, { method, headers, body: method === "POST" ? JSON.stringify(body) : undefined });
      } catch { continue; }
      return answerOf(response);
    }
    throw new Refusal(0, { code: "away", message: "the box cannot be reached: are you still on its network?" });
  }

  const get = async (address) => answerOf(await fetch(address, { cache: "no-store" }));

  function say(words, bad = false) {
    let place = document.getElementById("toast");
    if (!place) {
      place = document.createElement("p");
      place.id = "toast";
      document.body.append(place);
    }
    place.setAttribute("role", bad ? "alert" : "status");
    place.className = bad ? "bad" : "";
    place.textContent = words ? words[0].toUpperCase() + words.slice(1) : "";
    clearTimeout(say.timer);
    say.timer = setTimeout(() => place.remove(), bad ? 9000 : 4000);
  }

  async function trying(work) {
    try { return await work(); } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      say(problem.message, true);
      return undefined;
    }
  }

  // --- forms: data-post is the address; names like options.goals and players[] make nested JSON ---

  function fields(form) {
    const told = {};
    for (const field of form.elements) {
      if (!field.name || field.matches(":disabled") || (field.type === "radio" && !field.checked)) continue;
      put(told, field.name, valueOf(field));
    }
    return told;
  }

  function valueOf(field) {
    if (field.type === "checkbox") return field.checked;
    if (field.dataset.type === "number") return Number(field.value);
    return field.dataset.type === "json" ? JSON.parse(field.value) : field.value;
  }

  function put(told, name, value) {
    if (name.endsWith("[]")) { (told[name.slice(0, -2)] ||= []).push(value); return; }
    const [first, ...rest] = name.split(".");
    if (rest.length) put(told[first] ||= {}, rest.join("."), value); else told[name] = value;
  }

  async function send(form) {
    const button = form.querySelector("button:not([type=button])");
    if (button) button.disabled = true;
    const told = await trying(() => post(form.dataset.post, form.dataset.empty === undefined ? fields(form) : {}, form.dataset.method || "POST"));
    if (button) button.disabled = false;
    if (told === undefined) return;
    form.dispatchEvent(new CustomEvent("sent", { bubbles: true, detail: told }));
    if (form.dataset.then) location.assign(form.dataset.then);
    else if (form.dataset.reload !== undefined) location.reload();
    else if (told.message) say(told.message);
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.post) return;
    event.preventDefault();
    const question = event.target.dataset.ask;
    if (!question || confirm(question)) send(event.target);
  });

  return { key, post, get, say, trying, Refusal, refresh() {}, hush() {} };
})();
