"""Positions as matches have them: networks that grow from the major cities, turn by turn, by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from companion.core.records import replaced
from companion.game.base import Action, NoChance, Refusal
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import (
    Ledger,
    Options,
    Player,
    State,
    Train,
    Turn,
)
from companion.games.empire_builder.rules.moves.building import (
    affordable,
    building_site,
    legal_builds,
    path_names,
    way_to,
)
from lab.studio.habits import one_of

_RICH = 100_000  # money is no object: only a turn's limit is
_GAME, _NO_CHANCE = EmpireBuilder(), NoChance()
_AT_RANDOM = 0.12  # share of turns in which somebody builds without a plan
_TRIES = 3  # plans a turn
_NEAR = 9.0  # mileposts: how far a next city mostly is


@dataclass(frozen=True)
class Build:
    """What somebody drew in one go: mileposts, each edge of which is new."""

    seat: int
    path: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A match after so many turns: every build in order, and how it stood before the last turn."""

    builds: tuple[Build, ...]
    before: State  # with the seat that builds next to move
    after: State


def played(rng: np.random.Generator, seats: int, turns: int) -> Played:
    """Play so many turns, seat after seat; the last one has built something."""
    state = _begun(seats)
    builds: list[Build] = []
    before = state
    for turn in range(turns):
        seat = turn % seats + 1
        state = replaced(state, place=seat - 1, turn=Turn("build"))
        before = state
        state, new = turn_built(rng, state, seat)
        builds += new
    return Played(tuple(builds), before, state)


def _begun(seats: int) -> State:
    players = {seat: Player(Ledger(_RICH), train=Train()) for seat in range(1, seats + 1)}
    return State("umpire", Options(), players, tuple(players), turn=Turn("build"), round=3)


def turn_built(rng: np.random.Generator, state: State, seat: int) -> tuple[State, list[Build]]:
    """What a seat builds in its turn, and how the match then stands."""
    builds: list[Build] = []
    at_random = rng.random() < _AT_RANDOM
    for _ in range(12 if at_random else _TRIES):
        path = _random_segment(rng, state, seat) if at_random else _planned(rng, state, seat)
        if len(path) < 2:
            continue
        action = Action("build", seat, {"path": path_names(state.board, path)})
        fact = _GAME.decide(state, action, _NO_CHANCE)
        after = state if isinstance(fact, Refusal) else _GAME.apply(state, fact)
        # The parts of a path on which something was drawn
        runs: list[list[int]] = [[]]
        for one, other in pairwise(path):
            edge = after.board.edge_between(one, other)
            new = edge in after.track and edge not in state.track
            if new and runs[-1] and runs[-1][-1] == one:
                runs[-1].append(other)
            elif new:
                runs.append([one, other])
        builds += [Build(seat, tuple(run)) for run in runs if len(run) > 1]
        state = after
    return state, builds


def _random_segment(rng: np.random.Generator, state: State, seat: int) -> tuple[int, ...]:
    options = legal_builds(state, seat)
    ends = state.players[seat].linked
    own = [option for option in options if option[0] in ends]
    options = own or options
    return one_of(rng, options)[:2] if options else ()


def _planned(rng: np.random.Generator, state: State, seat: int) -> tuple[int, ...]:
    """The cheapest way to some city, mostly one that is not far, as far as the money goes."""
    on, site = state.board, building_site(state, seat)
    cities = list(on.cities.values())
    here = [on.places[place] for place in state.players[seat].linked]
    away = np.array([_distance(on, city.middle, here) for city in cities])
    weights = np.exp(-away / _NEAR) * (away > 0)
    goal = cities[int(rng.choice(len(cities), p=weights / weights.sum()))]
    best = way_to(site, goal.middle)
    return () if best is None else affordable(site, best.mileposts)


def _distance(on: Board, milepost: int, places: list[tuple[int, int]]) -> float:
    (a, b) = on.places[milepost]
    return min((max(abs(a - x), abs(b - y), abs(a - x + b - y)) for x, y in places), default=5.0)


def as_builds(on: Board, track: dict[int, int]) -> list[Build]:
    """The track of a match in the order in which it was built, joined to lines where one goes on."""
    builds: list[Build] = []
    for edge, seat in track.items():
        one, other = on.edges[edge]
        last = builds[-1] if builds and builds[-1].seat == seat else None
        if last and last.path[-1] in (one, other):
            builds[-1] = Build(seat, (*last.path, other if last.path[-1] == one else one))
        elif last and len(last.path) == 2 and last.path[0] in (one, other):
            builds[-1] = Build(seat, (last.path[1], last.path[0], other if last.path[0] == one else one))
        else:
            builds.append(Build(seat, (one, other)))
    return builds


def own_board() -> Board:
    """The map that is printed."""
    return board()
