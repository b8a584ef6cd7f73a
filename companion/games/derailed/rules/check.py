"""Move lists: legal, or the first move that is not, and why.

The input is a position with ``moves`` added; its ``grid`` are the cards before the first of them. With
``order``, the companies clockwise from the one that begins, it is also judged whose turn it is.
"""

from __future__ import annotations

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.records import replaced
from companion.game.base import Action, Fact, NoChance, Refusal
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.moves import decide_pass, decide_place
from companion.games.derailed.rules.network import cell_number
from companion.games.derailed.rules.position import read_position
from companion.games.derailed.rules.rounds import how_it_ended, with_arrivals, with_card_laid, with_turn_over
from companion.games.derailed.rules.state import State


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move as it stands in the input; one without a card passes."""

    company: str
    cell: str | None = None
    card: str | None = None
    passes: bool = msgspec.field(name="pass", default=False)


class _MovesText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a move list has beyond a position."""

    moves: list[_Move]
    order: str | tuple[str, ...] = ""


def check_moves(value: JsonObject) -> JsonObject:
    """The verdict on a move list; what cannot be read is a :class:`NotationError`.

    >>> lanes = {"starts": "AB", "destinations": "BA"}
    >>> check_moves({**lanes, "moves": [{"company": "A", "cell": "a1", "card": "TR"}]})
    {'valid': True}
    >>> check_moves({**lanes, "moves": [{"company": "A", "cell": "b1", "card": "TR"}]})["message"]
    "this card does not lead back to Ashfield's station: no card lies at a1, where its track begins"
    """
    own = {key: value[key] for key in value if key in _MovesText.__struct_fields__}
    text = shaped(own, _MovesText)
    order = "".join(text.order)
    state = read_position({key: value[key] for key in value if key not in own}, order)
    state = replaced(state, turn=next((seat for seat in state.seats if not state.has_arrived(seat)), 1))
    actions = [_action(state, move) for move in text.moves]
    for at, action in enumerate(actions):
        after = _after(state, action, bool(order))
        if isinstance(after, Refusal):
            return {"valid": False, "at": at, "code": after.code, "message": after.message}
        state = after
    return {"valid": True}


def _action(state: State, move: _Move) -> Action:
    """The move as an action; unknown companies, cells and cards are reported before anything is judged."""
    if move.company not in state.starts:
        raise NotationError("unknown-company", f"{quoted(move.company)} has no station in this position")
    seat = state.options.companies.index(move.company) + 1
    if move.passes and move.cell is None and move.card is None:
        return Action("pass", seat)
    if move.passes or move.cell is None or move.card is None:
        raise NotationError("bad-move", "a move has a cell and a card, or it says pass")
    parse_face(move.card)
    cell_number(len(state.starts), move.cell)
    return Action("place", seat, {"cell": move.cell, "card": move.card})


def _after(state: State, action: Action, in_turn: bool) -> State | Refusal:
    seat = action.seat or 0
    if state.enough_arrived or state.phase != "place":
        return Refusal("round-over", f"the round is over: {how_it_ended(state)}")
    if state.has_arrived(seat):
        return Refusal("arrived", f"{state.company(seat).name} has arrived and lays no more cards this round")
    if not in_turn:
        state = replaced(state, turn=seat, idle=0)
    decide = decide_pass if action.kind == "pass" else decide_place
    fact = decide(state, action, NoChance())
    return fact if isinstance(fact, Refusal) else _applied(state, fact)


def _applied(state: State, fact: Fact) -> State:
    if fact.kind == "pass":
        return with_turn_over(replaced(state, idle=state.idle + 1))
    cell = fact.data["cell"]
    laid = with_card_laid(state, cell, fact.data["card"])
    return with_turn_over(with_arrivals(laid, cell, fact.seat))
