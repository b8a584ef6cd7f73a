"""What a match's photographs settle is lent to its next ones, in the reader's process."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game.base import Action, MatchRequest, Refusal
from companion.game.registry import GAMES, find_reader, find_studio
from companion.games.derailed.reader.decks.references import ReferenceCards
from companion.games.derailed.reader.reader import DerailedReader
from companion.games.derailed.rules.placement import open_placements
from companion.reading.types import ReadHints
from companion.service.photos.match_memory import KEPT_MATCHES, MatchMemory
from companion.service.photos.queries import MatchContext, PhotoQuery
from companion.service.photos.reading_boards import read_boards
from companion.service.photos.worker import Worker
from companion.table.chance import SeededChance


class Listing(DerailedReader):
    """Lends a list of whatever was shown and is still there."""

    def references(self, before: Any, shown: Any, state: Any) -> Any:
        return [*(before or []), *(one for one in shown if one in state)]


def test_a_match_lends_what_it_kept_and_a_photograph_nothing_to_itself() -> None:
    memory, reader = MatchMemory(), Listing()
    assert memory.references(reader, "m", "first", "") is None
    memory.keep("m", "first", "ab")
    assert memory.references(reader, "m", "first", "ab") is None
    assert memory.references(reader, "m", "second", "a") == ["a"]  # somebody undid the other
    references = memory.references(reader, "m", "second", "ab")
    assert references is memory.references(
        reader, "m", "third", "ab"
    )  # the same object: the reading is not done again


def test_matches_are_apart_and_the_oldest_is_forgotten() -> None:
    memory, reader = MatchMemory(), Listing()
    for n in range(KEPT_MATCHES + 1):
        memory.keep(f"m{n}", "first", str(n))
    assert memory.references(reader, f"m{KEPT_MATCHES}", "second", "0123") == [str(KEPT_MATCHES)]
    assert memory.references(reader, "m0", "second", "0123") is None


def test_cards_of_an_accepted_photograph_are_known_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    game, studio, worker = GAMES["derailed"], find_studio("derailed"), Worker()
    data = game.setup(MatchRequest(2, options={"deal": "table", "tunnels": False}), SeededChance(1))
    assert not isinstance(data, Refusal)
    state = game.start(data)
    wishes: list[ReadHints] = []
    read = DerailedReader.read

    def listened(self: DerailedReader, photo: Any, hints: ReadHints) -> Any:
        wishes.append(hints)
        return read(self, photo, hints)

    monkeypatch.setattr(DerailedReader, "read", listened)
    assert isinstance(find_reader("derailed"), DerailedReader)

    seat = state.turn
    cell, face = open_placements(state.area(), state.start_lane(seat), ["LTR", "TB"])[0]
    laid = game.apply(state, Action("place", seat, {"cell": cell, "card": face}))
    photo = studio.picture(laid, 1)
    for answers in ({}, {cell: face}):
        known_match = MatchContext("derailed", state, match="m")
        first = read_boards(worker, known_match, (photo,), seat, PhotoQuery(answers))
        assert first.boards[seat].action is not None
    assert [hints.references for hints in wishes] == [None]  # read once

    for match, references in (("other", []), ("m", [(cell, face)])):
        later = MatchContext("derailed", laid, match=match)
        read_boards(worker, later, (studio.picture(laid, 2),), laid.turn)
        known = wishes[-1].references
        assert (list(known.views) if isinstance(known, ReferenceCards) else []) == references
