// @ts-check
// Days and times as people here write them, in the time of this device.
import { all } from "./elements.js";

const DAY = /^\d{4}-\d\d-\d\d$/;

function write() {
  for (const label of all(".chart .label")) { // days below a chart, in the room that they have
    const day = label.textContent ?? "";
    if (DAY.test(day)) label.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "short" }).format(new Date(`${day}T12:00`));
  }
  for (const place of /** @type {HTMLTimeElement[]} */ (all("time[datetime]"))) {
    const at = new Date(place.dateTime);
    const looks = /** @type {Record<string, Intl.DateTimeFormatOptions>} */ ({
      clock: { timeStyle: "medium" }, day: { dateStyle: "long" }, date: { dateStyle: "medium" }, both: { dateStyle: "medium", timeStyle: "short" },
    });
    if (!Number.isNaN(at.valueOf())) place.textContent = new Intl.DateTimeFormat(document.documentElement.lang, looks[place.dataset.look ?? "both"]).format(at);
  }
}

document.addEventListener("swapped", write);
write();
