"""The rules of Railroad Ink a second time: slow, obvious, written from the rules text alone.

It knows nothing of the engine. A board is its cells and routes as text; every trail is walked, every source
of a route is tried.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

from companion.core.jsontext import JsonObject

_DATA = files("companion.games.railroad_ink.rules")
BOOK: dict[str, Any] = tomllib.loads(_DATA.joinpath("rulebook.toml").read_text())
GOALS: dict[str, Any] = tomllib.loads(_DATA.joinpath("scoring/goals.toml").read_text())["constants"]
SIDES = "NESW"
CELLS = [column + row for row in "1234567" for column in "abcdefg"]
EXITS = {
    (cell, side): kind == "highway"
    for side, edge in zip(SIDES, ("top", "right", "bottom", "left"), strict=True)
    for cell, kind in BOOK["layouts"]["usual"]["exits"][edge].items()
}
CENTRE: list[str] = BOOK["editions"]["challenge"]["centre"]
VILLAGES: list[str] = BOOK["editions"]["challenge"]["village"]
READINGS = ("trail", "path", "visits")

Cells = Mapping[str, str]
Walls = frozenset[frozenset[str]]


class Piece(NamedTuple):
    """What is joined within a cell: the cell, and the ends as they are written."""

    cell: str
    ends: str


def beyond(cell: str, side: str) -> str | None:
    """The cell on the other side of a border; none at the edge of the board."""
    column, row = ord(cell[0]), int(cell[1])
    there = {"N": (column, row - 1), "E": (column + 1, row), "S": (column, row + 1), "W": (column - 1, row)}[
        side
    ]
    name = f"{chr(there[0])}{there[1]}"
    return name if name in CELLS else None


def facing(side: str) -> str:
    """The side across a border."""
    return SIDES[(SIDES.index(side) + 2) % 4]


def turnings(shape: str) -> set[str]:
    """A route in every way it can be turned and mirrored."""
    found = set()
    for mirrored, quarter in product((False, True), range(4)):

        def moved(letter: str, mirrored: bool = mirrored, quarter: int = quarter) -> str:
            if letter.upper() not in SIDES:
                return letter
            number = SIDES.index(letter.upper())
            turned = SIDES[((-number if mirrored else number) + quarter) % 4]
            return turned if letter.isupper() else turned.lower()

        found.add(usual("".join(map(moved, shape))))
    return found


def usual(route: str) -> str:
    """A route in the usual order: ends clockwise from the top, an overpass's highway before its railway."""
    station = "*" if route.endswith("*") else ""
    pieces = [
        "".join(sorted(piece, key=lambda end: SIDES.index(end.upper())))
        for piece in route.rstrip("*").split("|")
    ]
    return (
        "|".join(sorted(pieces, key=lambda piece: (piece.islower(), SIDES.index(piece[0].upper())))) + station
    )


TURNINGS = {shape: turnings(shape) for die in BOOK["dice"].values() for shape in die} | {
    shape: turnings(shape) for shape in BOOK["specials"]
}
SHAPE_OF = {route: usual(shape) for shape, turned in TURNINGS.items() for route in turned}
SHAPES = {usual(shape): turned for shape, turned in TURNINGS.items()}
DICE = {die: [usual(shape) for shape in faces] for die, faces in BOOK["dice"].items()}
SPECIALS = [usual(shape) for shape in BOOK["specials"]]


def ends_of(route: str) -> dict[str, bool]:
    """The sides on which a route ends, and whether by highway."""
    return {letter.upper(): letter.isupper() for letter in route if letter.upper() in SIDES}


# --- places ---


def may_lie(cells: Cells, walls: Walls, cell: str, route: str) -> bool:
    """Each route must connect to an exit or a route; highway and railway never join."""
    if cell in cells:
        return False
    joined = False
    for side, highway in ends_of(route).items():
        there = beyond(cell, side)
        if there is None:
            met = EXITS.get((cell, side))
        elif frozenset((cell, there)) in walls:
            met = None
        else:
            met = ends_of(cells.get(there, "")).get(facing(side))
        if met is not None and met != highway:
            return False
        joined = joined or met is not None
    return joined


def places(cells: Cells, walls: Walls, shape: str) -> set[tuple[str, str]]:
    """Every cell and turning in which a kind of route may be drawn."""
    return {(cell, route) for cell in CELLS for route in SHAPES[shape] if may_lie(cells, walls, cell, route)}


# --- networks ---


def pieces_of(cells: Cells) -> list[Piece]:
    """Everything drawn, by what is joined within its cell."""
    return [Piece(cell, ends) for cell, route in cells.items() for ends in route.rstrip("*").split("|")]


def joins(cells: Cells, walls: Walls) -> dict[Piece, list[tuple[Piece, bool]]]:
    """The neighbours of every piece, and whether by highway."""
    at = {(piece.cell, end): piece for piece in pieces_of(cells) for end in piece.ends}
    found: dict[Piece, list[tuple[Piece, bool]]] = {piece: [] for piece in pieces_of(cells)}
    for (cell, end), piece in at.items():
        there = beyond(cell, end.upper())
        back = facing(end.upper())
        if there is None or frozenset((cell, there)) in walls:
            continue
        other = at.get((there, back if end.isupper() else back.lower()))
        if other is not None:
            found[piece].append((other, end.isupper()))
    return found


def networks(cells: Cells, walls: Walls) -> list[set[Piece]]:
    """The pieces that hang together."""
    near, left, found = joins(cells, walls), set(pieces_of(cells)), []
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            here = waiting.pop()
            group.add(here)
            waiting += [there for there, _ in near[here] if there not in group]
        left -= group
        found.append(group)
    return found


def exits_of(group: set[Piece]) -> list[str]:
    """The exits that a network joins."""
    return sorted(
        piece.cell
        for piece in group
        for end in piece.ends
        if EXITS.get((piece.cell, end.upper())) == end.isupper() and (piece.cell, end.upper()) in EXITS
    )


def longest(cells: Cells, walls: Walls, highway: bool, reading: str) -> int:
    """The longest route of a type, by walking every one of them; a ``path`` enters no space twice."""
    near = {
        piece: [there for there, by in ways if by == highway] for piece, ways in joins(cells, walls).items()
    }
    starts = [piece for piece in near if any(end.isupper() == highway for end in piece.ends)]

    def walk(here: Piece, used: set[frozenset[Piece]], seen: list[Piece]) -> int:
        best = len(seen) if reading == "visits" else len(set(seen))
        for there in near[here]:
            step = frozenset((here, there))
            again = reading == "path" and there.cell in {piece.cell for piece in seen}
            if step not in used and not again:
                best = max(best, walk(there, used | {step}, [*seen, there]))
        return best

    return max((walk(start, set(), [start]) for start in starts), default=0)


# --- scores ---


def score_of(
    cells: Cells, walls: Walls = frozenset(), reading: str = "trail", wall_ends: str = "error"
) -> JsonObject:
    """The score without goals, in the engine's words."""
    groups = [exits_of(group) for group in networks(cells, walls)]
    errors = 0
    for cell, route in cells.items():
        for side, highway in ends_of(route).items():
            there = beyond(cell, side)
            if there is None:
                continue
            walled = frozenset((cell, there)) in walls
            met = None if walled else ends_of(cells.get(there, "")).get(facing(side))
            errors += met != highway and not (walled and wall_ends == "free")
    return {
        "exits": sum(BOOK["network_values"][len(group)] for group in groups),
        "highway": longest(cells, walls, True, reading),
        "railway": longest(cells, walls, False, reading),
        "centre": sum(cell in cells for cell in CENTRE),
        "villages": BOOK["village_values"][villages(cells)],
        "errors": -errors,
        "networks": sorted(group for group in groups if len(group) > 1),
    }


def villages(cells: Cells) -> int:
    """How many Villages have a station."""
    return sum(cells.get(cell, "").endswith("*") for cell in VILLAGES)


def goals_of(cells: Cells, walls: Walls, reading: str) -> dict[str, bool]:
    """Which goal cards ask for something that the board has."""
    groups, near = networks(cells, walls), joins(cells, walls)
    exits = [set(exits_of(group)) for group in groups]
    stations = [{piece.cell for piece in group if cells[piece.cell].endswith("*")} for group in groups]
    opposite = [({"b1", "d1", "f1"}, {"b7", "d7", "f7"}), ({"a2", "a4", "a6"}, {"g2", "g4", "g6"})]
    lines = [[cell for cell in CELLS if line in cell] for line in "abcdefg1234567"]
    blocks = [
        [f"{'abcdefg'[x + i]}{1 + y + j}" for i, j in product(range(3), repeat=2)]
        for x, y in product(range(5), repeat=2)
    ]
    return {
        "A": sum(cell in cells for cell in CENTRE) >= GOALS["central_spaces"],
        "B": villages(cells) >= GOALS["villages"],
        "C": any(cells.keys() >= set(line) for line in lines),
        "D": sum(cell in cells for cell in ("a1", "g1", "a7", "g7")) >= GOALS["corners"],
        "E": any(cells.keys() >= set(block) for block in blocks),
        # where a network has as many joins as pieces, a way leads back
        "F": any(sum(len(near[piece]) for piece in group) // 2 >= len(group) for group in groups),
        "G": any(len(group) >= GOALS["exits"] for group in exits),
        "H": any(len(group) >= GOALS["stations"] for group in stations),
        "I": longest(cells, walls, True, reading) >= GOALS["highway"],
        "J": longest(cells, walls, False, reading) >= GOALS["railway"],
        "K": any(one & group and other & group for group in exits for one, other in opposite),
        "L": any(len({"d1", "g4", "d7", "a4"} & group) >= 2 for group in exits),
    }


# --- move lists ---


class Drawn(NamedTuple):
    """A route, where it came from, and in which round."""

    cell: str
    route: str
    source: str
    round: int


def source_allowed(before: Sequence[Drawn], one: Drawn, edition: JsonObject, free_special: str) -> bool:
    """May a special route be drawn now, as one of the three, or as that of the third University?"""
    shape = SHAPE_OF[one.route]
    crossed_off = [SHAPE_OF[other.route] for other in before if other.source in ("special", "university")]
    if shape not in SPECIALS or shape in crossed_off:
        return False
    if one.source == "special":
        used = [other for other in before if other.source == "special"]
        this_round = [other for other in used if other.round == one.round]
        return not this_round and len(used) < int(BOOK["specials_a_match"])
    marked = [other for other in before if other.cell in edition["university"]]
    if any(other.source == "university" for other in before) or len(marked) < BOOK["university_circles"]:
        return False
    third = marked[BOOK["university_circles"] - 1]
    return free_special == "match" or third.round == one.round


def roll_explains(round_: Sequence[JsonObject], edition: JsonObject) -> bool:
    """Is there a roll, with the round's Factories, that gives the routes of one round that are on dice?"""
    plain = [n for n, move in enumerate(round_) if SHAPE_OF[usual(move["route"])] not in SPECIALS]
    shapes = {n: SHAPE_OF[usual(round_[n]["route"])] for n in plain}
    factories = [n for n, move in enumerate(round_) if move["cell"] in edition["factory"]]
    for count in range(len(factories) + 1):
        for copies in combinations(plain, count):
            if any(factories[number] >= copy for number, copy in enumerate(copies)):
                continue  # a Factory copies a die only after it was drawn on
            drawn = [shapes[n] for n in plain if n not in copies]
            shown = [*drawn, *({shapes[n] for n in copies} - set(drawn))]
            if any(can_show(dice, shown) for dice in combinations(edition["dice"], len(shown))):
                return True
    return False


def moves_are_legal(moves: Sequence[JsonObject], edition: JsonObject) -> bool:
    """Move lists with rounds, without dice and sources: is there any way in which they came about?"""
    specials = [number for number, move in enumerate(moves) if SHAPE_OF[usual(move["route"])] in SPECIALS]
    cells: dict[str, str] = {}
    for number, move in enumerate(moves):
        if number and move["round"] < moves[number - 1]["round"]:
            return False
        if not may_lie(cells, frozenset(), move["cell"], usual(move["route"])):
            return False
        cells[move["cell"]] = usual(move["route"])
    rounds = {move["round"]: [one for one in moves if one["round"] == move["round"]] for move in moves}
    if not all(roll_explains(round_, edition) for round_ in rounds.values()):
        return False
    for sources in product(("special", "university"), repeat=len(specials)):
        said = dict(zip(specials, sources, strict=True))
        drawn = [
            Drawn(move["cell"], usual(move["route"]), said.get(number, "die"), move["round"])
            for number, move in enumerate(moves)
        ]
        if all(source_allowed(drawn[:number], drawn[number], edition, "round") for number in specials):
            return True
    return False


# --- matches ---


class Seat:
    """A board in a match."""

    def __init__(self, edition: JsonObject, walls: Walls, free_special: str) -> None:
        self.edition, self.walls, self.free_special = edition, walls, free_special
        self.drawn: list[Drawn] = []

    @property
    def cells(self) -> dict[str, str]:
        """The text of the route in every cell that is drawn in."""
        return {one.cell: one.route for one in self.drawn}

    def open(self, number: int, dice: Sequence[str]) -> set[tuple[str, str, str]]:
        """Everything that may be drawn now: cell, route, source."""
        round_ = [one for one in self.drawn if one.round == number]
        left = Counter(dice) - Counter(SHAPE_OF[one.route] for one in round_ if one.source == "die")
        found = {(*place, "die") for shape in left for place in places(self.cells, self.walls, shape)}
        factories = sum(one.cell in self.edition["factory"] for one in round_)
        if factories > sum(one.source == "factory" for one in round_):
            found |= {
                (*place, "factory") for shape in set(dice) for place in places(self.cells, self.walls, shape)
            }
        for source, shape in product(("special", "university"), SPECIALS):
            for cell, route in places(self.cells, self.walls, shape):
                if source_allowed(
                    self.drawn, Drawn(cell, route, source, number), self.edition, self.free_special
                ):
                    found.add((cell, route, source))
        return found


def walls_of(blueprint: object) -> Walls:
    """Walls as an option has them: a list, or the name of a file."""
    if isinstance(blueprint, str):
        text = _DATA.joinpath("blueprints", f"{blueprint}.toml").read_text()
        blueprint = tomllib.loads(text)["walls"]
    assert isinstance(blueprint, list | tuple)
    return frozenset(frozenset(wall.split("-")) for wall in blueprint)


def can_show(dice: Sequence[str], faces: Sequence[str]) -> bool:
    """Can these dice show these faces together?"""
    return len(dice) == len(faces) and any(
        all(face in DICE[die] for die, face in zip(order, faces, strict=True)) for order in permutations(dice)
    )
