"""``python -m lab.spike.making.survey FOLDER``: the geography out of the packages in a folder.

What it finds is committed as ``data/geography.json``, in miles from the middle of the map. So only who wants
another part of the earth needs the packages, which
:mod:`lab.empire_builder.cartography.sources` lists.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import shapely
from shapely import ops
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from companion.games.spike.printing.choices import CHOICES, CityChoice, Window
from companion.games.spike.printing.geography import GEOGRAPHY_FILE
from lab.empire_builder.cartography.projection import Projection
from lab.empire_builder.cartography.sources import Sources, features, topology_shapes

_DEGREES = box(-106, 18, -58, 56)  # more than the window, less than the earth


def survey(sources: Sources) -> dict[str, Any]:
    """Everything that is drawn under the tracks, and where the cities lie."""
    window = CHOICES.window
    earth = Projection(window.parallels, window.middle, (0.0, 0.0), 1.0)
    lakes = _united(shape for _, shape in topology_shapes(sources, "lakes") if shape.area > window.lake_area)
    land = _united(shape & _DEGREES for _, shape in features(sources, "50m/ne_50m_land") if shape & _DEGREES)
    layers = {"land": land - lakes, "lakes": lakes & _DEGREES, **_lines(sources, window)}
    return {
        "provenance": {
            "data": "Natural Earth (public domain), projected and simplified",
            "packages": [about for about in sources.provenance() if "ferret" not in about["file"]],
        },
        **{name: _parts(_flat(shape, earth), window) for name, shape in layers.items()},
        "cities": {city.name: _rounded(_place(sources, city, earth)) for city in CHOICES.city},
    }


def _united(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    return shapely.union_all([shapely.make_valid(shape) for shape in shapes])


def _lines(sources: Sources, window: Window) -> dict[str, BaseGeometry]:
    rivers = features(sources, "50m/ne_50m_rivers_lake_centerlines")
    states = features(sources, "10m/ne_10m_admin_1_states_provinces_lines")
    return {
        "rivers": ops.linemerge(
            _united(shape & _DEGREES for about, shape in rivers if about["name"] in window.rivers)
        ),
        "states": ops.linemerge(
            _united(shape & _DEGREES for about, shape in states if about["adm0_a3"] == "USA")
        ),
        "borders": _united(
            shape & _DEGREES for _, shape in features(sources, "50m/ne_50m_admin_0_boundary_lines_land")
        ),
    }


def _flat(shape: BaseGeometry, earth: Projection) -> BaseGeometry:
    def moved(points: Any) -> Any:
        return [earth.to_plane(latitude, longitude) for longitude, latitude in points]

    return shapely.transform(shape, moved)


def _parts(shape: BaseGeometry, window: Window) -> list[list[list[float]]]:
    """The rings or lines inside the window, biggest first; islands of a few miles are left out."""
    frame = box(-window.across, -window.down, window.across, window.down)
    inside = shapely.simplify(shapely.make_valid(shape), window.simplified) & frame
    parts = [part for part in _simple_parts(inside) if part.length > 12 * window.simplified]
    parts.sort(key=lambda part: -part.length)
    return [[_rounded(point) for point in part.coords] for part in parts]


def _simple_parts(shape: BaseGeometry) -> Iterator[BaseGeometry]:
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "Polygon":
            yield part.exterior
            yield from part.interiors
        elif part.geom_type == "LineString":
            yield part


def _rounded(point: Iterable[float]) -> list[float]:
    return [round(float(value), 1) for value in point]


def _place(sources: Sources, city: CityChoice, earth: Projection) -> tuple[float, float]:
    places = [
        about
        for about, _ in features(sources, "10m/ne_10m_populated_places_simple")
        if about["adm1name"] == city.at and about["nameascii"] in (city.name, f"{city.name}, D.C.")
    ]
    if not places:
        raise SystemExit(f"the sources have no place {city.name} in {city.at}")
    place = max(places, key=lambda about: int(about["pop_max"]))
    return earth.to_plane(place["latitude"], place["longitude"])


def main() -> None:
    """Survey the land and write it to ``data/geography.json``."""
    text = json.dumps(survey(Sources.in_folder(Path(sys.argv[1]))), separators=(",", ":"))
    GEOGRAPHY_FILE.write_text(text.replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
