// @ts-check
// What scripts say, in the language of the page: the page brings the words, English stands in the scripts.

const told = document.body.dataset.words;
/** @type {Record<string, string>} */
const words = told ? JSON.parse(told) : {};

/**
 * The words of a script that comes later, and of all that it fetches; until they are here it speaks English.
 * @param {string} script
 */
export async function wordsOf(script) {
  if (!told) return;
  const answer = await fetch(`/words/${document.documentElement.lang}/${script}`);
  if (answer.ok) Object.assign(words, await answer.json());
}

/**
 * A message with its places filled in: `_("{n} of {most}", { n, most })`.
 * @param {string} message in English, as the catalogues have it
 * @param {Record<string, unknown>} [places]
 */
export const _ = (message, places = {}) =>
  (words[message] || message).replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
