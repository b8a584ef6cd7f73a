"""Move lists judged: from a position on, each move legal, or the first that is not and why."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, builtins_of, shaped
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.boards.difference import changes, problems
from companion.games.empire_builder.rules.boards.position import (
    Position,
    TrainData,
    read_position,
    read_track,
)
from companion.games.empire_builder.rules.boards.tracks import edges_of, linked_from
from companion.games.empire_builder.rules.cards.demands import demand_cards
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.match.state import (
    InForce,
    Ledger,
    Options,
    Player,
    State,
    Train,
    Turn,
)
from companion.games.empire_builder.rules.match.turns import (
    after_done,
    after_upgrade,
    decide_done,
    decide_upgrade,
    not_now,
)
from companion.games.empire_builder.rules.moves.building import after_build, decide_build, path_names
from companion.games.empire_builder.rules.moves.freight import (
    after_deliver,
    after_drop,
    after_lose,
    after_pickup,
    decide_deliver,
    decide_drop,
    decide_lose,
    decide_pickup,
)
from companion.games.empire_builder.rules.moves.moving import (
    after_move,
    after_place,
    decide_move,
    decide_place,
)
from companion.games.empire_builder.rules.rulebook import RULES


class _Moves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and what is done from there: ``moves``, or the track ``after`` that has to be explained."""

    track: dict[int, tuple[str, ...]] = {}
    cash: dict[int, int] = {}
    trains: dict[int, TrainData] = {}
    map: str = ""
    cards: str = ""
    players: int = 2
    order: tuple[int, ...] = ()
    round: int = 3
    hands: dict[int, tuple[str, ...]] = {}
    deck: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    moves: tuple[dict[str, Any], ...] = ()
    after: dict[int, tuple[str, ...]] | None = None
    id: str | int | None = None


# How a move is written: {"build": "ao38 ap39"}; here is what its value is called in the action's data.
_WRITTEN = {
    "place": "at",
    "move": "path",
    "pickup": "load",
    "drop": "load",
    "deliver": "load",
    "lose": "load",
    "build": "path",
    "upgrade": "to",
    "done": "",
}
_DECIDE = {
    "place": (decide_place, after_place),
    "move": (decide_move, after_move),
    "pickup": (decide_pickup, after_pickup),
    "drop": (decide_drop, after_drop),
    "deliver": (decide_deliver, after_deliver),
    "lose": (decide_lose, after_lose),
    "build": (decide_build, after_build),
    "upgrade": (decide_upgrade, after_upgrade),
    "done": (decide_done, after_done),
}


class _InOrder:
    """Chance that leaves cards to be shuffled in order: a written move list says nothing of chance."""

    @property
    def source(self) -> JsonObject:
        """A note that cards come in the order in which they are written."""
        return {"kind": "as written"}

    def below(self, bound: int) -> int:
        """Always 0, which leaves cards in order."""
        return 0


def check_moves(value: JsonObject) -> JsonObject:
    """``{"valid": true}``, or the first illegal move and why."""
    given = shaped(value, _Moves)
    state = _state(given)
    if given.after is not None:
        return _explained(state, given.after)
    for number, move in enumerate(given.moves):
        kinds = [kind for kind in _WRITTEN if kind in move]
        if len(kinds) != 1:
            known = ", ".join(_WRITTEN)
            raise NotationError(
                "bad-move", f"a move has one of {known}: {quoted(str(move))} has {len(kinds)}"
            )
        kind = kinds[0]
        data = {key: entry for key, entry in move.items() if key not in (kind, "seat")}
        key, written = _WRITTEN[kind], move[kind]
        if key == "path" and isinstance(written, str):
            data[key] = written.split()
        elif key:
            data[key] = written
        seat = move.get("seat", next(iter(state.losing), state.seat) if kind == "lose" else state.seat)
        action = Action(kind, shaped(seat, int), data)
        outcome = _done(state, action, _InOrder())
        if isinstance(outcome, Refusal):
            found = {"valid": False, "at": number, "code": outcome.code, "message": outcome.message}
            return {**found, "detail": outcome.detail} if outcome.detail else found
        state = outcome
    return {"valid": True}


def _done(state: State, action: Action, chance: Chance) -> State | Refusal:
    refusal = not_now(state, action.seat, action.kind)
    if refusal is not None:
        return refusal
    decide, apply = _DECIDE[action.kind]
    fact: Fact | Refusal = decide(state, action, chance)
    return fact if isinstance(fact, Refusal) else apply(state, fact)


# --- the position to start from ---


def _state(given: _Moves) -> State:
    position = read_position(
        builtins_of({"track": given.track, "cash": given.cash, "trains": given.trains, "map": given.map})
    )
    count = max([given.players, *position.seats])
    order = given.order or tuple(range(1, count + 1))
    if sorted(order) != list(range(1, count + 1)) or not 2 <= count <= RULES.match.players[1]:
        raise NotationError("bad-order", f"the order names each of the seats 1 to {count} once, 2 to 6 seats")
    if given.round < 1:
        raise NotationError("bad-round", "rounds begin with 1")
    cards = demand_cards(given.cards, given.map)
    held = [card for hand in given.hands.values() for card in hand]
    _refuse_cards([*held, *given.deck, *given.events], {*cards, *EVENTS})
    left = [card for card in cards if card not in held and card not in given.deck]
    players = {seat: _player(position, seat, given.hands.get(seat, ())) for seat in range(1, count + 1)}
    building = given.round <= RULES.building.building_turns
    return State(
        "umpire",
        Options(given.cards, given.map),
        players,
        order,
        deck=(*given.deck, *left),
        track=position.track,
        turn=Turn("build" if building else "operate"),
        round=given.round,
        in_force=tuple(InForce(card, order[-1], given.round + 1) for card in given.events),
    )


def _refuse_cards(named: list[str], known: set[str]) -> None:
    unknown = next((card for card in named if card not in known), None)
    if unknown is not None:
        raise NotationError("unknown-card", f"there is no card {quoted(unknown)}")
    if len(set(named)) != len(named):
        raise NotationError("duplicate-card", "a card is in two places")


def _player(position: Position, seat: int, hand: tuple[str, ...]) -> Player:
    edges = edges_of(position.track, seat)
    start = position.cash.get(seat, RULES.money.start)
    train = position.trains.get(seat, Train())
    return Player(Ledger(start=start), hand, train, linked_from(position.board, edges))


# --- two positions ---


def _explained(state: State, lines: dict[int, tuple[str, ...]]) -> JsonObject:
    """The legal builds, with their price, that lead from one position to the other."""
    board, after = state.board, read_track(state.board, lines)
    wrong = problems(board, state.track, after)
    found = [
        {
            "seat": change.seat,
            "builds": [" ".join(path_names(board, arc)) for arc in change.builds],
            "price": change.price,
            "turns": change.turns,
            "gone": [board.edge_names[edge] for edge in change.gone],
        }
        for change in changes(board, state.track, after)
    ]
    if wrong:
        return {"valid": False, "at": 0, "code": "not-built", "message": wrong[0], "changes": found}
    return {"valid": True, "changes": found}
