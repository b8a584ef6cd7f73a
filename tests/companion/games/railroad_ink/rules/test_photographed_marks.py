"""A photographed round with an expansion: routes and placements in one action."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, marks_of

_GAME = RailroadInk()
_ROUTES = ("NS", "NE", "NES", "Ns*")


def _begun(expansion: str, *extra: str) -> State:
    setup = _GAME.setup(MatchRequest(1, "umpire", {"expansion": expansion, "goals": "none"}), NoChance())
    assert not isinstance(setup, Refusal)
    state = _GAME.start(setup)
    roll = _GAME.decide(state, Action("roll", None, {"faces": [*_ROUTES, *extra]}), NoChance())
    assert isinstance(roll, Fact), roll
    return _GAME.apply(state, roll)


def _turn(state: State, *moves: JsonObject) -> Fact | Refusal:
    return _GAME.decide(state, Action("turn", 1, {"moves": list(moves)}), NoChance())


def test_routes_and_placements_are_made_in_their_order() -> None:
    """The forest's curve joins a route of the same photograph."""
    state = _begun("forest", "NE+trees", "trees")
    road = {"cell": "b1", "route": "NS", "from": "die"}
    curve = {"uses": ["NE+trees"], "cell": "b2", "route": "NE", "marks": {"b2": "trees"}}
    fact = _turn(state, road, curve, {"uses": ["trees"], "marks": {"e5": "trees"}})
    assert isinstance(fact, Fact), fact
    after = _GAME.apply(state, fact)
    assert {"b1", "b2"} == {one.cell for one in after.boards[1].drawings}
    assert marks_of(after, after.boards[1]) == {"b2": "trees", "e5": "trees"}
    assert _GAME.decide(state, fact, NoChance()) == fact
    early = _turn(state, curve, road)
    assert isinstance(early, Refusal)
    assert early.code == "not-placed"


def test_what_is_settled_first_comes_first() -> None:
    """A meteor falls before anything is drawn, in a photographed round, too."""
    state = _begun("meteor", "toward:N", "distance:2")
    road = {"cell": "b1", "route": "NS", "from": "die"}
    strike = {"uses": ["toward:N", "distance:2"], "marks": {"d2": "crater:1"}}
    assert isinstance(_turn(state, strike, road), Fact)
    late = _turn(state, road, strike)
    assert isinstance(late, Refusal)
    assert late.code == "first"
    alone = _turn(state, road)
    assert isinstance(alone, Refusal)
    assert alone.code == "first"


def test_answers_about_marks_are_kept_with_the_picture() -> None:
    """By their slots, beside those about routes, which are written as usual."""
    state = _begun("forest", "trees", "trees")
    settled = {"b1": "SN", "e5+": "trees", "c3-d3": ""}
    moves = [{"cell": "b1", "route": "NS", "from": "die"}, {"uses": ["trees"], "marks": {"e5": "trees"}}]
    data = {"moves": moves, "picture": {"photo": "ab" * 32, "settled": settled}}
    fact = _GAME.decide(state, Action("turn", 1, data), NoChance())
    assert isinstance(fact, Fact), fact
    assert fact.data["picture"]["settled"] == {"b1": "NS", "e5+": "trees", "c3-d3": ""}
