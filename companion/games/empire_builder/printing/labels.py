"""Where the names of the cities stand on the printed map, so that they cover as little of it as possible.

Greedy: the cities choose one after the other, the major ones and long names first, among twelve places each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.core.messages import joined
from companion.games.empire_builder.printing.printed import PRINTED, frame_corner, map_size, spot
from companion.games.empire_builder.rules.boards.board import Board, City
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS
from companion.sheets.captions import LETTER_WIDTH, Box, box_around, overlap
from companion.sheets.drawing import Anchor, Point

# What a label hides costs by the square millimetre.
_MARK, _DOT, _LABEL = 6.0, 1.0, 40.0  # a city's own mark, a milepost's dot, another label
_OUTSIDE = 10_000.0  # the frame of the map, wherever it is touched
_REACH = 80.0  # mm: no label reaches further from its city
_BOLD = 1.08  # names are set in bold, whose letters are wider by this


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
        """The box of the name and the loads under it."""
        width = LETTER_WIDTH * max(
            len(self.city.name) * self.size * _BOLD, len(self.loads) * PRINTED.map.loads
        )
        left = self.at[0] - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        below = PRINTED.map.loads * 1.35 if self.loads else self.size * 0.2
        return left, self.at[1] - self.size * 0.85, left + width, self.at[1] + below


@lru_cache(maxsize=2)
def placed_labels(on: Board) -> list[Label]:
    """One label a city, in the order in which the cities chose."""
    marks = [
        (_square(spot(on, milepost), 3.4), _MARK)
        for city in on.cities.values()
        for milepost in city.mileposts
    ]
    dots = [
        (_square(spot(on, milepost), 1.6 if on.terrain[milepost] == "mountain" else 0.9), _DOT)
        for milepost in range(len(on.places))
        if on.city_at[milepost] is None
    ]
    taken = [*marks, *dots]
    found = []
    for city in sorted(on.cities.values(), key=lambda city: (city.size != "major", -len(city.name))):
        near = [entry for entry in taken if overlap(entry[0], _square(spot(on, city.middle), _REACH))]
        best = min(_candidates(on, city), key=lambda label, near=near: _cost(label, near))  # type: ignore[misc]
        taken.append((best.box, _LABEL))
        found.append(best)
    return found


def _candidates(on: Board, city: City) -> Iterator[Label]:
    x, y = spot(on, city.middle)
    major = city.size == "major"
    size = PRINTED.map.major_name if major else PRINTED.map.name
    loads = joined(", ", [LOAD_WORDS[one] for one in city.loads])
    reach = PRINTED.map.pitch * 1.25 if major else PRINTED.map.city + 1.2
    below, above = reach + size * 0.9, reach + (PRINTED.map.loads * 1.3 if loads else 0.3)
    middle = 0.0 if loads else size * 0.35
    for across, anchor in ((reach, "start"), (-reach, "end")):
        for down in (middle, -0.45 * reach, 0.75 * reach):
            yield Label(city, (x + across, y + down), anchor, size, loads)  # type: ignore[arg-type]
    for down in (below, -above):
        for across, anchor in ((0.0, "middle"), (0.5 * reach, "start"), (-0.5 * reach, "end")):
            yield Label(city, (x + across, y + down), anchor, size, loads)  # type: ignore[arg-type]


def _square(at: Point, reach: float) -> Box:
    return box_around(at, reach, reach)


def _cost(label: Label, taken: list[tuple[Box, float]]) -> float:
    left, top, right, bottom = label.box
    (x, y), (width, height) = frame_corner(), map_size()
    outside = left < x + 1 or top < y + 1 or right > width - x - 1 or bottom > height - y - 1
    covered = sum(weight * overlap(label.box, other) for other, weight in taken)
    return covered + _OUTSIDE * outside
