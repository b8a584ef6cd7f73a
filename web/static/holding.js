// @ts-check
// How a phone is held over a sheet, drawn small: for who has just taken a picture in which nothing could be read.
import { html, svg } from "./elements.js";
import { _ } from "./words.js";

/** Paths of the drawing: the table, the sheet with its corners, the phone above it, what it sees, a lamp at the side. */
const PARTS = Object.entries({
  table: "M8 104h184v6H8z",
  sheet: "M52 92h96l12 12H40z",
  seen: "M80 34L40 100M120 34l40 66",
  phone: "M70 20h60q5 0 5 5v6q0 5-5 5H70q-5 0-5-5v-6q0-5 5-5z",
  lens: "M96 34h8v5h-8z",
  lamp: "M176 18l18 12-12 16-18-12zM170 40l-14 12M164 32l-16 6M178 48l-6 16",
});

/** @returns {HTMLElement} */
export function howToHold() {
  const words = [_("from straight above"), _("all of it, with its four corners"), _("light from the side, hands away, hold still")];
  return html(
    "figure", { class: "how-held" },
    svg("svg", { viewBox: "0 0 200 114", "aria-hidden": "true" }, ...PARTS.map(([name, d]) => svg("path", { class: `holding-${name}`, d }))),
    html("figcaption", {}, html("ul", {}, ...words.map((one) => html("li", {}, one)))),
  );
}
