// @ts-check
// From one plane to another, as a camera sees them: the homography through four points.

/** @typedef {[x: number, y: number]} Point */

/**
 * @param {Point[]} from four points
 * @param {Point[]} to where they go
 * @returns {number[] | null} its nine numbers, row after row; nothing where three points lie on one line
 */
export function homography(from, to) {
  const rows = from.flatMap(([x, y], at) => {
    const [u, v] = to[at] ?? [0, 0];
    return [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]];
  });
  const found = solved(rows);
  return found && [...found, 1];
}

/**
 * Gaussian elimination with the largest pivot of each column.
 * @param {number[][]} rows each with its right side behind it
 */
function solved(rows) {
  const at = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? 0;
  for (let column = 0; column < rows.length; column += 1) {
    let best = column;
    for (let row = column + 1; row < rows.length; row += 1) if (Math.abs(at(row, column)) > Math.abs(at(best, column))) best = row;
    const pivot = rows[best] ?? [];
    if (Math.abs(pivot[column] ?? 0) < 1e-9) return null;
    rows[best] = rows[column] ?? [];
    rows[column] = pivot;
    for (const [row, values] of rows.entries()) {
      if (row === column) continue;
      const share = (values[column] ?? 0) / (pivot[column] ?? 1);
      rows[row] = values.map((value, place) => value - share * (pivot[place] ?? 0));
    }
  }
  return rows.map((row, place) => (row.at(-1) ?? 0) / (row[place] ?? 1));
}

/**
 * @param {number[]} homography
 * @param {Point} point
 * @returns {Point}
 */
export function through([a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1], [x, y]) {
  const depth = g * x + h * y + i;
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
}
