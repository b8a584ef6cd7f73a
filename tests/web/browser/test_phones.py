"""The tests' own phones: whatever a page does at the moment, a phone can be put away."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.browser.phones import close
from tests.web.browser.served import Box

AGAIN = "new EventSource('/api/v1/stream'); setTimeout(() => location.reload(), %d)"


@pytest.mark.timeout(120)
def test_a_phone_whose_page_is_being_loaded_anew_is_put_away(box: Box, browser: Browser) -> None:
    for milliseconds in range(0, 120, 15):
        context = browser.new_context(base_url=box.link)
        page = context.new_page()
        page.add_init_script(AGAIN % milliseconds)
        page.goto("/tv", wait_until="commit")
        with page.expect_request("**/stream"):
            pass
        close(context)
    assert browser.contexts == []
