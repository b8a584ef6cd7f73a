"""Nothing runs out of a small phone in any language, and every page is in the language that is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion.game.base import Action
from companion.languages import LANGUAGES
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.table import play_on, sit
from tests.web.houses import HOST, accepted

OF_A_GAME = ("/", "/play", "/host", "/learn/{game}", "/match/current")
OF_NONE = ("/help", "/history", "/sheets")  # the same whatever is played
LONG_WORDS = {"railroad-ink": "de", "derailed": "fr", "spike": "de", "empire-builder": "fr"}  # in the gate
WIDE = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  return [...document.querySelectorAll("main *")]
    .filter(one => one.getBoundingClientRect().right > room + 1)
    .map(one => one.outerHTML.slice(0, 120)).slice(0, 3);
}"""


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=() if LONG_WORDS[game] == language else pytest.mark.slow)
        for game in LONG_WORDS
        for language in LANGUAGES
    ],
)
def test_no_page_is_wider_than_a_small_phone_in_any_language(
    phone: Callable[..., Page], box: Box, game: str, language: str
) -> None:
    start = Action("start", data={"game": game, "players": ["East", "North", "Wilhelmine-Charlotte"]})
    accepted(box.house, start, HOST)
    play_on(box, 6)
    size = {"width": 320, "height": 640}
    page = phone("", viewport=size, expected=(503,))  # so many pages: streams run out
    sit(page, box, 1, "East")
    become_host(page, box.pin)
    wide = []
    page.goto(f"/language/{language}?back=/")
    for path in (*OF_A_GAME, *(OF_NONE if game == "railroad-ink" else ())):
        page.goto(path.format(game=game))
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert page.get_attribute("html", "lang") == language
        wide += [(path, one) for one in page.evaluate(WIDE)]
    assert not wide, "\n".join(map(str, wide))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_names_stand_in_one_row_in_every_language(
    phone: Callable[..., Page], language: str
) -> None:
    page = phone("/help", locale=language)
    for width in (320, 360, 375, 390, 414, 600, 700, 800, 1024):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.querySelector('.top nav').offsetHeight") <= 44, width
