"""Superconnection, City Builder and Alien Farmer; Weather and Airline; Street Lamps and Power Grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.facing import facing_at
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import TYPES, any_route
from companion.games.railroad_ink.rules.expansions.frame import (
    SUPER,
    Placement,
    Rules,
    StarLine,
    Turn,
    Wiring,
    accepting,
    around,
    clashes,
    empty_cells,
    ends_facing,
    fences,
    flowing,
    groups,
    in_line,
    named,
    node_at,
    sides_of,
    signed,
    signed_routes,
    simple,
    split_face,
    spots,
    turned_faces,
    unanswered_sides,
)
from companion.games.railroad_ink.rules.expansions.marks import (
    directions_of,
    number_in,
)
from companion.games.railroad_ink.rules.expansions.words import sign_words
from companion.games.railroad_ink.rules.rulebook import COLUMN, EXIT_AT, LAYOUT_OF, NAMES, NEIGHBOURS, ROW
from companion.games.railroad_ink.rules.scoring.network import Tracks, exit_networks, lay_tracks
from companion.sheets.grid import DIRECTIONS, opposite

_MOST_COINS = 12
_PRICES = {1: 3, 2: 5, 3: 7}
_MOST_CHARGES = 3


# --- Superconnection ---


def _super_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """One end at least meets an exit or an end; those of the superconnection meet either type."""
    sides = accepting(position)
    walls = position.walls | fences(position)
    for face in dict.fromkeys(turn.left):
        shape, _, ends = split_face(face)
        for cell in empty_cells(position):
            facing = facing_at(position.cells, walls, cell)
            for text, turned in turned_faces(shape, ends):
                route = any_route(text) if text else None
                if route is not None and clashes(position, cell, route):
                    continue
                every = directions_of(turned)
                joined = any((facing | facing >> 4) >> way & 1 for way in every)
                if route is not None:
                    joined = joined or bool(facing & 15 & route.highway or facing >> 4 & route.railway)
                    every = [
                        *every,
                        *(way for way in DIRECTIONS if (route.highway | route.railway) >> way & 1),
                    ]
                if joined or any((cell, way) in sides for way in every):
                    yield signed(face, cell, text, f"super:{turned}")


def _super_tracks(position: Position, tracks: Tracks) -> Tracks:
    """The ends of a superconnection join ends of either type, and belong to both longest routes."""
    wiring = Wiring(tracks)
    ends = sides_of(position, "super")
    for cell in ends:
        for kind in TYPES:
            wiring.links[kind].setdefault(2 * cell, [])
    for cell, way in [(cell, way) for cell, ways in ends.items() for way in ways]:
        other, back = NEIGHBOURS[cell][way], opposite(way)
        if (cell, way) in EXIT_AT:
            wiring.exits[2 * cell] = EXIT_AT[cell, way]
        elif back in ends.get(other, []):
            for kind in TYPES if cell < other else ():
                wiring.link(kind, 2 * cell, 2 * other)
        elif other >= 0:
            _meet(position, wiring, cell, way)
    return wiring.done()


def _meet(position: Position, wiring: Wiring, cell: int, way: int) -> None:
    """An end of a superconnection against a route's, or against nothing."""
    other, back = NEIGHBOURS[cell][way], opposite(way)
    met = [(kind, node) for kind in TYPES if (node := node_at(position, other, back, kind)) is not None]
    for kind, node in met:
        wiring.link(kind, 2 * cell, node)
        wiring.met((other, back, kind))
    if not met:
        wiring.loose.append((cell, way, SUPER))


SUPERCONNECTION = Rules(_super_placements, tracks=_super_tracks)


# --- City Builder ---


def _income(position: Position, face: str, turn: Turn) -> int:
    if face == "income:new":
        found = groups(cell for cell, number in position.rounds.items() if number == turn.round)
        return len(found[0]) if found else 0
    if face == "income:exits":
        return max((len(network.exits) for network in exit_networks(lay_tracks(position))), default=0)
    if face == "income:centre":
        return len(position.drawn_in & position.edition.centre)
    return 2 + len(position.having("tower"))


def _city_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    coins = number_in(position.marks, "coins")
    incomes = [face for face in turn.left if face.startswith("income:")]
    for face in incomes:
        now = min(_MOST_COINS, coins + _income(position, face, turn))
        yield Placement((face,), marks=(("coins", str(now)),))
    if incomes:
        return
    for face in dict.fromkeys(turn.left):
        towers = int(face.partition(":")[2])
        if coins >= _PRICES[towers]:
            for cell in empty_cells(position):
                marks = ((NAMES[cell], f"tower:{towers}"), ("coins", str(coins - _PRICES[towers])))
                yield Placement((face,), marks=marks, gives=(face,))


def _city_points(position: Position) -> Iterator[StarLine]:
    towers = position.having("tower")
    count = sum(int(number or 1) for number in towers.values())
    if towers:
        yield StarLine(m("{count} towers", count=count), count, named(towers))


CITY_BUILDER = Rules(_city_placements, _city_points)


# --- Alien Farmer ---


def _farm_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    for face in dict.fromkeys(turn.left):
        yield from simple(position, face, joined=False)
    for shape in turn.specials:
        for cell in empty_cells(position):
            yield Placement((), marks=((NAMES[cell], "ufo"),), special=shape)


def _farm_points(position: Position) -> Iterator[StarLine]:
    sheep = position.having("sheep")
    for ufo in sorted(position.having("ufo")):
        seen = [one for one in sheep if COLUMN[one] == COLUMN[ufo] or ROW[one] == ROW[ufo]]
        if seen:
            yield StarLine(
                m("Sheep in line with the UFO in {ufo}", ufo=NAMES[ufo]), 2 * len(seen), named([ufo, *seen])
            )


ALIEN_FARMER = Rules(_farm_placements, _farm_points)


# --- Weather ---

_WEATHERS = ("cloud", "storm", "snow")


def _weather_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    taken = position.having(*_WEATHERS)
    new = sorted(cell for cell, number in position.rounds.items() if number == turn.round)
    for face in dict.fromkeys(turn.left):
        for cell in new:
            if cell not in taken and cell in position.cells:
                yield Placement((face,), marks=((NAMES[cell], face),))


def _weather_points(position: Position) -> Iterator[StarLine]:
    """The largest area of each kind that no other kind touches, not even at a corner."""
    where = {sign: set(position.having(sign)) for sign in _WEATHERS}
    for sign in _WEATHERS:
        others = set().union(*(cells for other, cells in where.items() if other != sign))
        for area in groups(where[sign]):
            if not any(_touching(cell) & others for cell in area):
                yield StarLine(
                    (
                        m("Area of {sign}, {area} space", sign=sign_words(sign), area=len(area))
                        if len(area) == 1
                        else m("Area of {sign}, {area} spaces", sign=sign_words(sign), area=len(area))
                    ),
                    len(area),
                    named(area),
                )
                break


def _touching(cell: int) -> set[int]:
    """The up to eight cells around a cell."""
    layout, x, y = LAYOUT_OF[cell], COLUMN[cell], ROW[cell]
    inside = range(layout.side)
    return {
        layout.at(column, row)
        for column in (x - 1, x, x + 1)
        for row in (y - 1, y, y + 1)
        if column in inside and row in inside
    } - {cell}


WEATHER = Rules(_weather_placements, _weather_points)


# --- Airline ---


def _airline_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    for face in dict.fromkeys(turn.left):
        shape, sign, ends = split_face(face)
        if sign == "airport":
            yield from simple(position, face)
        elif not shape:
            for cell in empty_cells(position):
                for _, turned in turned_faces("", ends):
                    yield signed(face, cell, "", f"air:{turned}")
        else:
            joined = {(cell, route.text) for cell, route in spots(position, shape)}
            for text, turned in turned_faces(shape, ends):
                found = [(cell, any_route(text)) for cell, route in sorted(joined) if route == text]
                yield from signed_routes(face, found, f"air:{turned}")
    for shape in turn.specials:
        for cell in empty_cells(position):
            yield Placement((), marks=((NAMES[cell], "airport"),), special=shape)


def _airline_tracks(position: Position, tracks: Tracks) -> Tracks:
    """An airport joins every end that points at it."""
    wiring = Wiring(tracks)
    for cell in position.having("airport"):
        facing = ends_facing(position, cell)
        for node, kind, end in facing:
            wiring.link(kind, 2 * cell, node)
            wiring.met(end)
    return wiring.done()


def airways(position: Position) -> list[tuple[list[int], int]]:
    """Each airway's spaces, and how many of its ends are open."""
    sides, airports = sides_of(position, "air"), position.having("airport")
    is_open = Counter(cell for cell, way in unanswered_sides(sides) if NEIGHBOURS[cell][way] not in airports)
    return [(airway, sum(is_open[cell] for cell in airway)) for airway in flowing(sides)]


def _airline_points(position: Position) -> Iterator[StarLine]:
    sides = sides_of(position, "air")
    found = airways(position)
    whole = next((spaces for spaces, is_open in found if not is_open and _has_ends(sides, spaces)), None)
    if whole:
        yield StarLine(
            (
                m("Longest airway, {whole} space", whole=len(whole))
                if len(whole) == 1
                else m("Longest airway, {whole} spaces", whole=len(whole))
            ),
            2 * len(whole),
            named(whole),
        )
    for spaces, is_open in found:
        if is_open:
            yield StarLine(m("Open ends of an airway"), -2 * is_open, named(spaces))
    for cell in sorted(position.having("airport")):
        served = any(
            (other := NEIGHBOURS[cell][way]) in sides and opposite(way) in sides[other] for way in DIRECTIONS
        )
        if not served:
            yield StarLine(m("Airport without an airway"), -4, named([cell]))


def _has_ends(sides: dict[int, list[int]], spaces: list[int]) -> bool:
    """False for a ring, which starts and stops nowhere."""
    inside = sum(
        NEIGHBOURS[cell][way] in spaces and opposite(way) in sides[NEIGHBOURS[cell][way]]
        for cell in spaces
        for way in sides[cell]
    )
    return inside < 2 * len(spaces)


AIRLINE = Rules(_airline_placements, _airline_points, _airline_tracks)


# --- Street Lamps ---


def _lamp_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """The routes; and for each special route used, all lamps of one row or column are lit."""
    for face in dict.fromkeys(turn.left):
        yield from simple(position, face)
    used = number_in(position.marks, "lights")
    if used < turn.used_specials:
        dark = set(position.having("lamp")) - set(position.having("lit"))
        for line in filter(None, in_line(dark)):
            marks = tuple((NAMES[cell], "lit") for cell in line)
            yield Placement((), marks=(*marks, ("lights", str(used + 1))))


def _lamp_points(position: Position) -> Iterator[StarLine]:
    lit = position.having("lit")
    if lit:
        yield StarLine(m("{lit} lamps alight", lit=len(lit)), len(lit), named(lit))


STREET_LAMPS = Rules(_lamp_placements, _lamp_points)


# --- Power Grid ---


def _power_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    tower, charges = _accumulator(position)
    power = set(position.having("power"))
    at_exits = {exit.cell for exit in lay_tracks(position).exits.values()}
    for face in dict.fromkeys(turn.left):
        if face == "power:any":
            for cell in sorted(set(position.cells) - power):
                yield Placement((face,), marks=((NAMES[cell], "power"),))
            if tower is not None and charges < _MOST_CHARGES:
                yield _charged((face,), (), tower, charges)
            continue
        (way,) = directions_of(face.partition(":")[2])
        for start in sorted(at_exits | power):
            run, here = [], start
            while here in position.cells:
                run += [here] if here not in power else []
                here = NEIGHBOURS[here][way]
            marks = tuple((NAMES[cell], "power") for cell in run)
            if here >= 0 and here == tower and charges < _MOST_CHARGES:
                yield _charged((face,), marks, tower, charges)
            elif run:
                yield Placement((face,), marks=marks)


def _accumulator(position: Position) -> tuple[int | None, int]:
    for cell, charges in position.having("accumulator").items():
        return cell, int(charges or 0)
    return None, 0


def _charged(
    uses: tuple[str, ...], marks: tuple[tuple[str, str], ...], tower: int, charges: int
) -> Placement:
    name = NAMES[tower]
    return Placement(
        uses, marks=(*marks, (name, f"accumulator:{charges + 1}")), erase=((name, "accumulator"),)
    )


def _power_points(position: Position) -> Iterator[StarLine]:
    """Charges times the exits that electrified spaces link to the accumulator."""
    tower, charges = _accumulator(position)
    if tower is None:
        return
    power = set(position.having("power"))
    linked = [cell for area in groups(power) if any(tower in around(one) for one in area) for cell in area]
    exits = [exit for exit in position.layout.exits if exit.cell in linked]
    if charges and exits:
        says = m("{exits} exits linked to {charges} charges", exits=len(exits), charges=charges)
        yield StarLine(says, charges * len(exits), named(linked))


POWER_GRID = Rules(_power_placements, _power_points)
