"""What was settled before the last roll is changed by the host, or by everybody together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.jsontext import JsonObject
from companion.game.base import Action
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
def correction(table: Table) -> JsonObject:
    """The other card of the first hand."""
    match = current(table)
    dealt = match.game.start(match.opening["setup"]).hands[1]
    return {"seq": 2, "data": {"card": dealt[1]}}


def current(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


def ask(table: Table, kind: str, seat: int, data: JsonObject) -> Accepted | Refused:
    return table.submit(Action(kind, seat, data), player(seat))


def test_nobody_changes_alone_what_was_settled(table: Table, correction: JsonObject) -> None:
    answer = refused(ask(table, "correct", 1, correction), "everybody")
    assert "the host can correct it, or everybody agrees to it" in answer.message
    accepted(table.submit(Action("correct", 1, correction), HOST))
    assert current(table).state.money[1] == correction["data"]["card"]


def test_with_everybodys_agreement_it_happens(table: Table, correction: JsonObject) -> None:
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
def test_one_who_objects_is_enough(table: Table, correction: JsonObject, seat: int) -> None:
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    accepted(ask(table, "object", seat, about))
    refused(ask(table, "agree", 3, about), "not-asked")


def test_only_what_could_be_is_asked_for(table: Table, correction: JsonObject) -> None:
    refused(ask(table, "propose", 2, correction), "not-your-seat")
    refused(ask(table, "propose", 1, {"seq": 99, "data": {}}), "nothing-to-correct")
    refused(ask(table, "propose", 1, {"seq": 2, "data": {"card": 77}}), "not-in-hand")
    fresh = accepted(play(table, 2))
    refused(ask(table, "propose", 2, {"seq": fresh.event.seq, "data": {}}), "not-settled")


def leave(table: Table, seat: int, by: str) -> None:
    accepted(table.submit(Action("hold", seat, {"by": by}), HOST))


@pytest.mark.parametrize("by", ["nobody", "bot"])
def test_when_the_last_one_who_was_asked_leaves_everybody_has_agreed(
    table: Table, correction: JsonObject, by: str
) -> None:
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    before = current(table).state
    accepted(ask(table, "agree", 2, about))
    assert current(table).state == before
    leave(table, 3, by)
    match = current(table)
    assert match.state.money[1] == correction["data"]["card"]
    assert open_proposals(match.events) == {}
    assert [event.kind for event in match.events[-2:]] == ["hold", "agree"]
    assert folded(match.events, match.game).state == match.state
    assert verified(match.events, {"toy": match.game}) == Verdict(len(match.events))


def test_all_who_were_asked_may_leave(table: Table, correction: JsonObject) -> None:
    accepted(ask(table, "propose", 1, correction))
    leave(table, 3, "nobody")
    assert len(open_proposals(current(table).events)) == 1
    leave(table, 2, "nobody")
    assert current(table).state.money[1] == correction["data"]["card"]


def test_a_change_that_cannot_be_made_any_more_is_withdrawn(table: Table, correction: JsonObject) -> None:
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    accepted(ask(table, "agree", 2, about))
    for _ in range(2):  # both cards of that kind are played: there is no third that could have been the first
        accepted(play(table, 2))
        accepted(play(table, 3))
        accepted(table.submit(Action("play", 1, correction["data"]), HOST))
    assert len(open_proposals(current(table).events)) == 1
    leave(table, 3, "nobody")
    match = current(table)
    assert open_proposals(match.events) == {}
    assert [event.kind for event in match.events[-2:]] == ["hold", "object"]
    assert verified(match.events, {"toy": match.game}) == Verdict(len(match.events))


def test_whoever_comes_back_is_asked_again(table: Table, correction: JsonObject) -> None:
    leave(table, 3, "nobody")
    about = {"seq": accepted(ask(table, "propose", 1, correction)).event.seq}
    leave(table, 3, "person")
    accepted(ask(table, "agree", 2, about))
    assert about["seq"] in open_proposals(current(table).events)
    accepted(ask(table, "agree", 3, about))
    assert open_proposals(current(table).events) == {}


def test_nobody_is_asked_for_what_stands_there_already(table: Table) -> None:
    same = {"seq": 2, "data": current(table).events[1].data}
    refused(ask(table, "propose", 1, same), "no-change")


def test_a_recorded_question_for_what_stood_there_already_replays(table: Table) -> None:
    match = current(table)
    last = match.events[-1]
    same = {"seq": 2, "data": match.events[1].data}
    event = Event(match.id, last.seq + 1, last.at, "propose", same, 1, player(1), None, last.hash)
    events = [*match.events, sealed(event)]
    assert verified(events, {"toy": match.game}) == Verdict(len(events))


def test_a_match_in_which_somebody_corrected_alone_replays_as_it_was_played(
    table: Table, correction: JsonObject
) -> None:
    """Recorded before anybody was asked."""
    match = current(table)
    last = match.events[-1]
    alone = Event(match.id, last.seq + 1, last.at, "correct", correction, 1, player(1), None, last.hash)
    events = [*match.events, sealed(alone)]
    assert verified(events, {"toy": match.game}) == Verdict(len(events))
