// @ts-check
// Talking to the box: JSON, and POSTs that are repeated under the same idempotency key until the network has them.
import { _ } from "./words.js";

/** How long to wait before each try, in milliseconds. */
export const TRIES = [0, 400, 1200, 3000];

/** @typedef {{code: string, message: string, detail?: Record<string, any>}} Problem */

/** What the box answers when it does not do what it was asked: a sentence to show, and what it is about. */
export class Refusal extends Error {
  /**
   * @param {number} status the HTTP status; 0: the box was not reached
   * @param {Problem} problem
   */
  constructor(status, problem) {
    super(problem.message);
    this.status = status;
    this.code = problem.code;
    this.detail = problem.detail ?? {};
  }
}

/** A new idempotency key. */
export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let sending = 0;

/** Is the box being told something, so that its answer is still to come? */
export const isSending = () => sending > 0;

/** @param {number} time in milliseconds */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * What an answer says.
 * @param {number} status
 * @param {any} told
 * @returns {any}
 */
export function answerOf(status, told) {
  if (status >= 200 && status < 300) return told;
  throw new Refusal(status, told?.error ?? { code: "fault", message: _("the box answered something strange: try again") });
}

/** @param {Response} response */
async function read(response) {
  return answerOf(response.status, await response.json().catch(() => ({})));
}

/**
 * Send JSON. Every try carries the same key: however often the network fails, the box does it once.
 * @param {string} address
 * @param {unknown} [body]
 * @param {"POST" | "DELETE"} [method]
 * @returns {Promise<any>}
 */
export async function post(address, body = {}, method = "POST") {
  sending += 1;
  try {
    return await sent(address, body, method);
  } finally {
    sending -= 1;
  }
}

/**
 * @param {string} address
 * @param {unknown} body
 * @param {"POST" | "DELETE"} method
 */
async function sent(address, body, method) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "Idempotency-Key": key() };
  const wish = method === "POST" ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  for (const wait of TRIES) {
    await pause(wait);
    let response;
    try {
      response = await fetch(address, wish);
    } catch {
      continue;
    }
    return read(response);
  }
  throw new Refusal(0, { code: "away", message: _("the box cannot be reached: are you still on its network?") });
}

/**
 * @param {string} address
 * @returns {Promise<any>}
 */
export async function get(address) {
  return read(await fetch(address, { headers: { Accept: "application/json" }, cache: "no-store" }));
}
