"""The first minute: somebody opens a demonstration on a small phone, sits down with a name, and gets up."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game.registry import GAMES
from companion.service.demonstration import Demonstration
from companion.table.sitting import taken_seats
from tests.web.browser.phones import phones
from tests.web.browser.served import served_box
from tests.web.houses import accepted, begin


def fits(page: Page) -> bool:
    """Nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390)])
def test_a_visitor_sits_down_with_a_name_and_gets_up(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with served_box(tmp_path / "table", demonstration=True) as box, phones(browser, box, still=True) as phone:
        begin(box.house, "North", "East", "South", "West")
        page = phone("/", viewport={"width": size[0], "height": size[1]})
        strip = page.get_by_role("complementary", name="Demonstration")
        expect(strip).to_contain_text("This is a demonstration")
        for link in strip.get_by_role("link").all():
            seen = link.bounding_box()
            assert seen is None or seen["height"] >= 44
        assert fits(page)
        strip.get_by_text("Play", exact=True).click()
        expect(page.get_by_label("Your name")).to_be_visible()
        assert fits(page)
        page.get_by_label("Your name").fill("Grandmother Annemarie")
        page.locator("main").get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/play")
        expect(strip).to_be_visible()
        assert fits(page)
        watching = phone("/")
        expect(watching.locator("[data-piece=seat-1]")).to_contain_text("Grandmother Annemarie")
        page.locator("[data-get-up=bot]").evaluate(
            "button => button.click()"
        )  # whatever it is folded away in
        expect(page.get_by_text("Grandmother Annemarie a bot plays")).to_be_visible()
        assert fits(page)


def test_a_visitor_who_gets_up_is_out(tmp_path: Path, browser: Browser) -> None:
    with served_box(tmp_path / "table", demonstration=True) as box, phones(browser, box, still=True) as phone:
        begin(box.house, "North", "East", "South", "West")
        bots = Demonstration(box.house.table, threading.Event(), GAMES["railroad-ink"], taken=taken_seats)
        page = phone("/join", viewport={"width": 390, "height": 844})
        page.get_by_label("Your name").fill("Ada")
        page.locator("main").get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/play")
        page.locator("[data-get-up=nobody]").evaluate("button => button.click()")
        expect(page.get_by_text("Ada got up")).to_be_visible()
        for _ in range(2):  # they throw the dice, and go on with the seat
            request = bots.next_request()
            assert request is not None
            accepted(box.house, *request)
        expect(page.get_by_text("Ada a bot plays")).to_be_visible()
