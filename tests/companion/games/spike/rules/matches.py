"""Matches to test with: begun by seed, or put together by hand."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import Any

from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.spike.rules.boards.board import Board, board_called
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.rules.match.state import Held, State, Train, with_player
from companion.games.spike.rules.moves.builds import needed
from companion.games.spike.rules.moves.payment import Counts
from companion.games.spike.rules.moves.rail_cards import suits_of
from companion.table.chance import SeededChance

GAME = Spike()
BOARD = board_called("eastern-states")


def begun(seats: int = 3, mode: Any = "umpire", seed: int = 1, **options: Any) -> State:
    data = GAME.setup(MatchRequest(seats, mode, options), SeededChance(seed))
    assert not isinstance(data, Refusal), data
    return GAME.start(data)


def fact(state: State, kind: str, seat: int | None = None, **data: Any) -> Fact:
    asked = Action(kind, state.turn if seat is None else seat, data)
    decided = GAME.decide(state, asked, SeededChance(5))
    assert not isinstance(decided, Refusal), decided
    assert GAME.decide(state, decided, NoChance()) == decided
    return decided


def after(state: State, kind: str, seat: int | None = None, **data: Any) -> State:
    return GAME.apply(state, fact(state, kind, seat, **data))


def refusal(state: State, kind: str, seat: int | None = None, **data: Any) -> Refusal:
    decided = GAME.decide(state, Action(kind, state.turn if seat is None else seat, data), NoChance())
    assert isinstance(decided, Refusal), decided
    return decided


def source(where: str) -> dict[str, Any]:
    """What a draw says; ``from`` is no name for an argument."""
    return {"from": where}


def playing(*cities: str, seed: int = 1, **options: Any) -> State:
    """The first turn of seat 1, with the trains in these cities (one seat each)."""
    state = begun(len(cities), seed=seed, first=1, **options)
    card = next(action for action in GAME.legal(state, 1) if action.kind == "give")
    state = GAME.apply(state, fact(state, "give", 1, **card.data))
    for seat, city in enumerate(cities, start=1):
        state = after(state, "place", seat, city=city)
    return state


def way(start: str, end: str, board: Board = BOARD, closed: tuple[str, ...] = ()) -> list[str]:
    """The shortest tracks from one city to another through no third."""
    came: dict[str, tuple[str, str]] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here in board.cities and here != start:
            continue
        for track, there, *_ in board.ways[here]:
            if there not in came and there != start and track not in closed:
                came[there] = (here, track)
                waiting.append(there)
    path: list[str] = []
    while end != start:
        end, track = came[end]
        path.append(track)
    return path[::-1]


def with_hand(state: State, seat: int, **cards: int) -> State:
    """A hand of just these cards; nothing else is changed, so the cards no longer add up."""
    hand = tuple(cards.get(suit, 0) for suit in suits_of(state))
    return with_player(state, seat, hand=hand, held=sum(hand))


def with_cards_for(state: State, seat: int, path: list[str], more: Counts = (0,) * 6) -> State:
    need = needed(BOARD, path)
    hand = tuple(a + b for a, b in zip(need, more, strict=True))
    return with_player(state, seat, hand=hand, held=sum(hand))


def with_network(state: State, seat: int, *cities: str) -> State:
    """Track from city to city, without turns or cards."""
    tracks: list[str] = []
    for one, other in pairwise(cities):
        tracks += way(one, other)
    return with_player(state, seat, tracks=tuple(dict.fromkeys(tracks)))


def with_train(state: State, seat: int, at: str, **parts: Any) -> State:
    return with_player(state, seat, train=replaced(state.players[seat].train or Train(at), at=at, **parts))


def with_contracts(state: State, seat: int, *names: str) -> State:
    return with_player(state, seat, contracts=tuple(Held(name) for name in names))
