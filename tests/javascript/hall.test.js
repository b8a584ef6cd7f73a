// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTop } from "../../web/static/hall.js";

/** @param {number} count @param {number} high */
const rows = (count, high) => Array.from({ length: count }, (_, at) => ({ top: at * high, bottom: (at + 1) * high }));

test("every line of a long screen is shown whole once, then it begins again", () => {
  const lines = rows(23, 190), height = 1080, whole = 23 * 190;
  const seen = new Set();
  let top = 0, pages = 0;
  do {
    for (const line of lines) if (line.top >= top && line.bottom <= top + height) seen.add(line.top);
    top = nextTop(top, height, whole, lines);
    pages += 1;
  } while (top !== 0 && pages < 50);
  assert.equal(seen.size, lines.length);
  assert.equal(pages, 5);
});

test("what fits stays; a line higher than the screen is passed in steps", () => {
  assert.equal(nextTop(0, 1080, 900, rows(3, 300)), 0);
  assert.equal(nextTop(0, 500, 2000, [{ top: 0, bottom: 2000 }]), 500);
  assert.equal(nextTop(1500, 500, 2000, [{ top: 0, bottom: 2000 }]), 0);
});
