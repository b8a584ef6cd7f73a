"use strict";
// The host page: only the chosen game's options and as many players as there are seats are sent.
(() => {
  const form = document.getElementById("new-match");
  if (!form) return;
  const count = document.getElementById("seat-count");

  function settle() {
    for (const part of form.querySelectorAll(".game-options")) part.disabled = part.hidden = part.dataset.game !== form.elements.game.value;
    const { least, most } = form.querySelector(".game-options:not([hidden])").dataset;
    for (const option of count.options) option.disabled = Number(option.value) < Number(least) || Number(option.value) > Number(most);
    if (count.selectedOptions[0]?.disabled) count.value = least;
    for (const line of form.querySelectorAll("[data-line]")) {
      line.disabled = Number(line.dataset.line) > Number(count.value);
      line.closest("label").hidden = line.disabled;
    }
  }

  form.addEventListener("change", settle);
  settle();
})();
