// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { COLUMN, dots, HALF_ROW, nameAt, path, spot } from "../../companion/games/empire_builder/ui/static/mileposts.js";

test("a milepost's name and its place belong together, all over the map", () => {
  for (let column = 0; column < 60; column += 1) {
    for (let row = 2 - (column % 2); row < 90; row += 2) {
      const name = nameAt([column * COLUMN + 4, row * HALF_ROW - 5]);
      assert.deepEqual(name && spot(name), [column * COLUMN, row * HALF_ROW]);
    }
  }
});

test("letters go on after z", () => {
  assert.deepEqual([nameAt([0, 30]), nameAt([25 * COLUMN, 15]), nameAt([26 * COLUMN, 30])], ["a2", "z1", "aa2"]);
});

test("what is no name of a milepost has no place", () => {
  for (const wrong of ["", "7", "Chicago", "ao", "ao38x"]) assert.equal(spot(wrong), null);
});

test("ways and dots leave out what is no milepost", () => {
  assert.equal(path(["a2", "?", "b3"]), "M0 30L26 45");
  assert.equal(dots(["a2", "b3"]), "M0 30h0M26 45h0");
});
