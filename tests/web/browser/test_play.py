"""A table of phones in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.games.railroad_ink.bot import coaching
from companion.games.railroad_ink.bot.thinking import Effort
from tests.web.browser.phones import THROW
from tests.web.browser.served import Box
from tests.web.browser.table import current, draw_one, roll, seat_everybody, simulated_roller, sit_down
from tests.web.browser.whole_match import play_a_whole_match
from tests.web.houses import accepted, begin

ROUTES = ".mine .board g.drawn:not(.ghost)"


def test_entering_dice_can_be_given_up_and_ends_when_somebody_throws(
    box: Box, phone: Callable[..., Page]
) -> None:
    east, north = seat_everybody(box, phone, ("East", "North"))
    east.click("[data-do=hand-roll]:visible")
    east.click("dialog >> text=Never mind")
    expect(east.locator("dialog")).to_have_count(0)
    east.click("[data-do=hand-roll]:visible")
    expect(east.locator("dialog .hand-dice")).to_be_visible()
    roll(north)
    expect(east.locator("dialog")).to_have_count(0)
    expect(east.locator("#usual [data-do=done]")).to_be_visible()


def test_two_phones_play_a_whole_match_with_the_simulated_roller_and_photographs(
    box: Box, phone: Callable[..., Page]
) -> None:
    with simulated_roller(box, seed=5):
        ways = play_a_whole_match(box, phone, photographed=(3, 4), by_phones=1, names=("East", "North"))
        match = box.house.table.match(box.house.history.matches()[0].id)
    assert match is not None
    rolls = [event for event in match.events if event.kind == "roll"]
    assert len(rolls) == 7
    assert all(event.device is not None for event in rolls), "every roll came from the roller"
    assert len(ways) == 4
    assert sum(way in ("entered", "asked") for way in ways) >= 3, ways
    assert sum("picture" in event.data for event in match.events) >= 3, "the photographs are in the match"


def test_a_route_is_turned_placed_undone_and_corrected(box: Box, phone: Callable[..., Page]) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": ["ne", "NS", "N*", "NS|ew"]}))
    page.locator('.choice[data-shape="ne"]').click()
    cell = page.locator('.mine .board g[data-cell="d1"]')
    expect(cell).to_have_attribute("aria-label", "d1: fits in 2 ways")
    cell.click()
    first = page.locator(".ghost use").get_attribute("href")
    cell.click()
    assert page.locator(".ghost use").get_attribute("href") != first
    page.click('button:has-text("Turn it")')
    assert page.locator(".ghost use").get_attribute("href") == first
    page.click("text=Draw it")
    expect(page.locator(ROUTES)).to_have_count(1)
    assert current(box).state.boards[1].cells()
    page.click("text=Undo")
    expect(page.locator(ROUTES)).to_have_count(0)
    draw_one(page)
    page.locator(ROUTES).first.click()
    page.locator('dialog [data-shape="ns"]').click()
    page.click("text=Draw it")
    expect(page.locator("#toast")).to_contain_text("would no longer be possible")


def test_a_refusal_says_why_and_points_at_the_place(box: Box, phone: Callable[..., Page]) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    roll(page)
    page.click('button:has-text("Done")')
    expect(page.locator("#toast[role=alert]")).to_contain_text("not drawn yet and fits")
    expect(page.locator(".mine .pointed").first).to_be_visible()


def test_the_keyboard_is_enough(box: Box, phone: Callable[..., Page]) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    roll(page)
    cell = page.locator(".mine .board g.open").first
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ghost")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    cell.focus()
    page.keyboard.press("Enter")
    page.locator("[data-do=place]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(ROUTES)).to_have_count(1)


def test_two_tabs_that_throw_at_once_make_one_roll(box: Box, phone: Callable[..., Page]) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    other = page.context.new_page()
    other.goto("/play")
    throw = f"void (window.answer = {THROW}.then(() => 'rolled', refused => refused.code))"
    page.evaluate(throw)
    other.evaluate(throw)
    assert sorted([page.evaluate("answer"), other.evaluate("answer")]) == ["already-rolled", "rolled"]
    assert [event.kind for event in current(box).events].count("roll") == 1


def test_a_scorekeepers_board_is_entered_by_hand_and_counted(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", mode="scorekeeper")
    page = phone("")
    sit_down(page, box, 1, "East")
    for cell, shape in (("b1", "NS"), ("b2", "NE")):
        page.locator(f'.mine .board g[data-cell="{cell}"]').click()
        page.locator(f'dialog [data-shape="{shape}"]').click()
        page.click("text=Draw it")
        expect(page.locator(f'.mine .board g.drawn[data-cell="{cell}"]')).to_have_count(1)
    expect(page.locator("[data-piece=explained]")).to_contain_text("Longest highway")
    page.locator('.mine .board g[data-cell="b2"]').click()
    page.click("text=Empty this cell")
    expect(page.locator(ROUTES)).to_have_count(1)
    page.click("text=My board is final")
    expect(page.locator("[data-piece=headline]")).to_contain_text("finished with")


def test_quick_score_by_hand(box: Box, phone: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaching, "EFFORT", Effort(2, 2))
    monkeypatch.setattr(coaching, "MOST", coaching.BLOCK)
    page = phone("/score")
    page.locator("select[name=round]").select_option("7")
    for cell, shape, route in (("b1", "NS", "NS"), ("b2", "NE", "NW"), ("a2", "Ns*", "Ew*")):
        page.locator(f'.mine .board g[data-cell="{cell}"]').click()
        page.locator(f'dialog [data-shape="{shape}"]').click()
        wanted = page.locator(f'symbol[data-mark="{route}"]').get_attribute("id")
        for _ in range(8):
            if page.locator(".ghost use").get_attribute("href") == f"#{wanted}":
                break
            page.click('button:has-text("Turn it")')
        page.click("text=Draw it")
    expect(page.locator("#quick-score")).to_contain_text("Network of")
    total = page.locator("#quick-score .sum b").inner_text()
    page.click("text=What would have been better?")
    expect(page.locator("#quick-advice")).to_contain_text("Round 7")
    page.reload()
    expect(page.locator("#quick-score .sum b")).to_have_text(total)
    page.click("text=Start again")
    expect(page.locator("#quick-score .sum b")).to_have_text("0")


def test_a_seat_moves_to_another_phone(box: Box, phone: Callable[..., Page]) -> None:
    (old,) = seat_everybody(box, phone, ("East",))
    old.click("text=My seat")
    old.click('button:has-text("Move my seat")')
    expect(old.locator("#move-code")).to_contain_text("enter")
    code = old.locator("#move-code").inner_text().split("enter ")[1].split(".")[0]
    new = phone("/join")
    new.fill("#code", code.lower())
    new.click("text=Go on")
    new.wait_for_url("**/play")
    expect(new.locator("[data-piece=explained] h2")).to_contain_text("East")
