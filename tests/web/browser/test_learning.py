"""The guided first round on small phones: who presses what glows comes to the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.test_learning import TAUGHT

MOST = 16  # presses that a first round takes


@pytest.mark.parametrize("name", TAUGHT)
def test_pressing_what_glows_leads_to_the_end(phone: Callable[..., Page], name: str) -> None:
    page = phone(f"/learn/{name}", viewport={"width": 320, "height": 640})
    read = page.locator("button[name=on]")
    for _ in range(MOST):
        if read.count():
            break
        expect(page.locator(".glows").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        seen, glowing = page.locator("main").inner_text(), page.evaluate(GLOWING)
        page.locator(".glows").first.click(force=True)
        page.wait_for_function(CHANGED, arg=[seen, glowing])
        page.wait_for_load_state("networkidle")
    expect(page.locator(".learn-steps .done")).to_have_count(3)
    read.click()
    expect(page.locator("h1")).to_have_text("That is the game")
    page.click("text=Once more from the beginning")
    expect(page.locator(".learn-steps .done")).to_have_count(0)


GLOWING = "() => [...document.querySelectorAll('.glows')].map((one) => one.outerHTML).join()"
CHANGED = (
    "([seen, glowing]) => document.querySelector('main').innerText !== seen"
    " || [...document.querySelectorAll('.glows')].map((one) => one.outerHTML).join() !== glowing"
)
