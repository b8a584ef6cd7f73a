"""A camera over the table in a real browser: who is done, a doubt, the voice, a phone that films."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from companion.game.base import Action
from tests.companion.service.watching.filmed import FilmedTable
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.table import seat_everybody
from tests.web.houses import accepted
from web.site import site_of

Phones = Callable[..., Page]
ANNA = {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}
# A browser with one English voice, which notes what it is to say.
SPEAKS = """window.spoken = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB", name: "test" }], speak: ({ text }) => window.spoken.push(text) } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };"""
# A camera that shows a grey picture.
FILMS = """navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [640, 480];
  const brush = canvas.getContext("2d");
  let light = 128;
  setInterval(() => {
    light = 257 - light;
    brush.fillStyle = `rgb(${light} ${light} ${light})`;
    brush.fillRect(0, 0, 640, 480);
  }, 50);
  return canvas.captureStream(10);
};"""


def test_the_screen_says_who_is_done_and_a_tap_settles_a_doubt(box: Box, phone: Phones) -> None:
    anna, ben = seat_everybody(box, phone, ("Anna", "Ben"))
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    table = FilmedTable(box.house)
    table.watch._changed = site_of(box.app).room.touch
    screen = phone("", viewport={"width": 1280, "height": 720})
    screen.add_init_script(SPEAKS)
    screen.goto("/tv")
    screen.click("[data-do=voice]")
    table.filmed({1: {**ANNA, "d1": "ne nw"}}, 8)
    expect(anna.locator(".watched-unclear")).to_contain_text("what is in d1?")
    expect(screen.locator(".watched-unclear")).to_contain_text("Anna")
    expect(ben.locator(".watched")).to_have_count(0)
    anna.locator(".watched-unclear button").first.click()
    expect(anna.locator(".watched-done")).to_contain_text("counts until the next roll")
    expect(screen.locator(".watched-done")).to_contain_text("Anna: done")
    table.filmed({1: ANNA, 2: ANNA})
    expect(screen.locator(".throw")).to_contain_text("throw the dice")
    expect(screen.locator(".watched-done")).to_have_count(2)
    screen.wait_for_function(
        "window.spoken.includes('Ben is done') && window.spoken.includes('Throw the dice')"
    )


def test_a_phone_on_a_stand_films_the_table(box: Box, phone: Phones) -> None:
    page = phone("", expected=(403,))
    page.add_init_script(FILMS)
    page.goto("/camera")
    become_host(page, box.pin)
    page.goto("/camera")
    expect(page.locator("#stand-tap")).to_be_hidden()
    page.click("[data-do=film]")
    expect(page.locator("#stand-says")).to_contain_text("The box waits for a match")
    assert box.house.camera.watches
    assert box.house.camera.sent.newest.startswith(b"\xff\xd8\xff")
    page.click("[data-do=stop-film]")
    expect(page.locator("#stand-start")).to_be_visible()
