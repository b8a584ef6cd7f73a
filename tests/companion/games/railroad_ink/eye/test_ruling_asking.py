"""Expansions whose marks nobody reads: routes as ever, and a tap for what is none."""

from __future__ import annotations

from companion.games.contract import Action, Fact, NoChance, Refusal, Wishes
from companion.games.kit.evidence import Look
from companion.games.railroad_ink.eye.mark_costs import MarkedLooks
from companion.games.railroad_ink.eye.ruling_asking import rule_beside_unread
from companion.games.railroad_ink.rules.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.games.railroad_ink.rules.state import State

_GAME = RailroadInk()
_DRAWN = {"b1": "NS", "b2": "NE", "f1": "NES", "b7": "nS*"}


def _round() -> State:
    setup = _GAME.setup(Wishes(1, "umpire", {"expansion": "city-builder", "goals": "none"}), NoChance())
    assert not isinstance(setup, Refusal)
    state = _GAME.start(setup)
    faces = ["NS", "NE", "NES", "Ns*", *_GAME.die_faces["Income"][:1], *_GAME.die_faces["Building"][:1]]
    roll = _GAME.decide(state, Action("roll", None, {"faces": faces}), NoChance())
    assert isinstance(roll, Fact), roll
    return _GAME.apply(state, roll)


def _looks(**more: Look) -> MarkedLooks:
    routes: dict[str, Look] = {name: {"": 0.999, "NS": 0.001} for name in GRID.names}
    routes |= {name: {text: 0.99, "": 0.01} for name, text in _DRAWN.items()}
    return MarkedLooks("", {**routes, **more}, {})


def test_routes_alone_are_accepted() -> None:
    """Whatever the expansion's dice did, if nothing of it looks like a route."""
    state = _round()
    ruling = rule_beside_unread(_looks(), state.rules, state.boards[1], state.roll)
    assert ruling.outcome == "accepted"
    assert {GRID.names[cell]: route.text for cell, route in ruling.cells.items()} == _DRAWN


def test_a_sign_that_looks_like_a_route_is_asked_about() -> None:
    """One tap on "empty" leaves it to the expansion, and the rest is accepted."""
    state = _round()
    looks = _looks(e5={"NESW": 0.9, "nesw": 0.1, "": 1e-7})
    asked = rule_beside_unread(looks, state.rules, state.boards[1], state.roll)
    assert asked.outcome == "ask"
    options = asked.as_json()["questions"]["e5"]
    assert options[0][0] is None
    assert "NESW" in [mark for mark, _ in options]
    settled = rule_beside_unread(_looks(e5={"": 1.0}), state.rules, state.boards[1], state.roll)
    assert settled.outcome == "accepted"


def test_what_breaks_the_rules_is_still_refused() -> None:
    """A die that is missing is no question."""
    state = _round()
    looks = _looks(b7={"": 1.0})
    assert rule_beside_unread(looks, state.rules, state.boards[1], state.roll).outcome == "refused"
