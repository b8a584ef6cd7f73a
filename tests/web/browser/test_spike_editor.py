"""A genuine board is described by taps over its photograph, checked, kept, and played on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from companion.games.spike.rules.boards.board import board_text
from tests.web.browser.served import Box
from tests.web.browser.test_accessible import LOOKS, Looks, everything_open, wrong

Phones = Callable[..., Page]


def opened(box: Box, phone: Phones, **wanted: object) -> Page:
    page = phone("/host", expected=(422,), **{"viewport": {"width": 1280, "height": 900}, **wanted})
    page.fill("input[name=pin]", box.pin)
    page.click("text=Go on")
    expect(page.locator("#new-match")).to_have_count(1)
    page.goto("/host/spike")
    return page


def tap(page: Page, x: float, y: float) -> None:
    """In millimetres of the board."""
    page.locator("#drawing").scroll_into_view_if_needed()
    spot = page.evaluate(
        """([x, y]) => {
          const matrix = document.querySelector("#drawing").getScreenCTM();
          const at = new DOMPoint(x, y).matrixTransform(matrix);
          return [at.x, at.y];
        }""",
        [x, y],
    )
    page.mouse.click(*spot)


def lines(page: Page, kind: str) -> list[dict[str, object]]:
    told = [json.loads(line) for line in page.locator("#text-board").input_value().splitlines() if line]
    return [one for one in told if next(iter(one)) == kind]


def city(page: Page, name: str, x: float, y: float) -> None:
    tap(page, x, y)
    page.fill("#place-form input[name=name]", name)
    page.click("text=Put it there")
    expect(page.locator("#place-form")).to_be_hidden()


def test_places_and_tracks_are_tapped_and_every_fault_leads_to_its_line(
    box: Box, phone: Phones, tmp_path: Path
) -> None:
    page = opened(box, phone)
    Image.new("RGB", (400, 450), "#88aacc").save(tmp_path / "board.jpg")
    page.set_input_files("#photo-file", tmp_path / "board.jpg")
    expect(page.locator("#photo")).to_be_visible()
    page.click("#corners")
    for x, y in ((20, 20), (480, 30), (490, 300), (10, 290)):
        tap(page, x, y)
    assert "matrix3d" in (page.locator("#photo").get_attribute("style") or "")
    city(page, "St. Louis", 100, 100)
    city(page, "Memphis", 150, 150)
    page.click("[data-tool=point]")
    tap(page, 120, 130)
    page.click("[data-tool=track]")
    page.click("#suits >> text=blue")
    for x, y in ((100, 100), (120, 130), (150, 150)):
        tap(page, x, y)
    assert [one["city"] for one in lines(page, "city")] == ["st-louis", "memphis"]
    expected = [{"track": ["st-louis", "p1"], "suit": "blue"}, {"track": ["p1", "memphis"], "suit": "blue"}]
    assert lines(page, "track") == expected
    page.click("[data-tool=change]")
    tap(page, 110, 115)
    page.select_option("#track-form select", "red")
    page.click("text=A second one beside it")
    beside = {"track": ["st-louis", "p1"], "suit": "red", "number": 2}
    assert lines(page, "track") == [*expected, beside]
    paths = page.locator("#drawing .desk-track").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert len(set(paths)) == 3, "the second one is drawn beside the first"
    page.click("#undo")
    tap(page, 150, 150)
    page.fill("#place-form input[name=name]", "Mobile")
    page.click("text=Put it there")
    assert lines(page, "track")[1]["track"] == ["p1", "mobile"]
    page.click("#undo")
    assert lines(page, "track") == expected
    page.click("[data-keep=board]")
    expect(page.locator("#faults-board")).to_contain_text("no city supplies")
    page.locator("#faults-board button").first.click()
    chosen = page.evaluate("getSelection().toString()")
    assert chosen.startswith('{"suit"')


def test_files_go_up_and_down_and_are_kept(box: Box, phone: Phones, tmp_path: Path) -> None:
    page = opened(box, phone)
    text = board_text("eastern-states").replace("Eastern States", "My own")
    (tmp_path / "own.jsonl").write_text(text)
    page.set_input_files('[data-upload="board"]', tmp_path / "own.jsonl")
    expect(page.locator(".desk-city")).to_have_count(36)
    expect(page.locator(".desk-track[data-line]")).to_have_count(385)
    page.click("[data-keep=board]")
    expect(page.locator("#kept-board")).to_contain_text("checked and saved")
    with page.expect_download() as saved:
        page.click("[data-download=board]")
    assert saved.value.path().read_text() == text
    page.locator("#new-card summary").click()
    page.locator(".pay-row select").first.select_option("miami")
    page.locator(".pay-row input").first.fill("7")
    page.click("text=Add this card")
    card = json.loads(page.locator("#text-cards").input_value().splitlines()[1])
    assert card == {"contract": "cloth", "card": 1, "side": "a", "pays": {"miami": 7}}
    page.click("[data-keep=cards]")
    expect(page.locator("#faults-cards")).to_contain_text("cards, line")
    page.reload()
    expect(page.locator(".desk-city")).to_have_count(36)
    assert "My own" in page.locator("#text-board").input_value()


@LOOKS
def test_nothing_serious(box: Box, phone: Phones, looks: Looks) -> None:
    page = opened(box, phone)
    everything_open(page)
    found = wrong(page, looks)
    assert found == [], "\n".join(found)
