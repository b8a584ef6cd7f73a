// @ts-check
// Walls tapped on a board: the text below is the truth, every tap changes it.
import { all, closeSheet, hit, need, pressed } from "/static/elements.js";
import { say } from "/static/kit.js";
import { _ } from "/static/words.js";

/** @type {HTMLTextAreaElement} */
const text = need("textarea");

/** The walls that the text has, whichever cell is said first. */
const walls = () => new Set([...text.value.toLowerCase().matchAll(/\b([a-g][1-7])-([a-g][1-7])\b/g)].map(([, one, other]) => [one, other].sort().join("-")));

const named = (/** @type {HTMLElement} */ border) => (border.dataset.wall ?? "").split("-").sort().join("-");

function paint() {
  const there = walls();
  for (const border of all("[data-wall]")) border.setAttribute("aria-checked", String(there.has(named(border))));
  need("#say").textContent = there.size === 1 ? _("1 wall.") : _("{there} walls.", { there: there.size });
}

/** @param {HTMLElement} border */
function toggle(border) {
  const there = walls(), wall = named(border);
  if (!there.delete(wall)) there.add(wall);
  text.value = [...there].sort().join(" ");
  paint();
}

document.addEventListener("click", (event) => {
  const border = hit(event, "[data-wall]");
  if (border) toggle(border);
});
document.addEventListener("keydown", (event) => {
  const border = hit(event, "[data-wall]");
  if (!border || !pressed(event)) return;
  event.preventDefault();
  toggle(border);
});
text.addEventListener("input", paint);

/**
 * A photograph of a card, or of a board, on which the box printed walls.
 * @param {File} file
 */
async function photographed(file) {
  const { send, waiting } = await import("/static/photo.js");
  /** @type {{notes: string[], boards: {position: {blueprint?: string[]}}[]} | undefined} */
  const told = await waiting(_("Reading the photograph"), (progress) => send("/api/v1/scores/photos?game=railroad-ink", file, progress));
  if (!told) return;
  closeSheet();
  const found = told.boards.map(({ position }) => position.blueprint).find(Boolean);
  if (!found) {
    say(told.notes[0] ?? _("No printed walls are seen in this photograph: tap them."), true);
    return;
  }
  text.value = found.join(" ");
  paint();
}

need("[data-walls-photo]").addEventListener("change", async (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target), [file] = input.files ?? [];
  if (file) await photographed(file);
  input.value = "";
});
paint();
