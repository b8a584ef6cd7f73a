"""Expansions whose marks nobody reads: routes as ever, and a tap for what is none."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.reader.seats import left_to_tap
from companion.games.railroad_ink.rules.boards.board import Board
from companion.games.railroad_ink.rules.boards.routes import ROUTES
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import Look
from lab.railroad_ink.expansion_play import random_match

_GAME = RailroadInk()
_DRAWN = {"b1": "NS", "b2": "NE", "f1": "NES", "b7": "nS*"}


def _round() -> State:
    setup = _GAME.setup(MatchRequest(1, "umpire", {"expansion": "city-builder", "goals": "none"}), NoChance())
    assert not isinstance(setup, Refusal)
    state = _GAME.start(setup)
    faces = ["NS", "NE", "NES", "Ns*", *_GAME.die_faces["Income"][:1], *_GAME.die_faces["Building"][:1]]
    roll = _GAME.decide(state, Action("roll", None, {"faces": faces}), NoChance())
    assert isinstance(roll, Fact), roll
    return _GAME.apply(state, roll)


def _rule(slots: SlotProbabilities, state: State) -> BoardRuling:
    return rule(BoardContext.of(state, 1), slots)


def _looks(**more: Look) -> SlotProbabilities:
    routes: dict[str, Look] = {name: {"": 0.999, "NS": 0.001} for name in GRID.names}
    routes |= {name: {text: 0.99, "": 0.01} for name, text in _DRAWN.items()}
    return SlotProbabilities({**routes, **more})


def test_routes_alone_are_accepted() -> None:
    """Whatever the expansion's dice did, if nothing of it looks like a route."""
    state = _round()
    ruling = _rule(_looks(), state)
    assert ruling.outcome == "accepted"
    assert {GRID.names[cell]: route.text for cell, route in ruling.cells.items()} == _DRAWN


def test_a_sign_that_looks_like_a_route_is_asked_about() -> None:
    """One tap on "empty" leaves it to the expansion, and the rest is accepted."""
    state = _round()
    looks = _looks(e5={"NESW": 0.9, "nesw": 0.1, "": 1e-7})
    asked = _rule(looks, state)
    assert asked.outcome == "ask"
    options = asked.as_json()["questions"]["e5"]
    assert options[0][0] is None
    assert "NESW" in [mark for mark, _ in options]
    settled = _rule(_looks(e5={"": 1.0}), state)
    assert settled.outcome == "accepted"


def test_what_breaks_the_rules_is_still_refused() -> None:
    """A die that is missing is no question."""
    state = _round()
    looks = _looks(b7={"": 1.0})
    assert _rule(looks, state).outcome == "refused"


# Where a sign joins routes that nothing else joins, it is tapped first: these rounds are refused till then.
# So are those whose die is settled before anything is drawn.
_TAPPED_FIRST = {"airline": 0.3, "superconnection": 0.5, "rainbow": 0.0}
_NEVER_READ = {"separation", "underground-alone"}  # every face of their dice is one that only they have
_REST = [one for one in TABLES if one not in {*READ_EXPANSIONS, *_NEVER_READ}]


@pytest.mark.parametrize("name", _REST)
def test_rounds_of_every_other_expansion_are_read_but_for_their_signs(name: str) -> None:
    """Routes on the expansion's dice are told from those of the route dice; the match takes them."""
    rounds = read = 0
    for state, fact in random_match(name, Random(5), 1):
        board = state.boards[1]
        if fact is None or fact.kind != "done" or state.only_extra or not _readable(board):
            continue
        rounds += 1
        before = replaced(state, boards={1: board.before_round(state.round)})
        cells = {GRID.names[cell]: route.text for cell, route in board.cells().items()}
        routes: dict[str, Look] = {place: {"": 0.9999, "NS": 0.0001} for place in GRID.names}
        routes |= {place: {text: 0.9999, "": 0.0001} for place, text in cells.items()}
        ruling = _rule(SlotProbabilities(routes), before)
        if ruling.outcome != "accepted":
            continue
        moves = [{key: move[key] for key in move if key != "round"} for move in ruling.moves]
        turn = _GAME.decide(before, Action("turn", 1, {"moves": moves}), NoChance())
        if isinstance(turn, Refusal) and name == "rainbow":
            assert turn.code == "first"
            continue
        assert isinstance(turn, Fact), (name, turn, moves)
        after = _GAME.apply(before, turn).boards[1].cells()
        assert {GRID.names[cell]: route.text for cell, route in after.items()} == cells
        read += 1
    assert read >= _TAPPED_FIRST.get(name, 0.7) * rounds


def _readable(board: Board) -> bool:
    """Not what only an expansion draws: that is no route to the reader."""
    return all(route.text in ROUTES for route in board.cells().values())


def test_the_dice_that_are_left_are_named() -> None:
    """A photograph of routes with a sheep among them: the round is entered, the UFO of another die is not."""
    for state, fact in random_match("street-lamps", Random(5), 1):
        if fact is not None and fact.kind == "done" and _readable(state.boards[1]):
            break
    board = state.boards[1]
    before = replaced(state, boards={1: board.before_round(state.round)})
    cells = {GRID.names[cell]: route.text for cell, route in board.cells().items()}
    assert any(one.placement.cell for one in board.placed if one.round == state.round)
    routes: dict[str, Look] = {place: {cells.get(place, ""): 0.9999, "NeSw*": 0.0001} for place in GRID.names}
    ruling = _rule(SlotProbabilities(routes), before)
    used = [face for move in ruling.moves for face in move.get("uses", ())]
    assert sorted(used) == sorted(state.extra)
    assert left_to_tap(ruling, before, 1) == ()
    plain = replace(ruling, moves=())
    assert left_to_tap(plain, before, 1) == ("now tap what the other dice drew: NE lamp and NS lamp",)
