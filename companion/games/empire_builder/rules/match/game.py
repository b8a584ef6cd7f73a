"""Empire Builder as a game of the table: setup, the actions, what they do, and what everybody sees.

======= =============================== ===================================================================
action  data                            means
======= =============================== ===================================================================
place   ``at``                          my train begins in this city of my track
move    ``path`` or ``to``              my train runs; the fact says the ``fees`` paid before
pickup  ``load``                        I take a load that the city supplies
drop    ``load``                        I leave a load; its chip goes back to the supply
deliver ``load``, ``card``              I deliver for this demand; the fact says what I ``drew`` for it
lose    ``load``                        my derailed train has lost this load
build   ``path`` or ``to``              I build track; the fact says its ``price``
event   ``card``                        I have drawn this event (people's own cards on the table)
new_hand                                I give up this turn for three other cards (where that is allowed)
upgrade ``to``                          I buy a better loco card instead of building
borrow  ``amount``                      I borrow from the bank; the fact says what is ``owed`` then
repay   ``amount``                      I pay back some of it
done                                    my turn is over
report  ``track``, ``cash``, ``trains`` how it stands on the table (scorekeeper)
======= =============================== ===================================================================

``build`` may have ``more`` lines, and like ``report`` a ``picture``: the photograph from which it was read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action, Chance, Fact, Game, Refusal
from companion.games.empire_builder.rules.boards.position import explain_position, score_position
from companion.games.empire_builder.rules.cards.ownhands import (
    after_new_hand,
    after_told_event,
    decide_event,
    decide_new_hand,
    may_change_hand,
)
from companion.games.empire_builder.rules.match.check import check_moves
from companion.games.empire_builder.rules.match.reports import after_report, decide_report
from companion.games.empire_builder.rules.match.results import faults, scores, table_view
from companion.games.empire_builder.rules.match.setup import (
    admit,
    admit_fault,
    option_faults,
    setup,
    setup_fault,
    started,
)
from companion.games.empire_builder.rules.match.state import OPTIONS, State, supply
from companion.games.empire_builder.rules.match.turns import (
    after_done,
    after_upgrade,
    come_back,
    decide_done,
    decide_upgrade,
    leave,
    not_now,
    upgrades,
)
from companion.games.empire_builder.rules.moves.borrowing import (
    after_borrow,
    after_repay,
    decide_borrow,
    decide_repay,
    legal_banking,
)
from companion.games.empire_builder.rules.moves.building import after_build, decide_build, legal_builds
from companion.games.empire_builder.rules.moves.freight import (
    after_deliver,
    after_drop,
    after_lose,
    after_pickup,
    city_of,
    decide_deliver,
    decide_drop,
    decide_lose,
    decide_pickup,
    deliverable,
)
from companion.games.empire_builder.rules.moves.moving import (
    after_move,
    after_place,
    decide_move,
    decide_place,
    reachable,
    starting_mileposts,
)
from companion.games.empire_builder.rules.moves.questions import answered
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.decks import concealed, no_hands_for_bots

Decide: TypeAlias = Callable[[State, Action, Chance], Fact | Refusal]

_DECIDE: dict[str, Decide] = {
    "place": decide_place,
    "move": decide_move,
    "pickup": decide_pickup,
    "drop": decide_drop,
    "deliver": decide_deliver,
    "lose": decide_lose,
    "build": decide_build,
    "upgrade": decide_upgrade,
    "done": decide_done,
    "event": decide_event,
    "new_hand": decide_new_hand,
    "borrow": decide_borrow,
    "repay": decide_repay,
}

_APPLY: dict[str, Callable[[State, Fact], State]] = {
    "place": after_place,
    "move": after_move,
    "pickup": after_pickup,
    "drop": after_drop,
    "deliver": after_deliver,
    "lose": after_lose,
    "build": after_build,
    "upgrade": after_upgrade,
    "done": after_done,
    "report": after_report,
    "event": after_told_event,
    "new_hand": after_new_hand,
    "borrow": after_borrow,
    "repay": after_repay,
}


class EmpireBuilder(Game[State]):
    """Two to six players on our map of North America, or on the owner's."""

    name = "empire-builder"
    title = "Empire Builder"
    seats = RULES.match.players
    options = OPTIONS
    state_type = State
    file_options = ("cards", "map", "events", "chips")
    skips_empty_seats = True
    answers_questions = True

    setup = staticmethod(setup)
    setup_fault = staticmethod(setup_fault)
    option_faults = staticmethod(option_faults)
    start = staticmethod(started)
    bots_fault = staticmethod(no_hands_for_bots)
    leave = staticmethod(leave)
    come_back = staticmethod(come_back)
    admit_fault = staticmethod(admit_fault)
    admit = staticmethod(admit)
    score = staticmethod(scores)
    ask = staticmethod(answered)
    score_position = staticmethod(score_position)
    explain_position = staticmethod(explain_position)
    check_moves = staticmethod(check_moves)
    faults = staticmethod(faults)

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        """One of the actions, or the rule against it."""
        if action.kind not in _APPLY:
            message = m(
                "there is no action {kind} here: {apply}", kind=quoted(action.kind), apply=", ".join(_APPLY)
            )
            return Refusal("unknown-action", message)
        if action.kind == "report":
            return decide_report(state, action)
        if state.mode == "scorekeeper" and action.kind != "done":
            message = m(
                "in this match cards and money lie on the table: report how it stands, and end your turn"
            )
            return Refusal("not-umpire", message)
        refusal = not_now(state, action.seat, action.kind)
        return refusal or _DECIDE[action.kind](state, action, chance)

    def apply(self, state: State, fact: Fact) -> State:
        return _APPLY[fact.kind](state, fact)

    def lasting(self, fact: Fact) -> bool:
        """Cards that everybody has seen cannot go back into the deck."""
        return fact.kind in ("deliver", "new_hand")

    def legal(self, state: State, seat: int) -> list[Action]:
        """What this seat may do now; builds are listed segment by segment, runs by where they end."""
        if seat in state.out:
            return []
        if state.mode == "scorekeeper":
            done = [Action("done", seat)] if seat == state.seat else []
            return [Action("report", seat), *done]
        if seat in state.losing:
            return [_load_action("lose", seat, load) for load in sorted({*state.players[seat].train.loads})]
        if not_now(state, seat, "done") is not None:
            return []
        operations = _operations(state, seat) if not_now(state, seat, "move") is None else []
        building = _building(state, seat) if not_now(state, seat, "build") is None else []
        in_force = {event.card for event in state.in_force}
        told = [] if state.box_deals else [card for card in state.events if card not in in_force]
        events = [Action("event", seat, {"card": card}) for card in told]
        new_hand = [Action("new_hand", seat)] if may_change_hand(state) else []
        banking = legal_banking(state, seat)
        return [*operations, *building, *events, *new_hand, *banking, Action("done", seat)]

    def view(self, state: State, seat: int | None) -> JsonObject:
        """Everything lies open but the order of the deck; what is open is worked out for one's own seat."""
        return {**table_view(state), "you": seat}

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        """Nobody sees the order of the deck."""
        return concealed(fact, "deck")

    def finished(self, state: State) -> bool:
        return state.finished


def _load_action(kind: str, seat: int, load: str) -> Action:
    return Action(kind, seat, {"load": load})


def _operations(state: State, seat: int) -> list[Action]:
    names, train = state.board.names, state.players[seat].train
    if train.at is None:
        return [Action("place", seat, {"at": names[at]}) for at in starting_mileposts(state, seat)]
    runs = [
        Action("move", seat, {"path": [names[milepost] for milepost in run.mileposts]})
        for run in reachable(state, seat).values()
    ]
    deliveries = [
        Action("deliver", seat, {"load": demand.load, "card": card})
        for card, demand in deliverable(state, seat)
    ]
    return [*deliveries, *_loading(state, seat), *runs]


def _loading(state: State, seat: int) -> list[Action]:
    city, train = city_of(state, seat), state.players[seat].train
    if city is None:
        return []
    drops = [_load_action("drop", seat, load) for load in sorted({*train.loads})]
    if train.at in state.effects.strikes or len(train.loads) >= train.card.loads:
        return drops
    ready = supply(state)
    return [_load_action("pickup", seat, load) for load in city.loads if ready[load]] + drops


def _building(state: State, seat: int) -> list[Action]:
    names = state.board.names
    builds = [
        Action("build", seat, {"path": [names[one], names[other]]})
        for one, other, _ in legal_builds(state, seat)
    ]
    return [*builds, *(Action("upgrade", seat, {"to": kind}) for kind in upgrades(state, seat))]
