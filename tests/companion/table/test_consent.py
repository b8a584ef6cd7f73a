"""What was settled before the last roll is changed by the host, or by everybody together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.contract import Action, Plain
from companion.table.consent import open_proposals
from companion.table.events import Event, sealed
from companion.table.match import Match, folded
from companion.table.replay import Verdict, verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from tests.companion.table.test_table import HOST, accepted, made, play, player, refused


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Three seats; the first has played a card, then a die was rolled."""
    with Store(tmp_path) as store:
        table = made(store)
        start = Action("start", data={"game": "toy", "players": ["North", "East", "South"]})
        assert isinstance(table.submit(start, HOST), Accepted)
        accepted(play(table, 1))
        accepted(table.submit(Action("roll", data={}), HOST))
        yield table


@pytest.fixture
def correction(table: Table) -> Plain:
    """The other card of the first hand."""
    match = current(table)
    dealt = match.game.start(match.opening["setup"]).hands[1]
    return {"seq": 2, "data": {"card": dealt[1]}}


def current(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


def ask(table: Table, kind: str, seat: int, data: Plain) -> Accepted | Refused:
    return table.submit(Action(kind, seat, data), player(seat))


def test_nobody_changes_alone_what_was_settled(table: Table, correction: Plain) -> None:
    answer = refused(ask(table, "correct", 1, correction), "everybody")
    assert "the host can correct it, or everybody agrees to it" in answer.message
    accepted(table.submit(Action("correct", 1, correction), HOST))
    assert current(table).state.money[1] == correction["data"]["card"]


def test_with_everybodys_agreement_it_happens(table: Table, correction: Plain) -> None:
    before = current(table).state
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    refused(ask(table, "agree", 1, about), "agreed")
    accepted(ask(table, "agree", 3, about))
    refused(ask(table, "agree", 3, about), "agreed")
    assert current(table).state == before
    accepted(ask(table, "agree", 2, about))
    match = current(table)
    assert match.state.money[1] == correction["data"]["card"]
    assert open_proposals(match.events) == {}
    assert folded(match.events, match.game).state == match.state
    assert verified(match.events, {"toy": match.game}) == Verdict(len(match.events))
    refused(ask(table, "agree", 2, about), "not-asked")


@pytest.mark.parametrize("seat", [1, 2])  # taken back, or not wanted
def test_one_who_objects_is_enough(table: Table, correction: Plain, seat: int) -> None:
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    accepted(ask(table, "object", seat, about))
    refused(ask(table, "agree", 3, about), "not-asked")


def test_only_what_could_be_is_asked_for(table: Table, correction: Plain) -> None:
    refused(ask(table, "propose", 2, correction), "not-your-seat")
    refused(ask(table, "propose", 1, {"seq": 99, "data": {}}), "nothing-to-correct")
    refused(ask(table, "propose", 1, {"seq": 2, "data": {"card": 77}}), "not-in-hand")
    fresh = accepted(play(table, 2))
    refused(ask(table, "propose", 2, {"seq": fresh.event.seq, "data": {}}), "not-settled")


def test_a_match_in_which_somebody_corrected_alone_replays_as_it_was_played(
    table: Table, correction: Plain
) -> None:
    """Recorded before anybody was asked."""
    match = current(table)
    last = match.events[-1]
    alone = Event(match.id, last.seq + 1, last.at, "correct", correction, 1, player(1), None, last.hash)
    events = [*match.events, sealed(alone)]
    assert verified(events, {"toy": match.game}) == Verdict(len(events))
