"""Finished boards of Railroad Ink as drawings, for the picture of a match."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.art import route_shapes
from companion.games.railroad_ink.printing.grid_art import PlacedGrid, grid_shapes, wall_shapes
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.ui.art import edition_of, walls_of
from companion.sheets.drawing import Drawing, Shape

_CELL, _AROUND = 20.0, 9.0  # mm


def drawn_boards(view: JsonObject) -> list[tuple[int, Drawing]]:
    """Everybody's board, printed as an empty sheet is and drawn on."""
    edition = edition_of(view)
    layout = edition.layout
    grid = PlacedGrid(layout, (_AROUND, _AROUND), _CELL)
    size = (grid.side + 2 * _AROUND, grid.side + 2 * _AROUND)
    paper = [*grid_shapes(grid, edition), *wall_shapes(grid, walls_of(view))]
    found = []
    for seat, told in view["boards"].items():
        inked: list[Shape] = [
            shape
            for name, text in told["cells"].items()
            for shape in route_shapes(any_route(text), grid.at(layout.numbers[name]), _CELL)
        ]
        found.append((int(seat), Drawing(size, (*paper, *inked))))
    return found
