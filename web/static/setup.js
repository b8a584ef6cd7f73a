// @ts-check
// The setup page: the phone knows its time zone, and all there are.
import { find, html } from "./elements.js";

const zone = /** @type {HTMLInputElement | null} */ (find("input[name=time_zone]"));
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
find("#zones")?.replaceChildren(...(Intl.supportedValuesOf?.("timeZone") ?? []).map((value) => html("option", { value })));
