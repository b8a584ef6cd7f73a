"""A genuine board is taught on the host's page, and serves in a match: with the real reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.games.derailed.printing.deck_order import deck_order
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable
from lab.derailed.studio.scenes import CardSpec
from tests.companion.games.spike.reader.test_genuine import without_tags
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.test_accessible import serious
from vision.taught.file import read_segments

_WITHIN = 60_000  # milliseconds: the reader loads, the board is learnt and looked for


def drag(page: Page, number: int, to: Sequence[float]) -> None:
    """Drag one of the four marks to a place in the photograph."""
    handle = page.locator(".marking .handle").nth(number)
    handle.hover()
    at = page.evaluate(
        """([x, y]) => {
          const drawing = document.querySelector(".marking");
          const place = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
          return [place.x, place.y];
        }""",
        list(to),
    )
    handle.hover()
    page.mouse.down()
    page.mouse.move(*at, steps=4)
    page.mouse.up()


@pytest.mark.slow
def test_a_board_is_taught_with_four_drags_and_tried(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    image, corners = without_tags((), 1)
    empty, evening = tmp_path / "empty.jpg", tmp_path / "evening.jpg"
    cv2.imwrite(str(empty), image)
    cv2.imwrite(str(evening), without_tags(("topeka-i2", "i1-i2"), 2)[0])
    page = phone("")
    become_host(page, box.pin)
    page.goto("/host/boards")
    page.set_input_files("#board-photo", empty)
    expect(page.locator(".marking .handle")).to_have_count(4, timeout=_WITHIN)
    page.set_viewport_size({"width": 1280, "height": 900})
    for number, corner in enumerate(corners):
        drag(page, number, corner)
    expect(page.locator(".marking .places")).to_have_attribute("d", re.compile("^M"))
    page.fill("#board-name", "genuine")
    assert serious(page) == []
    page.click("#remember")
    expect(page.locator('[data-try="genuine"]')).to_have_count(1, timeout=_WITHIN)
    assert box.house.taught.boards() == ["genuine"]
    page.set_input_files('[data-try="genuine"]', evening)
    expect(page.locator("#tried .ring.new")).to_have_count(1, timeout=_WITHIN)
    expect(page.locator("#tried")).to_contain_text("2 red")
    for size in ((320, 460), (375, 667), (844, 390)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert serious(page) == []


def tap(page: Page, at: tuple[float, float]) -> None:
    """Tap a place of the photograph, given in its pixels."""
    x, y = page.evaluate(
        """([x, y]) => {
          const drawing = document.querySelector(".marking");
          drawing.scrollIntoView({ block: "center" });
          const place = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
          return [place.x, place.y];
        }""",
        list(at),
    )
    page.mouse.move(x, y)
    page.mouse.down()
    expect(page.locator(".marking .glass")).to_have_attribute("visibility", "visible")
    page.mouse.up()
    expect(page.locator(".marking .glass")).to_have_attribute("visibility", "hidden")


def test_places_are_drawn_on_the_photograph_city_by_city(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.jpg"
    picture = np.random.default_rng(4).integers(60, 220, (60, 80, 3), np.uint8)
    cv2.imwrite(str(empty), cv2.resize(picture, (1200, 900), interpolation=cv2.INTER_CUBIC))
    page = phone("")
    become_host(page, box.pin)
    page.goto("/host/boards")
    page.select_option("#places", "drawn")
    page.set_input_files("#board-photo", empty)
    expect(page.locator(".marking .handle")).to_have_count(4, timeout=_WITHIN)
    page.fill("#route-places", "4")
    tap(page, (400, 400))
    expect(page.locator("#board-says")).to_have_text("Now tap the city to which it leads.")
    tap(page, (700, 420))
    expect(page.locator("#board-says")).to_have_text("1 route")
    page.select_option("#route-lanes", "2")
    tap(page, (702, 421))  # the same city
    tap(page, (600, 640))
    outlines = page.locator(".marking .places")
    assert (outlines.get_attribute("d") or "").count("M") == 4 + 2 * 4
    page.click("#route-undo")
    assert (outlines.get_attribute("d") or "").count("M") == 4
    page.fill("#board-name", "drawn")
    with page.expect_download() as download:
        page.click("#places-share")
    board = read_segments(download.value.path().read_bytes())
    assert set(board.groups) == {"r001"}
    assert list(board.groups["r001"]) == list(board.slots)
    low, high = np.min([*board.slots.values()], axis=(0, 1)), np.max([*board.slots.values()], axis=(0, 1))
    assert (low > 0).all()
    assert (high < board.size).all()
    assert serious(page) == []


def in_order(lanes: int) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Stations and cards as the first page of the printed order has them laid out."""
    order = deck_order(1, lanes)
    letters = tuple(order[name] for name in order if name.endswith("-start"))
    return letters, {name: (mark,) for name, mark in order.items() if len(mark) > 1}


@pytest.mark.slow
def test_a_deck_is_taught_with_a_name_and_photographs(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    letters, cells = in_order(lanes=6)
    spec = CardSpec(
        cards=CardTable(letters, letters, cells), hand="printed", mat=True, megapixels=3.0, table_pixels=128
    )
    photo = tmp_path / "first.jpg"
    photo.write_bytes(take_card_picture(5, "clean", spec=spec)[0])
    page = phone("")
    become_host(page, box.pin)
    page.goto("/host/boards")
    expect(page.locator("[data-deck]").locator("visible=true")).to_have_count(3)
    page.select_option("#deck-edition", "lanes-2")
    expect(page.locator("[data-deck]").locator("visible=true")).to_have_count(5)
    expect(page.locator("#deck-order")).to_have_attribute("href", re.compile("edition=lanes-2"))
    page.select_option("#deck-edition", "lanes-6")
    page.set_input_files('[data-deck="1"]', photo)
    expect(page.locator("#deck-says")).to_contain_text("name first")
    page.fill("#deck-name", "ours")
    page.set_input_files('[data-deck="1"]', photo)
    expect(page.locator("#deck-says")).to_contain_text("ours is remembered", timeout=_WITHIN)
    assert box.house.taught.decks() == ["ours"]
    for size in ((320, 460), (375, 667), (844, 390)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.reload()
    assert serious(page) == []


@pytest.mark.slow
def test_a_deck_of_which_a_card_is_not_seen_is_taught_by_four_drags(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    letters, cells = in_order(lanes=4)
    del cells["c2"], cells["b3"]  # what the box asks about
    table = CardTable(letters, letters, cells)
    spec = CardSpec(cards=table, hand="printed", mat=False, megapixels=2.0, table_pixels=128, tilt=(0, 12))
    data, truth = take_card_picture(8, "clean", spec=spec)
    places = truth["sheets"][0]["places"]
    outer = (("a-start", 0), ("d-start", 1), ("d-destination", 2), ("a-destination", 3))
    photo = tmp_path / "bare.jpg"
    photo.write_bytes(data)
    page = phone("", expected=(409,))
    become_host(page, box.pin)
    page.goto("/host/boards")
    page.fill("#deck-name", "wide")
    page.select_option("#deck-edition", "lanes-4")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.set_input_files('[data-deck="1"]', photo)
    expect(page.locator("#deck-photo .handle")).to_have_count(4, timeout=_WITHIN)
    expect(page.locator("#deck-says")).to_contain_text("no card is seen at c2 and b3")
    for number, (slot, corner) in enumerate(outer):
        drag(page, number, places[slot]["corners"][corner])
    for size in ((320, 460), (375, 667)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert serious(page) == []
    page.click("#deck-again")
    expect(page.locator("#deck-says")).to_contain_text(
        "wide is remembered. Check that the card at c2", timeout=_WITHIN
    )
    expect(page.locator("#deck-marked")).to_be_hidden()
    assert box.house.taught.decks() == ["wide"]
