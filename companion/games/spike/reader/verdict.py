"""The ruling on a board, and the costs that both ways of ruling share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, log

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.builds import Build
from companion.reading.colour_owners import STRANGE
from companion.reading.evidence import (
    EMPTY,
    OUTLIER_RATE,
    Doubt,
    MarkProbabilities,
    Ruling,
    SheetProbabilities,
    costs_of,
    with_answers,
)

_SAID = 1e3  # nats against what is otherwise than people said
SURELY_SEEN = 2.2  # nats: what is so much less likely than what is seen there is asked
Cells = dict[str, str]  # seats by track: "2", or "1+2" where two share one


@dataclass(frozen=True)
class BoardRuling(Ruling[str, str]):
    """Seats as marks of tracks; ``builds`` explain what is new, ``gone`` are tracks that lost their piece."""

    builds: tuple[tuple[int, Build], ...] = ()
    gone: tuple[str, ...] = ()
    players: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """The ruling, with everybody's tracks and what was built."""
        builds = [
            {"seat": seat, "path": list(build.path), "cities": list(build.cities)}
            for seat, build in self.builds
        ]
        return {
            **super().as_json(),
            "tracks": {str(seat): names for seat, names in tracks_of(self.cells).items()},
            "builds": builds,
            "gone": list(self.gone),
            "players": dict(self.players),
        }


def cells_of(state: State) -> Cells:
    """The tracks of a position as marks."""
    owners: dict[str, list[int]] = {}
    for seat, player in state.players.items():
        for track in player.tracks:
            owners.setdefault(track, []).append(seat)
    return {track: mark_of(seats) for track, seats in owners.items()}


def mark_of(seats: Iterable[int]) -> str:
    """The mark that stands for these seats."""
    return "+".join(map(str, sorted(set(seats))))


def seats_of(mark: str) -> list[int]:
    """The seats that a mark stands for.

    >>> seats_of("1+3"), seats_of("")
    ([1, 3], [])
    """
    return [int(part) for part in mark.split("+")] if mark else []


def tracks_of(cells: Mapping[str, str], seats: Iterable[int] = ()) -> dict[int, list[str]]:
    """The tracks of every owner; ``seats`` are included even without any."""
    found: dict[int, list[str]] = {seat: [] for seat in seats}
    for track, mark in sorted(cells.items()):
        for seat in seats_of(mark):
            found.setdefault(seat, []).append(track)
    return dict(sorted(found.items()))


class Costs:
    """The cost in nats of every mark on every track; 0 where the track was not seen."""

    def __init__(self, probabilities: SheetProbabilities, board: Board, seats: int) -> None:
        possible = 1 + seats * (seats + 1) // 2
        self.seen = {track for track in board.tracks if probabilities.get(track)}
        self.settled: set[str] = set()  # by people
        self._costs: dict[str, dict[str, float]] = {}
        self._most: dict[str, float] = {}
        for track in self.seen:
            of_slot: MarkProbabilities = probabilities[track]
            assert of_slot is not None
            if len(of_slot) == 1:
                ((only, _),) = of_slot.items()
                self._costs[track], self._most[track] = {only: 0.0}, _SAID
                self.settled.add(track)
                continue
            self._costs[track] = costs_of(of_slot, possible)
            best = max(of_slot.values()) / sum(of_slot.values())
            self._most[track] = log(
                ((1 - OUTLIER_RATE) * best + OUTLIER_RATE / possible) / (OUTLIER_RATE / possible)
            )

    def of(self, track: str, mark: str) -> float:
        """The cost of a mark."""
        return self._costs[track].get(mark, self._most[track]) if track in self.seen else 0.0

    def best(self, track: str) -> str | None:
        """The most probable mark by the picture; None where nothing was seen."""
        return min(self._costs[track], key=self._costs[track].__getitem__) if track in self.seen else None

    def marks(self, track: str) -> list[str]:
        """The candidate marks, most probable first."""
        own = self._costs.get(track, {})
        return [mark for mark in sorted(own, key=own.__getitem__) if mark != STRANGE]


def picture_cells(costs: Costs, board: Board, before: Mapping[str, str]) -> Cells:
    """The board as seen; unseen tracks as before."""
    found: Cells = {}
    for track in board.tracks:
        mark = costs.best(track)
        if mark is None or mark == STRANGE:
            mark = before.get(track, EMPTY)
        if mark:
            found[track] = mark
    return found


def with_settled(
    probabilities: SheetProbabilities, board: Board, answers: Mapping[str, str], players: Mapping[str, int]
) -> SheetProbabilities:
    """The looks, in seats, with some tracks settled by people, who may say a seat or its colour."""

    def mark_name(mark: str) -> str:
        if mark in ("", "nothing"):
            return ""
        seats = [players.get(part, int(part) if part.isdecimal() else 0) for part in mark.split("+")]
        if min(seats) < 1:
            raise NotationError(
                "no-mark", m("{mark} is neither a seat nor a colour on this table", mark=mark)
            )
        return mark_of(seats)

    return with_answers(probabilities, answers, board.find_track, mark_name)


def doubt_of(track: str, options: Iterable[tuple[str, float]]) -> Doubt[str, str]:
    """A question about a track."""
    return Doubt(track, tuple(sorted(options, key=lambda one: -one[1])[:5]))


def unlike_doubts(
    costs: Costs, before: Mapping[str, str], after: Mapping[str, str], least: float = SURELY_SEEN
) -> Iterator[Doubt[str, str]]:
    """Questions about tracks where ruling and picture differ by more than so many nats.

    What people said is not asked again: a board on which it is otherwise is refused.
    """
    for track in sorted(costs.seen - costs.settled):
        mark = after.get(track, "")
        cost = costs.of(track, mark)
        if cost > least:
            others = {other: exp(-costs.of(track, other)) for other in costs.marks(track)[:3]}
            options = {mark: exp(-cost), before.get(track, ""): exp(-costs.of(track, before.get(track, "")))}
            weights = {**others, **options}
            yield doubt_of(track, ((one, share / sum(weights.values())) for one, share in weights.items()))
