"""Dice that can be proved, from a phone: a word of one's own, while one can still be added."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.table.events import Actor
from tests.companion.service.waiting import until
from tests.web.browser.served import Box
from tests.web.browser.table import current, seat_everybody
from tests.web.houses import accepted

SEAL = "ab" * 32
ROLLER = Actor("device", name="roller-1")


def words(box: Box) -> list[tuple[int | None, str]]:
    return [(event.seat, event.data["word"]) for event in current(box).events if event.kind == "word"]


def test_everybody_says_a_word_before_the_first_roll(box: Box, phone: Callable[..., Page]) -> None:
    east, north = seat_everybody(box, phone, ("East", "North"))
    expect(east.locator(".fair-word")).to_have_count(0)
    accepted(box.house, Action("commit", None, {"uid": "roller-1", "commitment": SEAL}), ROLLER)
    said: list[tuple[int | None, str]] = []
    for page, seat, word in ((east, 1, "apple"), (north, 2, "quince"), (east, 1, "cherry")):
        page.fill(".fair-word input", word)
        page.press(".fair-word input", "Enter")  # a click may be cut in two by what others say
        said.append((seat, word))
        until(lambda: words(box) == said)
        expect(page.locator(".fair-word button")).to_have_text("Another word")
    expect(north.locator(".fair-word")).to_contain_text("Words so far: 2 of 2")
    watcher = phone(f"/match/{current(box).id}/dice")
    expect(watcher.locator(".proof")).to_contain_text(SEAL)
