"""Where the names of the cities stand on the printed map: wherever they cover least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.games.empire_builder.paper.printed import PRINTED, frame_corner, map_size, spot
from companion.games.empire_builder.rules.board import Board, City
from companion.games.kit.drawing import Anchor, Point

Box = tuple[float, float, float, float]  # left, top, right, bottom
_REACH = 80.0  # no label reaches further from its city
_WIDE = 0.62  # of a letter's height: how wide letters are on average


@dataclass(frozen=True)
class Label:
    """A city's name at its place, its loads under it."""

    city: City
    at: Point
    anchor: Anchor
    size: float
    loads: str

    @property
    def box(self) -> Box:
        """What it covers."""
        width = _WIDE * max(len(self.city.name) * self.size * 1.08, len(self.loads) * PRINTED.map.loads)
        left = self.at[0] - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        below = PRINTED.map.loads * 1.35 if self.loads else self.size * 0.2
        return left, self.at[1] - self.size * 0.85, left + width, self.at[1] + below


@lru_cache(maxsize=2)
def placed_labels(on: Board) -> list[Label]:
    """One label a city; the bigger cities choose first."""
    marks = [
        (_around(spot(on, milepost), 3.4), 6.0) for city in on.cities.values() for milepost in city.mileposts
    ]
    dots = [
        (_around(spot(on, milepost), 1.6 if on.terrain[milepost] == "mountain" else 0.9), 1.0)
        for milepost in range(len(on.places))
        if on.city_at[milepost] is None
    ]
    taken = [*marks, *dots]
    found = []
    for city in sorted(on.cities.values(), key=lambda city: (city.size != "major", -len(city.name))):
        near = [entry for entry in taken if overlap(entry[0], _around(spot(on, city.middle), _REACH))]
        best = min(_candidates(on, city), key=lambda label, near=near: _cost(label, near))  # type: ignore[misc]
        taken.append((best.box, 40.0))
        found.append(best)
    return found


def _candidates(on: Board, city: City) -> Iterator[Label]:
    x, y = spot(on, city.middle)
    major = city.size == "major"
    size = PRINTED.map.major_name if major else PRINTED.map.name
    loads = ", ".join(city.loads)
    reach = PRINTED.map.pitch * 1.25 if major else PRINTED.map.city + 1.2
    below, above = reach + size * 0.9, reach + (PRINTED.map.loads * 1.3 if loads else 0.3)
    middle = 0.0 if loads else size * 0.35
    for across, anchor in ((reach, "start"), (-reach, "end")):
        for down in (middle, -0.45 * reach, 0.75 * reach):
            yield Label(city, (x + across, y + down), anchor, size, loads)  # type: ignore[arg-type]
    for down in (below, -above):
        for across, anchor in ((0.0, "middle"), (0.5 * reach, "start"), (-0.5 * reach, "end")):
            yield Label(city, (x + across, y + down), anchor, size, loads)  # type: ignore[arg-type]


def _around(at: Point, reach: float) -> Box:
    return at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach


def _cost(label: Label, taken: list[tuple[Box, float]]) -> float:
    left, top, right, bottom = label.box
    (x, y), (width, height) = frame_corner(), map_size()
    outside = left < x + 1 or top < y + 1 or right > width - x - 1 or bottom > height - y - 1
    covered = sum(weight * overlap(label.box, other) for other, weight in taken)
    return covered + (10_000 if outside else 0)


def overlap(one: Box, other: Box) -> float:
    """The surface that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
