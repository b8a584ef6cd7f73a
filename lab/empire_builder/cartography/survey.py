"""From the landscape to the board: mileposts, cities, mountains, and what lies under each edge."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import shapely
from shapely.geometry import LineString, MultiPoint
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry

from companion.sheets.drawing import Point
from companion.sheets.lattice import Edge, Place, distance, edge, from_doubled, neighbours, within
from lab.empire_builder.cartography.choices import PLANE, Choices, inside
from lab.empire_builder.cartography.landscape import Landscape, projection_of
from lab.empire_builder.cartography.sources import Heights

CLOSEST = 2  # steps between the mileposts of two cities, at least


@dataclass
class Survey:
    """What the board is made of."""

    country: dict[Place, str] = field(default_factory=dict)
    mountains: set[Place] = field(default_factory=set)
    cities: dict[str, Place] = field(default_factory=dict)
    rivers: dict[str, list[Edge]] = field(default_factory=dict)
    channels: dict[str, Edge] = field(default_factory=dict)
    closed: list[Edge] = field(default_factory=list)
    coasts: dict[str, list[Place]] = field(default_factory=dict)

    @property
    def edges(self) -> list[Edge]:
        """Every pair of neighbouring mileposts, closed or not."""
        known = set(self.country)
        return sorted({edge(one, other) for one in known for other in neighbours(one) if other in known})


def surveyed(land: Landscape, heights: Heights, choices: Choices) -> Survey:
    """Survey the whole board."""
    spots = [
        from_doubled(column, row)
        for column in range(choices.columns)
        for row in range(1, choices.rows + 1)
        if (column + row) % 2 == 0
    ]
    shapely.prepare(land.land)
    dry = [spot for spot in spots if shapely.contains_xy(land.land, *PLANE.at(spot))]
    project = projection_of(choices).to_plane
    dry += [PLANE.nearest(project(*narrows.at)) for narrows in choices.narrows]
    found = {spot: _country(land, PLANE.at(spot)) for spot in dry}
    survey = Survey(country={spot: country for spot, country in found.items() if country})
    survey.cities = _settled(land, choices, survey.country)
    _survey_water(survey, land, choices)
    # Mileposts that no track could reach are left out
    closed = set(survey.closed)
    reached = {next(iter(survey.cities.values()))}
    queue = deque(reached)
    while queue:
        here = queue.popleft()
        for there in neighbours(here):
            if there in survey.country and there not in reached and edge(here, there) not in closed:
                reached.add(there)
                queue.append(there)
    survey.country = {place: survey.country[place] for place in sorted(reached)}
    survey.closed = [one for one in survey.closed if reached.issuperset(one)]
    survey.mountains = _mountains(survey, heights, choices)
    survey.rivers = _crossed(survey, land)
    survey.coasts = _coasts(survey, land, choices)
    return survey


# --- mileposts ---


def _country(land: Landscape, at: Point) -> str | None:
    """The country of a point. Coasts of two sources differ a little, so a near miss counts."""
    nearest = min(land.countries, key=lambda name: land.countries[name].distance(ShapelyPoint(at)))
    return nearest if land.countries[nearest].distance(ShapelyPoint(at)) < 0.2 else None


# --- cities ---


def _settled(land: Landscape, choices: Choices, country: dict[Place, str]) -> dict[str, Place]:
    """Each city on the nearest milepost that is free: first those with seven mileposts of their own."""
    sizes = {city.name: city.size for city in choices.cities}
    wanted = {city.name: _wanted(land.cities[city.name], city.moved) for city in choices.cities}
    taken: dict[Place, int] = {}
    found: dict[str, Place] = {}
    for name in sorted(sizes, key=lambda name: (sizes[name] != "major", sizes[name] != "medium", name)):
        radius = 1 if sizes[name] == "major" else 0
        place = _free_place(wanted[name], radius, taken, country)
        taken[place] = radius
        found[name] = place
        for around in within(place, radius):
            country.setdefault(around, _country(land, PLANE.at(around)) or country[place])
    return {name: found[name] for name in sizes}


def _wanted(at: Point, moved: Place) -> Point:
    by = PLANE.at(from_doubled(*moved))
    return at[0] + by[0], at[1] + by[1]


def _free_place(at: Point, radius: int, taken: dict[Place, int], country: dict[Place, str]) -> Place:
    def cost(place: Place) -> float:
        wet = sum(around not in country for around in within(place, radius))
        x, y = PLANE.at(place)
        return float(((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5) + 0.25 * wet

    free = [
        place
        for place in within(PLANE.nearest(at), 3)
        if place in country
        and all(
            distance(place, other) >= CLOSEST + radius + size - (size > 0) for other, size in taken.items()
        )
    ]
    return min(free, key=lambda place: (cost(place), place))


# --- water ---


def _survey_water(survey: Survey, land: Landscape, choices: Choices) -> None:
    """Edges over too much water are closed, but for the channels."""
    dry = land.land
    cities = {around for name, place in survey.cities.items() for around in _own(choices, name, place)}
    wet = {}
    for one in survey.edges:
        if not (one[0] in cities and one[1] in cities):
            segment = _segment(one)
            wet[one] = 1 - (segment & dry).length / segment.length
    survey.channels = _channels(wet, choices)
    bridged = set(survey.channels.values())
    survey.closed = sorted(
        one for one, share in wet.items() if share > choices.water_share and one not in bridged
    )


def _own(choices: Choices, name: str, place: Place) -> Iterable[Place]:
    size = next(city.size for city in choices.cities if city.name == name)
    return within(place, 1 if size == "major" else 0)


def _segment(one: Edge) -> LineString:
    return LineString([PLANE.at(one[0]), PLANE.at(one[1])])


def _channels(wet: dict[Edge, float], choices: Choices) -> dict[str, Edge]:
    project = projection_of(choices).to_plane
    found: dict[str, Edge] = {}
    for channel in choices.channels:
        at = ShapelyPoint(project(*channel.at))
        least = 0.02 if channel.drawn else -1.0
        free = (one for one, share in wet.items() if share > least and one not in found.values())
        found[channel.name] = min(free, key=lambda one: (_segment(one).distance(at), one))
    return found


def _coasts(survey: Survey, land: Landscape, choices: Choices) -> dict[str, list[Place]]:
    """The mileposts from which one looks at each sea."""
    project = projection_of(choices)
    solid = shapely.union_all([land.land, land.lakes])
    shapely.prepare(solid)
    found: dict[str, set[Place]] = {sea.name: set() for sea in choices.seas}
    for place in survey.country:
        for out in neighbours(place):
            if out not in survey.country and not shapely.contains_xy(solid, *PLANE.at(out)):
                where = project.to_earth(PLANE.at(out))
                sea = next(sea for sea in choices.seas if inside(sea.box, *where))
                found[sea.name].add(place)
    return {name: sorted(places) for name, places in found.items()}


# --- mountains and rivers ---


def _mountains(survey: Survey, heights: Heights, choices: Choices) -> set[Place]:
    """In every region the most rugged of its mileposts; a city is never a mountain."""
    project = projection_of(choices)
    cities = {around for name, place in survey.cities.items() for around in _own(choices, name, place)}
    rugged: dict[str, list[tuple[float, Place]]] = {region.name: [] for region in choices.relief.regions}
    for place in survey.country.keys() - cities:
        where = project.to_earth(PLANE.at(place))
        relief = heights.relief(*where, choices.relief.miles)
        rugged[choices.relief.region(*where).name].append((relief, place))
    return {
        place for region in choices.relief.regions for _, place in _highest(rugged[region.name], region.share)
    }


def _highest(rugged: list[tuple[float, Place]], share: float) -> list[tuple[float, Place]]:
    return sorted(rugged, reverse=True)[: round(share * len(rugged))]


def _crossed(survey: Survey, land: Landscape) -> dict[str, list[Edge]]:
    """The open edges that cross each river, and those that cross it an even number of times do not."""
    closed = {*survey.closed, *survey.channels.values()}
    open_edges = [(one, _segment(one)) for one in survey.edges if one not in closed]
    return {
        name: [one for one, segment in open_edges if _crossings(segment, river) % 2]
        for name, river in land.rivers.items()
    }


def _crossings(segment: LineString, river: BaseGeometry) -> int:
    meeting = segment & river
    return 0 if meeting.is_empty else len(meeting.geoms) if isinstance(meeting, MultiPoint) else 1
