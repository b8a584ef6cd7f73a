"""The hub's pages in a real browser: an organiser's evening with the same dice for all, on every width."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.club.outbox import Outbox
from companion.languages import LANGUAGES
from companion.service.service import Service
from hub.house import ChangeWatch
from hub.people import PINS
from hub.storage.migrations import opened_database
from tests.companion.service.waiting import until
from tests.hub.houses import Night, needs_signing, sent_all
from tests.hub.test_duplicate import At
from tests.serving import Serving
from tests.web.browser.phones import phones
from tests.web.browser.test_accessible import USUAL, everything_open, opened_wholly, wrong
from tests.web.houses import play_rounds, small_house
from web.access.people import kept_pin

pytestmark = needs_signing
PAGES = ("/", "/table/1", "/standings", "/screen", "/organise", "/round/1", "/print/seating", "/print/cards")
WIDEST = "all => Math.max(...all.map(one => one.getBoundingClientRect().width))"


def is_drawn_large(board: Locator) -> bool:
    return bool(board.locator("svg").evaluate_all(WIDEST) > 200)


@dataclass
class ServedNight:
    """A hub on a port."""

    night: Night
    link: str


@contextmanager
def served(night: Night) -> Iterator[ServedNight]:
    serving = Serving(night.app)
    workers = (night.house.live, ChangeWatch(night.house, night.stopping))
    for worker in workers:
        worker.start()
    try:
        yield ServedNight(night, serving.link)
    finally:
        night.stopping.set()
        for worker in workers:
            worker.join()
        serving.stop()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[ServedNight]:
    database = opened_database("", tmp_path / "hub")
    night = Night(database)
    night.house.put_setting(PINS["organiser"], kept_pin("481206"))
    with served(night) as made:
        yield made
    database.close()


@pytest.fixture
def tables(hall: ServedNight, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[At]]:
    with small_house(tmp_path / "one", 1) as first, small_house(tmp_path / "two", 2) as second:
        yield [_joined(hall.night, house, monkeypatch) for house in (first, second)]


def _joined(night: Night, house: Service, monkeypatch: pytest.MonkeyPatch) -> At:
    wire = night.wire()
    outbox: Outbox = night.joined(house, wire, monkeypatch)
    return At(house, outbox, wire)


def play(tables: list[At]) -> None:
    for number, table in enumerate(tables):
        table.begin()
        play_rounds(table.house, 20, seed=number)
        sent_all(table.outbox)
    tables[1].outbox.call_for_help("a marker is dry")
    sent_all(tables[1].outbox)


def an_evening(page: Page, tables: list[At]) -> None:
    """The organiser enters, names people, draws a round with the same dice, begins it, and opens it."""
    page.fill("input[name=pin]", "481206")
    page.click("text=Enter")
    page.fill("[data-post$='/people'] textarea", "Ada\nBen\nCleo\nDora")
    page.click("[data-post$='/people'] button")
    expect(page.locator(".people-list")).to_contain_text("Dora")
    page.select_option("select[name=game]", "railroad-ink")
    page.select_option("select[name=most]", "2")
    page.check("input[name=duplicate]")
    page.click("text=Draw >> nth=-1")
    page.fill("input[name=word]", "seventeen trains")
    page.click("text=Begin this round")
    expect(page.locator("text=Open the dice of this round")).to_be_visible()
    play(tables)
    page.click("text=Open the dice of this round")
    page.get_by_role("dialog").get_by_role("button", name="Open the dice of this round").click()
    expect(page.locator("text=Open the dice of this round")).to_have_count(0)


@pytest.mark.timeout(480)  # every page of the hub, twice
def test_an_organiser_plays_a_round_with_the_same_dice(
    hall: ServedNight, tables: list[At], browser: Browser
) -> None:
    pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")
    with phones(browser, hall) as phone:
        watching = phone("/")
        page = phone("/organise")
        for one in (watching, page):
            one.set_default_timeout(60_000)  # whole pages of a hub on a busy machine
        an_evening(page, tables)
        watching.click("text=All boards of this round")
        boards = watching.locator("[data-piece=round] article.seat")
        expect(boards).to_have_count(4)
        for board in boards.all():  # pictures, as the watch page draws them
            expect(board.locator("svg").first).to_be_visible()
            until(partial(is_drawn_large, board))
        watching.locator("td + th a").last.click()
        expect(watching.locator("article.seat")).to_have_count(5)
        expect(watching.locator("[data-piece=round] .proof")).to_contain_text("seventeen trains")
        found = []
        for path in PAGES:
            opened_wholly(page, path, USUAL)
            found += wrong(page, USUAL)
        page.set_viewport_size({"width": 320, "height": 700})
        for language in LANGUAGES:
            page.goto(f"/language/{language}?back=/organise")
            for path in ("/organise", "/round/1"):
                page.goto(path)
                everything_open(page)
                if page.evaluate("document.documentElement.scrollWidth") > 320:
                    found.append(f"{path} is wider than 320 in {language}")
        assert found == [], "\n".join(found)
