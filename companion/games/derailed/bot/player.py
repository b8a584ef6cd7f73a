"""What a company does next: the card is laid that looks best after it, for all companies together."""

from __future__ import annotations

from companion.game.base import Action, Bot, Chance
from companion.games.derailed.bot.distance import NEVER, distance, pairs_of
from companion.games.derailed.rules.cards import card_of, parse_face
from companion.games.derailed.rules.moves import legal_actions, placements
from companion.games.derailed.rules.network import Area, cell_number
from companion.games.derailed.rules.rulebook import BETWEEN_DISCARD, POINTS
from companion.games.derailed.rules.state import State
from companion.sheets.decks import without

# Found by matches of this bot against itself with other numbers.
NEARER = 0.62  # a company that lacks one card more is worth this share
RIVALS = 0.9  # what another company counts against one's own; of several, whom all of them hinder, less
POOR = 2  # ways a card joins of which it is changed between rounds


class DerailedBot(Bot[State]):
    """A bot that uses its own hand and the open cards, and no randomness."""

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        if state.mode == "scorekeeper" or seat not in state.seats:
            return None
        if state.phase == "between":
            return _between(state, seat)
        if seat != state.turn or state.phase == "over":
            return None
        if state.phase == "place" and state.dealt:
            found = _best_card(state, seat)
            if found is not None:
                return found
        return next((one for one in legal_actions(state, seat) if one.kind in ("take", "pass")), None)


def _best_card(state: State, seat: int) -> Action | None:
    """The card whose laying is worth most, rather one that covers none; None where none can be laid."""
    area, lanes = state.area(), len(state.starts)
    found = []
    for cell, face in placements(state, seat):
        number = cell_number(lanes, cell)
        worth = _worth(state, seat, area.with_face(number, parse_face(face)), face)
        found.append((round(worth, 9), area.faces[number] is None, cell, face))
    if not found:
        return None
    _, _, cell, face = max(found)
    return Action("place", seat, {"cell": cell, "card": face})


def _worth(state: State, seat: int, area: Area, face: str) -> float:
    """What the lanes are worth to a seat with this card just laid: its own prospects less those of others."""
    pairs = pairs_of(without(state.hands[seat], card_of(face)))
    others = [other for other in state.seats if other != seat and not state.has_arrived(other)]
    own = distance(area, state.start_lane(seat), state.destination_lane(seat), pairs)
    rivals = [distance(area, state.start_lane(one), state.destination_lane(one)) for one in others]
    rivalry = 0.0 if _pays_another(state, seat) else RIVALS / max(1, len(rivals)) ** 2
    return _prospect(state, own) - rivalry * sum(_prospect(state, far) for far in rivals)


def _pays_another(state: State, seat: int) -> bool:
    """True if another company is paid for every turn more, which blocking a third one would bring."""
    return bool(state.arrived) and not state.has_arrived(seat)


def _prospect(state: State, far: float) -> float:
    """The points of an arrival so many cards away, which the first one and the waiting make worth more."""
    if far >= NEVER:
        return 0.0
    first = 0 if state.arrived else POINTS.first
    return float((POINTS.arrival + first + POINTS.turn) * NEARER**far)


def _between(state: State, seat: int) -> Action | None:
    """Between two rounds: the cards that lead nowhere are changed, then the next round is set up."""
    legal = legal_actions(state, seat)
    poor = [card for card in state.hands.get(seat, ()) if len(pairs_of([card])) <= 2 * POOR]
    if poor and any(action.kind == "discard" for action in legal):
        return Action("discard", seat, {"cards": poor[:BETWEEN_DISCARD]})
    return next((action for action in legal if action.kind == "round"), None)
