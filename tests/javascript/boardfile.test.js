// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, fileName, perspective, rounded, solved, withChanges, withLine, written } from "../../companion/games/spike/ui/static/boardfile.js";

const TEXT = ['{"board": "Mine", "format": 1}', "# a remark", '{"city": "memphis", "at": [1, 2]}', "{broken", '{"track": ["memphis", "p1"], "suit": "blue"}'].join("\n");

test("lines that can be read are entries with their numbers", () => {
  assert.deepEqual(entriesOf(TEXT).map(({ at, kind }) => [at, kind]), [[0, "board"], [2, "city"], [4, "track"]]);
});

test("a new line comes after the last of its kind, or at the end", () => {
  assert.equal(withLine(TEXT, { city: "mobile", at: [3, 4] }).split("\n")[3], '{"city": "mobile", "at": [3, 4]}');
  assert.equal(withLine(TEXT, { point: "p1", at: [3, 4] }).split("\n").at(-1), '{"point": "p1", "at": [3, 4]}');
  assert.equal(withLine("", { city: "mobile" }), '{"city": "mobile"}\n');
});

test("lines are replaced and taken away; what cannot be read stays", () => {
  const lines = withChanges(TEXT, { 0: null, 2: { city: "mobile" } }).split("\n");
  assert.deepEqual(lines.slice(0, 3), ["# a remark", '{"city": "mobile"}', "{broken"]);
  assert.equal(lines.length, 4);
});

test("what is written is read again", () => {
  const told = { city: "st-louis", name: 'St. "Louis", Mo.', at: [-1.5, 20] };
  assert.deepEqual(JSON.parse(written(told)), told);
});

test("names and places as the file has them", () => {
  assert.deepEqual([fileName("St. Louis"), fileName("Québec!"), fileName("??")], ["st-louis", "quebec", ""]);
  assert.deepEqual(rounded([1.26, -3.04]), [1.3, -3]);
});

test("a system of equations is solved, also where a pivot is nothing at first", () => {
  assert.deepEqual(solved([[0, 2, 4], [3, 0, 9]]), [3, 2]);
});

test("the perspective takes each of the four places to its corner", () => {
  /** @type {[number, number][]} */
  const from = [[0.1, 0.05], [0.9, 0.1], [0.85, 0.95], [0.05, 0.8]];
  const [a = 0, d = 0, , g = 0, b = 0, e = 0, , h = 0, , , , , c = 0, f = 0] = (perspective(from, 400, 300).match(/-?[\d.]+(e-?\d+)?/g) ?? []).slice(1).map(Number);
  const corners = from.map(([x, y]) => {
    const [px, py] = [x * 400, y * 300], far = g * px + h * py + 1;
    return [(a * px + b * py + c) / far, (d * px + e * py + f) / far].map((value) => Math.round(value) + 0);
  });
  assert.deepEqual(corners, [[0, 0], [400, 0], [400, 300], [0, 300]]);
});
