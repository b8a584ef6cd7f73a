"""Where the names of the cities stand on the board, so that they cover as little of it as possible."""

from __future__ import annotations

from functools import lru_cache
from math import dist
from typing import TypeAlias

from companion.games.kit.drawing import Point
from companion.games.spike.paper.printed import PRINTED, track_line
from companion.games.spike.rules.board import Board, City

_SIZES = PRINTED.board
Box: TypeAlias = tuple[Point, Point]  # left and top, right and bottom


@lru_cache(maxsize=16)
def name_places(board: Board) -> dict[str, Point]:
    """The middle of every city's name, on its baseline."""
    taken: list[Box] = []
    places: dict[str, Point] = {}
    for name, city in board.cities.items():
        places[name], box = _best_place(board, city, taken)
        taken.append(box)
    return places


def _best_place(board: Board, city: City, taken: list[Box]) -> tuple[Point, Box]:
    """Where the name covers the least: below, above, or slantwise beside the city."""
    width, height = 0.62 * _SIZES.name * len(city.name), _SIZES.name
    (x, y), r = city.at, _SIZES.city
    aside = r * 0.75 + width / 2
    middles = [(x, y + r + 2.6), (x, y - r - 2.4)]
    middles += [(x + side * aside, y + up * (r * 0.8 + 1.6)) for up in (1, -1) for side in (1, -1)]
    middles += [(x + side * (r + 1.2 + width / 2), y) for side in (1, -1)]

    def covered(middle: Point) -> float:
        box = (
            (middle[0] - width / 2, middle[1] - height / 2),
            (middle[0] + width / 2, middle[1] + height / 2),
        )
        return _covered(board, city, box, taken)

    best = min(middles, key=covered)
    box = ((best[0] - width / 2, best[1] - height / 2), (best[0] + width / 2, best[1] + height / 2))
    return (best[0], best[1] + height * 0.36), box


def _covered(board: Board, city: City, box: Box, taken: list[Box]) -> float:
    """How much a name would hide: points of tracks under it, other cities, other names, the rim."""
    (left, top), (right, bottom) = box
    middle = ((left + right) / 2, (top + bottom) / 2)
    near = [points for points in _track_points(board) if dist(points[0], middle) < 45]
    hidden = sum(_inside(point, box) for points in near for point in points)
    others = sum(
        8.0
        for other in board.cities.values()
        if other is not city and left - 6 < other.at[0] < right + 6 and top - 6 < other.at[1] < bottom + 6
    )
    clash = sum(30.0 for a, b in taken if left < b[0] and a[0] < right and top < b[1] and a[1] < bottom)
    edge = _rim(board) + 1
    outside = left < edge or top < edge or right > board.heading.size[0] - edge
    return hidden + others + clash + 50.0 * outside


@lru_cache(maxsize=4)
def _track_points(board: Board) -> list[list[Point]]:
    return [_along(track_line(board, name)) for name in board.tracks]


def _inside(point: Point, box: Box) -> bool:
    (left, top), (right, bottom) = box
    return left - 1.5 < point[0] < right + 1.5 and top - 1.5 < point[1] < bottom + 1.5


def _along(line: Box) -> list[Point]:
    (x1, y1), (x2, y2) = line
    return [(x1 + (x2 - x1) * n / 8, y1 + (y2 - y1) * n / 8) for n in range(9)]


def _rim(board: Board) -> float:
    """How wide the band under the score track is."""
    return 2 * min((min(at) for at in board.spaces.values()), default=0.0)
