// @ts-check
// A photograph of the table to remember a match by: taken or chosen here, kept with the match.
import { inMatch } from "./kit.js";
import { wordsOf } from "./words.js";

document.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.dataset.memory !== undefined && target.files?.[0];
  if (!file) return;
  const [{ send, waiting }] = await Promise.all([import("./photo.js"), wordsOf("photo.js")]);
  if (await waiting(target.labels?.[0]?.textContent?.trim() ?? "", (progress) => send(inMatch("photograph"), file, progress))) location.reload();
});
