"""Every page for everybody: axe-core finds nothing serious, light and dark, from 320 to 1920 pixels."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Literal

import pytest
from playwright.sync_api import Page

from companion.game.base import Action
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.table import sit
from tests.web.houses import accepted, begin, play_rounds

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
# Colours do not change what lies where: every page is seen in both colours and both widths, not in all pairs.
Looks = tuple[tuple[Literal["light", "dark"], int], ...]
USUAL: Looks = (("light", 320), ("dark", 1920))
LOOKS = pytest.mark.parametrize(
    "looks",
    [
        pytest.param(USUAL, id="light-320-dark-1920"),
        pytest.param((("light", 1920), ("dark", 320)), id="light-1920-dark-320", marks=pytest.mark.slow),
    ],
)
LESSONS = tuple(f"/learn/{game}" for game in ("railroad-ink", "derailed", "spike", "empire-builder"))
PAGES = (
    "/",
    "/play",
    "/tv",
    "/join",
    "/host",
    "/host/box",
    "/history",
    "/score",
    "/help",
    "/match/current",
    "/match/current/dice",
    "/sheets",
    "/host/settings",
    *LESSONS,
)


SMALL_TARGETS = """() =>
  [...document.querySelectorAll("button, summary, input:not([type=hidden], .sr), select, .top a")]
  .filter(one => one.offsetParent)
  .map(one => [one.matches("[type=radio], [type=checkbox]") && one.closest("label") || one, one.outerHTML])
  .map(([target, html]) => [target.getBoundingClientRect(), html.slice(0, 90)])
  .filter(([box]) => box.height < 43.5 || box.width < 40)
  .map(([box, html]) => `${box.width}x${box.height} ${html}`)"""


def everything_open(page: Page) -> None:
    """Whatever can be unfolded counts too."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def serious(page: Page, *rules: str) -> list[str]:
    """What axe finds that hinders people, by all of its rules or by these alone."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    asked = {"resultTypes": ["violations"], "selectors": False, **({"runOnly": rules} if rules else {})}
    found = page.evaluate("asked => axe.run(document, asked)", asked)
    return [
        f"{page.url}: {one['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:300]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical", "moderate")
        for node in one["nodes"][:1]
    ]


def opened_wholly(page: Page, path: str, looks: Looks) -> None:
    """Open a page in the width in which it is looked at first, with everything that can be unfolded."""
    page.set_viewport_size({"width": looks[0][1], "height": 900})
    page.goto(path)
    everything_open(page)


def wrong(page: Page, looks: Looks) -> list[str]:
    """Whatever is serious or too wide on the page as it stands, in each of these colours and widths.

    Names and roles are the same in all of them: for these it is looked at once.
    """
    found = []
    for number, (scheme, width) in enumerate(looks):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        rules = ("color-contrast",) if number else ()
        found += [f"{scheme} {width}: {one}" for one in serious(page, *rules)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{page.url} is wider than {width}")
        found += [f"{page.url}: {one}" for one in page.evaluate(SMALL_TARGETS)] if width == 320 else []
    return found


@LOOKS
def test_nothing_serious_on_any_page(box: Box, phone: Callable[..., Page], looks: Looks) -> None:
    begin(box.house, "", "")
    page = phone("", expected=(404,))
    sit(page, box, 1, "East")
    become_host(page, box.pin)
    play_rounds(box.house, 2)
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    found = []
    for path in PAGES:
        opened_wholly(page, path, looks)
        found += wrong(page, looks)
    assert found == [], "\n".join(found)


def test_a_finger_finds_every_target(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", "")
    page = phone("")
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    for path in ("/play", "/", "/score", "/host"):
        page.goto(path)
        small = page.evaluate(SMALL_TARGETS)
        assert small == [], path
