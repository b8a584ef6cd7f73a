"""A position as it is written down, and what it is worth.

Track is written as the lines one would draw: mileposts with a space between them. ``README.md`` has the whole
notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.tracks import (
    builders,
    connected_majors,
    edges_of,
    linked_from,
)
from companion.games.empire_builder.rules.match.state import Train
from companion.games.empire_builder.rules.rulebook import LOADS, RULES, TrainKind

Track = dict[int, int]


class TrainData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A train in the notation of positions."""

    kind: TrainKind = "freight"
    at: str | None = None
    came: str | None = None
    loads: tuple[str, ...] = ()


class PositionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as written; ``id`` is repeated in the answer."""

    track: dict[int, tuple[str, ...]]
    cash: dict[int, int] = {}
    trains: dict[int, TrainData] = {}
    map: str = ""
    goal: int = RULES.money.win
    id: str | int | None = None


@dataclass(frozen=True)
class Position:
    """A position with mileposts and edges by number."""

    board: Board
    track: Track
    cash: dict[int, int]
    trains: dict[int, Train]
    goal: int

    @property
    def seats(self) -> list[int]:
        """Every seat that has something."""
        return sorted({*self.track.values(), *self.cash, *self.trains})


def read_position(value: JsonObject) -> Position:
    """The position of a JSON object; seats without anything may be left out."""
    data = shaped(value, PositionData)
    on = board(data.map)
    _refuse_seats([*data.track, *data.cash, *data.trains])
    for seat, cash in data.cash.items():
        if not 0 <= cash <= 100_000:
            raise NotationError("bad-cash", f"seat {seat} cannot have {cash} million")
    trains = {seat: read_train(on, train) for seat, train in data.trains.items()}
    return Position(on, read_track(on, data.track), data.cash, trains, data.goal)


def _refuse_seats(seats: Iterable[int]) -> None:
    wrong = next((seat for seat in seats if not 1 <= seat <= RULES.match.players[1]), None)
    if wrong is not None:
        raise NotationError("bad-seat", f"there is no seat {wrong}: seats are 1 to {RULES.match.players[1]}")


def read_track(on: Board, lines: Mapping[int, Iterable[str]]) -> Track:
    """Read the owner of each edge's track."""
    track: Track = {}
    for seat, paths in lines.items():
        for path in paths:
            for edge in path_edges(on, path):
                if track.setdefault(edge, seat) != seat:
                    message = f"{on.edge_names[edge]} belongs to seat {track[edge]} and to seat {seat}"
                    raise NotationError("two-owners", f"{message}: only one line fits there")
    return track


def path_edges(on: Board, path: str) -> list[int]:
    """The edges of a line, without the red areas it runs through."""
    mileposts = [on.milepost(name) for name in path.split()]
    if len(mileposts) < 2:
        raise NotationError(
            "bad-path", f"a line has two mileposts at least, with a space between: {path!r:.60}"
        )
    edges = []
    for one, other in pairwise(mileposts):
        edge = on.edge_between(one, other)
        if edge is None:
            message = f"no track can lie between {on.spoken(one)} and {on.spoken(other)}: no edge joins them"
            raise NotationError("no-edge", message)
        if not on.red[edge]:
            edges.append(edge)
    return edges


def read_train(on: Board, data: TrainData) -> Train:
    """Read a train from its notation."""
    unknown = [load for load in data.loads if load not in LOADS]
    if unknown:
        raise NotationError("unknown-load", f"there is no load {unknown[0]!r:.40}: {', '.join(LOADS)}")
    most = RULES.trains[data.kind].loads
    if len(data.loads) > most:
        message = f"a {RULES.trains[data.kind].title} carries {most} loads, not {len(data.loads)}"
        raise NotationError("too-many-loads", message)
    at, came = (None if name is None else on.milepost(name) for name in (data.at, data.came))
    return Train(data.kind, at, came, tuple(sorted(data.loads)))


def print_track(on: Board, edges: Iterable[int]) -> list[str]:
    """Edges as few long lines, always the same for the same edges."""
    ways: dict[int, list[int]] = {}
    for edge in edges:
        one, other = on.edges[edge]
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    lines = []
    while ways:
        # Ends of lines first, so that a line without branches stays whole.
        start = min(ways, key=lambda milepost: (len(ways[milepost]) % 2 == 0, milepost))
        lines.append(" ".join(on.names[milepost] for milepost in _walked(ways, start)))
    return lines


def _walked(ways: dict[int, list[int]], here: int) -> list[int]:
    """A walk along track from here as far as it goes; its edges are taken out of ``ways``."""
    line = [here]
    while here in ways:
        there = min(ways[here])
        for one, other in ((here, there), (there, here)):
            ways[one].remove(other)
            if not ways[one]:
                del ways[one]
        line.append(there)
        here = there
    return line


# --- what it is worth ---


def score_position(value: JsonObject) -> JsonObject:
    """Cash, connected major cities, and who has won if this is the end of a round."""
    position = read_position(value)
    rows = [_row(position, seat) for seat in position.seats]
    winners = [row for row in rows if row["qualified"]]
    most = max((row["total"] for row in winners), default=None)
    best = [row["seat"] for row in winners if row["total"] == most]
    return {
        "scores": sorted(rows, key=lambda row: (not row["qualified"], -row["total"], row["seat"])),
        "winner": best[0] if len(best) == 1 else None,
        "tie": best if len(best) > 1 else [],
        "problems": city_problems(position.board, position.track),
    }


def _row(position: Position, seat: int) -> JsonObject:
    on, edges = position.board, edges_of(position.track, seat)
    majors = connected_majors(on, linked_from(on, edges))
    cash = position.cash.get(seat, 0)
    return {
        "seat": seat,
        "total": cash,
        "majors": [city.name for city in majors],
        "segments": len(edges),
        "qualified": len(majors) >= RULES.match.majors_to_win and cash >= position.goal,
    }


def city_problems(on: Board, track: Track) -> list[str]:
    """Cities into which more players have built than may."""
    limits = {"small": RULES.builders.small, "medium": RULES.builders.medium}
    return [
        f"{len(there)} players have built into {city.name}, a {city.size} city: {limits[city.size]} may"
        for city in on.cities.values()
        if city.size in limits and len(there := builders(on, track, city)) > limits[city.size]
    ]


def explain_position(value: JsonObject) -> list[str]:
    """The score of a position as lines that people can follow."""
    answer, goal = score_position(value), read_position(value).goal
    lines = [line for row in answer["scores"] for line in _row_lines(row, goal)]
    if answer["winner"] is not None:
        lines.append(f"seat {answer['winner']} wins")
    elif answer["tie"]:
        tied = " and ".join(f"seat {seat}" for seat in answer["tie"])
        lines.append(f"{tied} tie: play goes on to {RULES.money.win_after_tie} million")
    return [*lines, *answer["problems"]]


def _row_lines(row: JsonObject, goal: int) -> list[str]:
    wanted = RULES.match.majors_to_win
    cities = ", ".join(row["majors"]) or "none"
    return [
        f"seat {row['seat']}: {row['total']} of {goal} million",
        f"seat {row['seat']}: {len(row['majors'])} of {wanted} major cities connected: {cities}",
    ]
