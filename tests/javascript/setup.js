// @ts-check
// What the scripts of the pages find in a browser, for tests in Node: a document that only passes events on, and
// the addresses of the box's own scripts.
import { register } from "node:module";

Object.assign(globalThis, { document: Object.assign(new EventTarget(), { body: { dataset: { playing: "m1" } } }) });
register("./addresses.js", import.meta.url);
