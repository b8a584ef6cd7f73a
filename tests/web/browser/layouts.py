"""Does everything fit on the table's screen? ``python -m tests.web.browser.layouts`` looks at everything.

Every game, every number of seats, every size of screen. Looked at is every text, also inside the
cards: is it on the screen, in its card, beneath nothing, large enough to be read?
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from companion.game.base import Action
from tests.web.browser.phones import launched, needed_chromium
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import current, play_on
from tests.web.houses import accepted

SIZES = ((1280, 720), (1366, 768), (1920, 1080), (3840, 2160), (800, 1280), (768, 1024))
NAMES = (
    "Maximilianabergstrom",  # twenty letters, and nowhere to break them
    "Christopher Johannes",
    "Wilhelmina Oosterhui",
    "Bartholomew Quigley ",
    "Alexandrina-Petrovna",
    "Konstantinwolfsberge",
)
STEPS = {"railroad-ink": 50, "derailed": 60, "spike": 120, "empire-builder": 90}
SMALLEST = 24 / 1080  # of the height of a screen that lies; of one that stands, half its width counts as that

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").replace("export ", "")
PROBLEMS = f"smallest => {{ {_SCRIPT}\n return problems(smallest); }}"

USED = f"() => {{ {_SCRIPT}\n return used(); }}"

SETTLED = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}"""


def seats_of(game: str) -> range:
    """How many can play."""
    return {"railroad-ink": range(1, 7), "spike": range(2, 5)}.get(game, range(2, 7))


def problems(box: Box, page: Page, game: str, seats: int, sizes: Iterable[tuple[int, int]]) -> Iterator[str]:
    """A new match, and the same after bots have played: what does not fit, in a sentence each."""
    page.goto("about:blank")  # a page of the match before would follow by itself
    if box.house.table.current is not None and not box.house.table.current.finished:
        accepted(box.house, Action("end"))
    accepted(box.house, Action("start", data={"game": game, "players": list(NAMES[:seats])}))
    for steps in (0, STEPS[game]):
        page.goto("about:blank")
        play_on(box, steps)
        yield from _misfits(page, sizes, f"{game}, {seats} seats, {steps} steps")


def problems_at_the_end(box: Box, page: Page, game: str, sizes: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The same when that match is over."""
    page.goto("about:blank")
    if not current(box).finished:
        accepted(box.house, Action("end"))
    yield from _misfits(page, sizes, f"{game}, {len(current(box).players)} seats, the end")


def _misfits(page: Page, sizes: Iterable[tuple[int, int]], when: str) -> Iterator[str]:
    page.goto("/tv")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        for problem in page.evaluate(PROBLEMS, SMALLEST):
            yield f"{when}, {width} x {height}: {problem}"


def main() -> None:
    """Every game with every number of seats."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("games", nargs="*", default=list(STEPS))
    parser.add_argument("--language", default="en")
    wanted = parser.parse_args()
    path = needed_chromium()
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launched(playwright, path)
        with served_box(Path(folder)) as box:
            page = browser.new_page(base_url=box.link, locale=wanted.language)
            for game in wanted.games:
                for seats in seats_of(game):
                    new = list(problems(box, page, game, seats, SIZES))
                    new += problems_at_the_end(box, page, game, SIZES)
                    print(f"{game}, {seats} seats: {len(new) or 'no'} problems", *new, sep="\n  ", flush=True)
                    found += new
        browser.close()
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
