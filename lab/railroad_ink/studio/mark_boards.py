"""Boards with the marks of an expansion: by random legal play, or every face anywhere."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

import numpy as np

from companion.games.railroad_ink.rules.boards.routes import SHAPES, Cells, any_route, turnings
from companion.games.railroad_ink.rules.expansions.frame import split_face, turned_faces
from companion.games.railroad_ink.rules.expansions.lush_green import WAYS
from companion.games.railroad_ink.rules.expansions.marks import (
    Marks,
    border_name,
    cells_with,
    directions_of,
)
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID, EditionName
from companion.sheets.grid import DIRECTIONS, EAST, SOUTH, opposite
from lab.railroad_ink.expansion_play import random_match
from lab.studio.habits import one_of

_FLOWING = ("river", "lake", "lava")
_JOINED = 0.6  # how often what flows is turned so that it goes on next door
_TRIES = 8
_MOST_PIECES = 12  # of a canyon

Drawn: TypeAlias = tuple[Cells, dict[int, int], Marks]  # routes, their rounds, marks


def played_board(rng: np.random.Generator, expansion: str, edition: EditionName) -> Drawn:
    """A board at some moment of a random legal match."""
    seed, stop = int(rng.integers(2**62)), float(rng.uniform(0.08, 1.0))
    states: list[State] = [
        state for state, _ in random_match(expansion, Random(seed), 1, {"edition": edition})
    ]
    state = states[int(stop * (len(states) - 1))]
    board = state.boards[1]
    return board.cells(), board.rounds(), marks_of(state, board)


def scattered_board(rng: np.random.Generator, expansion: str) -> tuple[Cells, Marks]:
    """Every face of the expansion and every kind of route anywhere, rules or not."""
    marked, drawn = float(rng.uniform(0.15, 0.6)), float(rng.uniform(0.3, 0.9))
    cells: Cells = {}
    marks: Marks = {}
    for cell in rng.permutation(GRID.size).tolist():
        faces = _faces(expansion)
        if faces and rng.random() < (marked if expansion != "meteor" else 0.35 * marked):
            route, word = _joined(rng, cell, _ways(expansion, one_of(rng, faces)), marks)
            marks[GRID.names[cell]] = word
            if route:
                cells[cell] = any_route(route)
            if expansion != "meteor" or rng.random() < 0.8:
                continue
        if rng.random() < drawn:
            cells[cell] = one_of(rng, turnings(one_of(rng, SHAPES)))
    return cells, marks if expansion != "canyon" else _wandering_canyons(rng)


def _faces(expansion: str) -> list[str]:
    """The faces that may be drawn in a space, each turned face about equally often."""
    table = TABLES[expansion]
    faces = sorted({face for name in table.roll for face in table.dice[name]} - {"sun"})
    match expansion:
        case "canyon":
            return []
        case "meteor":
            return ["crater"]
        case "lake":
            return [*faces, "lake:NESW"]
        case "lava":
            return [*faces, "lava:NES", "volcano lava:NESW"]
        case _:
            return faces


def _ways(expansion: str, face: str) -> list[tuple[str, str]]:
    """Every rotation and mirror image of a face: its route, and the text of its mark."""
    if face.startswith("volcano"):
        return [("", face)]
    shape, sign, detail = split_face(face)
    if expansion == "trail":
        words = [f"trail:{way}" for way in WAYS] if shape in ("NS", "ns") else ["trail"]
        return [(route.text, word) for route in turnings(shape) for word in words]
    return [(route, f"{sign}:{ends}" if ends else sign) for route, ends in turned_faces(shape, detail)]


def _joined(
    rng: np.random.Generator, cell: int, ways: list[tuple[str, str]], marks: Marks
) -> tuple[str, str]:
    """One of the turned faces, mostly one whose open sides continue in its neighbours."""
    tries = [one_of(rng, ways) for _ in range(_TRIES if rng.random() < _JOINED else 1)]
    return max(tries, key=lambda way: _answers(cell, way[1].split()[-1], marks))


def _answers(cell: int, word: str, marks: Marks) -> int:
    """How many open sides continue in the neighbours, less those that meet a closed side."""
    sign, _, ends = word.partition(":")
    if sign not in _FLOWING:
        return 0
    sides = {other: directions_of(text) for other, text in cells_with(marks, sign).items()}
    found = 0
    for way in DIRECTIONS:
        other = GRID.neighbours[cell][way]
        if other in sides:
            there, here = opposite(way) in sides[other], way in directions_of(ends)
            found += int(there and here) - int(there != here)
    return found


def _wandering_canyons(rng: np.random.Generator) -> Marks:
    """Some canyons of a few pieces each, along the lines of the grid."""
    marks: Marks = {}
    for _ in range(int(rng.integers(1, 8))):
        x, y = (int(n) for n in rng.integers(0, GRID.columns + 1, 2))
        for _ in range(int(rng.integers(1, _MOST_PIECES))):
            way = int(rng.integers(4))
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[way]
            place = _border_between((x, y), (x + dx, y + dy))
            if place:
                marks[place] = "canyon"
                x, y = x + dx, y + dy
    return marks


def _border_between(one: tuple[int, int], other: tuple[int, int]) -> str:
    """The border of two cells on the line between two crossings; empty at the edge of the board."""
    (x, y), upright = (min(one[0], other[0]), min(one[1], other[1])), one[0] == other[0]
    cell = (x - 1, y) if upright else (x, y - 1)
    if not (0 <= cell[0] < GRID.columns and 0 <= cell[1] < GRID.rows):
        return ""
    number = cell[0] + GRID.columns * cell[1]
    neighbour = GRID.neighbours[number][EAST if upright else SOUTH]
    return border_name(number, neighbour) if neighbour >= 0 else ""
