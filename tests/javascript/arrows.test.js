// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import "./setup.js";

const { nextTowards } = await import("/static/arrows.js");

/** @type {(left: number, top: number) => {left: number, top: number, width: number, height: number}} */
const square = (left, top) => ({ left, top, width: 10, height: 10 });

test("an arrow key goes to the next place in its direction, straight ahead before aside", () => {
  const others = [square(20, 0), square(10, 30), square(0, 40), square(-10, 0)];
  assert.equal(nextTowards(square(0, 0), others, "ArrowRight"), 0);
  assert.equal(nextTowards(square(0, 0), others, "ArrowDown"), 2, "straight down, though another is nearer");
  assert.equal(nextTowards(square(0, 0), others, "ArrowLeft"), 3);
  assert.equal(nextTowards(square(0, 0), others, "ArrowUp"), -1, "nothing lies there");
});
