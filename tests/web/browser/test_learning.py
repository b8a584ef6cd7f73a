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
    read, glowing = page.locator("button[name=on]"), page.locator(".glows").first
    for _ in range(MOST):
        if read.count():
            break
        expect(glowing).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        pressed = glowing.element_handle()
        glowing.click(force=True)  # found anew, should news have replaced it meanwhile
        page.wait_for_function(DONE_WITH, arg=pressed)
    expect(page.locator(".learn-steps .done")).to_have_count(3)
    read.click()
    expect(page.locator("h1")).to_have_text("That is the game")
    page.click("text=Once more from the beginning")
    expect(page.locator(".learn-steps .done")).to_have_count(0)


# What was pressed glows no more: the page has answered, and shows what comes next.
DONE_WITH = "(pressed) => !(pressed.isConnected && pressed.matches('.glows'))"
