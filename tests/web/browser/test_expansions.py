"""An expansion of Railroad Ink under a finger."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from companion.games.contract import Action
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.houses import accepted, begin


def test_an_expansion_is_drawn_by_tapping_and_counts(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", options={"expansion": "forest", "goals": "none"})
    page = phone("/", expected=(409,))
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": ["ne", "NS", "N*", "NS|ew", "NE+trees", "trees"]}))
    page.locator('[data-face="trees"]').click()
    page.locator('.mine .board g[data-cell="d4"]').click()
    expect(page.locator(".mark-ghost")).to_have_count(1)
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)
    page.locator('[data-face="NE+trees"]').click()
    cell = page.locator('.mine .board g[data-cell="b1"]')
    cell.click()
    cell.click()
    expect(page.locator("#expansion-say")).to_contain_text("way 2 of")
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(2)
    assert current(box).game.score(current(box).state)[0]["expansion"] == 3
    page.click("text=Undo")
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)


def test_points_of_an_expansion_nobody_taught_the_box_are_entered_by_hand(
    box: Box, phone: Callable[..., Page]
) -> None:
    begin(box.house, "", options={"expansion": "other"})
    page = phone("/", expected=(409,))
    sit(page, box, 1, "East")
    page.fill("[name=stars]", "11")
    page.click("text=Enter the points")
    expect(page.locator("[data-piece=explained]")).to_contain_text("11")
    assert current(box).state.stars == {1: 11}


def test_the_score_page_has_a_star_box(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/score")
    page.fill("[name=stars]", "9")
    page.locator("[name=stars]").dispatch_event("change")
    expect(page.locator("#quick-score")).to_contain_text("Expansion")
