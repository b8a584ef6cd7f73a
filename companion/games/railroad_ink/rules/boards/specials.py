"""Special routes of a board of which nobody saw how it came about: what cannot have been."""

from __future__ import annotations

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.routes import Cells, shape_of
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES
from companion.games.railroad_ink.rules.rulebook import (
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    Edition,
)


def specials_reasons(cells: Cells, edition: Edition) -> list[str]:
    """Each special route is there once, and a match has three, a fourth with the third University."""
    drawn = _specials(cells, edition)
    found: list[str] = [
        m(
            "the {shape} is drawn {where} times: each special route is there once",
            shape=SHAPE_NAMES[shape],
            where=len(where),
        )
        for shape, where in drawn.items()
        if len(where) > 1
    ]
    count, most = sum(map(len, drawn.values())), _most_specials(cells, edition)
    if count > most:
        found.append(m("{count} special routes are drawn: a match has {most}", count=count, most=most))
    return found


def specials_to_doubt(cells: Cells, edition: Edition) -> list[int]:
    """Cells of which one at least is no special route: those drawn twice, or all if there are too many."""
    drawn = _specials(cells, edition)
    twice = [cell for where in drawn.values() if len(where) > 1 for cell in where]
    every = [cell for where in drawn.values() for cell in where]
    return twice or (every if len(every) > _most_specials(cells, edition) else [])


def _specials(cells: Cells, edition: Edition) -> dict[str, list[int]]:
    """The cells of special routes that no die shows, by shape."""
    found: dict[str, list[int]] = {}
    for cell, route in cells.items():
        shape = shape_of(route)
        if shape in SPECIAL_SHAPES and shape not in edition.specials_on_dice:
            found.setdefault(shape, []).append(cell)
    return found


def _most_specials(cells: Cells, edition: Edition) -> int:
    marked = sum(cell in edition.university for cell in cells)
    return SPECIALS_A_MATCH + (marked >= UNIVERSITY_CIRCLES)
