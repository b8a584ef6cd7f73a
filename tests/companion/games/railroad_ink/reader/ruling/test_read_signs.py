"""Rounds with an expansion ruled from what a picture shows, made up here from random legal matches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from companion.core.errors import NotationError
from companion.core.records import replaced
from companion.game.base import Action, Fact, NoChance
from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, READ_EXPANSIONS, class_at, is_alone
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.boards.board import Board, Placed, Rules
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.expansion_play import random_match

from .rulings import rule_round

_GAME = RailroadInk()


@cache
def _ends(expansion: str, seed: int) -> tuple[State, ...]:
    """A match at the end of every round, before the seat is done."""
    return tuple(
        state
        for state, fact in random_match(expansion, Random(seed), 1)
        if fact is not None and fact.kind == "done" and not state.only_extra
    )


def _marks(state: State) -> Marks:
    boxes = TABLES[state.options.known].boxes
    return {place: text for place, text in marks_of(state, state.boards[1]).items() if place not in boxes}


def _looks(state: State, noise: float = 1e-3) -> SlotProbabilities:
    """What a good reader sees; where a mark fills a space the network of routes sees some route."""
    name, cells, marks = state.options.known, state.boards[1].cells(), _marks(state)
    routes: dict[str, dict[str, float]] = {}
    seen: dict[str, dict[str, float] | None] = {}
    for cell, place in enumerate(GRID.names):
        text = cells[cell].text if cell in cells else ""
        routes[place] = {text: 1 - noise, "NS" if text != "NS" else "EW": noise}
        if name == "canyon":
            continue
        found = class_at(marks, cell, cells.get(cell))
        others = [one for one in CLASSES_OF[name] if one != found]
        seen[place] = (
            None if found is None else {found: 1 - noise, **{one: noise / len(others) for one in others}}
        )
        if found is not None and is_alone(found):
            routes[place] = {"EW": 0.9, "": 0.1}
    if name == "canyon":
        for border in _borders():
            found = "canyon" if border in marks else ""
            seen[border] = {found: 1 - noise, "" if found else "canyon": noise}
    return SlotProbabilities(routes, name, seen)


def _borders() -> list[str]:
    pairs = [(cell, GRID.neighbours[cell][way]) for cell in range(GRID.size) for way in (1, 2)]
    return [f"{GRID.names[cell]}-{GRID.names[other]}" for cell, other in pairs if other >= 0]


@pytest.mark.parametrize("expansion", READ_EXPANSIONS)
def test_legal_rounds_are_ruled_as_they_were_drawn(expansion: str) -> None:
    """Routes and marks of every round of a match; and the match takes the round as it is told."""
    for state in _ends(expansion, 1)[1::2]:
        board = state.boards[1]
        before = board.before_round(state.round)
        ruling = rule_round(_looks(state), state, before)
        assert ruling.outcome != "refused", ruling.against
        assert ruling.cells == board.cells()
        kept = {place: text for place, text in (ruling.marks or {}).items() if place != "lost"}
        assert kept == _marks(state)
        moves = [{key: move[key] for key in move if key != "round"} for move in ruling.moves]
        if not moves:
            continue
        begun = _with_board(state, before)
        fact = _GAME.decide(begun, Action("turn", 1, {"moves": moves}), NoChance())
        assert isinstance(fact, Fact), fact
        after = _GAME.apply(begun, fact)
        assert after.boards[1].cells() == board.cells()
        assert _marks(after) == _marks(state)
        assert _GAME.decide(begun, fact, NoChance()) == fact  # as a replay asks again


# Most of the half that nobody sees may be drawn on: going through it all takes up to half a minute a round.
_HALF = [
    pytest.param(name, "defg", marks=() if name == "desert" else pytest.mark.slow) for name in READ_EXPANSIONS
]


@pytest.mark.parametrize(("expansion", "columns"), [*((name, "g") for name in READ_EXPANSIONS), *_HALF])
def test_nobody_is_asked_about_what_is_not_in_the_picture(expansion: str, columns: str) -> None:
    """What is entered is what was drawn; else what is cut off is wanted, and nothing is asked about it."""
    cut = entered = 0
    for state in _ends(expansion, 1)[1::3]:
        before, seen = state.boards[1].before_round(state.round), _looks(state)
        outside = {name for name in GRID.names if name[0] in columns}
        routes = {name: None if name in outside else look for name, look in seen.routes.items()}
        marks = {place: None if {*place.split("-")} & outside else look for place, look in seen.marks.items()}
        looks = SlotProbabilities(routes, expansion, marks, outside=frozenset(outside))
        told = rule_round(looks, state, before)
        asked = {GRID.names[cell] for cell in told.doubtful} | {doubt.slot for doubt in told.mark_doubts}
        if told.outcome == "refused":
            cut += f"the right {'edge' if columns == 'g' else 'half'} is missing" in told.against[0]
        else:
            assert not {name for slot in asked for name in slot.removesuffix("+").split("-")} & outside
            assert told.outcome != "accepted" or told.cells == state.boards[1].cells()
            entered += told.outcome == "accepted"
    assert cut or (columns == "g" and entered)


def _with_board(state: State, board: Board) -> State:
    return replaced(state, boards={1: board})


def test_a_mark_that_no_die_explains_is_refused_with_its_place() -> None:
    """Trees that appear in a cell although neither die shows them."""
    state = _ends("forest", 1)[2]
    before = state.boards[1].before_round(state.round)
    looks = _looks(state)
    empty = [name for name, look in looks.routes.items() if look and look.get("", 0) > 0.9]
    assert len(empty) > 3
    for name in empty[:3]:
        looks.marks[name] = {"trees": 0.9999, "": 0.0001}  # type: ignore[index]
        looks.routes[name] = {"": 0.999, "NS": 0.001}  # type: ignore[index]
    ruling = rule_round(looks, state, before)
    assert ruling.outcome == "refused"
    assert any("trees is not a legal use of the dice rolled" in sentence for sentence in ruling.against)


def test_a_doubtful_mark_is_asked_about_and_settled_by_a_tap() -> None:
    """In a slot of its own beside that of the route; the answer is that of the notation of marks."""
    state = next(one for one in _ends("forest", 1) if "trees" in one.extra and _placed(one, "trees"))
    place = _placed(state, "trees")
    looks = _looks(state)
    looks.marks[place] = {"trees": 0.55, "": 0.45}  # type: ignore[index]
    looks.routes[place] = {"": 0.9, "NS": 0.1}  # type: ignore[index]
    before = state.boards[1].before_round(state.round)
    asked = rule_round(looks, state, before)
    told = asked.as_json()
    assert asked.outcome == "ask"
    assert f"{place}+" in told["questions"]
    assert {option for option, _ in told["questions"][f"{place}+"]} == {"trees", None}
    settled = rule_round(looks.settled({f"{place}+": "trees"}), state, before)
    assert settled.outcome == "accepted"
    assert settled.as_json()["marked"][f"{place}+"] == "trees"
    with pytest.raises(NotationError):
        looks.settled({f"{place}+": "river:NS"})


def _placed(state: State, face: str) -> str:
    """Where a die of this round with that face was put; empty if it was not."""
    return next(
        (
            place
            for one in state.boards[1].placed
            if one.round == state.round and one.placement.uses == (face,)
            for place, _ in one.placement.marks
        ),
        "",
    )


def test_dice_that_nobody_wrote_down_may_show_anything() -> None:
    """Without the faces the marks are still those of one legal round."""
    state = next(one for one in _ends("river", 1) if one.boards[1].placed)
    before = state.boards[1].before_round(state.round)
    context = BoardContext(state.rules, before, state.roll, None, finished=False)
    ruling = rule(context, _looks(state))
    assert ruling.outcome != "refused", ruling.against
    assert ruling.marks == _marks(state)


@pytest.mark.parametrize("expansion", READ_EXPANSIONS)
def test_boards_by_themselves_keep_their_marks(expansion: str) -> None:
    """Where nothing else is known the marks are those that are seen, and no route stands under one."""
    state = _ends(expansion, 2)[-1]
    ruling = rule(BoardContext(Rules()), _looks(state))
    told = {
        place: text.partition(":")[0] if expansion == "meteor" else text
        for place, text in _marks(state).items()
    }
    drawn = {place for place in told if expansion == "meteor" and GRID.cell(place) in state.boards[1].cells()}
    assert ruling.marks == {place: text for place, text in told.items() if place not in drawn}


def test_which_special_route_was_crossed_off_for_a_sun_is_asked() -> None:
    """Cacti that an arid sun would have burnt are there still, and the row beside the grid cannot be seen."""
    state = replaced(_ends("desert", 1)[0], dice=(), extra=("sun", "cacti"), round=2)
    cactus = Placed(Placement(("cacti",), marks=(("g5", "cacti"),)), 1)
    before = replaced(state.boards[1].before_round(2), placed=(cactus,))
    after = replaced(state, boards={1: before})
    asked = rule_round(_looks(after), state, before, finished=False)
    options = [mark for mark, _ in asked.as_json()["questions"]["crossed-off"]]
    assert asked.outcome == "ask"
    assert "NESW" in options
    looks = _looks(after).settled({"crossed-off": "NESW"})
    settled = rule_round(looks, state, before, finished=False)
    assert settled.outcome == "accepted"
    assert [move["special"] for move in settled.moves if "special" in move] == ["NESW"]


def test_a_route_with_a_river_across_it_that_looks_like_a_crossing_is_not_asked_about() -> None:
    crossings = {"NS": "NS|ew", "EW": "EW|ns", "ns": "EW|ns", "ew": "NS|ew"}
    bridges = 0
    for state in (one for seed in (2, 3) for one in _ends("river", seed)[2:]):
        board, looks = state.boards[1], _looks(state)
        routes = dict(looks.routes)
        for cell, route in board.cells().items():
            if GRID.names[cell] in _marks(state):
                routes[GRID.names[cell]] = {crossings[route.text]: 0.97, route.text: 0.03}
                bridges += 1
        seen = replace(looks, routes=routes)
        before = board.before_round(state.round)
        ruling = rule_round(seen, state, before)
        assert (ruling.outcome, ruling.cells) == ("accepted", board.cells()), ruling
    assert bridges > 10


def test_known_signs_that_are_wiped_are_forgiven_others_in_their_place_are_not() -> None:
    """Three oases and cacti from earlier rounds cannot be seen any more; or something else stands there."""
    ends = [one for seed in range(1, 6) for one in _ends("desert", seed) if "sun" not in one.extra]
    state = next(one for one in ends if len(_old_signs(one)) > 2)
    before = state.boards[1].before_round(state.round)
    names = CLASSES_OF["desert"]
    looks = _looks(state)
    wiped = dict.fromkeys(_old_signs(state)[:3], _surely("", names))
    ruling = rule_round(replace(looks, marks={**looks.marks, **wiped}), state, before)
    assert (ruling.outcome, ruling.marks) == ("accepted", _marks(state)), ruling
    others = {
        place: _surely("+cactus" if "oasis" in _marks(state)[place] else "+oasis", names) for place in wiped
    }
    refused = rule_round(replace(looks, marks={**looks.marks, **others}), state, before)
    assert refused.outcome == "refused"
    assert any("not a legal use of the dice" in sentence for sentence in refused.against), refused.against


def _old_signs(state: State) -> list[str]:
    board = state.boards[1]
    new = {place for one in board.placed if one.round == state.round for place, _ in one.placement.marks}
    return [place for place, text in _marks(state).items() if place not in new and text != "cacti"]


def _surely(seen: str, names: tuple[str, ...]) -> dict[str, float]:
    return {seen: 0.9999, **{name: 0.0001 / len(names) for name in names if name != seen}}


def test_cacti_that_a_sun_burnt_are_gone_and_drawn_over_in_the_same_round() -> None:
    """What the round's dice take away is no earlier ink that somebody altered."""
    burnt = 0
    for state in (one for seed in range(3, 9) for one in _ends("desert", seed)):
        board = state.boards[1]
        gone = [one for one in board.placed if one.round == state.round and one.placement.erase]
        if not gone:
            continue
        burnt += 1
        before = board.before_round(state.round)
        ruling = rule_round(_looks(state), state, before)
        assert ruling.outcome != "refused", ruling.against
        assert (ruling.cells, ruling.marks) == (board.cells(), _marks(state))
    assert burnt > 2


def test_a_guess_at_what_is_half_hidden_helps_where_the_dice_allow_it() -> None:
    """A thing lies on new lava; what is left to see of it decides whether it was drawn there."""
    state = next(one for one in _ends("lava", 1) if _new_alone(one))
    place = _new_alone(state)
    before = state.boards[1].before_round(state.round)
    looks = _looks(state)
    guess = looks.marks[place]
    hidden = replace(
        looks, routes={**looks.routes, place: None}, marks={**looks.marks, place: None}, crossed_for=""
    )
    helped = replace(hidden, mark_guesses={place: guess}, route_guesses={place: {"": 0.9, "NS": 0.1}})
    ruling = rule_round(helped, state, before)
    assert (ruling.marks or {}).get(place) == _marks(state)[place]
    assert ruling.p > rule_round(hidden, state, before).p
    impossible = replace(hidden, mark_guesses={place: {"+lava:N": 1.0}})
    assert rule_round(impossible, state, before).outcome != "refused"


def _new_alone(state: State) -> str:
    """A place in which this round's dice drew lava that fills it; empty if there is none."""
    cells = {GRID.names[cell] for cell in state.boards[1].cells()}
    return next(
        (
            place
            for one in state.boards[1].placed
            if one.round == state.round
            for place, text in one.placement.marks
            if place in GRID.names and place not in cells and text.startswith("lava")
        ),
        "",
    )
