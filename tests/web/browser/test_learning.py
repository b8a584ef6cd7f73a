"""The guided first round on a phone of 320 pixels: everything fits, fingers hit it, and it ends well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.test_learning import TAUGHT, practice_of, right_one


@pytest.mark.parametrize("name", TAUGHT)
def test_a_first_round_on_a_small_phone(phone: Callable[..., Page], name: str) -> None:
    page = phone(f"/learn/{name}", viewport={"width": 320, "height": 568})
    practice = practice_of(name)
    while practice.step:
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        for button in page.locator("button[name=choice]").all():
            size = button.bounding_box()
            assert size is not None
            assert size["height"] >= 44
        key = right_one(practice)
        page.click(f"button[value={key}]")
        practice = practice.tapped(key)
        told = page.locator(".notice.learn-right")
        expect(told).to_be_visible()
        box = told.bounding_box()
        assert box is not None
        assert box["width"] > 250, "the text has the width of the page"
    expect(page.locator("h1")).to_have_text("That is the game")
    page.click("text=Once more from the beginning")
    expect(page.locator("button[name=choice]").first).to_be_visible()
