"""Railroad Ink with the genuine box: goal cards are ticked, walls are tapped on a board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from companion.games.railroad_ink.rules.blueprints import blueprint_walls
from lab.railroad_ink.walls_bench import card_picture
from tests.web.browser.served import Box
from tests.web.browser.table import current
from tests.web.browser.test_accessible import serious


def test_walls_are_tapped_and_goal_cards_ticked(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/host")
    page.fill("[name=pin]", box.pin)
    page.click("text=Go on")
    page.click("#options-railroad-ink summary")
    page.click("text=Tap them on a board")
    page.locator('[data-wall="c3-c4"]').click()
    page.locator('[data-wall="d3-e3"]').click()
    page.locator('[data-wall="a1-b1"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-wall="a1-b1"]').click()
    expect(page.locator("#say")).to_have_text("2 walls.")
    expect(page.locator("textarea")).to_have_value("c3-c4 d3-e3")
    expect(page.locator('[data-wall="c3-c4"]')).to_have_attribute("aria-checked", "true")
    assert serious(page) == []
    with page.expect_response("**/api/v1/host/options"):
        page.click("[data-do=keep-option]")
    page.goto("/host")
    page.click("#options-railroad-ink summary")
    for card in "AFK":
        page.check(f'[name="options.goal_cards[]"][value={card}]')
    page.select_option('[name="options.blueprint"]', '"own"')
    page.select_option("#seat-count", "2")
    with page.expect_response("**/api/v1/matches") as answer:
        page.click("text=Begin the match")
    assert answer.value.status == 201, answer.value.text()
    match = current(box)
    assert match is not None
    assert match.state.options.goals == ("A", "F", "K")
    assert match.state.options.blueprint == ("c3-c4", "d3-e3")


def test_walls_come_from_a_photograph_of_a_printed_card(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    page = phone("/host")
    page.fill("[name=pin]", box.pin)
    page.click("text=Go on")
    page.click("#options-railroad-ink summary")
    page.click("text=Tap them on a board")
    card = tmp_path / "card.jpg"
    card.write_bytes(card_picture(blueprint_walls("two-valleys"), 8_200_001, "table", 0.5))
    page.set_input_files("[data-walls-photo]", card)
    expect(page.locator("textarea")).to_have_value("d1-e1 d3-e3 d4-e4 d5-e5 d7-e7")
    expect(page.locator("#say")).to_have_text("5 walls.")
    page.goto("/score")
    page.set_input_files("[data-score-photos]", card)
    page.click("text=Correct it by hand")
    expect(page.locator(".mine .board .wall.local")).to_have_count(5)
