// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { nested } from "../../web/static/forms.js";
import { act, asking, count, inMatch, percent, undo, upper } from "../../web/static/kit.js";
import { network } from "./network.js";

/** How often the page was asked to show the present state. */
function refreshes() {
  let times = 0;
  document.addEventListener("refresh", () => { times += 1; });
  return () => times;
}

test("an action goes to the match of the page, and the page is shown anew", async (t) => {
  const { sent } = network(t, { told: { data: {} } });
  const times = refreshes();
  assert.equal(await act({ kind: "done" }), true);
  assert.deepEqual([sent[0]?.address, sent[0]?.body], ["/api/v1/matches/m1/actions", { kind: "done" }]);
  assert.equal(times(), 1);
});

test("a refusal is handed to whoever shows it, and the page is shown anew all the same", async (t) => {
  network(t, { status: 409, told: { error: { code: "turn", message: "it is East's turn", detail: { cell: "b1" } } } });
  const times = refreshes();
  /** @type {string[]} */
  const told = [];
  assert.equal(await act({ kind: "done" }, (refusal) => told.push(refusal.message, refusal.detail.cell)), false);
  assert.deepEqual(told, ["it is East's turn", "b1"]);
  assert.equal(times(), 1);
});

test("undo names the step only where the controls do", async (t) => {
  const { sent } = network(t, {});
  await undo("");
  await undo("12");
  assert.deepEqual(sent.map((one) => one.body.data), [{}, { seq: 12 }]);
});

test("of several questions only the latest is answered", async (t) => {
  const { sent } = network(t, { told: { answer: { price: 3 } } });
  const ask = asking();
  const [first, second] = await Promise.all([ask("way", { through: ["a1"] }), ask("way", { through: ["a1", "b2"] })]);
  assert.deepEqual([first, second], [undefined, { price: 3 }]);
  assert.equal(sent[0]?.address, `/api/v1/matches/m1/ask?about=way&data=${encodeURIComponent('{"through":["a1"]}')}`);
});

test("a refused question is answered with the sentence and its code", async (t) => {
  network(t, { status: 409, told: { error: { code: "away", message: "no way there" } } });
  assert.deepEqual(await asking()("way", {}), { refused: "no way there", code: "away" });
});

test("words", () => {
  assert.equal(upper("it is East's turn"), "It is East's turn");
  assert.equal(upper(""), "");
  assert.deepEqual([count(1, "{n} card", "{n} cards"), count(0, "{n} city", "{n} cities")], ["1 card", "0 cities"]);
  assert.deepEqual([percent(0.004), percent(0.304), percent(1)], ["1 %", "30 %", "100 %"]);
  assert.equal(inMatch("roll"), "/api/v1/matches/m1/roll");
});

test("names of fields make nested JSON", () => {
  const told = nested([["game", "x"], ["options.goals", 3], ["options.deep.one", true], ["players[]", "East"], ["players[]", ""]]);
  assert.deepEqual(told, { game: "x", options: { goals: 3, deep: { one: true } }, players: ["East", ""] });
});
