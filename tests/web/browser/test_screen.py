"""The table's screen and small phones: everything fits, and nobody's name is cut off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from companion.game.base import Action
from tests.web.browser.layouts import USED, problems, problems_at_the_end
from tests.web.browser.phones import close
from tests.web.browser.served import Box
from tests.web.browser.table import sit
from tests.web.houses import accepted

Phones = Callable[..., Page]
NAMES = ("North", "East")
ROWS = "(all) => new Set(all.map(one => Math.round(one.getBoundingClientRect().top))).size"
# Seats and sizes of which the gate makes sure, those between only now and then; `make layouts` looks at all.
TABLES = {"railroad-ink": (1, 2, 5, 6), "derailed": (2, 5, 6), "spike": (2, 4), "empire-builder": (2, 5, 6)}
BETWEEN = {"railroad-ink": (2, 5), "derailed": (5,), "empire-builder": (5,)}
SCREENS = ((1280, 720), (1920, 1080), (800, 1280))
ROOM = 0.75  # of the screen that is not left empty


def begun(box: Box, game: str, seats: int) -> None:
    accepted(box.house, Action("start", data={"game": game, "players": list(NAMES[:seats])}))


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(game, seats, marks=pytest.mark.slow if seats in BETWEEN.get(game, ()) else ())
        for game, tables in TABLES.items()
        for seats in tables
    ],
)
def test_everything_fits_on_the_tables_screen(box: Box, browser: Browser, game: str, seats: int) -> None:
    """Few players and many, on a television and a tablet held upright, before and while bots play."""
    page = browser.new_page(base_url=box.link, reduced_motion="reduce")
    found = list(problems(box, page, game, seats, SCREENS))
    page.set_viewport_size({"width": 1920, "height": 1080})
    used = page.evaluate(USED)
    if used < ROOM:
        found.append(f"{game}, {seats} seats: only {used:.0%} of the screen is used")
    found += problems_at_the_end(box, page, game, SCREENS)
    close(page.context)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(("game", "seats"), [("spike", 4), ("empire-builder", 6)])
def test_a_language_of_many_words_fits_on_the_tables_screen(
    box: Box, browser: Browser, game: str, seats: int
) -> None:
    page = browser.new_page(base_url=box.link, locale="fr", reduced_motion="reduce")
    found = list(problems(box, page, game, seats, [(1280, 720)]))
    close(page.context)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("game", TABLES)
def test_the_smallest_phone_keeps_its_bars_in_one_row(box: Box, phone: Phones, game: str) -> None:
    begun(box, game, 2)
    page = phone("", viewport={"width": 320, "height": 640}, expected=(409,))
    sit(page, box, 1, "North")
    assert page.locator(".top nav a").evaluate_all(ROWS) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    if game == "empire-builder":
        assert page.locator("#eb-usual > *").evaluate_all(ROWS) == 1
