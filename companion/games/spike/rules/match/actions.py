"""Every action by its name: how it is decided, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from companion.core.errors import quoted
from companion.core.messages import m
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.match import opening_actions, reports, turn
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves import building, cargo, drawing_cards, moving

Decide: TypeAlias = Callable[[State, Action, Chance], Fact | Refusal]
Apply: TypeAlias = Callable[[State, Fact], State]

UMPIRE: Mapping[str, tuple[Decide, Apply]] = {
    "sides": (opening_actions.decide_sides, opening_actions.apply_sides),
    "give": (opening_actions.decide_give, opening_actions.apply_give),
    "route": (opening_actions.decide_route, opening_actions.apply_route),
    "declare": (opening_actions.decide_declare, opening_actions.apply_declare),
    "market": (opening_actions.decide_market, opening_actions.apply_market),
    "place": (opening_actions.decide_place, opening_actions.apply_place),
    "move": (moving.decide_move, moving.apply_move),
    "motion": (moving.decide_motion, moving.apply_movement),
    "boost": (moving.decide_boost, moving.apply_movement),
    "draw": (drawing_cards.decide_draw, drawing_cards.apply_draw),
    "stop": (drawing_cards.decide_stop, drawing_cards.apply_draw),
    "time": (drawing_cards.decide_time, drawing_cards.apply_time),
    "build": (building.decide_build, building.apply_build),
    "report": (reports.decide_reading, building.apply_build),
    "upgrade": (turn.decide_upgrade, turn.apply_upgrade),
    "load": (cargo.decide_load, cargo.apply_load),
    "dump": (cargo.decide_dump, cargo.apply_dump),
    "deliver": (cargo.decide_deliver, cargo.apply_deliver),
    "finish": (turn.decide_finish, turn.apply_end),
    "pass": (turn.decide_pass, turn.apply_end),
}
SCOREKEEPER: Mapping[str, tuple[Decide, Apply]] = {
    "report": (reports.decide_report, reports.apply_report),
    "done": (reports.decide_done, reports.apply_done),
}
FOR_ALL = ("market", "time", "report")  # these belong to no seat in particular


def _table(state: State) -> Mapping[str, tuple[Decide, Apply]]:
    return SCOREKEEPER if state.mode == "scorekeeper" else UMPIRE


def decide(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """The fact an action becomes, or why not."""
    kinds = _table(state)
    if action.kind not in kinds:
        message = m(
            "{kind} is no action of this match: choose one of {kinds}",
            kind=quoted(action.kind),
            kinds=", ".join(kinds),
        )
        return Refusal("unknown-action", message)
    if action.seat is None and action.kind not in FOR_ALL:
        return Refusal("no-seat", m("say for which seat"))
    return kinds[action.kind][0](state, action, chance)


def apply(state: State, fact: Fact) -> State:
    """The state after a fact."""
    return _table(state)[fact.kind][1](state, fact)
