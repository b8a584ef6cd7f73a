"""The pictures of the pages for the documents: ``python -m tests.web.browser.pictures docs/screens``."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.eye import TakeTask
from companion.games.bots import best_action
from companion.games.contract import Action
from tests.web.browser.phones import chromium, launched
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import current, next_draw, sit
from tests.web.houses import accepted, begin, play_rounds

NAMES = ("North", "East", "South", "West")


def page_at(browser: Browser, box: Box, size: tuple[int, int], scheme: str = "light") -> Page:
    """A browser of this size."""
    context = browser.new_context(
        base_url=box.link,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=2 if size[0] < 500 else 1,
    )
    return context.new_page()


def save(page: Page, path: Path) -> None:
    """Small enough for a repository: 256 colours are plenty for these pages."""
    page.wait_for_timeout(500)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256).save(path, optimize=True)


def take_all(browser: Browser, box: Box, folder: Path) -> None:
    """A match in its fifth round, from every side."""
    begin(box.house, *NAMES)
    play_rounds(box.house, 4, seed=5, think=best_action)
    phone = page_at(browser, box, (360, 740))
    sit(phone, box, 1, "North")
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "NSe*", "NS|ew"]}))
    phone.locator(".mine .board g.open").first.click()
    save(phone, folder / "play.png")
    for name, path, size, scheme in (
        ("tv", "/tv", (1920, 1080), "light"),
        ("watch-dark", "/", (1280, 800), "dark"),
        ("report", "/match/current", (1280, 800), "light"),
    ):
        page = page_at(browser, box, size, scheme)
        page.goto(path)
        save(page, folder / f"{name}.png")
    photographed(box, phone, folder)


def photographed(box: Box, phone: Page, folder: Path) -> None:
    """The round on paper, read from a photograph."""
    match = current(box)
    while (action := next_draw(match, 1)) is not None:
        match = replace(match, state=match.game.apply(match.state, action))
    picture = folder / "board.jpg"
    picture.write_bytes(box.house.eye.take(TakeTask("studio", match)))
    phone.reload()
    phone.set_input_files("[data-photo]", picture)
    expect(phone.locator("dialog .reading")).to_be_visible(timeout=30_000)
    save(phone, folder / "photograph.png")
    picture.unlink()


def main(folder: Path) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = chromium()
    if path is None:
        sys.exit("no Chromium on this machine: sudo apt install chromium")
    with (
        tempfile.TemporaryDirectory() as table,
        served_box(Path(table)) as box,
        sync_playwright() as playwright,
    ):
        browser = launched(playwright, path)
        take_all(browser, box, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
