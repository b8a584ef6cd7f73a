"""Positions of foreign boxes: drawn apart, within limits; what cannot be drawn says so in its own place."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import flask
import msgspec
import pytest

from companion.club.messages import TableState
from companion.club.outbox import Outbox
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from hub.foreign.confined import Confined
from hub.foreign.drawing import Drawing, DrawingRequest, Drawings, NotDrawnError
from hub.state import Played, view_of
from lab.club.fuzzing import fuzz
from tests.hub.houses import Night, needs_signing, sent_all
from tests.hub.test_outbox import the_box
from tests.web.houses import accepted, play_steps

pytestmark = needs_signing
CANNOT = "This hub cannot show the boards of that table"


@pytest.fixture(scope="module")
def process() -> Iterator[Confined]:
    """One process for all tests of this file."""
    made = Confined()
    yield made
    made.stop()


def told(night: Night, house: Service, outbox: Outbox, game: str) -> tuple[Played, str]:
    """A match with its position at the hub."""
    accepted(house, Action("start", data={"game": game, "players": ["Ada", "Ben"]}))
    play_steps(house, 20)
    sent_all(outbox)
    night.house.watch(the_box(outbox))
    for _ in range(2):  # it hears that somebody looks, and sends the position
        outbox.send()
    night.house.state.refresh()
    box = night.house.state.table(1)
    assert box is not None
    played = night.house.state.playing(box)
    assert played is not None
    with night.database.reading() as look:
        return played, view_of(look, played.box, played.match)


def put_view(night: Night, view: str) -> None:
    with night.database.writing() as change:
        change.run("UPDATE clock SET version = version + 1")
        change.run(
            "UPDATE matches SET view = ?, view_seq = view_seq + 1, version = (SELECT version FROM clock)",
            (view,),
        )
    night.house.state.refresh()


@pytest.mark.parametrize("game", list(GAMES))
def test_the_process_draws_what_this_one_would(
    night: Night, house: Service, outbox: Outbox, process: Confined, game: str
) -> None:
    played, view = told(night, house, outbox, game)
    here = night.house.drawings.of(1, played, view, "de")
    assert here is not None
    assert Drawings(process.draw).of(1, played, view, "de") == here
    assert len(here.seats) == 2


def test_a_position_that_takes_all_memory_or_time_costs_only_its_own_boards(
    night: Night, house: Service, outbox: Outbox, process: Confined
) -> None:
    game = next(name for name in GAMES if name.startswith("sp"))
    _, view = told(night, house, outbox, game)
    night.house.drawings = Drawings(process.draw)
    assert 'class="seat"' in night.client.get("/table/1").text
    bomb = json.loads(view)
    bomb["rounds"] = 20_000_000
    for train in bomb.get("trains", []):
        train["cargo"] = 20_000_000
    night.house.drawings = Drawings(process.draw)
    put_view(night, json.dumps(bomb))
    page = night.client.get("/table/1")
    assert page.status_code == 200
    assert CANNOT in page.text
    assert "Ada" in page.text or "Table 1" in page.text
    put_view(night, view)
    assert night.client.get("/").status_code == 200
    night.house.drawings.forget_pauses()
    assert 'class="seat"' in night.client.get("/table/1").text  # the process is there again


def test_the_process_can_start_nothing_and_reach_nobody(
    night: Night, house: Service, outbox: Outbox, process: Confined
) -> None:
    played, view = told(night, house, outbox, next(iter(GAMES)))
    assert Drawings(process.draw).of(1, played, view, "en") is not None
    running = process._process._process
    assert running is not None
    if platform.machine() in ("x86_64", "aarch64"):
        assert "Seccomp:\t2\n" in Path(f"/proc/{running.pid}/status").read_text()


@pytest.mark.parametrize("view", ["{}", "[]", "7", '{"scores": 3}', '{"scores": [{"seat": 1}]}', "null"])
def test_what_is_no_position_is_a_sentence(
    night: Night, house: Service, outbox: Outbox, process: Confined, view: str
) -> None:
    told(night, house, outbox, next(iter(GAMES)))
    night.house.drawings = Drawings(process.draw)
    put_view(night, view)
    page = night.client.get("/table/1")
    assert page.status_code == 200
    assert CANNOT in page.text


class Clock:
    """A clock that only tests move."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def a_match(box: str = "b") -> Played:
    state = TableState("m", 1, "g", "", "", [], False)
    return Played(box, "m", "g", "", 1, "", (), state, 1, 1)


def test_a_box_whose_positions_fail_waits_and_others_do_not() -> None:
    clock, asked = Clock(), list[int]()
    good = Drawing("", {}, {}, False)

    def draw(request: DrawingRequest) -> Drawing:
        asked.append(request.table)
        if bytes(request.view) == b"bad":
            raise NotDrawnError("no")
        return good

    drawings = Drawings(draw, clock)
    for moment in (0.0, 1.0, 59.0, 61.0, 100.0, 179.0, 182.0):
        clock.now = moment
        assert drawings.of(1, a_match("bad"), "bad", "en") is None
        assert drawings.of(2, a_match(f"good{moment}"), "{}", "en") == good
    assert asked.count(1) == 3  # after a minute, then two
    assert asked.count(2) == 7
    clock.now += 241.0
    assert drawings.of(1, a_match("bad"), "good", "en") == good
    assert drawings.of(1, a_match("bad"), "bad", "de") is None  # one that is good between makes no difference
    clock.now += 479.0
    assert drawings.of(1, a_match("bad"), "good", "fr") is None
    clock.now += 10_000.0
    assert drawings.of(1, a_match("bad"), "bad", "fr") is None
    clock.now += 61.0
    assert drawings.of(1, a_match("bad"), "good", "fr") == good


def a_later(match: Played, seq: int) -> Played:
    """The same match after so many events."""
    assert match.state is not None
    return replace(match, state=msgspec.structs.replace(match.state, seq=seq))


def test_every_box_has_its_share_of_the_time_and_its_last_drawing_stays() -> None:
    """However quick each one is, in however many languages: those of others are drawn."""
    clock, took = Clock(), dict[int, float]()

    def draw(request: DrawingRequest) -> Drawing:
        clock.now += 0.25
        took[request.table] = took.get(request.table, 0.0) + 0.25
        return Drawing(str(request.state.seq), {}, {}, False)

    drawings, begun = Drawings(draw, clock), clock.now
    for seq in range(1, 301):
        for language in ("en", "de", "fr", "es", "it"):
            shown = drawings.of(1, a_later(a_match("greedy"), seq), "{}", language)
            assert shown is not None
        clock.now += 0.1
        if seq % 20 == 0:
            honest = drawings.of(2, a_later(a_match("honest"), seq), "{}", "en")
            assert honest is not None
            assert honest.boards == str(seq)
    assert took[1] < 4.0 + (clock.now - begun) / 4
    assert took[2] == 15 * 0.25


def test_nobody_s_drawings_crowd_out_those_of_others() -> None:
    drawn = list[str]()

    def draw(request: DrawingRequest) -> Drawing:
        drawn.append(request.state.match)
        return Drawing("", {}, {}, False)

    drawings = Drawings(draw, Clock())
    drawings.of(1, a_match("honest"), "{}", "en")
    for number in range(500):
        drawings.of(2, replace(a_match("greedy"), match=f"m{number}"), "{}", "en")
    drawings.of(1, a_match("honest"), "{}", "en")
    assert len(drawn) == 501


def test_marks_that_only_newer_boxes_know_have_a_plain_form(
    night: Night, house: Service, outbox: Outbox
) -> None:
    told(night, house, outbox, next(iter(GAMES)))
    box = night.house.state.table(1)
    assert box is not None
    with night.database.writing() as change:
        change.run("UPDATE clock SET version = version + 1")
        change.run(
            "UPDATE matches SET state = replace(replace(state, ?, ?), ?, ?),"
            " version = (SELECT version FROM clock)",
            ('"shape":"circle"', '"shape":"zigzag"', '"colour":"red"', '"colour":"octarine"'),
        )
    night.house.state.refresh()
    for address in ("/", "/screen", "/table/1", "/standings"):
        page = night.client.get(address)
        assert page.status_code == 200
        assert "Ada" in page.text or address == "/standings"


def test_a_part_that_breaks_leaves_the_others(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(night, house, outbox, next(iter(GAMES)))

    def broken(template: str, **given: Any) -> str:
        if template == "hub/card.html":
            raise KeyError("zigzag")
        return flask.render_template(template, **given)

    night.house.cards.clear()
    monkeypatch.setattr("hub.pieces.render_template", broken)
    for address in ("/", "/screen"):
        page = night.client.get(address)
        assert page.status_code == 200
        assert "cannot be shown here" in page.text
        assert "1 table" in page.text or address == "/screen"


def test_mutated_batches_leave_every_page_standing() -> None:
    found = fuzz(80, seed=7, pages_every=16)
    assert not found.errors
    assert found.batches["taken"] > 20


@pytest.mark.slow
def test_ten_thousand_mutated_batches_leave_every_page_standing() -> None:
    found = fuzz(10_000, seed=11, pages_every=10)
    assert not found.errors
    assert found.batches["taken"] > 1000
