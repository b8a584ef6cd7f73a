// @ts-check
// What scripts say, in the language of the page: the page brings the words, English stands in the scripts.

const told = document.body.dataset.words;
/** @type {Record<string, string>} */
const words = told ? JSON.parse(told) : {};

/**
 * A message with its places filled in: `_("{n} of {most}", { n, most })`.
 * @param {string} message in English, as the catalogues have it
 * @param {Record<string, unknown>} [places]
 */
export const _ = (message, places = {}) =>
  (words[message] || message).replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
