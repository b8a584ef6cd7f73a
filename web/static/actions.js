"use strict";
// A game without controls of its own: one button for each legal action.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-action]");
  if (!button) return;
  await Box.trying(() => Box.post(`/api/v1/matches/${document.body.dataset.playing}/actions`, JSON.parse(button.dataset.action)));
  Box.refresh();
});
