// @ts-check
// The affine map that takes three points to three others.

/** @typedef {import("/static/map.js").Point} Point */

/**
 * @param {Point[]} from
 * @param {Point[]} to
 * @returns {number[] | null} as CSS writes it: x' = a x + c y + e, y' = b x + d y + f; null: three points on a line
 */
export function affine([p = [0, 0], q = p, r = p], [u = [0, 0], v = u, w = u]) {
  const [x1, y1, x2, y2] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]];
  const area = x1 * y2 - x2 * y1;
  if (Math.abs(area) < 1) return null;
  const along = (/** @type {0 | 1} */ axis) => {
    const [one, two] = [v[axis] - u[axis], w[axis] - u[axis]];
    const right = (one * y2 - two * y1) / area, down = (two * x1 - one * x2) / area;
    return [right, down, u[axis] - right * p[0] - down * p[1]];
  };
  const [a = 1, c = 0, e = 0] = along(0), [b = 0, d = 1, f = 0] = along(1);
  return [a, b, c, d, e, f];
}
