"""The table's screen and small phones: everything fits, and nobody's name is cut off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion.games.contract import Action
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.table import play_on, sit
from tests.web.houses import accepted

Phones = Callable[..., Page]
FULL_TABLES = {"railroad-ink": 4, "derailed": 6, "spike": 4, "empire-builder": 6}
NAMES = ("North", "East", "South", "West", "Summit", "Valley")
STEPS = 50
CUT_OFF = """() => [...document.querySelectorAll(".who h2, .latest li:first-child, .train-tiles li, .eb-who")]
  .filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent.trim())"""
PARTS = ".tv-lead, .seat, .who > *, .rail-table, .beside-shared, .latest, .qr, .goals li"
OUTSIDE = """(parts) => [...document.querySelectorAll(parts)]
  .filter(one => one.offsetParent)
  .map(one => [one.getBoundingClientRect(), one.className || one.tagName])
  .filter(([box]) => box.right > innerWidth || box.bottom > innerHeight || box.top < 0)
  .map(([box, name]) => `${name} ends at ${Math.round(box.right)}, ${Math.round(box.bottom)}`)"""
ROWS = "(all) => new Set(all.map(one => Math.round(one.getBoundingClientRect().top))).size"


def begun(box: Box, game: str, seats: int) -> None:
    accepted(box.house, Action("start", data={"game": game, "players": list(NAMES[:seats])}))


@pytest.mark.parametrize("game", FULL_TABLES)
def test_a_full_table_fits_on_a_television(box: Box, phone: Phones, game: str) -> None:
    """Before anybody has sat down, when the code is shown as well, and later."""
    begun(box, game, FULL_TABLES[game])
    page = phone("/help", viewport={"width": 1920, "height": 1080})
    page.goto("/tv")
    become_host(page, box.pin, role="screen")
    page.reload()
    assert page.locator(".qr").count() == 1
    for steps in (0, STEPS):
        play_on(box, steps)
        page.reload()
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(OUTSIDE, PARTS) == []


@pytest.mark.parametrize("game", FULL_TABLES)
def test_the_smallest_phone_keeps_its_bars_in_one_row(box: Box, phone: Phones, game: str) -> None:
    begun(box, game, 2)
    page = phone("/help", viewport={"width": 320, "height": 640}, expected=(409,))
    sit(page, box, 1, "North")
    assert page.locator(".top nav a").evaluate_all(ROWS) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    if game == "empire-builder":
        assert page.locator("#eb-usual > *").evaluate_all(ROWS) == 1
