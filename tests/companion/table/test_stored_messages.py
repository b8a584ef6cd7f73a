"""What is stored of a message: its id and places, so that it can be said in every language later."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from companion.core.jsontext import JsonObject
from companion.core.messages import (
    EventRef,
    Message,
    Seat,
    Seats,
    data_of,
    joined,
    listed,
    m,
    nm,
    pm,
    sentence,
    with_messages,
)
from companion.core.records import replaced
from companion.game.base import Action, Fact
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.match.state import Better
from companion.languages import said
from companion.table.events import (
    FIRST_HASH,
    Actor,
    Event,
    canonical,
    chain_fault,
    content_hash,
    data_stored,
    event_hash,
)
from companion.table.journal import journal_path, read_journal
from companion.table.match import fact_fault
from companion.table.replay import verified
from companion.table.snapshots import fitting_state, snapshot_of
from companion.table.store import Store
from companion.table.table import Refused
from tests.web.houses import accepted, begin, small_house

MESSAGES = [
    m("{seat} waits for {others}", seat=Seat(1, begins=True), others=Seats([2, 3])),
    nm("{n} card", "{n} cards", 3),
    pm("side", "left"),
    listed([m("curve"), "a1", Seat(2)], "or"),
    joined("; ", [sentence(m("{event} is gone", event=EventRef(7))), "b2"]),
]


def test_every_message_is_the_same_when_it_is_read_again() -> None:
    for message in MESSAGES:
        data = msgspec.json.decode(canonical(data_of(message)))
        read = with_messages(data)
        assert isinstance(read, Message)
        assert (read, data_of(read)) == (message, data_of(message))


def test_a_remark_is_said_in_every_language_after_a_restart(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        data = {"game": "empire-builder", "players": ["Ada", "Ben"], "mode": "scorekeeper"}
        match = accepted(house, Action("start", data=data)).event.match
        told = {"cash": {"1": 30}, "spent": {}}
        report = accepted(house, Action("report", 1, told), Actor("player", 1)).event
        remarks = report.data["remarks"]
        assert remarks
    with Store(tmp_path) as store:
        read = store.events(match)[-1]
    assert read == report
    assert [data_of(one) for one in read.data["remarks"]] == [data_of(one) for one in remarks]
    assert said(read.data["remarks"][0], "de").startswith("Platz 1: ")
    events = read_journal(journal_path(tmp_path, match))
    assert chain_fault(events) is None
    assert verified(events, GAMES).fault is None


def test_what_a_state_says_comes_back_from_a_snapshot_as_a_message(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        begin(house)
        match = house.table.current
        assert match is not None
        says = m("{seat} could have drawn {what}", seat=Seat(1), what=listed([m("curve"), "a1"]))
        state = replaced(match.state, better={1: Better(1, says)})
        kept = snapshot_of(replace(match, state=state))
        found = fitting_state(list(match.events), match.game, kept)
    assert found == state
    assert data_of(found.better[1].says) == data_of(says)


def test_an_actor_that_is_called_by_a_message_is_stored_by_its_text(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        data = {"game": "empire-builder", "players": ["Ada", "Ben"], "mode": "scorekeeper"}
        match = accepted(house, Action("start", data=data)).event.match
        camera = Actor("device", name=m("camera {camera}", camera="/dev/video0"))
        report = accepted(house, Action("report", 1, {"cash": {"1": 30}, "spent": {}}), camera).event
    with Store(tmp_path) as store:
        assert store.events(match)[-1] == report
        assert chain_fault(store.events(match)) is None
    assert verified(read_journal(journal_path(tmp_path, match)), GAMES).fault is None


def test_text_that_was_stored_before_stays_as_it_is() -> None:
    remark = "seat 1 has built 7 segments for 9 million"
    at, who = "2026-01-01T10:00:00Z", Actor("player", 1)
    event = Event("m1", 1, at, "report", {"remarks": [remark]}, 1, who, None, FIRST_HASH)
    assert event_hash(event) == content_hash(event)
    assert data_stored(event.data, canonical(event.data)) == {"remarks": [remark]}


@pytest.mark.parametrize(("game", "told"), [("spike", {"tracks": {}}), ("derailed", {"grid": {}})])
def test_nobody_can_have_something_stored_that_is_read_as_a_message(
    game: str, told: JsonObject, tmp_path: Path
) -> None:
    with small_house(tmp_path) as house:
        data = {"game": game, "players": ["Ada", "Ben"], "mode": "scorekeeper"}
        match = accepted(house, Action("start", data=data)).event.match
        settled = {"photo": "0" * 64, "settled": {"message_id": "{seat} has won"}}
        report = Action("report", 1, {**told, "picture": settled})
        refused = house.table.submit(report, Actor("player", 1))
        assert refused == Refused("bad-shape", "'message_id' is not known here")
        accepted(house, Action("report", 1, told))
    assert verified(read_journal(journal_path(tmp_path, match)), GAMES).fault is None


@pytest.mark.parametrize(
    "remark",
    [
        {"message_id": 7, "listed": 3},
        {"message_id": 7},
        {"message_id": "left", "context": ["side"]},
        {"message_id": "{n} card", "many": "{n} cards", "places": {"n": "many"}},
        {"message_id": "{n} card", "many": "{n} cards", "places": [3]},
        {"message_id": "seat {number}", "seat": "2"},
        {"message_id": "the seats {numbers}", "seats": [1, None]},
        {"message_id": "event {number}", "event": {}},
        {"message_id": "{n0} and {n1}", "listed": [["and"], "a", "b"]},
        {"message_id": "{n0}; {n1}", "joined": [0, "a", "b"]},
        {"message_id": "{said}", "sentence": [["a"]]},
    ],
)
def test_data_that_only_looks_like_a_message_stays_as_it_is(remark: JsonObject) -> None:
    data = {"remarks": [remark]}
    assert data_stored(data, canonical(data)) == data


def test_a_report_stands_however_its_remarks_are_worded_but_not_with_other_numbers(tmp_path: Path) -> None:
    """Another version may say it otherwise; what was reported is what is verified."""
    with small_house(tmp_path) as house:
        data = {"game": "empire-builder", "players": ["Ada", "Ben"], "mode": "scorekeeper"}
        match = accepted(house, Action("start", data=data)).event.match
        found = house.table.match(match)
        assert found is not None
        before = found.state
        told = {"cash": {"1": 30}, "spent": {}}
        report = accepted(house, Action("report", 1, told), Actor("player", 1)).event
    game = GAMES["empire-builder"]
    assert report.data["remarks"]
    assert fact_fault(game, before, Fact("report", 1, report.data)) is None
    assert fact_fault(game, before, Fact("report", 1, {**report.data, "remarks": ["in other words"]})) is None
    fault = fact_fault(game, before, Fact("report", 1, {**report.data, "spent": {"1": 3}}))
    assert fault is not None
    assert fault.code == "not-the-same"
