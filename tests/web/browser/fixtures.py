"""One Chromium for all browser tests, and a fresh box for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.browser.phones import QUIET, Open, chromium, launched, phones, whole_chromium
from tests.web.browser.served import Box, served_box

expect.set_options(timeout=30_000)  # milliseconds; only a busy machine ever needs them


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine: sudo apt install chromium")
    with sync_playwright() as playwright:
        opened = launched(playwright, path)
        yield opened
        opened.close()


@pytest.fixture
def keeping_browser(browser: Browser) -> Iterator[Browser]:
    """A browser with a back-forward cache, as people have it; Playwright's own switch turns it off."""
    kind = browser.browser_type
    path = whole_chromium()
    if path is None:
        pytest.skip("only a Chromium without windows, which keeps no pages: sudo apt install chromium")
    opened = kind.launch(
        executable_path=path, args=QUIET, ignore_default_args=["--disable-back-forward-cache"]
    )
    yield opened
    opened.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with served_box(tmp_path / "table") as served:
        yield served


@pytest.fixture
def phone(browser: Browser, box: Box) -> Iterator[Open]:
    """Opens browsers of their own, on which nothing moves by itself.

    A complaint, or a request to another address, fails the test.
    """
    with phones(browser, box, still=True) as open_one:
        yield open_one
