// @ts-check
// What every player's page can do beside the game: rematch, another browser, changes others ask for.
import { post } from "./api.js";
import { hit, need } from "./elements.js";
import { act, inMatch, say, trying } from "./kit.js";
import { _ } from "./words.js";

/** @type {Record<string, () => Promise<void>>} */
const deeds = {
  rematch: async () => {
    hush(); // the news of the new match must not reload the page while its seat is on the way here
    if (await trying(() => post(inMatch("rematch")))) follow();
    else location.reload();
  },
  now: async () => (await import("./now.js")).show(),
  move: async () => {
    const told = await trying(() => post("/api/v1/seats/move"));
    if (told) need("#move-code").textContent = _("On the other phone open {host}/join and enter {code}. It is good for five minutes.", { host: location.host, code: told.code });
  },
};

const hush = () => document.dispatchEvent(new Event("hush"));

async function follow() {
  hush(); // this page belongs to the match before
  const told = await trying(() => post("/api/v1/seats/follow"), (refusal) => {
    if (refusal.code === "same-match") location.assign("/play"); // another tab of this phone was faster
    else say(refusal.message, true);
  });
  if (told) location.assign("/play");
}

document.addEventListener("click", (event) => {
  deeds[hit(event, "[data-do]")?.dataset.do ?? ""]?.();
  const { change, seq } = hit(event, "[data-change]")?.dataset ?? {};
  if (change) act({ kind: change, data: { seq: Number(seq) } });
});
document.addEventListener("submit", (event) => {
  const form = event.target instanceof HTMLFormElement ? event.target : null;
  if (form?.dataset.fairWord === undefined) return;
  event.preventDefault();
  act({ kind: "word", data: { word: String(new FormData(form).get("word") ?? "").trim() } });
});
if (document.body.dataset.follow !== undefined) follow();
