"use strict";
// Whose track is shown: remembered in this browser, and kept when the lanes are drawn anew. The style sheet hides it.
(() => {
  const KEY = "derailed-hidden";
  const boxes = () => [...document.querySelectorAll(".toggle [data-show]")];
  let hidden = new Set();
  try { hidden = new Set(JSON.parse(localStorage.getItem(KEY) || "[]")); } catch { hidden = new Set(); }

  function apply() { for (const box of boxes()) box.checked = !hidden.has(box.dataset.show); }

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-show]")) return;
    hidden = new Set(boxes().filter((box) => !box.checked).map((box) => box.dataset.show));
    localStorage.setItem(KEY, JSON.stringify([...hidden]));
  });
  document.addEventListener("swapped", (event) => { if (event.target.querySelector(".toggles")) apply(); });
  apply();
})();
