// @ts-check
// Corrections of a map as lines of text: one line a thing, a later word takes the place of an earlier one.
import { COLUMN, HALF_ROW, nameAt, spot } from "./mileposts.js";

/** @typedef {import("/static/map.js").Point} Point */

const STEPS = /** @type {Point[]} */ ([[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]]); // columns and half rows

/**
 * The way between two neighbours whose middle is nearest to a point.
 * @param {Point} point
 * @returns {string | undefined}
 */
export function wayAt(point) {
  const name = nameAt(point), at = spot(name ?? "");
  if (!at) return undefined;
  const others = STEPS.flatMap(([right, down]) => {
    const there = nameAt([at[0] + right * COLUMN, at[1] + down * HALF_ROW]), to = spot(there ?? "");
    return to && there !== name ? [{ there, far: Math.hypot((at[0] + to[0]) / 2 - point[0], (at[1] + to[1]) / 2 - point[1]) }] : [];
  });
  const [best] = others.sort((one, other) => one.far - other.far);
  return best && `${name}-${best.there}`;
}

/** What a line is about: the same thing is said only once. */
function about(/** @type {string} */ line) {
  const [kind = "", where = "", ...rest] = line.trim().split(/\s+/);
  if (kind === "loads") return `loads ${line.slice(line.indexOf(" ") + 1).split(":")[0]?.trim()}`;
  if (kind === "city") return `city ${rest.slice(1).join(" ")}`;
  const sorted = where.split("-").sort().join("-");
  return `${kind === "open" ? "closed" : kind} ${sorted}`;
}

/**
 * The corrections with one more, in place of what was said of the same thing. What was closed by a line is open
 * again without that line.
 * @param {string} text
 * @param {string} words
 */
export function changedLines(text, words) {
  const lines = text.split("\n").filter((line) => line.trim());
  const others = lines.filter((line) => about(line) !== about(words));
  // After a whole map (JSON or a table) corrections begin with a line of their own.
  if (/^\s*(\{|what\b)/i.test(text) && !others.includes("corrections:")) others.push("corrections:");
  const taken = words.startsWith("open ") && lines.some((line) => line.startsWith("closed ") && about(line) === about(words));
  return `${[...others, ...(taken ? [] : [words])].join("\n")}\n`;
}
