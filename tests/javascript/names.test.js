// @ts-check
// Names on a map move to where they cover nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "/static/names.js";

/** @typedef {import("/static/names.js").Name} Name */

const FRAME = { left: 0, top: 0, width: 200, height: 200 };

/**
 * A name of this width that is printed below its city.
 * @param {number} x
 * @param {number} y
 * @returns {Name}
 */
const below = (x, y, width = 40) => ({ width, height: 10, home: [x, y + 12], city: { at: [x, y], radius: 5 } });

/** @param {Name[]} names */
function overlaps(names, places = placed(names, [], FRAME)) {
  const boxes = places.map(([x, y], at) => {
    const { width, height } = /** @type {Name} */ (names[at]);
    return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
  });
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
}

test("a name that covers nothing stays where it is printed", () => {
  const names = [below(50, 50), below(150, 150)];
  assert.deepEqual(placed(names, [], FRAME), names.map(({ home }) => home));
});

test("of two names that cover each other one moves to another side of its city", () => {
  assert.equal(overlaps([below(100, 100), below(110, 100)]), 0);
});

test("in a crowd every name finds a place, some of them farther away", () => {
  const crowd = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((number) => below(80 + 20 * (number % 3), 80 + 14 * Math.floor(number / 3)));
  assert.equal(overlaps(crowd, crowd.map(({ home }) => home)) > 5, true);
  assert.equal(overlaps(crowd), 0);
});

test("a name moves off the edge of the map, and off a train", () => {
  const [[x = 0] = []] = placed([below(195, 100)], [], FRAME);
  assert.equal(x + 20 <= 200, true);
  const train = { box: { left: 90, top: 105, width: 20, height: 12 }, weight: 20 };
  const [[, y = 0] = []] = placed([below(100, 100)], [train], FRAME);
  assert.equal(y < 105, true);
});

test("a name that has moved stays there while nothing is in its way", () => {
  const names = [below(100, 100), below(110, 100)], first = placed(names, [], FRAME);
  assert.deepEqual(placed(names, [], FRAME, first), first);
});

test("between two names side by side there is a gap", () => {
  const names = [below(60, 100), below(101, 100)]; // one pixel apart where they are printed
  const [[left, level], [right, other]] = /** @type {[[number, number], [number, number]]} */ (placed(names, [], FRAME));
  assert.ok(Math.abs(level - other) >= 10 || right - left - 40 >= 4);
});
