"""Underground under a finger: the board below on its own, and the game of its own."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from companion.game.base import Action
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.houses import accepted, begin

_ABOVE = ("NS", "NS", "N*", "NS|ew")
_BELOW = ("NS*", "NES", "nesw", "NE*|sw")


def _below(box: Box, page: Page) -> None:
    """The first round above ground is over, and the dice below lie."""
    begin(box.house, "", options={"expansion": "underground", "goals": "none"})
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": list(_ABOVE)}))
    for cell, route in (("b1", "NS"), ("f1", "NS"), ("b7", "S*"), ("b2", "NS|ew")):
        accepted(box.house, Action("draw", 1, {"cell": cell, "route": route, "from": "die"}))
    while current(box).state.round == 1:
        game, state = current(box).game, current(box).state
        offered = game.legal(state, state.awaited[0])
        accepted(box.house, min(offered, key=lambda one: one.kind != "done"))
    accepted(box.house, Action("roll", data={"faces": list(_BELOW)}))


def test_the_board_below_is_drawn_on_by_itself(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/", expected=(409,))
    _below(box, page)
    expect(page.locator(".mine-board > .board.second")).to_have_count(1)
    expect(page.locator(".mine-board .building")).to_have_count(0)
    expect(page.locator(".mine-board .board .other")).to_have_count(4)  # what is above, small
    expect(page.locator(".mine .other-level .building")).not_to_have_count(0)
    expect(page.locator(".mine .stock .of-copies")).to_contain_text("3 remaining")
    page.locator('[data-face="NS*"]').click()
    page.locator('.mine-board g[data-cell="b1"]').click()
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine-board g.drawn[data-cell="b1"]')).to_have_count(1)
    expect(page.locator(".mine .words")).to_contain_text("Below ground")


def test_alone_dice_are_drawn_as_on_any_board_and_once_a_second_time(
    box: Box, phone: Callable[..., Page]
) -> None:
    begin(box.house, "", options={"expansion": "underground-alone"})
    page = phone("/", expected=(409,))
    page.set_viewport_size({"width": 320, "height": 640})
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": list(_BELOW)}))
    expect(page.locator(".mine-board .building")).to_have_count(0)
    page.locator('.choice[data-source="die"][data-shape="NE*|sw"]').click()
    cell = page.locator('.mine-board g[data-cell="b1"]')
    cell.click()
    expect(page.locator(".mine-board .ghost use")).to_have_count(1)  # a route of this expansion only
    page.locator("#placing").get_by_text("Draw it").click()
    page.locator('.choice[data-source="copy"][data-shape="NS*"]').click()
    page.locator('.mine-board g[data-cell="f1"]').click()
    page.locator("#placing").get_by_text("Draw it").click()
    expect(page.locator(".mine .stock .of-copies")).to_contain_text("2 remaining")
    expect(page.locator('.choice[data-source="copy"]')).to_have_count(0)
