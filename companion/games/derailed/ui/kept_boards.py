"""The lanes of a finished match of Derailed! as a drawing, for its picture."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.games.derailed.printing.card_art import card_drawing, station_drawing
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ROWS
from companion.sheets.drawing import Drawing, RoundedRect, Shape, filled, moved

_LANE, _ROW = PRINTED.mat.cell
_GROUND = "#8a4b3c"


def drawn_lanes(view: JsonObject) -> Drawing:
    """The cards as they lie between the two rows of stations."""
    lanes = len(view["lanes"])
    size = (lanes * _LANE, (ROWS + 2) * _ROW)
    shapes: list[Shape] = [RoundedRect((0, 0), size, 3.0, filled(_GROUND))]
    for number, lane in enumerate(view["lanes"]):
        for letter, row in ((lane["start"], 0), (lane["destination"], ROWS + 1)):
            shapes += moved(station_drawing(letter).shapes, (number * _LANE + 0.5, row * _ROW + 0.5))
    for number, name in enumerate(grid_of(lanes).names):
        row, lane_number = divmod(number, lanes)
        if face := view["grid"].get(name):
            shapes += moved(card_drawing(face).shapes, (lane_number * _LANE + 0.5, (row + 1) * _ROW + 0.5))
    return Drawing(size, tuple(shapes))
