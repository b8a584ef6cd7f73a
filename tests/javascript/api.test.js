// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { get, key, post, Refusal, TRIES } from "../../web/static/api.js";
import { network } from "./network.js";

test("a post that the network loses is sent again under the same key", async (t) => {
  const { sent, waits } = network(t, { fails: 2, told: { version: 7 } });
  assert.deepEqual(await post("/api/v1/x", { kind: "done" }), { version: 7 });
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map((one) => one.key)).size, 1);
  assert.match(sent[0]?.key ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(sent[2]?.body, { kind: "done" });
  assert.deepEqual(waits, TRIES.slice(0, 3));
});

test("every post has a key of its own", async (t) => {
  const { sent } = network(t, {});
  await Promise.all([post("/a"), post("/a"), post("/a")]);
  assert.equal(new Set(sent.map((one) => one.key)).size, 3);
  assert.notEqual(key(), key());
});

test("a refusal is told at once, with the box's sentence and what it is about", async (t) => {
  const problem = { code: "turn", message: "it is East's turn", detail: { cell: "b1" } };
  const { sent } = network(t, { status: 409, told: { error: problem } });
  await assert.rejects(post("/a"), (refusal) => {
    assert.ok(refusal instanceof Refusal);
    assert.deepEqual([refusal.status, refusal.code, refusal.message], [409, "turn", "it is East's turn"]);
    assert.deepEqual(refusal.detail, { cell: "b1" });
    return true;
  });
  assert.equal(sent.length, 1);
});

test("an answer that is no JSON is a fault, said in a sentence", async (t) => {
  network(t, { status: 502, told: "<html>" });
  await assert.rejects(get("/a"), { code: "fault", status: 502, message: /something strange/ });
});

test("a box that is away is given up after the last try", async (t) => {
  const { sent } = network(t, { fails: 99 });
  await assert.rejects(post("/a"), { code: "away", status: 0 });
  assert.equal(sent.length, TRIES.length);
});

test("getting up sends no body", async (t) => {
  const { sent } = network(t, {});
  await post("/api/v1/seats", {}, "DELETE");
  assert.deepEqual([sent[0]?.method, sent[0]?.body], ["DELETE", undefined]);
});
