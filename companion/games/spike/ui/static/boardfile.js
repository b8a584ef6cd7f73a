// @ts-check
// The file of a board as lines of JSON, and the perspective that lays a photograph under it. No page is needed here.

/** @typedef {import("/static/map.js").Point} Point */
/** @typedef {"board" | "city" | "point" | "track" | "suit" | "good"} Kind */
/** @typedef {Record<string, any>} Told what a line says; its first name is its kind */
/** @typedef {{at: number, kind: string, told: Told}} Entry at: the number of its line */

/**
 * @param {string} line
 * @returns {Told | null} nothing if it is a remark or cannot be read
 */
export function read(line) {
  if (!line.trim() || line.trim().startsWith("#")) return null;
  try {
    const told = JSON.parse(line);
    return told && typeof told === "object" ? told : null;
  } catch {
    return null;
  }
}

/**
 * Everything that can be read, with the number of its line; the rest is the checker's business.
 * @param {string} text
 * @returns {Entry[]}
 */
export const entriesOf = (text) => text.split("\n").flatMap((line, at) => {
  const told = read(line);
  return told ? [{ at, told, kind: Object.keys(told)[0] ?? "" }] : [];
});

/** A line as people write it. */
export const written = (/** @type {Told} */ told) => JSON.stringify(told).replace(/":/g, '": ').replace(/,(?=["\d{[-])/g, ", ");

/** @returns {Point} in tenths of a millimetre */
export const rounded = (/** @type {Point} */ [x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10];

const ASIDE = 5.6; // millimetres from a track to another one between the same places

/** The places that a track joins, whichever was said first. */
const between = (/** @type {Told} */ told) => [...told.track].sort().join("|");

/** The number that another track beside this one has. */
export const nextNumber = (/** @type {Entry[]} */ tracks, /** @type {Told} */ like) =>
  Math.max(...tracks.filter(({ told }) => between(told) === between(like)).map(({ told }) => told.number ?? 1)) + 1;

/**
 * Where the tracks lie whose places are known: side by side where several join the same two.
 * @param {Entry[]} lines
 * @param {Record<string, Point>} at
 * @returns {{one: Entry, ends: [Point, Point]}[]}
 */
export function laid(lines, at) {
  const readable = lines.filter(({ told }) => Array.isArray(told.track));
  return readable.flatMap((one) => {
    const [a, b] = [...one.told.track].sort().map((end) => at[end]);
    const abreast = readable.filter((other) => between(other.told) === between(one.told));
    return a && b ? [{ one, ends: beside(a, b, (abreast.indexOf(one) - (abreast.length - 1) / 2) * ASIDE) }] : [];
  });
}

/**
 * A line moved to its side.
 * @param {Point} a
 * @param {Point} b
 * @param {number} aside
 * @returns {[Point, Point]}
 */
function beside([x1, y1], [x2, y2], aside) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [-((y2 - y1) / length) * aside, ((x2 - x1) / length) * aside];
  return [[x1 + dx, y1 + dy], [x2 + dx, y2 + dy]];
}

/** What a city or a suit is called in the file. */
export const fileName = (/** @type {string} */ words) =>
  words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 31);

/**
 * With one more line, after the last of its kind, so that the file stays in order.
 * @param {string} text
 * @param {Told} told
 */
export function withLine(text, told) {
  const lines = text.split("\n"), entries = entriesOf(text);
  const same = entries.filter(({ kind }) => kind === Object.keys(told)[0]);
  lines.splice((same.at(-1) ?? entries.at(-1) ?? { at: -1 }).at + 1, 0, written(told));
  return lines.join("\n");
}

/**
 * With other lines.
 * @param {string} text
 * @param {Record<number, Told | null>} changes by the number of the line; null: the line goes
 */
export function withChanges(text, changes) {
  const lines = text.split("\n").flatMap((line, at) => {
    const told = changes[at];
    return told === undefined ? [line] : told ? [written(told)] : [];
  });
  return lines.join("\n");
}

/**
 * The perspective that takes four places in a picture to its corners, as a CSS matrix.
 * @param {Point[]} from shares of the picture, top left first, clockwise
 * @param {number} width of the picture, in pixels
 * @param {number} height
 */
export function perspective(from, width, height) {
  const to = [[0, 0], [1, 0], [1, 1], [0, 1]];
  const rows = from.flatMap(([x, y], at) => {
    const [right = 0, down = 0] = to[at] ?? [];
    const [px, py, u, v] = [x * width, y * height, right * width, down * height];
    return [[px, py, 1, 0, 0, 0, -px * u, -py * u, u], [0, 0, 0, px, py, 1, -px * v, -py * v, v]];
  });
  const [a, b, c, d, e, f, g, h] = solved(rows);
  return `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, 1].join(",")})`;
}

/**
 * Gaussian elimination with partial pivoting; each row ends with its right side.
 * @param {number[][]} rows
 */
export function solved(rows) {
  const left = rows.map((row) => [...row]);
  left.forEach((_, at) => {
    const best = left.reduce((most, row, number) => (number >= at && Math.abs(row[at] ?? 0) > Math.abs(left[most]?.[at] ?? 0) ? number : most), at);
    const pivot = left[best] ?? [];
    left[best] = left[at] ?? [];
    left[at] = pivot;
    left.forEach((row, number) => {
      const share = (row[at] ?? 0) / (pivot[at] ?? 0);
      if (number !== at) left[number] = row.map((value, column) => value - share * (pivot[column] ?? 0));
    });
  });
  return left.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 0));
}
