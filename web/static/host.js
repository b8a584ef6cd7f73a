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

// What the box's camera sees, and one picture of the whole table.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const place = () => document.getElementById("camera-view");

  function line(words) {
    const one = document.createElement("p");
    one.textContent = words;
    return one;
  }

  function framed(view) {
    const image = new Image();
    image.src = view.picture;
    image.alt = "What the box's camera sees";
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("viewBox", "0 0 1 1");
    drawing.setAttribute("preserveAspectRatio", "none");
    drawing.setAttribute("aria-hidden", "true");
    for (const board of view.boards) {
      const outline = document.createElementNS(SVG, "polygon");
      outline.setAttribute("points", board.corners.map((corner) => corner.join(",")).join(" "));
      outline.setAttribute("class", board.says.length ? "poor" : "fine");
      drawing.append(outline);
    }
    const frame = document.createElement("div");
    frame.className = "camera-frame";
    frame.append(image, drawing);
    return frame;
  }

  const deeds = {
    look: async () => {
      place().replaceChildren(line("Looking"));
      const view = await Box.trying(() => Box.get("/api/v1/host/camera"));
      if (!view) { place().replaceChildren(); return; }
      const boards = view.boards.map((board) => line(`${board.name}: ${board.says.join("; ") || "well in view"}.`));
      place().replaceChildren(framed(view), ...boards, ...view.notes.map(line));
      if (!view.boards.length && !view.notes.length) place().append(line("No board is in view: all of a board and its corner tags have to be in the picture."));
    },
    "table-photo": async (button) => {
      place().replaceChildren(line("The box takes a picture: hands away"));
      const seats = await Box.trying(() => Box.post(`/api/v1/matches/${button.dataset.match}/photos/table`));
      place().replaceChildren(...(seats || []).map((one) => line(`Seat ${one.seat}: ${one.entered ? "entered" : one.says.join("; ") || "nothing new"}.`)));
    },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && button.dataset.do in deeds) deeds[button.dataset.do](button);
  });
})();

// Files of the owner's for a game: read from a file, checked by the rules, and every fault said with its line.
(() => {
  const told = (list, lines) => list.replaceChildren(...lines.map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));

  async function keep({ game, option, reload }) {
    const text = document.getElementById(`option-${game}-${option}`).value;
    const list = document.getElementById(`faults-${game}-${option}`);
    try {
      const { message } = await Box.post("/api/v1/host/options", { game, option, text });
      told(list, []);
      Box.say(message);
      if (reload !== undefined) location.reload();
    } catch (problem) {
      if (!(problem instanceof Box.Refusal)) throw problem;
      told(list, problem.detail.faults || [problem.message]);
    }
  }

  document.addEventListener("change", async (event) => {
    const { into } = event.target.dataset;
    if (into && event.target.files[0]) document.getElementById(into).value = await event.target.files[0].text();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do=keep-option]");
    if (button) keep(button.dataset);
  });
})();
