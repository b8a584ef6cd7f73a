"""Boards with the marks of an expansion: by random legal play, or every face anywhere."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

import numpy as np

from companion.games.kit.grid import DIRECTIONS, EAST, SOUTH, opposite
from companion.games.railroad_ink.rules.expansions.frame import split_face, turned_faces
from companion.games.railroad_ink.rules.expansions.lush_green import WAYS
from companion.games.railroad_ink.rules.expansions.marks import (
    Marks,
    border_name,
    cells_with,
    directions_of,
)
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.routes import SHAPES, Cells, any_route, turnings
from companion.games.railroad_ink.rules.rulebook import GRID, EditionName
from companion.games.railroad_ink.rules.state import State, marks_of
from lab.railroad_ink.expansion_play import random_match
from lab.studio.habits import one_of

# Those whose marks are read; the others' are asked about.
READ_EXPANSIONS = ("forest", "trail", "desert", "canyon", "river", "lake", "lava", "meteor")
_FLOWING = ("river", "lake", "lava")
_JOINED = 0.6  # how often what flows is turned so that it goes on next door
_TRIES = 8
_MOST_PIECES = 12  # of a canyon

Drawn: TypeAlias = tuple[Cells, dict[int, int], Marks]  # routes, their rounds, marks


def played_board(rng: np.random.Generator, expansion: str, edition: EditionName) -> Drawn:
    """A board at some moment of a random legal match."""
    seed, stop = int(rng.integers(2**62)), float(rng.uniform(0.3, 1.0))
    states: list[State] = [
        state for state, _ in random_match(expansion, Random(seed), 1, {"edition": edition})
    ]
    state = states[int(stop * (len(states) - 1))]
    board = state.boards[1]
    return board.cells(), board.rounds(), marks_of(state, board)


def scattered_board(rng: np.random.Generator, expansion: str) -> tuple[Cells, Marks]:
    """Every face of the expansion and every kind of route anywhere, rules or not."""
    table = TABLES[expansion]
    faces = sorted({face for name in table.roll for face in table.dice[name]} - {"sun"})
    faces += ["volcano lava:NESW"] if expansion == "lava" else []
    faces += ["lake:NESW"] if expansion == "lake" else []
    faces += ["lava:NES"] * 2 if expansion == "lava" else []
    marked, drawn = float(rng.uniform(0.15, 0.6)), float(rng.uniform(0.3, 0.9))
    cells: Cells = {}
    marks: Marks = {}
    for cell in rng.permutation(GRID.size).tolist():
        if expansion == "meteor":
            if rng.random() < 0.35 * marked:
                marks[GRID.names[cell]] = f"crater:{1 + len(marks)}"
            if GRID.names[cell] in marks and rng.random() < 0.8:
                continue
        elif expansion != "canyon" and rng.random() < marked:
            route, word = _turned_face(rng, expansion, one_of(rng, faces), cell, marks)
            marks[GRID.names[cell]] = word
            if route:
                cells[cell] = any_route(route)
            continue
        if rng.random() < drawn:
            cells[cell] = one_of(rng, turnings(one_of(rng, SHAPES)))
    if expansion == "canyon":
        marks = _wandering_canyons(rng)
    return cells, marks


def _turned_face(
    rng: np.random.Generator, expansion: str, face: str, cell: int, marks: Marks
) -> tuple[str, str]:
    """A face in one of its turnings, and the word for its mark."""
    if face.startswith("volcano"):
        return "", face
    shape, sign, detail = split_face(face)
    if expansion == "trail":
        way = one_of(rng, tuple(WAYS)) if shape in ("NS", "ns") else ""
        return one_of(rng, turnings(shape)).text, f"trail:{way}" if way else "trail"
    ways = turned_faces(shape, detail)
    tries = _TRIES if expansion in _FLOWING and rng.random() < _JOINED else 1
    chosen = [one_of(rng, ways) for _ in range(tries)]
    route, ends = max(chosen, key=lambda way: _answers(sign, cell, way[1], marks))
    return route, f"{sign}:{ends}" if ends else sign


def _answers(sign: str, cell: int, ends: str, marks: Marks) -> int:
    """How well open sides go on next door: those that do, less those that run against a closed side."""
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
