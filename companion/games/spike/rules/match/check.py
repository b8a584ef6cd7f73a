"""Move lists: legal, or the first move that is not, and why.

The input is a position with ``moves`` added: objects with ``do`` (the action), ``seat`` (usually whose turn
it is) and the action's own data. Cards are people's own: hands are judged where the position gives them,
until their player draws.
"""

from __future__ import annotations

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, shaped
from companion.game.base import Action, Fact, NoChance, Refusal
from companion.games.spike.rules.boards.position import read_position
from companion.games.spike.rules.match.actions import UMPIRE, apply, decide
from companion.games.spike.rules.match.state import State


class _Moves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    moves: list[JsonObject]


def check_moves(value: JsonObject) -> JsonObject:
    """The verdict on a move list; what cannot be read is a :class:`NotationError`."""
    moves = shaped({"moves": value.get("moves", [])}, _Moves).moves
    state = read_position({key: said for key, said in value.items() if key != "moves"})
    for at, move in enumerate(moves):
        answer = _decided(state, move)
        if isinstance(answer, Refusal):
            return {"valid": False, "at": at, "code": answer.code, "message": answer.message}
        state = apply(state, answer)
    return {"valid": True}


def _decided(state: State, move: JsonObject) -> Fact | Refusal:
    kind, seat = str(move.get("do")), move.get("seat", state.turn)
    if kind not in UMPIRE:
        raise NotationError(
            "unknown-action", f"a move says what to do: one of {', '.join(UMPIRE)}, not {quoted(kind)}"
        )
    if seat not in state.players:
        raise NotationError("bad-seat", f"there is no seat {quoted(str(seat))} in this position")
    if state.players[seat].train is None:
        message = f"seat {seat} has neither track nor train: say under trains where it begins"
        raise NotationError("no-train", message)
    data = {key: said for key, said in move.items() if key not in ("do", "seat")}
    return decide(state, Action(kind, seat, data), NoChance())
