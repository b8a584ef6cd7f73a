// @ts-check
// The room around the table: letting others in, sitting down by itself once the host has begun, one's own seats.
import { post } from "./api.js";
import { find, hit, need } from "./elements.js";
import { act, inMatch, refresh, say, trying } from "./kit.js";
import { askedIn, letIn } from "./knock.js";
import { me } from "./me.js";

const here = document.body.dataset;

// --- sitting down by itself ---

let claiming = false;

async function claim() {
  if (claiming || !find("[data-claim]")) return;
  claiming = true;
  document.dispatchEvent(new Event("hush"));
  let seated = false; // by another tab of this phone
  const told = await trying(() => post("/api/v1/seats/follow"), (refusal) => {
    seated = refusal.code === "same-match";
    if (!seated) say(refusal.message, true);
  });
  if (told || seated) location.assign("/play");
  else claiming = false;
}

// --- the number of a screen ---

async function showNumber() {
  const place = find("[data-knock-screen]");
  if (!place || here.knocking !== undefined) return;
  here.knocking = "";
  const page = await trying(
    () => letIn({ what: "screen" }, (number) => {
      here.number = String(number);
      tellNumber();
    }),
    () => {},
  );
  if (page) location.reload();
}

function tellNumber() {
  const place = find("[data-knock-screen]");
  if (!place || !here.number) return;
  need(".number", place).textContent = here.number;
  place.hidden = false;
}

// --- what a tap does ---

/**
 * This page shows one seat; for another one, or none, it is loaded anew.
 * @param {"turn" | "look-after" | "leave"} way
 * @param {object} wish
 */
async function otherSeat(way, wish) {
  document.dispatchEvent(new Event("hush"));
  await trying(() => post(`/api/v1/seats/${way}`, wish));
  location.assign("/play");
}

/** @type {Record<string, (data: DOMStringMap) => Promise<void>>} */
const deeds = {
  knock: async ({ knock, yes }) => {
    await trying(() => post("/api/v1/room/knocks/answers", { number: Number(knock), yes: yes !== undefined }));
    refresh();
  },
  turn: async ({ turn }) => otherSeat("turn", { seat: Number(turn) }),
  lookAfter: async ({ lookAfter }) => otherSeat("look-after", { seat: Number(lookAfter) }),
  hold: async ({ hold }) => { await act({ kind: "hold", data: { by: hold } }); },
  getUp: async ({ getUp }) => otherSeat("leave", { then: getUp }),
  watched: async ({ watched, photoAsked: photo, slot, mark }) => {
    await trying(() => post(inMatch(`watch/${watched}/${slot ? "answers" : "agreement"}`), slot ? { photo, slot, mark } : { photo }));
    refresh();
  },
  again: async ({ again, code }) => askedIn({ what: "seat", seat: Number(again), code: code ?? "", name: me().name }, need("#again-says")),
  do: async (data) => {
    if (data.do !== "go-home") return;
    if (await trying(() => post("/api/v1/room", {}, "DELETE"))) location.assign("/");
  },
};

document.addEventListener("click", (event) => {
  const button = hit(event, "button");
  if (!button) return;
  for (const [name, deed] of Object.entries(deeds)) if (name in button.dataset) deed(button.dataset);
});

document.addEventListener("swapped", () => {
  claim();
  showNumber();
  tellNumber();
});

// --- what others did that concerns everybody ---

document.addEventListener("told", (event) => {
  const { says, seat } = /** @type {CustomEvent} */ (event).detail;
  if (String(seat) !== here.seat) say(says);
});

claim();
showNumber();
