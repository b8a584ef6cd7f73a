// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { around, clamp, fitting, nearest, shifted } from "../../web/static/map.js";

test("a value is kept between its limits", () => {
  assert.deepEqual([clamp(5, 1, 3), clamp(-1, 1, 3), clamp(2, 1, 3)], [3, 1, 2]);
});

test("all of a board fits by its longer side", () => {
  assert.equal(fitting({ width: 200, height: 100 }, { width: 400, height: 400 }), 2);
  assert.equal(fitting({ width: 100, height: 200 }, { width: 400, height: 400 }), 2);
});

test("what is under the fingers stays under them, however the picture is stretched and moved", () => {
  /** @type {[number, number]} */
  const from = [10, -20];
  /** @type {[number, number]} */
  const at = [120, 90];
  /** @type {[number, number]} */
  const to = [150, 90];
  for (const grown of [0.5, 1, 2.5]) {
    const [x, y] = shifted(from, at, grown, to);
    assert.deepEqual([from[0] + x + at[0] * grown, from[1] + y + at[1] * grown], to);
  }
});

test("a picture that is neither stretched nor moved stays where it is", () => {
  assert.deepEqual(shifted([10, 20], [30, 40], 1, [40, 60]), [0, 0]);
});

test("places are framed with room around them", () => {
  assert.deepEqual(around([[10, 50], [30, 20]], 5), { left: 5, top: 15, width: 30, height: 40 });
  assert.deepEqual(around([[10, 50]], 5), { left: 5, top: 45, width: 10, height: 10 });
});

test("the nearest place within reach is found", () => {
  /** @type {[string, [number, number]][]} */
  const places = [["a", [0, 0]], ["b", [10, 0]], ["c", [10, 10]]];
  assert.equal(nearest([8, 1], places, 5), "b");
  assert.equal(nearest([8, 1], places), "b");
  assert.equal(nearest([50, 50], places, 5), undefined);
  assert.equal(nearest([5, 0], places, 5), "a", "of two that are equally near, the first");
  assert.equal(nearest([0, 0], [], 5), undefined);
});
