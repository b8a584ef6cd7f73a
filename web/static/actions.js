// @ts-check
// A game without controls of its own: one button for each legal action.
import { hit } from "./elements.js";
import { act } from "./kit.js";

document.addEventListener("click", (event) => {
  const action = hit(event, "[data-action]")?.dataset.action;
  if (action) act(JSON.parse(action));
});
