// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, certain, outcomeOf, shown, unanswered } from "../../web/static/photo.js";

/** @type {import("../../web/static/photo.js").Sheet} */
const SHEET = { view: null, slots: {}, sheet: "The board", entered: ["Entered: {n} new route", "Entered: {n} new routes"], size: [100, 100], look: "die", asks: "What is drawn in", none: "Nothing new is drawn", corners: "", teachable: false };
/** @type {import("../../web/static/photo.js").Ruling} */
const RULING = { cells: { a1: "NS", b2: "ne", c3: "EW" }, changed: ["a1", "b2"], questions: { b2: [["ne", 0.6], ["NE", 0.3], [null, 0.1]], d4: [[null, 0.5]] } };

test("slots are asked for until each has an answer, also where nothing is", () => {
  assert.deepEqual(unanswered(RULING.questions, {}), ["b2", "d4"]);
  assert.deepEqual(unanswered(RULING.questions, { d4: "" }), ["b2"]);
  assert.deepEqual(unanswered(RULING.questions, { d4: "", b2: "NE" }), []);
});

test("what is as good as certain is not asked", () => {
  assert.deepEqual(certain({ a1: [["NS", 0.98]], b2: [[null, 0.99]], c3: [["ne", 0.97]], d4: [["ne", 0.985], ["NE", 0.015]], e5: [] }), { a1: "NS", b2: "", d4: "ne" });
});

test("what is new and what was in doubt is shown, an answer over what was read", () => {
  assert.deepEqual(shown(RULING, { b2: "NE" }), [
    { slot: "a1", mark: "NS", look: "new" },
    { slot: "b2", mark: "NE", look: "answered" },
    { slot: "d4", mark: "", look: "doubt" },
  ]);
});

test("a slot that is answered to be empty shows nothing of what was read there", () => {
  assert.deepEqual(shown(RULING, { b2: "" })[1], { slot: "b2", mark: "", look: "answered" });
});

test("what is new besides is shown in slots of its own, and over the places that name it", () => {
  const ruling = { ...RULING, changed: ["a1"], questions: {}, marked: { "a1+": "trees", "b2-c2": "canyon" } };
  assert.deepEqual(shown(ruling, {}).map(({ slot, mark }) => [slot, mark]), [["a1", "NS"], ["a1+", "trees"], ["b2-c2", "canyon"]]);
  /** @type {Record<string, import("../../web/static/photo.js").Box>} */
  const slots = { a1: [0, 0, 10, 10], b2: [10, 10, 10, 10], c2: [20, 10, 10, 10] };
  assert.deepEqual([boxOf(slots, "a1+"), boxOf(slots, "b2-c2"), boxOf(slots, "crossed-off")], [[0, 0, 10, 10], [15, 10, 10, 10], undefined]);
});

test("the heading says what came of the photograph, in the words of the game", () => {
  const told = { photo: "p", says: [], ruling: RULING, done: { seq: 3 }, outcome: "accepted" };
  assert.equal(outcomeOf(told, SHEET), "Entered: 2 new routes");
  assert.equal(outcomeOf({ ...told, ruling: { ...RULING, changed: ["a1"] } }, SHEET), "Entered: 1 new route");
  assert.equal(outcomeOf({ ...told, done: null, outcome: "refused" }, SHEET), "Not entered");
  assert.equal(outcomeOf({ ...told, done: null }, SHEET), "Nothing new is drawn");
});
