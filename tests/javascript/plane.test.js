// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { homography, through } from "../../web/static/plane.js";

/** @type {[number, number][]} */
const SQUARE = [[0, 0], [10, 0], [10, 8], [0, 8]];

test("four corners go where they were dragged, and what lies between them with them", () => {
  /** @type {[number, number][]} */
  const dragged = [[100, 120], [900, 90], [980, 700], [40, 640]];
  const to = homography(SQUARE, dragged);
  assert.ok(to);
  for (const [at, corner] of SQUARE.entries()) {
    const [x, y] = through(to, corner);
    assert.ok(Math.hypot(x - (dragged[at]?.[0] ?? 0), y - (dragged[at]?.[1] ?? 0)) < 1e-6);
  }
  const [x, y] = through(homography(SQUARE, [[0, 0], [20, 0], [20, 16], [0, 16]]) ?? [], [5, 4]);
  assert.ok(Math.abs(x - 10) < 1e-9 && Math.abs(y - 8) < 1e-9);
});

test("corners on one line are no board", () => {
  assert.equal(homography([[0, 0], [1, 0], [2, 0], [3, 0]], SQUARE), null);
});
