"""The sources drawn in the plane of the lattice: land, lakes, rivers, borders, and where the cities lie."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely import ops
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from companion.core.errors import RulesDataError
from companion.sheets.drawing import Point
from lab.empire_builder.cartography.choices import Choices, CityChoice, RiverChoice
from lab.empire_builder.cartography.projection import Projection
from lab.empire_builder.cartography.sources import Sources, features, topology_shapes


@dataclass(frozen=True)
class Landscape:
    """Everything that is not our decision, in mileposts."""

    land: BaseGeometry  # without the lakes
    lakes: BaseGeometry
    countries: dict[str, BaseGeometry]
    rivers: dict[str, BaseGeometry]
    borders: BaseGeometry  # between countries
    states: BaseGeometry
    cities: dict[str, Point]


def projection_of(choices: Choices) -> Projection:
    """The projection that was chosen."""
    return Projection(choices.parallels, choices.middle, choices.middle_at, choices.pitch)


def landscape(sources: Sources, choices: Choices) -> Landscape:
    """Read and project everything."""
    window = box(*choices.box)
    flat = _flattened(projection_of(choices))
    lakes = flat(_united(shape for shape in _lakes(sources, choices) if shape.intersects(window)))
    land = _united(shape & window for _, shape in features(sources, "50m/ne_50m_land") if shape & window)
    known = list(features(sources, "10m/ne_10m_rivers_lake_centerlines"))
    return Landscape(
        land=shapely.make_valid(flat(land)) - lakes,
        lakes=lakes,
        countries={
            about["id"]: flat(shape & window)
            for about, shape in topology_shapes(sources, "countries")
            if about["id"] in choices.countries
        },
        rivers={river.name: flat(_river(known, river)) for river in choices.rivers},
        borders=flat(_lines(sources, "50m/ne_50m_admin_0_boundary_lines_land", window)),
        states=flat(_state_lines(sources, choices, window)),
        cities=_cities(sources, choices),
    )


def _united(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    return shapely.union_all([shapely.make_valid(shape) for shape in shapes])


def _flattened(projection: Projection) -> Callable[[BaseGeometry], BaseGeometry]:
    def moved(points: Any) -> Any:
        return np.array([projection.to_plane(latitude, longitude) for longitude, latitude in points])

    return lambda shape: shapely.transform(shape, moved)


def _lakes(sources: Sources, choices: Choices) -> Iterable[BaseGeometry]:
    return (shape for _, shape in topology_shapes(sources, "lakes") if shape.area > choices.lake_area)


def _lines(sources: Sources, layer: str, window: Polygon) -> BaseGeometry:
    return shapely.union_all([shape & window for _, shape in features(sources, layer)])


def _state_lines(sources: Sources, choices: Choices, window: Polygon) -> BaseGeometry:
    layer = "10m/ne_10m_admin_1_states_provinces_lines"
    wanted = (shape for about, shape in features(sources, layer) if about["adm0_a3"] in choices.countries)
    return ops.linemerge(shapely.union_all([shape & window for shape in wanted]))


def _river(known: list[tuple[dict[str, Any], BaseGeometry]], river: RiverChoice) -> BaseGeometry:
    where = box(*river.box)
    parts = [shape & where for about, shape in known if about["name"] in river.names]
    if not parts:
        raise RulesDataError("unknown-river", f"the sources have no river {', '.join(river.names)}")
    return shapely.line_merge(shapely.union_all(parts))


def _cities(sources: Sources, choices: Choices) -> dict[str, Point]:
    layer = "10m/ne_10m_populated_places_simple"
    places = [about for about, _ in features(sources, layer) if about["adm0_a3"] in choices.countries]
    project = projection_of(choices).to_plane
    found = {city.name: _place(places, city) for city in choices.cities}
    return {name: project(place["latitude"], place["longitude"]) for name, place in found.items()}


def _place(places: list[dict[str, Any]], city: CityChoice) -> dict[str, Any]:
    """The biggest place of that name, in the region if one is given."""
    name = city.place or city.name
    same = [
        place
        for place in places
        if name in (place["nameascii"], _ascii(place["name"])) and city.region in (None, place["adm1name"])
    ]
    if not same:
        raise RulesDataError("unknown-place", f"the sources have no place {name} for {city.name}")
    return max(same, key=lambda place: int(place["pop_max"]))


def _ascii(name: str) -> str:
    """Without accents, whether the sources wrote them as one character or as their UTF-8 bytes."""
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode()
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
