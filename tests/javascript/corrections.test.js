// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { affine } from "../../companion/games/empire_builder/page/static/affine.js";
import { changedLines } from "../../companion/games/empire_builder/page/static/lines.js";

test("three points are taken where they belong, and with them every other", () => {
  const matrix = affine([[10, 10], [110, 20], [20, 210]], [[0, 0], [200, 0], [0, 400]]);
  assert.ok(matrix);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = matrix;
  const moved = (/** @type {number} */ x, /** @type {number} */ y) => [a * x + c * y + e, b * x + d * y + f].map((value) => Math.round(value * 1000) / 1000 + 0);
  assert.deepEqual([moved(10, 10), moved(110, 20), moved(20, 210), moved(120, 220)], [[0, 0], [200, 0], [0, 400], [200, 400]]);
});

test("three points on a line lay nothing", () => assert.equal(affine([[0, 0], [10, 10], [20, 20]], [[0, 0], [1, 0], [0, 1]]), null));

test("a later word about the same thing takes the place of the earlier", () => {
  let text = "";
  for (const words of ["terrain ao38 mountain", "river am40-an39 Ohio", "terrain ao38 clear", "river an39-am40 none", "loads Omaha: oats", "loads Omaha: wheat", "city ah38 small Omaha", "city ai39 medium Omaha"]) text = changedLines(text, words);
  assert.equal(text, "terrain ao38 clear\nriver an39-am40 none\nloads Omaha: wheat\ncity ai39 medium Omaha\n");
});

test("what a line closed is open without the line; what the map closes is opened by one", () => {
  assert.equal(changedLines("closed a2-b3\n", "open b3-a2"), "\n");
  assert.equal(changedLines("", "open b3-a2"), "open b3-a2\n");
});

test("corrections of a whole map begin with a line of their own", () => {
  assert.equal(changedLines('{"name": "mine"}', "terrain ao38 clear"), '{"name": "mine"}\ncorrections:\nterrain ao38 clear\n');
});
