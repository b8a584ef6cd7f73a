"""Derailed! as a game of the table: the actions, what they do, and what everybody sees.

======== ============================ =====================================================================
action   data                         means
======== ============================ =====================================================================
place    ``cell``, ``card``           a card laid, written as it lies (umpire)
take                                  fill the hand up from the deck; ends the turn after a card (dealt hands)
pass                                  no card can be laid
discard  ``cards``                    change cards between rounds (an option)
round                                 set the next round up; destinations are shuffled
report   ``grid``, ``starts``, ..     the railway area as it lies (scorekeeper)
turns    ``count``                    my turns since I arrived (scorekeeper)
======== ============================ =====================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.errors import quoted
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Game, Refusal
from companion.games.derailed.rules.cards import card_of
from companion.games.derailed.rules.check import check_moves
from companion.games.derailed.rules.moves import (
    decide_discard,
    decide_extra_turns,
    decide_pass,
    decide_place,
    decide_report,
    decide_round,
    decide_take,
    legal_actions,
)
from companion.games.derailed.rules.position import explain_position, score_position
from companion.games.derailed.rules.reports import after_report
from companion.games.derailed.rules.results import faults, scores, table_view
from companion.games.derailed.rules.rounds import (
    come_back,
    leave,
    with_arrivals,
    with_card_laid,
    with_hand_filled,
    with_next_round,
    with_turn_over,
    without_cards,
)
from companion.games.derailed.rules.rulebook import ROUNDS
from companion.games.derailed.rules.setup import admit, admit_fault, begun, setup, setup_fault
from companion.games.derailed.rules.state import OPTIONS, State
from companion.sheets.decks import concealed, no_hands_for_bots

Decide: TypeAlias = Callable[[State, Action, Chance], Fact | Refusal]

_DECIDE: dict[str, Decide] = {
    "place": decide_place,
    "take": decide_take,
    "pass": decide_pass,
    "discard": decide_discard,
    "round": decide_round,
    "report": decide_report,
    "turns": decide_extra_turns,
}


def _after_place(state: State, fact: Fact) -> State:
    seat, face = fact.seat or 0, fact.data["card"]
    if state.dealt:
        state = without_cards(state, seat, [card_of(face)])
    state = with_arrivals(with_card_laid(state, fact.data["cell"], face), fact.data["cell"], seat)
    # With the card that ends the match there is no reason to take another one.
    last = state.round == ROUNDS and state.enough_arrived
    return with_turn_over(state) if last or not state.dealt else replaced(state, phase="take")


def _after_take(state: State, fact: Fact) -> State:
    filled = with_hand_filled(state, fact.seat or 0, fact.data.get("chance", {}).get("deck"))
    return with_turn_over(filled) if state.phase == "take" else filled


def _after_pass(state: State, _fact: Fact) -> State:
    return with_turn_over(replaced(state, idle=state.idle + 1))


def _after_discard(state: State, fact: Fact) -> State:
    seat, cards = fact.seat or 0, tuple(fact.data["cards"])
    after = replaced(without_cards(state, seat, cards), changed=(*state.changed, seat))
    after = replaced(after, discards=(*after.discards, *cards))
    return with_hand_filled(after, seat, fact.data.get("chance", {}).get("deck"))


def _after_round(state: State, fact: Fact) -> State:
    return with_next_round(state, fact.data["chance"]["destinations"])


def _after_turns(state: State, fact: Fact) -> State:
    return replaced(
        state,
        arrivals=tuple(
            replaced(arrival, turns=fact.data["count"])
            if (arrival.seat, arrival.round) == (fact.seat, state.round)
            else arrival
            for arrival in state.arrivals
        ),
    )


_APPLY: dict[str, Callable[[State, Fact], State]] = {
    "place": _after_place,
    "take": _after_take,
    "pass": _after_pass,
    "discard": _after_discard,
    "round": _after_round,
    "report": after_report,
    "turns": _after_turns,
}


class Derailed(Game[State]):
    """The rules of Derailed! for two to six companies."""

    name = "derailed"
    title = "Derailed!"
    seats = (2, 6)
    options = OPTIONS
    state_type = State
    skips_empty_seats = True

    setup = staticmethod(setup)
    setup_fault = staticmethod(setup_fault)
    start = staticmethod(begun)
    bots_fault = staticmethod(no_hands_for_bots)
    leave = staticmethod(leave)
    come_back = staticmethod(come_back)
    admit_fault = staticmethod(admit_fault)
    admit = staticmethod(admit)
    score = staticmethod(scores)
    view = staticmethod(table_view)
    score_position = staticmethod(score_position)
    explain_position = staticmethod(explain_position)
    check_moves = staticmethod(check_moves)
    faults = staticmethod(faults)

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        """One of the actions, or the rule against it."""
        decide = _DECIDE.get(action.kind)
        if decide is None:
            message = m(
                "there is no action {kind} here: {decide}",
                kind=quoted(action.kind),
                decide=", ".join(_DECIDE),
            )
            return Refusal("unknown-action", message)
        return decide(state, action, chance)

    def apply(self, state: State, fact: Fact) -> State:
        return _APPLY[fact.kind](state, fact)

    def ends_pause(self, action: Action) -> bool:
        """The result of a round is looked at before the next one is set up."""
        return action.kind == "round"

    def lasting(self, fact: Fact) -> bool:
        """Cards that somebody has seen, and columns that chance has laid, cannot be taken back."""
        return fact.kind in ("take", "discard", "round")

    def legal(self, state: State, seat: int) -> list[Action]:
        return [] if seat in state.out else legal_actions(state, seat)

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        """A fact without the order of a deck; new destinations are for everybody."""
        return fact if fact.kind == "round" else concealed(fact, "deck")

    def finished(self, state: State) -> bool:
        return state.phase == "over"
