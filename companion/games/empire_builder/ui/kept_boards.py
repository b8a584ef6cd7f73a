"""The map of a finished match of Empire Builder as a drawing, for its picture."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.games.empire_builder.printing.map_art import map_drawing
from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.rules.boards.board import marked_board
from companion.sheets.drawing import Drawing, Line, Shape, stroked
from companion.sheets.seat_marks import ink_of
from companion.table.seats import Player

_LINE, _CASING = 4.2, 6.4  # mm on the sheet


def drawn_map(view: JsonObject, players: Mapping[int, Player]) -> Drawing:
    """The printed map with everybody's track on it."""
    on = marked_board(view["board"]["corrections"])
    printed = map_drawing(on)
    track: list[Shape] = []
    for seat, player in players.items():
        lines = [
            (spot(on, on.edges[edge][0]), spot(on, on.edges[edge][1])) for edge in view["track"][str(seat)]
        ]
        track += [Line(line, stroked("#ffffff", _CASING)) for line in lines]
        track += [Line(line, stroked(ink_of(player.colour), _LINE)) for line in lines]
    return Drawing(printed.size, (*printed.shapes, *track))
