"""Galactic Invaders, Pluck-Man, Rainbow, Tetromino."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    StarLine,
    Turn,
    Wiring,
    around,
    empty_cells,
    ends_facing,
    named,
)
from companion.games.railroad_ink.rules.expansions.marks import (
    edge_name,
    next_number,
    places_with,
)
from companion.games.railroad_ink.rules.rulebook import COLUMN, NAMES, ROW
from companion.games.railroad_ink.rules.scoring.network import Tracks, all_networks, lay_tracks

# --- Galactic Invaders ---


def _aliens(position: Position) -> list[int]:
    """The cells of aliens that nobody has drawn over."""
    return sorted(cell for cell in position.having("alien") if cell not in position.cells)


def _invader_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    aliens, shields = _aliens(position), position.having("shield")
    beside = position if turn.beside is None else turn.beside[1]
    for face in dict.fromkeys(turn.left):
        if face == "alien":
            taken = set(_aliens(beside))
            for cell in empty_cells(beside):
                if cell not in taken:
                    yield Placement((face,), marks=((NAMES[cell], "alien"),), neighbour=1)
        elif face == "nuke":
            for cell in aliens:
                yield Placement((face,), erase=((NAMES[cell], ""),))
        else:
            raised = tuple((NAMES[cell], "shield") for cell in aliens if cell not in shields)
            shot = {other for cell in aliens if cell in shields for other in around(cell)}
            yield Placement((face,), marks=raised, destroy=named(shot & set(position.cells)))


def _invader_points(position: Position) -> Iterator[StarLine]:
    aliens = _aliens(position)
    if aliens:
        yield StarLine(m("{aliens} aliens left", aliens=len(aliens)), -len(aliens), named(aliens))


GALACTIC_INVADERS = Rules(_invader_placements, _invader_points)


# --- Pluck-Man ---

_PLUCKED = ("pluck-man", "ghost", "fruit")


def _pluck_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    used = {exit.name for exit in lay_tracks(position).exits.values()}
    for face in dict.fromkeys(turn.left):
        for exit in position.layout.exits:
            place = edge_name(exit.cell, exit.direction)
            if exit.name not in used and place not in position.marks:
                yield Placement((face,), marks=((place, face),))


def _pluck_points(position: Position) -> Iterator[StarLine]:
    places = {edge_name(exit.cell, exit.direction): exit.name for exit in position.layout.exits}
    at = {
        sign: {places[place] for place in places_with(position.marks, sign) if place in places}
        for sign in _PLUCKED
    }
    for network in all_networks(lay_tracks(position)):
        exits = {exit.name for exit in network.exits}
        if not exits & at["pluck-man"]:
            continue
        ghosts = len(exits & at["ghost"])
        each = 2 if exits & at["fruit"] else -2
        cells = tuple(exit.name for exit in network.exits)
        yield StarLine(m("Network with a Pluck-Man"), 3, cells)
        if ghosts:
            yield StarLine(
                m("Its ghosts with a fruit") if each > 0 else m("Its ghosts without a fruit"),
                each * ghosts,
                cells,
            )


PLUCK_MAN = Rules(_pluck_placements, _pluck_points)


# --- Rainbow ---


def _rainbow_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    beside = position if turn.beside is None else turn.beside[0]
    for face in dict.fromkeys(turn.left):
        board, neighbour = (beside, -1) if face == "rain" else (position, 0)
        for cell in empty_cells(board):
            yield Placement((face,), marks=((NAMES[cell], face),), neighbour=neighbour)


def _rainbow_tracks(position: Position, tracks: Tracks) -> Tracks:
    """A rainbow joins the networks whose ends point at it; no longest route goes on there."""
    wiring = Wiring(tracks)
    for cell in position.having("rainbow"):
        wiring.join(node for node, _, _ in ends_facing(position, cell))
    return wiring.done()


def _rainbow_points(position: Position) -> Iterator[StarLine]:
    rainbows = position.having("rainbow")
    found = [cell for cell in position.having("clover") if any(o in rainbows for o in around(cell))]
    if found:
        yield StarLine(m("{found} clovers beside a rainbow", found=len(found)), 2 * len(found), named(found))


RAINBOW = Rules(_rainbow_placements, _rainbow_points, _rainbow_tracks)


# --- Tetromino ---

# The spaces of each shape as (column, row). They are turned, never mirrored.
_SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "S": ((1, 0), (2, 0), (0, 1), (1, 1)),
    "Z": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "L": ((0, 0), (0, 1), (0, 2), (1, 2)),
    "J": ((1, 0), (1, 1), (1, 2), (0, 2)),
}


def _turnings(shape: str) -> list[tuple[tuple[int, int], ...]]:
    found = []
    cells = _SHAPES[shape]
    for _ in range(4):
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        found.append(tuple(sorted((x - left, y - top) for x, y in cells)))
        cells = tuple((-y, x) for x, y in cells)
    return list(dict.fromkeys(found))


def _tetromino_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    layout, outlines = position.layout, position.having("outline")
    number = next_number(position.marks, "outline")
    free = set(empty_cells(position)) - set(outlines)
    for face in dict.fromkeys(turn.left):
        for cells in _turnings(face.partition(":")[2]):
            for start in layout.cells:
                x, y = COLUMN[start], ROW[start]
                if any(x + dx >= layout.side or y + dy >= layout.side for dx, dy in cells):
                    continue
                where = [layout.at(x + dx, y + dy) for dx, dy in cells]
                if all(cell in free for cell in where):
                    marks = tuple((NAMES[cell], f"outline:{number}") for cell in where)
                    yield Placement((face,), marks=marks)


def _tetromino_points(position: Position) -> Iterator[StarLine]:
    outlines = position.having("outline")
    filled = [cell for cell in outlines if cell in position.cells]
    if outlines:
        says = m(
            "{filled} of {outlines} outlined spaces are filled", filled=len(filled), outlines=len(outlines)
        )
        yield StarLine(says, 2 * len(filled) - len(outlines), named(outlines))


TETROMINO = Rules(_tetromino_placements, _tetromino_points)
