"""The lines and surfaces that are drawn under the mileposts."""

from __future__ import annotations

from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from companion.sheets.lattice import from_doubled
from lab.empire_builder.cartography.choices import PLANE, Choices
from lab.empire_builder.cartography.landscape import Landscape

_AROUND = 1.6  # mileposts of land and sea around the outermost mileposts
_SMALLEST = 0.02  # square mileposts: smaller islands are not drawn

Rings = list[list[list[float]]]


def outlines(land: Landscape, choices: Choices) -> dict[str, Any]:
    """What is drawn under the mileposts, in mileposts from the top left corner: rings and lines."""
    right, bottom = PLANE.at(from_doubled(choices.columns - 1, choices.rows - choices.rows % 2))
    top = PLANE.at(from_doubled(1, 1))[1]
    frame = box(-_AROUND, top - _AROUND, right + _AROUND, bottom + _AROUND)

    def neat(shape: BaseGeometry) -> BaseGeometry:
        return shapely.simplify(shapely.make_valid(shape) & frame, choices.simplified)

    whole = shapely.union_all([land.land, land.lakes])
    return {
        "frame": [round(value, 3) for value in frame.bounds],
        "land": _rings(neat(whole)),
        "lakes": _rings(neat(land.lakes)),
        "rivers": [
            {"name": name, "lines": _points(neat(river))} for name, river in sorted(land.rivers.items())
        ],
        "borders": _points(neat(land.borders)),
        "states": _points(neat(land.states)),
    }


def _rings(shape: BaseGeometry) -> Rings:
    """The outer rings; what lies in them (lakes) is drawn over them."""
    polygons = shape.geoms if isinstance(shape, MultiPolygon) else [shape]
    kept = [polygon for polygon in polygons if isinstance(polygon, Polygon) and polygon.area > _SMALLEST]
    return [_rounded(polygon.exterior) for polygon in kept]


def _points(shape: BaseGeometry) -> Rings:
    lines = shapely.get_parts(shape)
    return [_rounded(line) for line in lines if isinstance(line, LineString) and line.length > 0.3]


def _rounded(line: LineString) -> list[list[float]]:
    return [[round(x, 3), round(y, 3)] for x, y in line.coords]
