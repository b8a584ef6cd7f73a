// @ts-check
// An update of the box's program: sent in parts from this device, and waited for while it is installed.
import { answerOf, get, post } from "./api.js";
import { find, need } from "./elements.js";
import { say, trying } from "./kit.js";
import { _ } from "./words.js";

const PART = 4 * 2 ** 20;
const LOOKS_EVERY = 3000;

/**
 * @param {File} file
 * @param {(percent: number) => void} tell
 */
export async function sendParts(file, tell) {
  for (let at = 0; at < file.size; at += PART) {
    const body = file.slice(at, at + PART);
    const answer = await fetch(`/api/v1/host/update/parts?at=${at}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });
    answerOf(answer.status, await answer.json().catch(() => ({})));
    tell(Math.round((100 * Math.min(file.size, at + PART)) / file.size));
  }
  return post("/api/v1/host/update/complete", {});
}

/** While it is installed the box is away; then its page says how it went. */
async function wait() {
  for (;;) {
    await new Promise((done) => { setTimeout(done, LOOKS_EVERY); });
    const view = await get("/api/v1/host/update").catch(() => undefined);
    if (view && !view.under_way) { location.reload(); return; }
  }
}

document.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.dataset.update !== undefined && target.files?.[0];
  if (!file) return;
  const place = need("#update-says");
  const told = await trying(() => sendParts(file, (percent) => { place.textContent = _("{percent} % sent", { percent }); }));
  if (!told) { place.textContent = ""; return; }
  say(told.message);
  location.reload();
});
if (find("[data-updating]")) wait();
