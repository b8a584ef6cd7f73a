"""From a photograph of the railway area to what is submitted to the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.derailed.reader.context import ruled_cards
from companion.games.derailed.reader.reader import DerailedReader
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import (
    CardReading,
    CardsPhoto,
    Note,
    PlaceReading,
    seen_from_the_other_end,
)
from companion.games.derailed.rules.placement import open_placements
from companion.games.derailed.rules.position import read_position
from companion.reading.types import SeatAnswer
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable
from lab.derailed.studio.scenes import CardSpec
from tests.companion.games.asking import answering
from tests.companion.games.derailed.reader.test_facing import CORNERS, seen

answer_for_seat = answering(DerailedReader())

HOST = Actor("host")
DIGEST = "0" * 64


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        yield Table(store, GAMES, chance=SeededChance(3))


def begun(table: Table, mode: str = "umpire", **options: Any) -> Match:
    data = {"game": "derailed", "players": ["East", "North"], "mode": mode, "options": options}
    assert isinstance(table.submit(Action("start", data=data), HOST), Accepted)
    return current(table)


def current(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


@lru_cache(maxsize=4)
def photo(cards: tuple[tuple[str, str], ...], starts: str, destinations: str) -> bytes:
    """The two lanes with these cards on our mat."""
    stacks: dict[str, tuple[str, ...]] = {cell: (face,) for cell, face in cards}
    shown = CardTable(tuple(starts), tuple(destinations), stacks)
    spec = CardSpec(cards=shown, hand="printed", mat=True, megapixels=1.2, table_pixels=128)
    return take_card_picture(41, "clean", spec=spec)[0]


def of_match(match: Match, cards: dict[str, str]) -> bytes:
    state = match.state
    return photo(tuple(cards.items()), "".join(state.starts), "".join(state.destinations))


def answered(data: bytes, match: Match, seat: int) -> SeatAnswer[CardReading, Any]:
    return answer_for_seat(read_cards(data), match.state, seat, {}, DIGEST)


def test_a_card_laid_by_hand_is_entered(table: Table) -> None:
    match = begun(table, deal="table")
    seat, state = match.state.turn, match.state
    cell, face = open_placements(state.area(), state.start_lane(seat), ["LTR", "TB"])[0]
    answer = answered(of_match(match, {cell: face}), match, seat)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.labels) == ("accepted", {cell: face})
    assert answer.action is not None
    assert isinstance(table.submit(answer.action, HOST), Accepted)
    assert current(table).state.cells == {cell: face}
    assert current(table).events[-1].data["picture"]["photo"] == DIGEST
    assert verified(list(current(table).events), GAMES).fault is None


def test_it_is_somebody_elses_turn(table: Table) -> None:
    match = begun(table, deal="table")
    answer = answered(of_match(match, {"a1": "TB"}), match, 3 - match.state.turn)
    assert answer.action is None
    assert "it is the turn of seat" in answer.says[0]


def test_nothing_new(table: Table) -> None:
    match = begun(table, deal="table")
    answer = answered(of_match(match, {}), match, match.state.turn)
    assert (answer.action, answer.says) == (
        None,
        ("no new card is seen: lay it first, then take the picture",),
    )


def test_the_scorekeeper_is_told_the_whole_area(table: Table) -> None:
    match = begun(table, "scorekeeper")
    cards = {"a1": "TB", "b1": "LTB", "a2": "TR"}
    answer = answered(of_match(match, cards), match, 1)
    assert answer.action is not None
    assert isinstance(table.submit(answer.action, HOST), Accepted)
    assert current(table).state.cells == cards


def test_whose_turn_it_is_is_read_for_and_the_first_as_scorekeeper(table: Table) -> None:
    reader = DerailedReader()
    match = begun(table)
    assert reader.seats(match.state) == (match.state.turn,)
    assert reader.seats(begun(table, "scorekeeper").state) == (1,)


def reported(table: Table, players: int, grid: dict[str, str]) -> Match:
    """A scorekeeper's match with these cards reported."""
    names = ["East", "North", "South", "West", "Fifth", "Sixth"][:players]
    options = {"starts": list("ABCDEF"[:players]), "destinations": [*"ABCDEF"[1:players], "A"]}
    start = {"game": "derailed", "players": names, "mode": "scorekeeper", "options": {}}
    assert isinstance(table.submit(Action("start", data=start), HOST), Accepted)
    assert isinstance(table.submit(Action("report", 1, {"grid": grid, **options}), HOST), Accepted)
    return current(table)


def answered_to(
    shown: CardReading, match: Match, answers: dict[str, str] | None = None
) -> SeatAnswer[CardReading, Any]:
    return answer_for_seat(CardsPhoto(100, 100, (shown,)), match.state, 1, answers or {}, DIGEST)


def with_look(
    sheet: CardReading, cell: str, look: dict[str, float], unseen: str | None = None
) -> CardReading:
    place = PlaceReading(look, unseen, corners=CORNERS)
    return replace(sheet, slots={**sheet.slots, cell: place})


def shown_of(match: Match, grid: dict[str, str]) -> CardTable:
    stacks: dict[str, tuple[str, ...]] = {cell: (face,) for cell, face in grid.items()}
    return CardTable(match.state.starts, match.state.destinations, stacks)


def test_what_was_reported_is_not_silently_another_card(table: Table) -> None:
    match = reported(table, 2, {"a1": "TRB|l", "b1": "TB"})
    misread = seen(shown_of(match, {"a1": "TRB", "b1": "TB", "b2": "LTB"}), 0.9999)
    answer = answered_to(misread, match)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.uncertain) == ("ask", ("a1",))
    assert {face for face, _ in answer.ruling.questions["a1"]} >= {"TRB", "TRB|l"}
    for face in ("TRB", "TRB|l"):
        settled = answered_to(misread, match, {"a1": face})
        assert settled.action is not None
        assert settled.action.data["grid"] == {"a1": face, "b1": "TB", "b2": "LTB"}


def test_a_card_laid_over_a_reported_one_is_not_asked_about(table: Table) -> None:
    match = reported(table, 2, {"a1": "TRB|l", "b1": "TB"})
    answer = answered_to(seen(shown_of(match, {"a1": "LT", "b1": "TB"}), 0.9999), match)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.changes) == ("accepted", ("a1",))


def test_a_reported_card_that_cannot_be_seen_stays(table: Table) -> None:
    match = reported(table, 2, {"a1": "TB", "b1": "TB"})
    picture = with_look(seen(shown_of(match, {"b1": "TB", "b2": "LTB"})), "a1", {"": 1.0}, "covered")
    answer = answered_to(picture, match)
    assert answer.action is not None
    assert answer.action.data["grid"] == {"a1": "TB", "b1": "TB", "b2": "LTB"}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("found_by", ["cards", "tags"])
@pytest.mark.parametrize("turned", [True, False])
def test_a_new_round_is_reported_from_its_picture(
    table: Table, players: int, found_by: str, turned: bool
) -> None:
    match = reported(table, players, {"a1": "TB", "b1": "LTB", "a2": "TR", "a4": "LTRB"})
    state = match.state
    destinations = (*state.destinations[2:], *state.destinations[:2]) if players > 2 else state.starts
    tables: list[dict[str, tuple[str, ...]]] = [{}, {"a1": ("TB",)}]
    if players == 2 and found_by == "cards":
        del tables[1]  # from both ends two companies look the same, and a single card may be either's
    for cards in tables:
        sheet = seen(CardTable(state.destinations, destinations, cards), found_by=found_by)
        if turned and found_by == "cards":
            sheet = seen_from_the_other_end(sheet)
        answer = answered_to(sheet, match)
        assert answer.action is not None, answer.says
        told = answer.action.data
        assert (tuple(told["starts"]), tuple(told["destinations"])) == (state.destinations, destinations)
        assert told["grid"] == {cell: stack[-1] for cell, stack in cards.items()}


def test_a_new_round_of_which_the_stations_are_not_clear(table: Table) -> None:
    match = reported(table, 3, {"a1": "TB", "b1": "LTB", "a2": "TR"})
    next_round = seen(CardTable(match.state.destinations, ("C", "A", "B"), {}))
    unclear = with_look(next_round, "b-destination", {"A": 0.6, "B": 0.4})
    answer = answered_to(unclear, match)
    assert answer.action is None
    assert "set it up on the page" in answer.says[0]


def test_sentences_name_places_of_the_table_as_it_lies(table: Table) -> None:
    """A card face down at a4, seen from the other end, where a4 is the third lane's first cell."""
    match = reported(table, 3, {"a1": "TB", "b1": "LTB", "a2": "TR"})
    shown = with_look(seen(shown_of(match, {**match.state.cells, "c1": "TB"})), "a4", {"": 1.0}, "face down")
    notes = (
        Note("A card lies face down at {}.".format, ("a4",)),
        Note("Hidden: {}.".format, ("c1", "b4", "a-start")),
    )
    from_there = seen_from_the_other_end(replace(shown, notes=notes))
    assert from_there.sentences(minor=True) == [
        "A card lies face down at c1.",
        "Hidden: b1, a4, c-destination.",
    ]
    photo = CardsPhoto(100, 100, (from_there,), (*from_there.sentences(minor=True), "The picture is dark."))
    says = answer_for_seat(photo, match.state, 1, {}, DIGEST).says
    assert says == ("A card lies face down at a4.", "Hidden: c1, b4, a-start.", "The picture is dark.")


def test_minor_things_are_said_where_something_is_doubtful_or_refused(table: Table) -> None:
    match = reported(table, 3, {"a1": "TB"})
    tilt = (Note("The cards are seen at a tilt.", minor=True),)
    clear = replace(seen(shown_of(match, {"a1": "TB", "b1": "TB"})), notes=tilt)
    assert answered_to(clear, match).says == ()
    doubtful = with_look(clear, "b1", {"TB": 0.6, "LR": 0.4})
    assert answered_to(doubtful, match).says == ("The cards are seen at a tilt.",)


def test_a_card_table_in_view_is_named_and_scored() -> None:
    reading = read_cards(photo((("a1", "TB"), ("b1", "LTB"), ("a2", "TR")), "AB", "BA"))
    (seen,) = DerailedReader().view(reading).sheets
    assert (seen.name, seen.says) == ("The card table, 2 lanes", ())
    (found,) = DerailedReader().positions(reading)
    assert GAMES["derailed"].score_position(found.position)["points"] == {"A": 0, "B": 0}
    assert found.position["grid"] == {"a1": "TB", "b1": "LTB", "a2": "TR"}


def test_a_table_seen_from_the_other_end() -> None:
    sheet = read_cards(photo((("a1", "TB"), ("b1", "LTB"), ("a2", "TR")), "AB", "BA")).sheets[0]
    bare = replace(sheet, edition="")
    turned = seen_from_the_other_end(bare)
    assert turned.columns == (("A", "B"), ("B", "A"))  # the same companies, so only the cards differ
    assert {name: cell.best for name, cell in turned.cells.items() if cell.best} == {
        "b4": "TB",
        "a4": "TRB",
        "b3": "LB",
    }
    assert seen_from_the_other_end(turned) == bare


def test_the_position_before_finds_the_new_card() -> None:
    before = read_position({"starts": "AB", "destinations": "BA", "grid": {"a1": "TB", "b1": "LTB"}})
    data = photo((("a1", "TB"), ("b1", "LTB"), ("a2", "TR")), "AB", "BA")
    _, ruling = ruled_cards(read_cards(data).sheets[0], before)
    assert (ruling.outcome, ruling.changed) == ("accepted", ("a2",))
    three = read_position({"starts": "ABC", "destinations": "BCA"})
    assert "2 lanes are in the picture" in ruled_cards(read_cards(data).sheets[0], three)[1].against[0]
