"use strict";
// The join page: a typed code (of the match, or of a seat on the move), and a seat's own colour and shape.
(() => {
  document.getElementById("code-form")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const code = document.getElementById("code").value.trim().toUpperCase();
    if (code.replace(/[^0-9A-Z]/g, "").length < 6) { location.assign(`/j/${encodeURIComponent(code)}`); return; }
    if (await Box.trying(() => Box.post("/api/v1/seats/arrive", { code }))) location.assign("/play");
  });

  document.addEventListener("change", (event) => {
    if (event.target.name !== "seat") return;
    const { name, colour, shape } = event.target.dataset;
    const form = event.target.form;
    if (!name.startsWith("Seat ")) form.elements.name.value = name;
    form.elements.colour.value = colour;
    form.elements.shape.value = shape;
  });
})();
