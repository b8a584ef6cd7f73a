"""Pages are drawn once each, and different ones at the same time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from companion.box.service import Service
from companion.games.contract import Action
from companion.table.match import Match
from tests.web.houses import accepted, begin, play_rounds
from web.scene import PieceBook, Pieces, drawn_dice
from web.site import site_of


@pytest.fixture
def match(house: Service) -> Match:
    begin(house, "East", "North")
    found = house.table.current
    assert found is not None
    return found


def test_different_pages_are_drawn_at_the_same_time(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=20)

    def drawn(match: Match, page: str, seat: int | None, photos: object) -> Pieces:
        both.wait()  # passed only when two are being drawn
        return Pieces(match.id, match.version, {"page": f"{page} {seat}"})

    monkeypatch.setattr("web.scene._rendered", drawn)
    book = PieceBook()
    with ThreadPoolExecutor(2) as pool:
        pages = pool.map(lambda seat: book.pieces(match, "play", seat).html["page"], (1, 2))
        assert list(pages) == ["play 1", "play 2"]


def test_many_who_ask_for_the_same_page_wait_for_one_of_them(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: Counter[str] = Counter()

    def drawn(match: Match, page: str, seat: int | None, photos: object) -> Pieces:
        drawings[page] += 1
        time.sleep(0.1)
        return Pieces(match.id, match.version, {})

    monkeypatch.setattr("web.scene._rendered", drawn)
    book = PieceBook()
    with ThreadPoolExecutor(12) as pool:
        made = list(pool.map(lambda _: book.pieces(match, "tv", None), range(12)))
    assert drawings == {"tv": 1}
    assert all(one is made[0] for one in made)


def test_a_page_that_cannot_be_drawn_is_tried_again(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [ValueError("not now")]

    def drawn(*_: object) -> Pieces:
        if failures:
            raise failures.pop()
        return Pieces(match.id, match.version, {})

    monkeypatch.setattr("web.scene._rendered", drawn)
    book = PieceBook()
    with pytest.raises(ValueError, match="not now"):
        book.pieces(match, "tv", None)
    assert book.pieces(match, "tv", None).html == {}


def test_the_dice_alone_are_those_of_the_page(app: Flask, house: Service, match: Match) -> None:
    def same(match: Match | None) -> None:
        assert match is not None
        with app.test_request_context():
            page = site_of(app).pieces.pieces(match, "watch", None).html["dice"]
            assert drawn_dice(match) == page

    same(match)
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "NSe*", "NS|ew"]}))
    same(house.table.current)
    play_rounds(house, 7)
    same(house.table.current)
