"""Draws the reading on a picture of the board.

A track has a bar in the colour of its piece with a rim. Pawns are rings, chips and cards have their names.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.core.messages import m
from companion.games.spike.printing.sheets import board_sheet
from companion.games.spike.reader.readings import BoardReading, colour_code
from companion.games.spike.reader.verdict import BoardRuling, seats_of
from companion.games.spike.rules.boards.board import SHIPPED
from companion.reading.annotation import GREEN, GREY, WHITE, Annotations, Colour, Pencil
from companion.reading.changes import Line, changed_slots_of
from companion.reading.colour_owners import COLOUR
from companion.reading.types import Overlay
from companion.sheets.drawing import Quad
from companion.sheets.sheet import Sheet

ABOVE_SCALE = 3.2  # pixels per mm of the board seen from above
_BLACK, _RED = (20, 20, 20), (40, 40, 210)
_BAR, _RIM = 0.42, 0.3  # of a track's width: its bar; mm around it


def printed_board(sheet: BoardReading) -> Sheet:
    """The printed board in the picture."""
    return board_sheet(sheet.board or SHIPPED[0])


def laid_over(sheet: BoardReading, ruling: BoardRuling) -> Overlay:
    """The page's overlay on the picture from above: tracks that are new, in doubt or gone, then colours."""
    tracks = printed_board(sheet).slots

    def line_of(name: str) -> Line:
        ends = _middle_line(tracks[name].quad) * ABOVE_SCALE
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in ends)

    def called(colour: str) -> str:
        return m("the {partition} pieces", partition=colour)

    overlay = changed_slots_of(ruling, ruling.gone, line_of, called)
    slots = sorted(overlay.slots.items(), key=lambda one: one[0].startswith(COLOUR))
    return replace(overlay, slots=dict(slots))


def colours_of(sheet: BoardReading, ruling: BoardRuling) -> dict[str, str]:
    """The ruling's tracks in the colours on the table; other slots as they were read."""
    colours = {seat: colour for colour, seat in ruling.players.items()}
    marks = {
        name: "+".join(colours.get(seat, str(seat)) for seat in seats_of(mark))
        for name, mark in ruling.cells.items()
    }
    return marks | {
        name: slot.best
        for name, slot in sheet.slots.items()
        if ":" in name and slot.best and slot.cannot_see is None
    }


def draw_board(pencil: Pencil, sheet: BoardReading, marked: Annotations) -> None:
    """Draw all pieces, and what is new, in doubt or unseen."""
    board = printed_board(sheet)
    for name, slot in board.slots.items():
        mark, quad = marked.labels.get(name, ""), np.array(slot.quad)
        if mark and slot.kind == "track":
            _bars(pencil, slot.quad, [_colour(sheet, part) for part in mark.split("+")])
        elif mark and slot.kind in ("city", "space"):
            radius = float(np.hypot(*(quad[1] - quad[0]))) * 0.42
            for colour, width in ((WHITE, 1.9), (_colour(sheet, mark.split("+")[0]), 0.9)):
                pencil.ring(quad.mean(axis=0), radius, colour, width)
        elif mark:
            pencil.text(mark, quad[3], _BLACK, 4.0)
        if slot.kind == "track" or name not in marked.unseen:
            pencil.signs(name, slot.quad, marked, inset=-0.1)
    pencil.line(board.outline, _RED if marked.refused else GREEN, 0.9, closed=True)


def _colour(sheet: BoardReading, name: str) -> Colour:
    colour = sheet.palette.colours.get(name)
    if colour is None:
        return GREY
    code = colour_code(colour)
    return int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16)


def _middle_line(quad: Quad) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The end points of a track's centre line, (2, 2), in mm."""
    corners = np.array(quad, np.float64)
    return np.stack([corners[[0, 3]].mean(axis=0), corners[[1, 2]].mean(axis=0)])


def _bars(pencil: Pencil, quad: Quad, colours: list[Colour]) -> None:
    """One bar for each colour along a track."""
    one, other = _middle_line(quad)
    steps = np.linspace(0.12, 0.88, len(colours) + 1)
    thick = float(np.hypot(quad[3][0] - quad[0][0], quad[3][1] - quad[0][1])) * _BAR
    for n, colour in enumerate(colours):
        bar = [one + (other - one) * share for share in (steps[n], steps[n + 1])]
        for ink, width in ((_BLACK, thick + 4 * _RIM), (WHITE, thick + 2 * _RIM), (colour, thick)):
            pencil.line(np.array(bar), ink, width)
