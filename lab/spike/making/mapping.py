"""From the geography and the seed to a board: lattice, cities, tracks, suits, goods."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import dist
from random import Random

from companion.games.spike.printing.choices import Choices, Paper
from companion.games.spike.printing.geography import Geography, is_inside
from companion.sheets.drawing import Point
from companion.sheets.lattice import Edge, Lattice, Place, distance, edge, neighbours, within


@dataclass(frozen=True)
class Plan:
    """What the board will be, on the lattice."""

    lattice: Lattice  # in miles
    cities: dict[str, Place]
    points: list[Place]
    tracks: dict[Edge, int]  # with the number of the suit
    goods: dict[str, str]


def plan(choices: Choices, geography: Geography) -> Plan:
    """Make the plan of the board; the same choices and geography give the same plan."""
    random = Random(choices.seed)
    lattice = Lattice(choices.lattice.miles)
    cities = place_cities(choices, geography, lattice, random)
    edges = _thinned(
        choices, _edges_on_land(choices, geography, lattice, cities), set(cities.values()), random
    )
    points = sorted({place for ends in edges for place in ends} - set(cities.values()), key=_reading_order)
    tracks = _dealt_suits(sorted(edges), random)
    return Plan(lattice, cities, points, tracks, choose_goods(choices, cities, random))


def _reading_order(place: Place) -> tuple[int, int]:
    return place[1], place[0]


# --- cities ---


def place_cities(
    choices: Choices, geography: Geography, lattice: Lattice, random: Random
) -> dict[str, Place]:
    """Every city near its true place, no two too near to each other, as little moved as the seed finds."""
    names = [city.name for city in choices.city]
    best: tuple[float, dict[str, Place]] | None = None
    for _ in range(60):
        random.shuffle(names)
        placed = _placed(names, geography, lattice, choices.lattice.apart)
        if placed is not None:
            moved = sum(
                dist(lattice.at(place), geography.cities[name]) ** 2 for name, place in placed.items()
            )
            best = min(best or (moved, placed), (moved, placed), key=lambda found: found[0])
    if best is None:
        raise ValueError("the cities do not fit on the lattice: make its points denser")
    return {city.name: best[1][city.name] for city in choices.city}


def _placed(names: list[str], geography: Geography, lattice: Lattice, apart: int) -> dict[str, Place] | None:
    placed: dict[str, Place] = {}
    for name in names:
        true = geography.cities[name]
        near = sorted(within(lattice.nearest(true), 2), key=lambda place: dist(lattice.at(place), true))
        free = [place for place in near if all(distance(place, other) >= apart for other in placed.values())]
        if not free:
            return None
        placed[name] = free[0]
    return _settled(placed, geography, lattice, apart)


def _settled(
    placed: dict[str, Place], geography: Geography, lattice: Lattice, apart: int
) -> dict[str, Place]:
    """Move each city nearer to its true place as long as that is possible."""
    moving = True
    while moving:
        moving = False
        for name, place in placed.items():
            others = [other for city, other in placed.items() if city != name]
            nearer = min(
                (
                    near
                    for near in (place, *neighbours(place))
                    if all(distance(near, other) >= apart for other in others)
                ),
                key=lambda near: dist(lattice.at(near), geography.cities[name]),
            )
            moving = moving or nearer != place
            placed[name] = nearer
    return placed


# --- tracks ---


def _edges_on_land(
    choices: Choices, geography: Geography, lattice: Lattice, cities: dict[str, Place]
) -> set[Edge]:
    """Every edge between cities and points on land, if enough of it lies on land."""
    towns = set(cities.values())
    middle = lattice.nearest((0.0, 0.0))
    everything = [place for place in within(middle, 24) if _on_the_map(lattice.at(place), choices.paper)]
    ground = {
        place for place in everything if place in towns or _on_land(lattice.at(place), choices, geography)
    }
    near = {place for place in ground if _is_useful(place, towns)}
    edges = {edge(place, other) for place in near for other in neighbours(place) if other in near}
    request = choices.lattice
    return {
        ends
        for ends in edges
        if _share_on_land(ends, geography, lattice)
        >= (request.land_city if towns.intersection(ends) else request.land)
    }


def _is_useful(place: Place, towns: set[Place]) -> bool:
    """True if a point lies beside a city or on a way between two."""
    steps = sorted(distance(place, town) for town in towns)
    return steps[0] <= 1 or steps[1] <= 2


def _on_the_map(point: Point, paper: Paper) -> bool:
    """True if a point lies well inside the score track."""
    edge = paper.rim + paper.clear
    return all(edge < value < size - edge for value, size in zip(paper.at(point), paper.size, strict=True))


def _on_land(point: Point, choices: Choices, geography: Geography) -> bool:
    """True if a point is on land or near enough to its coast."""
    reach = choices.lattice.coast
    around = ((0.0, 0.0), (reach, 0.0), (-reach, 0.0), (0.0, reach), (0.0, -reach))
    return any(is_inside((point[0] + x, point[1] + y), geography.land) for x, y in around)


def _share_on_land(ends: Edge, geography: Geography, lattice: Lattice) -> float:
    (x1, y1), (x2, y2) = (lattice.at(end) for end in ends)
    steps = [(n + 0.5) / 12 for n in range(12)]
    inside = [is_inside((x1 + (x2 - x1) * s, y1 + (y2 - y1) * s), geography.land) for s in steps]
    return sum(inside) / len(inside)


def _thinned(choices: Choices, edges: set[Edge], towns: set[Place], random: Random) -> set[Edge]:
    """About as many edges as were asked for: left out one by one where many meet, never where few do."""
    kept = _without_dead_ends(edges, towns)
    order = sorted(kept)
    random.shuffle(order)
    degree = Counter(place for ends in kept for place in ends)
    order.sort(key=lambda ends: -degree[ends[0]] - degree[ends[1]])
    request = choices.lattice
    for ends in order:
        enough = all(degree[end] > (request.least_city if end in towns else request.least) for end in ends)
        if len(kept) > request.tracks and enough and _still_joined(kept - {ends}, ends):
            kept.discard(ends)
            degree.subtract(ends)
    return kept


def _without_dead_ends(edges: set[Edge], towns: set[Place]) -> set[Edge]:
    """Remove points with a single track until there are none."""
    while True:
        degree = Counter(place for ends in edges for place in ends)
        kept = {ends for ends in edges if all(end in towns or degree[end] > 1 for end in ends)}
        if len(kept) == len(edges):
            return kept
        edges = kept


def _still_joined(edges: set[Edge], ends: Edge) -> bool:
    joined: dict[Place, list[Place]] = {}
    for one, other in edges:
        joined.setdefault(one, []).append(other)
        joined.setdefault(other, []).append(one)
    found, waiting = {ends[0]}, [ends[0]]
    while waiting:
        for near in joined.get(waiting.pop(), []):
            if near not in found:
                found.add(near)
                waiting.append(near)
    return ends[1] in found


# --- suits ---

_SUITS = 6


def _dealt_suits(edges: list[Edge], random: Random) -> dict[Edge, int]:
    """Deal suits evenly to the tracks, then swap so that neighbours differ where possible."""
    suits = [number % _SUITS for number in range(len(edges))]
    random.shuffle(suits)
    tracks = dict(zip(edges, suits, strict=True))
    near = _touching(edges)
    for _ in range(60_000):
        one, other = random.choice(edges), random.choice(edges)
        if tracks[one] == tracks[other]:
            continue
        before = _clashes(tracks, near, one) + _clashes(tracks, near, other)
        tracks[one], tracks[other] = tracks[other], tracks[one]
        if _clashes(tracks, near, one) + _clashes(tracks, near, other) > before:
            tracks[one], tracks[other] = tracks[other], tracks[one]
    return tracks


def _touching(edges: list[Edge]) -> dict[Edge, list[Edge]]:
    at: dict[Place, list[Edge]] = {}
    for ends in edges:
        for end in ends:
            at.setdefault(end, []).append(ends)
    return {ends: [other for end in ends for other in at[end] if other != ends] for ends in edges}


def _clashes(tracks: dict[Edge, int], near: dict[Edge, list[Edge]], ends: Edge) -> int:
    return sum(tracks[other] == tracks[ends] for other in near[ends])


# --- goods ---


def choose_goods(choices: Choices, cities: dict[str, Place], random: Random) -> dict[str, str]:
    """A good for each city, three cities a good, far apart from each other."""
    best: tuple[int, dict[str, str]] | None = None
    for _ in range(3000):
        chosen = _some_goods(choices, random)
        if chosen is not None:
            nearest = min(
                distance(cities[one], cities[other])
                for one in chosen
                for other in chosen
                if one < other and chosen[one] == chosen[other]
            )
            best = max(best or (nearest, chosen), (nearest, chosen), key=lambda found: found[0])
    if best is None:
        raise ValueError("no choice of goods gives every good three cities: name more goods for some of them")
    return best[1]


def _some_goods(choices: Choices, random: Random) -> dict[str, str] | None:
    """Each city gets one of its goods: a matching grown by augmenting paths, in an order the seed decides."""
    wanted = {city.name: random.sample(city.goods, len(city.goods)) for city in choices.city}
    room = len(wanted) // len({good for goods in wanted.values() for good in goods})
    holders: dict[str, list[str]] = {}
    names = random.sample(sorted(wanted), len(wanted))
    if not all(_find_good(name, wanted, holders, room, set()) for name in names):
        return None
    held = {name: good for good, cities in holders.items() for name in cities}
    return {city.name: held[city.name] for city in choices.city}


def _find_good(
    name: str, wanted: dict[str, list[str]], holders: dict[str, list[str]], room: int, asked: set[str]
) -> bool:
    for good in wanted[name]:
        if good in asked:
            continue
        asked.add(good)
        there = holders.setdefault(good, [])
        if len(there) < room:
            there.append(name)
            return True
        for other in list(there):
            if _find_good(other, wanted, holders, room, asked):
                there[there.index(other)] = name
                return True
    return False
