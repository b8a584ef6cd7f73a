"""From a photograph of the railway area to what is submitted to the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from companion.games.contract import Action
from companion.games.derailed.eye.reader import DerailedReader
from companion.games.derailed.eye.reading import read_cards
from companion.games.derailed.eye.readings import CardReading, seen_from_the_other_end
from companion.games.derailed.eye.seats import answer_for_seat
from companion.games.derailed.eye.told import ruled_cards
from companion.games.derailed.rules.placement import open_placements
from companion.games.derailed.rules.position import read_position
from companion.games.registry import GAMES
from companion.games.sight import SeatAnswer
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable
from lab.derailed.studio.scenes import CardWish

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
    wish = CardWish(cards=shown, hand="printed", mat=True, megapixels=1.2, table_pixels=128)
    return take_card_picture(41, "clean", wish=wish)[0]


def of_match(match: Match, cards: dict[str, str]) -> bytes:
    state = match.state
    return photo(tuple(cards.items()), "".join(state.starts), "".join(state.destinations))


def answered(data: bytes, match: Match, seat: int) -> SeatAnswer[CardReading]:
    return answer_for_seat(read_cards(data), match.state, seat, {}, DIGEST)


def test_a_card_laid_by_hand_is_entered(table: Table) -> None:
    match = begun(table, deal="table")
    seat, state = match.state.turn, match.state
    cell, face = open_placements(state.area(), state.start_lane(seat), ["LTR", "TB"])[0]
    answer = answered(of_match(match, {cell: face}), match, seat)
    assert answer.ruling is not None
    assert (answer.ruling["outcome"], answer.ruling["cells"]) == ("accepted", {cell: face})
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
