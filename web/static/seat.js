"use strict";
// What every player's page can do beside the game: rematch, another browser, getting up.
(() => {
  const match = document.body.dataset.playing;
  const deeds = {
    rematch: async () => {
      if (await Box.trying(() => Box.post(`/api/v1/matches/${match}/rematch`))) follow();
    },
    move: async () => {
      const told = await Box.trying(() => Box.post("/api/v1/seats/move"));
      if (told) document.getElementById("move-code").textContent = `On the other phone open ${location.host}/join and enter ${told.code}. It is good for five minutes.`;
    },
    leave: async () => {
      if (!confirm("Only watch from now on, in this browser?")) return;
      if (await Box.trying(() => Box.post("/api/v1/seats", {}, "DELETE"))) location.assign("/");
    },
  };

  async function follow() {
    Box.hush(); // this page belongs to the match before
    if (await Box.trying(() => Box.post("/api/v1/seats/follow"))) location.assign("/play");
  }

  document.addEventListener("click", (event) => {
    const deed = event.target.closest("[data-do]")?.dataset.do;
    if (deed in deeds) deeds[deed]();
  });
  if (document.body.dataset.follow !== undefined) follow();
})();
