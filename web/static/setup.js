// @ts-check
// The setup page: the phone knows the time, its zone, and may have a backup. A box without a clock asks the host's phone.
import { answerOf, post } from "./api.js";
import { find, html } from "./elements.js";
import { agreed, say, trying } from "./kit.js";
import { _ } from "./words.js";

const zone = /** @type {HTMLInputElement | null} */ (find("input[name=time_zone]"));
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
find("#zones")?.replaceChildren(...(Intl.supportedValuesOf?.("timeZone") ?? []).map((value) => html("option", { value })));
const clock = /** @type {HTMLInputElement | null} */ (find("#setup input[name=now]"));
if (clock) setInterval(() => { clock.value = String(Date.now()); }, 1000);
if (find("[data-clock=unset]")) trying(() => post("/api/v1/host/clock", { now: Date.now() }));

/** @param {File} file */
async function send(file) {
  const answer = await fetch("/api/v1/setup/upload", { method: "POST", headers: { "Content-Type": "application/zip" }, body: file });
  return answerOf(answer.status, await answer.json().catch(() => ({})));
}

document.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.dataset.restore !== undefined && target.files?.[0];
  if (!file || !(await agreed(_("Bring this backup back? What is here now is kept aside."), _("Bring it back")))) return;
  const told = await trying(() => send(file));
  if (told) say(told.message);
});
