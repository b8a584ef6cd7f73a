"""One Chromium for all browser tests, and a fresh box for each."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.web.browser.served import Box, served_box

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium on this machine: sudo apt install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with served_box(tmp_path / "table") as served:
        yield served


Open = Callable[..., Page]


@pytest.fixture
def phone(browser: Browser, box: Box) -> Iterator[Open]:
    """Opens browsers of their own; a complaint, or a request to another address, fails the test."""
    opened: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(path: str = "/", *, expected: tuple[int, ...] = (), **wishes: object) -> Page:
        settings: dict[str, object] = {"viewport": PHONE, "base_url": box.link, **wishes}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        opened.append(context)
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.on("console", lambda said: faults.extend(_complaint(said, expected)))
        page.on("request", lambda request: faults.extend(_foreign(request.url, box.link)))
        page.goto(path)
        return page

    yield open_one
    for context in opened:
        context.close()
    assert faults == []


def _complaint(said: ConsoleMessage, expected: tuple[int, ...]) -> list[str]:
    """The browser reports every refused request as an error; those a test expects are none (0: no answer)."""
    excused = any(f"status of {status}" in said.text for status in expected)
    excused |= 0 in expected and "net::ERR" in said.text
    return [f"{said.type}: {said.text}"] if said.type in ("error", "warning") and not excused else []


def _foreign(url: str, link: str) -> list[str]:
    return [] if url.startswith((link, "blob:", "data:")) else [f"asked another address: {url}"]
