// @ts-check
// While the coach thinks, its page tells by itself what has been found.
import { find, need } from "./elements.js";

const OFTEN = 5000; // milliseconds

async function look() {
  const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
  if (answer?.ok) {
    const now = new DOMParser().parseFromString(await answer.text(), "text/html");
    const left = (/** @type {ParentNode} */ page) => find("[data-thinking]", page)?.dataset.thinking;
    if (left(now) !== left(document)) {
      const place = need("#told");
      place.replaceChildren(...need("#told", now).childNodes);
      place.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
    }
  }
  if (find("[data-thinking]")) setTimeout(look, OFTEN);
}

setTimeout(look, OFTEN);
