"""Positions for pictures: networks that grew build by build, with the last build told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.rulebook import BOOK

_LONGEST = 7  # tracks of one build


@dataclass(frozen=True)
class LaidOut:
    """What lies on the board; seats are numbered as in a match.

    ``tracks`` by seat in the order in which they were built; ``last`` were built in the turn of ``turn``.
    """

    tracks: Mapping[int, tuple[str, ...]]
    turn: int
    last: tuple[str, ...]
    trains: Mapping[int, str]  # by seat, a city or a track
    homes: Mapping[int, str]  # by seat, the city where its network began
    money: Mapping[int, int]
    market: Mapping[tuple[int, int], str]  # good by column and price
    times: int
    shared: bool = False

    @property
    def owners(self) -> dict[str, list[int]]:
        """The seats on every track that is built on."""
        found: dict[str, list[int]] = {}
        for seat, names in self.tracks.items():
            for name in names:
                found.setdefault(name, []).append(seat)
        return found


def made_up(rng: np.random.Generator, board: Board) -> LaidOut:
    """Some moment of some match."""
    seats = list(range(1, int(rng.integers(2, 5)) + 1))
    shared = bool(rng.random() < 0.12)
    homes = rng.permutation(list(board.cities))[: len(seats)].tolist()
    tracks: dict[int, list[str]] = {seat: [] for seat in seats}
    goal = int(rng.integers(0, BOOK.tracks + 1))
    turn = seats[0]
    last: tuple[str, ...] = ()
    for _ in range(40):
        if all(len(built) >= goal for built in tracks.values()):
            break
        turn = seats[(seats.index(turn) + 1) % len(seats)]
        path = _build(rng, board, homes[seats.index(turn)], tracks, turn, shared)
        if path and len(tracks[turn]) + len(path) <= BOOK.tracks:
            tracks[turn] += path
            last = path
    if not last or not set(last) <= set(tracks[turn]):
        turn, last = seats[0], ()
    goods = rng.permutation(list(board.goods)).tolist()
    return LaidOut(
        {seat: tuple(built) for seat, built in tracks.items()},
        turn,
        tuple(last),
        {seat: _train(rng, board, tracks[seat], homes[seat - 1]) for seat in seats},
        dict(zip(seats, homes, strict=True)),
        {seat: int(rng.integers(0, 60)) for seat in seats},
        dict(zip(board.market, goods, strict=False)) if rng.random() < 0.8 else {},
        int(rng.integers(0, BOOK.time_cards + 1)) if rng.random() < 0.4 else 0,
        shared,
    )


def laid_out(state: State) -> LaidOut:
    """What lies on the board of a match."""
    prices = (3, 2, 1)
    return LaidOut(
        {seat: player.tracks for seat, player in state.players.items()},
        state.turn,
        (),
        {seat: player.train.at for seat, player in state.players.items() if player.train},
        {},
        {seat: player.money for seat, player in state.players.items()},
        {
            (column + 1, price): good
            for column, goods in enumerate(state.market)
            for price, good in zip(prices, goods, strict=False)
        },
        state.times,
        state.options.segments == "shared",
    )


def _train(rng: np.random.Generator, board: Board, built: list[str], home: str) -> str:
    ends = sorted({end for name in built for end in board.tracks[name].track if end in board.cities})
    if built and rng.random() < 0.2:
        return str(rng.choice(built))
    return str(rng.choice(ends)) if ends else home


def _build(
    rng: np.random.Generator,
    board: Board,
    home: str,
    tracks: Mapping[int, list[str]],
    seat: int,
    shared: bool,
) -> tuple[str, ...]:
    """A cheap path to a new city: Dijkstra with costs drawn at random."""
    own = tracks[seat]
    mine = {end for name in own for end in board.tracks[name].track} or {home}
    every = [name for built in tracks.values() for name in built]
    closed = {name for name in every if not shared or name in own or every.count(name) > 1}
    queue: list[tuple[float, str, tuple[str, ...]]] = [(0.0, place, ()) for place in sorted(mine)]
    seen: set[str] = set()
    wished = int(rng.integers(1, 4))  # how near the new city is: the first found, the second, ...
    while queue:
        cost, here, path = heappop(queue)
        if here in seen:
            continue
        seen.add(here)
        if path and here in board.cities:
            wished -= 1
            if not wished:
                return path
            continue
        for way in board.ways[here]:
            if way.track not in closed and way.to not in mine and len(path) < _LONGEST:
                heappush(queue, (cost + float(rng.uniform(0.5, 1.5)), way.to, (*path, way.track)))
    return ()
