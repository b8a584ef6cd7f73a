// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { across, grouped, middle, path } from "../../web/static/mappicture.js";

/** @type {import("../../web/static/mappicture.js").Overlay} */
const OVERLAY = {
  size: [100, 80],
  slots: {
    one: { line: [[0, 0], [10, 0]], look: "new", says: "near Chicago" },
    two: { line: [[10, 0], [20, 0]], look: "new", says: "near Gary" },
    lost: { line: [[0, 5], [10, 5]], look: "gone", says: "near Erie" },
    asked: { line: [[0, 9], [10, 9]], look: "", says: "near Utica" },
    colour: { line: [], look: "", says: "the pink pieces" },
  },
  marks: { 1: { says: "East", colours: ["red"] }, 2: { says: "North", colours: ["blue"] } },
};

test("lines are drawn by look and owner; what is in doubt and what has no place is drawn apart", () => {
  const cells = { one: "1", two: "2", asked: "1" };
  assert.deepEqual(grouped(OVERLAY, cells, ["asked", "colour"]), { "new colour-red": ["one"], "new colour-blue": ["two"], gone: ["lost"] });
  assert.deepEqual(grouped(OVERLAY, {}, []), { new: ["one", "two"], gone: ["lost"] });
});

test("many lines are one path, and a number stands in the middle of its line", () => {
  assert.equal(path([[[0, 0], [10, 0]], [[1, 2], [3, 4]]]), "M0 0L10 0M1 2L3 4");
  assert.deepEqual(middle([[0, 0], [10, 4]]), [5, 2]);
  assert.deepEqual(middle([[3, 4]]), [3, 4]);
});

test("a number stands above its line, or at the right of one that goes up", () => {
  assert.deepEqual(across([[0, 0], [10, 0]]).map((one) => one + 0), [0, -1]);
  assert.deepEqual(across([[10, 0], [0, 0]]).map((one) => one + 0), [0, -1]);
  assert.deepEqual(across([[0, 0], [0, 10]]).map(Math.abs), [1, 0]);
  assert.ok((across([[0, 0], [6, 8]])[1]) < 0);
});
