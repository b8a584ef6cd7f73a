"""The pictures of the pages for the documents: ``python -m tests.web.browser.pictures docs/screens``."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.game.registry import find_studio
from tests.web.browser.phones import launched, needed_chromium
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import current, next_draw, play_on, sit
from tests.web.houses import accepted, begin, play_rounds

NAMES = ("North", "East", "South", "West")
WIDTHS = (1920, 1280, 1120, 960, 720, 600, 540, 480, 420)  # pixels; the first that is small enough is taken
MOST_BYTES = 150_000
# The other games: how many steps bots play, and with which luck, until there is something to see.
OTHERS = {"derailed": (90, 3), "spike": (230, 5), "empire-builder": (160, 5)}


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
    """Small enough for a repository."""
    page.wait_for_timeout(500)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    for width in (width for width in WIDTHS if width <= picture.width):
        picture.thumbnail((width, picture.height), Image.Resampling.LANCZOS)
        packed = BytesIO()
        _with_few_colours(picture).save(packed, "png", optimize=True)
        if len(packed.getvalue()) < MOST_BYTES:
            break
    path.write_bytes(packed.getvalue())


def _with_few_colours(picture: Image.Image) -> Image.Image:
    """256 are plenty for these pages, if half are those that fill them and half those of small things."""
    common, rare = picture.quantize(128), picture.quantize(128, Image.Quantize.MAXCOVERAGE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(common.getpalette() or [])[: 128 * 3], *(rare.getpalette() or [])[: 128 * 3]])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def take_all(browser: Browser, box: Box, folder: Path) -> None:
    """A match in its fifth round, from every side."""
    begin(box.house, *NAMES)
    play_rounds(box.house, 4, seed=5, think=greedy_action)
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


def another_game(browser: Browser, box: Box, game: str, folder: Path) -> None:
    """One of the games with one board for all, on a phone and on the table's screen."""
    accepted(box.house, Action("start", data={"game": game, "players": list(NAMES)}))
    steps, seed = OTHERS[game]
    play_on(box, steps, seed)
    screen = page_at(browser, box, (1920, 1080))
    screen.goto("/tv")
    save(screen, folder / f"{game}-tv.png")
    match = current(box)
    seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
    phone = page_at(browser, box, (360, 740))
    sit(phone, box, seat, NAMES[seat - 1])
    save(phone, folder / f"{game}-play.png")


def photographed(box: Box, phone: Page, folder: Path) -> None:
    """The round on paper, read from a photograph."""
    match = current(box)
    while (action := next_draw(match, 1)) is not None:
        match = replace(match, state=match.game.apply(match.state, action))
    picture = folder / "board.jpg"
    picture.write_bytes(find_studio("railroad-ink").picture(match.state, 1))
    phone.reload()
    phone.set_input_files("[data-photo]", picture)
    expect(phone.locator("dialog .reading")).to_be_visible(timeout=120_000)
    save(phone, folder / "photograph.png")
    picture.unlink()


def the_end(browser: Browser, box: Box, folder: Path) -> None:
    """The last round is played, and the table's screen celebrates."""
    play_rounds(box.house, 7, think=greedy_action)
    screen = page_at(browser, box, (1280, 720))
    screen.goto("/tv")
    save(screen, folder / "finale.png")


def main(folder: Path) -> None:
    """Take them all, every game at a table of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = needed_chromium()
    with tempfile.TemporaryDirectory() as tables, sync_playwright() as playwright:
        browser = launched(playwright, path)
        with served_box(Path(tables) / "railroad-ink") as box:
            take_all(browser, box, folder)
            the_end(browser, box, folder)
        for game in OTHERS:
            with served_box(Path(tables) / game) as box:
                another_game(browser, box, game, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
