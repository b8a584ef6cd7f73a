"""The committed geography: coasts, lakes, rivers, borders and cities, in miles from the middle of the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from companion.sheets.drawing import Point

GEOGRAPHY_FILE = Path(__file__).parent / "data" / "geography.json"


class Geography(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rings of land and lakes, lines of rivers and borders. ``land`` holds the rims of its lakes, too."""

    provenance: dict[str, Any]
    land: tuple[tuple[Point, ...], ...]
    lakes: tuple[tuple[Point, ...], ...]
    rivers: tuple[tuple[Point, ...], ...]
    states: tuple[tuple[Point, ...], ...]
    borders: tuple[tuple[Point, ...], ...]
    cities: dict[str, Point]


def read_geography() -> Geography:
    """Read the geography from its committed file."""
    return msgspec.json.decode(GEOGRAPHY_FILE.read_bytes(), type=Geography)


def is_inside(point: Point, rings: tuple[tuple[Point, ...], ...]) -> bool:
    """True if the point is inside an odd number of the rings (even-odd rule, by ray casting).

    >>> square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    >>> is_inside((1, 1), (square,)), is_inside((5, 1), (square,))
    (True, False)
    """
    return sum(_crossings(point, ring) for ring in rings) % 2 == 1


def _crossings(point: Point, ring: tuple[Point, ...]) -> int:
    """How often the ray from the point to the right crosses the ring."""
    x, y = point
    before = (ring[-1], *ring[:-1])
    return sum(
        (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
        for (x1, y1), (x2, y2) in zip(before, ring, strict=True)
    )
