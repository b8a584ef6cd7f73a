"""SPIKE as a game of the table. The actions are listed in :mod:`.opening_actions` and :mod:`.turn`."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.contract import Action, Chance, Fact, Option, Plain, Refusal, Wishes
from companion.games.kit.decks import no_hands_for_bots
from companion.games.spike.rules import actions, leaving, reports, turn
from companion.games.spike.rules.check import check_moves
from companion.games.spike.rules.dealing import setup, setup_fault, start
from companion.games.spike.rules.opening_actions import legal_before
from companion.games.spike.rules.owners import option_faults
from companion.games.spike.rules.position import explain_position, score_position
from companion.games.spike.rules.results import faults, scores
from companion.games.spike.rules.state import OPTIONS, State
from companion.games.spike.rules.view import seen, table_view


class Spike:
    """The rules text, for two to four players."""

    name = "spike"
    title = "SPIKE"
    seats = (2, 4)
    options: tuple[Option, ...] = OPTIONS
    die_faces: Mapping[str, tuple[str, ...]] = {}
    die_pictures: Mapping[str, str] = {}
    state_type = State

    def setup(self, wishes: Wishes, chance: Chance) -> Plain | Refusal:
        """Shuffle and deal."""
        return setup(wishes, chance)

    def setup_fault(self, data: Plain, wishes: Wishes) -> Refusal | None:
        """Why this could not have been dealt."""
        return setup_fault(data, wishes)

    def option_faults(self, options: Plain) -> list[str]:
        """Everything that is wrong with an owner's board and cards, each fault with its file and line."""
        return option_faults(options)

    def start(self, data: Plain) -> State:
        """The state after the first event."""
        return start(data)

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        """The fact an action becomes, or why not."""
        return actions.decide(state, action, chance)

    def apply(self, state: State, fact: Fact) -> State:
        """The state after a fact."""
        return leaving.going_on(actions.apply(state, fact))

    def leave(self, state: State, seat: int) -> State:
        """A seat's turns pass."""
        return leaving.leave(state, seat)

    def come_back(self, state: State, seat: int) -> State:
        """It has turns again."""
        return leaving.come_back(state, seat)

    def bots_fault(self, options: Plain) -> Refusal | None:
        """A bot holds no cards of the table's."""
        return no_hands_for_bots(options)

    def lasting(self, fact: Fact) -> bool:
        """A card that somebody has seen cannot be unseen."""
        return fact.kind in ("give", "stop") or (fact.kind == "draw" and "from" in fact.data)

    def legal(self, state: State, seat: int) -> list[Action]:
        """What this seat may do now."""
        if seat in state.out:
            return []
        if state.mode == "scorekeeper":
            return reports.legal_reports(state, seat)
        if state.phase != "play":
            return legal_before(state, seat)
        return turn.legal_in_turn(state) if seat == state.turn else []

    def score(self, state: State) -> list[Plain]:
        """Every seat's explained score, best first; routes count from the end on."""
        return scores(state)

    def view(self, state: State, seat: int | None) -> Plain:
        """The match without other people's hands and routes."""
        return table_view(state, seat)

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        """A fact without what this seat must not know."""
        return seen(state, fact, seat)

    def finished(self, state: State) -> bool:
        """Is the match over?"""
        return state.finished

    def dice(self, state: State) -> tuple[str, ...]:
        """There are none."""
        return ()

    def score_position(self, position: Plain) -> Plain:
        """The scores of a position."""
        return score_position(position)

    def explain_position(self, position: Plain) -> list[str]:
        """The lines of a position's scores."""
        return explain_position(position)

    def check_moves(self, moves: Plain) -> Plain:
        """Legal, or the first illegal move and why."""
        return check_moves(moves)

    def faults(self, state: State) -> list[str]:
        """What no match of this game can come to."""
        return faults(state)
