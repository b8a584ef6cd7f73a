// @ts-check
// Days and times as people here write them, in the time of this device.
import { all } from "./elements.js";

function write() {
  for (const place of /** @type {HTMLTimeElement[]} */ (all("time[datetime]"))) {
    const at = new Date(place.dateTime);
    const looks = /** @type {Record<string, Intl.DateTimeFormatOptions>} */ ({
      clock: { timeStyle: "medium" }, day: { dateStyle: "long" }, both: { dateStyle: "medium", timeStyle: "short" },
    });
    if (!Number.isNaN(at.valueOf())) place.textContent = new Intl.DateTimeFormat(document.documentElement.lang, looks[place.dataset.look ?? "both"]).format(at);
  }
}

document.addEventListener("swapped", write);
write();
