"""What can I do now? Whatever can be pressed glows, and the page says in a sentence what it is for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.registry import GAMES
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.houses import accepted, play_steps


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_done_glows_and_is_said(box: Box, phone: Callable[..., Page], game: str) -> None:
    names = ["North", "East"]
    accepted(box.house, Action("start", data={"game": game, "players": names}))
    play_steps(box.house, 9)
    match = current(box)
    seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
    page = phone("", viewport={"width": 320, "height": 568})
    sit(page, box, seat, names[seat - 1])
    button = page.get_by_role("button", name="What can I do now?")
    place = button.bounding_box()
    assert place is not None
    assert (place["width"], place["height"]) == (44, 44)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button.click()
    expect(page.locator(".glow").first).to_be_attached()
    sentence = " ".join(page.locator("#say").inner_text().split())
    assert sentence
    toast = page.locator("#toast")
    if page.locator(".choice.from-die:enabled").count():
        expect(toast.locator("> span")).to_have_text(
            "First draw what the dice show: tap a die, then a lit cell."
        )
        expect(page.locator(".glow:not(.choice)")).to_have_count(0)
    else:
        expect(toast.locator("> span")).to_have_text(sentence)
    lies, menu = toast.bounding_box(), page.locator("header.top").bounding_box()
    assert lies is not None
    assert menu is not None
    assert lies["y"] >= menu["y"] + menu["height"] - 1
    expect(page.locator(".glow")).to_have_count(0)  # it ends by itself
