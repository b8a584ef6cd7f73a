"""SPIKE as a game of the table. The actions are listed in :mod:`.opening_actions` and :mod:`.turn`."""

from __future__ import annotations

from companion.game.base import Action, Fact, Game
from companion.games.spike.rules.boards.owners import option_faults
from companion.games.spike.rules.boards.position import explain_position, score_position
from companion.games.spike.rules.match import actions, leaving, reports, turn
from companion.games.spike.rules.match.check import check_moves
from companion.games.spike.rules.match.dealing import setup, setup_fault, start
from companion.games.spike.rules.match.opening_actions import legal_before
from companion.games.spike.rules.match.results import faults, scores
from companion.games.spike.rules.match.state import OPTIONS, State
from companion.games.spike.rules.match.view import seen, table_view
from companion.sheets.decks import no_hands_for_bots


class Spike(Game[State]):
    """The rules text, for two to four players."""

    name = "spike"
    title = "SPIKE"
    seats = (2, 4)
    options = OPTIONS
    state_type = State
    file_options = ("board", "cards")
    skips_empty_seats = True

    setup = staticmethod(setup)
    setup_fault = staticmethod(setup_fault)
    option_faults = staticmethod(option_faults)
    start = staticmethod(start)
    decide = staticmethod(actions.decide)
    leave = staticmethod(leaving.leave)
    come_back = staticmethod(leaving.come_back)
    bots_fault = staticmethod(no_hands_for_bots)
    score = staticmethod(scores)
    view = staticmethod(table_view)
    seen = staticmethod(seen)
    score_position = staticmethod(score_position)
    explain_position = staticmethod(explain_position)
    check_moves = staticmethod(check_moves)
    faults = staticmethod(faults)

    def apply(self, state: State, fact: Fact) -> State:
        return leaving.going_on(actions.apply(state, fact))

    def lasting(self, fact: Fact) -> bool:
        """A card that somebody has seen cannot be unseen."""
        return fact.kind in ("give", "stop") or (fact.kind == "draw" and "from" in fact.data)

    def legal(self, state: State, seat: int) -> list[Action]:
        if seat in state.out:
            return []
        if state.mode == "scorekeeper":
            return reports.legal_reports(state, seat)
        if state.phase != "play":
            return legal_before(state, seat)
        return turn.legal_in_turn(state) if seat == state.turn else []

    def finished(self, state: State) -> bool:
        return state.finished
