"""The board of a finished match of SPIKE as a drawing, for its picture."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.games.spike.printing.board_art import board_drawing
from companion.games.spike.printing.printed import track_line
from companion.games.spike.rules.boards.board import board_called
from companion.sheets.drawing import Drawing, Line, Shape, stroked
from companion.sheets.seat_marks import ink_of
from companion.table.seats import Player

_LINE, _CASING = 4.4, 6.6  # mm on the board


def drawn_board(view: JsonObject, players: Mapping[int, Player]) -> Drawing:
    """The printed board with everybody's track on it."""
    name = view["options"]["board"]
    printed, on = board_drawing(name), board_called(name)
    track: list[Shape] = []
    for seat, told in view["seats"].items():
        lines = [track_line(on, one) for one in told["tracks"]]
        track += [Line(line, stroked("#ffffff", _CASING)) for line in lines]
        track += [Line(line, stroked(ink_of(players[int(seat)].colour), _LINE)) for line in lines]
    return Drawing(printed.size, (*printed.shapes, *track))
