"""A turn: the free movement, one action, and what may be done in a city before and after.

======= ============================ =======================================================================
action  data                         means
======= ============================ =======================================================================
move    ``to``                       free movement of a train that is on a track; ``to`` is a track or city
draw    ``from`` (a suit, ``deck``)  one rail card; again until the tender is full
        or ``count``                 so many of people's own cards
stop                                 no more cards are drawn
build   ``path``, ``cards``          tracks in their order, and the cards played for them
motion  ``to``                       set the train in motion
boost   ``to``                       one space
upgrade ``part``                     speed, power or cargo
load    ``good``                     from the contract onto the train
dump    ``good``                     back to the contract, to make room
deliver ``good``                     where the train is
finish                               the turn is over (asked only where something could be delivered)
pass                                 there is nothing else that could be done
time    (people's own cards)         a time card was turned over
======= ============================ =======================================================================
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import shaped
from companion.core.messages import joined, m
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.match.flow import (
    Nothing,
    acted,
    action_refusal,
    free_refusal,
    listed_actions,
    next_turn,
    player_of,
)
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.build_search import open_builds
from companion.games.spike.rules.moves.building import legal_builds
from companion.games.spike.rules.moves.builds import ground_of
from companion.games.spike.rules.moves.cargo import dumps, legal_loads
from companion.games.spike.rules.moves.drawing_cards import legal_draws
from companion.games.spike.rules.moves.moving import boosts, motions, moves
from companion.games.spike.rules.moves.rail_cards import can_draw, left_to_draw
from companion.games.spike.rules.moves.trains import deliverable, upgrades
from companion.games.spike.rules.rulebook import BOOK, PARTS
from companion.games.spike.rules.words import PART_WORDS


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    part: str


def decide_upgrade(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Buy the next level of one of the train's parts."""
    part = shaped(action.data, _Part, "bad-action").part
    refusal = action_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    player, train = player_of(state, action.seat)
    if part not in PARTS:
        return Refusal(
            "unknown-part",
            m(
                "a train has {parts}, no {part}",
                parts=joined(", ", [PART_WORDS[one] for one in PARTS]),
                part=quoted(part),
            ),
        )
    known = next(name for name in PARTS if name == part)
    cost = BOOK.upgrade_cost(train.level(known))
    if cost is None:
        return Refusal(
            "fully-upgraded",
            m("the {part} of your train has been upgraded twice already", part=PART_WORDS[part]),
        )
    if cost > player.money:
        return Refusal(
            "no-money", m("this upgrade costs ${cost}, you have ${money}", cost=cost, money=player.money)
        )
    return Fact("upgrade", action.seat, {"part": part})


def apply_upgrade(state: State, fact: Fact) -> State:
    """The state with the upgrade bought and paid for."""
    player, train = player_of(state, state.turn)
    cost = BOOK.upgrade_cost(train.level(fact.data["part"])) or 0
    after = with_player(state, state.turn, train=train.upgraded(fact.data["part"]), money=player.money - cost)
    return acted(after)


# --- the end of a turn ---


def decide_finish(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Deliver nothing more in this turn."""
    shaped(action.data, Nothing, "bad-action")
    refusal = free_refusal(state, action.seat)
    if refusal is None and not state.acted:
        return Refusal("no-action", m("a turn has one action: draw, build, set in motion, boost or upgrade"))
    return refusal or Fact("finish", action.seat, {})


def decide_pass(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Pass, where no action is possible."""
    shaped(action.data, Nothing, "bad-action")
    refusal = action_refusal(state, action.seat)
    if refusal is None and not must_pass(state):
        return Refusal("not-needed", m("there is something to be done: a turn has one action"))
    return refusal or Fact("pass", action.seat, {})


def must_pass(state: State) -> bool:
    """Return True if the seat has no action.

    Of people's own hands too little is known: whoever says they cannot build is believed.
    """
    drawing = can_draw(state) if state.by_box else not state.counts_cards or left_to_draw(state) > 0
    if drawing or motions(state) or boosts(state) or list(upgrades(state.player)):
        return False
    return not state.by_box or not open_builds(ground_of(state, state.turn), state.player.hand)


def apply_end(state: State, _fact: Fact) -> State:
    """The state at the beginning of the next turn."""
    return next_turn(state)


# --- everything that is open ---


def legal_in_turn(state: State) -> list[Action]:
    """Every action open to the seat whose turn it is."""
    return [action for kind in TURN_KINDS for action in LEGAL[kind](state)]


def _when(condition: Callable[[State], bool], kind: str) -> Callable[[State], list[Action]]:
    return lambda state: [Action(kind, state.turn)] if condition(state) else []


def _moving(kind: str, places: Callable[[State], list[str]]) -> Callable[[State], list[Action]]:
    return lambda state: [] if state.acted else listed_actions(kind, "to", places(state), state)


LEGAL: dict[str, Callable[[State], list[Action]]] = {
    "move": _moving("move", moves),
    "load": legal_loads,
    "dump": lambda state: listed_actions("dump", "good", [] if state.drawing else dumps(state), state),
    "deliver": lambda state: listed_actions(
        "deliver", "good", [] if state.drawing else deliverable(state, state.player), state
    ),
    "draw": legal_draws,
    "stop": _when(lambda state: state.drawing > 0, "stop"),
    "motion": _moving("motion", motions),
    "boost": _moving("boost", boosts),
    "upgrade": lambda state: (
        [] if state.acted else listed_actions("upgrade", "part", list(upgrades(state.player)), state)
    ),
    "build": legal_builds,
    "finish": _when(lambda state: state.acted and not state.drawing, "finish"),
    "pass": _when(lambda state: not state.acted and must_pass(state), "pass"),
    "time": _when(lambda state: not state.by_box, "time"),
}
TURN_KINDS = tuple(LEGAL)
