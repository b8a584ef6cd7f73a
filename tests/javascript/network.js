// @ts-check
// A network for tests: what it answers and how often it fails is said beforehand, and it notes what was sent.

/** @typedef {{address: string, method: string, key: string | null, body: any}} Sent */

/**
 * @param {import("node:test").TestContext} t
 * @param {{fails?: number, status?: number, told?: unknown}} wish
 */
export function network(t, { fails = 0, status = 200, told = {} }) {
  /** @type {Sent[]} */
  const sent = [];
  /** @type {(number | undefined)[]} */
  const waits = [];
  t.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ work, /** @type {number} */ time) => {
    waits.push(time);
    queueMicrotask(work);
  });
  t.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {RequestInit} */ init) => {
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    sent.push({ address, method: init.method ?? "GET", key: new Headers(init.headers).get("Idempotency-Key"), body });
    if (sent.length <= fails) throw new TypeError("Failed to fetch");
    return new Response(typeof told === "string" ? told : JSON.stringify(told), { status });
  });
  return { sent, waits };
}
