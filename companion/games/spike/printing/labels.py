"""Where the names of the cities stand on the board, so that they cover as little of it as possible.

Greedy: the cities choose one after the other, in the order of the board file, among eight places around them.
"""

from __future__ import annotations

from functools import lru_cache
from math import dist
from typing import TypeAlias

from companion.games.spike.printing.printed import PRINTED, track_line
from companion.games.spike.rules.boards.board import Board, City
from companion.sheets.captions import LETTER_WIDTH, Box, box_around, contains, grown, overlap
from companion.sheets.drawing import Point

_SIZES = PRINTED.board
Line: TypeAlias = tuple[Point, Point]

# What a name hides is counted in points of tracks, of which every track has nine.
_STEPS = 8  # between the nine points of a track
_CITY, _NAME, _OUTSIDE = 8.0, 30.0, 50.0  # another city, another name, the score track or the rim
_TRACK_MARGIN, _CITY_MARGIN, _RIM_MARGIN = 1.5, 6.0, 1.0  # mm to be kept free around a name
_NEAR = 45.0  # mm from the name within which a track has to begin to be looked at
_BASELINE = 0.36  # of the letters' height: from the middle of a line of text down to its baseline


@lru_cache(maxsize=16)
def name_places(board: Board) -> dict[str, Point]:
    """The middle of every city's name, on its baseline, in mm."""
    tracks = [_points_along(track_line(board, name)) for name in board.tracks]
    # The width of the band around the board in whose middle the spaces of the score track lie
    edge = (2 * min((min(at) for at in board.spaces.values()), default=0.0)) + _RIM_MARGIN
    right = board.heading.size[0] - edge
    taken: list[Box] = []
    places: dict[str, Point] = {}

    def hidden(middle: Point, box: Box, own: City) -> float:
        near = [points for points in tracks if dist(points[0], middle) < _NEAR]
        under, around = grown(box, _TRACK_MARGIN), grown(box, _CITY_MARGIN)
        outside = box[0] < edge or box[1] < edge or box[2] > right
        return (
            sum(contains(under, point) for points in near for point in points)
            + _CITY * sum(contains(around, other.at) for other in board.cities.values() if other is not own)
            + _NAME * sum(overlap(box, other) > 0 for other in taken)
            + _OUTSIDE * outside
        )

    for name, city in board.cities.items():
        half = LETTER_WIDTH * _SIZES.name * len(city.name) / 2, _SIZES.name / 2
        boxes = {middle: box_around(middle, *half) for middle in _candidates(city.at, half[0])}
        best = min(boxes, key=lambda middle: hidden(middle, boxes[middle], city))
        places[name] = best[0], best[1] + _SIZES.name * _BASELINE
        taken.append(boxes[best])
    return places


def _candidates(at: Point, half: float) -> list[Point]:
    """The middles to choose from: below, above, at the four corners, and beside the city.

    All are about half a line of text away from the city's rim; at a corner the rim gives way.
    """
    (x, y), r = at, _SIZES.city
    corner = r * 0.75 + half
    return [
        (x, y + r + 2.6),
        (x, y - r - 2.4),
        *((x + side * corner, y + up * (r * 0.8 + 1.6)) for up in (1, -1) for side in (1, -1)),
        *((x + side * (r + 1.2 + half), y) for side in (1, -1)),
    ]


def _points_along(line: Line) -> list[Point]:
    (x1, y1), (x2, y2) = line
    return [(x1 + (x2 - x1) * n / _STEPS, y1 + (y2 - y1) * n / _STEPS) for n in range(_STEPS + 1)]
