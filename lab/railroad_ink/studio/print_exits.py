"""Draws the exits of invented prints: each kind of sign for a road and for a railway."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.games.railroad_ink.rules.boards.routes import HIGHWAY
from companion.games.railroad_ink.rules.rulebook import EXITS
from lab.railroad_ink.studio.print_canvas import SIDE, Canvas
from lab.studio.strokes import Points, as_points

# Outwards, and along the side from left to right as seen from inside, by direction from north clockwise
OUT = as_points([(0, -1), (1, 0), (0, 1), (-1, 0)])
_ALONG = as_points([(1, 0), (0, 1), (-1, 0), (0, -1)])


def draw_exits(canvas: Canvas) -> None:
    """All twelve exits of a board."""
    for exit_ in EXITS:
        row, column = divmod(exit_.cell, SIDE)
        out, along = OUT[exit_.direction], _ALONG[exit_.direction]
        middle = as_points([(column + 0.5, row + 0.5)])[0] + 0.5 * out

        def place(points: list[tuple[float, float]], middle=middle, out=out, along=along) -> Points:  # type: ignore[no-untyped-def]
            """From shares of the reach outwards, and cells along the side."""
            there = as_points(points)
            return np.asarray(
                middle + canvas.print.reach * there[:, :1] * out + there[:, 1:] * along, np.float64
            )

        _EXITS[canvas.look.exits](canvas, place, exit_.type == HIGHWAY)


_Place = Callable[[list[tuple[float, float]]], Points]


def _kerbs(canvas: Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.thin * 1.6
    if road:
        for side in (-0.13, 0.13):
            canvas.line(place([(0, side), (1, side)]), ink, wide)
        canvas.line(place([(0.3, 0), (0.7, 0)]), ink, wide)
        return
    canvas.line(place([(0, 0), (1, 0)]), ink, wide)
    for share in (0.25, 0.5, 0.75):
        canvas.line(place([(share, -0.1), (share, 0.1)]), ink, wide)


def _arrows(canvas: Canvas, place: _Place, road: bool) -> None:
    head = [(0.05, 0.0), (0.8, -0.22), (0.8, 0.22)]
    if road:
        canvas.area(place(head), canvas.print.strong)
    else:
        canvas.line(place([*head, head[0]]), canvas.print.strong, canvas.print.thin * 1.5)
        canvas.line(place([(0.8, 0.0), (1.0, 0.0)]), canvas.print.strong, canvas.print.thin * 1.5)


def _ties(canvas: Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.thin * 1.8
    if road:
        canvas.area(place([(0.1, -0.16), (1, -0.16), (1, 0.16), (0.1, 0.16)]), canvas.shade(0.5))
        return
    for share in np.linspace(0.15, 0.95, 4):
        canvas.line(place([(share, -0.17), (share, 0.17)]), ink, wide)
    canvas.line(place([(0.1, 0), (1, 0)]), ink, wide)


def _bars(canvas: Canvas, place: _Place, road: bool) -> None:
    half = 0.24 if road else 0.1
    canvas.area(place([(0.1, -half), (0.55, -half), (0.55, half), (0.1, half)]), canvas.print.strong)


def _locomotives(canvas: Canvas, place: _Place, road: bool) -> None:
    ink = canvas.print.strong
    body = [(0.3, -0.26), (0.8, -0.26), (1.0, -0.1), (1.0, 0.1), (0.7, 0.26), (0.3, 0.26)]
    if road:
        body = [(0.3, -0.28), (0.65, -0.28), (0.95, -0.12), (0.95, 0.14), (0.6, 0.28), (0.3, 0.28)]
    canvas.area(place(body), ink)
    for side in (-0.16, 0.16):
        canvas.area(
            place([(0.05, side - 0.06), (0.28, side - 0.06), (0.28, side + 0.06), (0.05, side + 0.06)]), ink
        )


def _words(canvas: Canvas, place: _Place, road: bool) -> None:
    x, y = place([(0.5, 0)])[0]
    canvas.text("H" if road else "R", (x - 0.12, y + 0.12), 0.24, canvas.print.strong)
    canvas.line(place([(0.02, -0.2), (0.02, 0.2)]), canvas.print.accent, canvas.print.bold * 1.4)


def _discs(canvas: Canvas, place: _Place, road: bool) -> None:
    angle = np.linspace(0, 2 * np.pi, 20)
    middle = place([(0.55, 0)])
    ring = middle + 0.17 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if road:
        canvas.area(ring, canvas.print.strong)
    else:
        canvas.line(ring, canvas.print.strong, canvas.print.thin * 1.8)


def _gates(canvas: Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.bold
    canvas.line(place([(0, -0.28), (0.7, -0.28)]), ink, wide)
    canvas.line(place([(0, 0.28), (0.7, 0.28)]), ink, wide)
    if road:
        canvas.line(place([(0.2, 0), (0.9, 0)]), ink, wide)
    else:
        for share in (0.3, 0.6, 0.9):
            canvas.line(place([(share, -0.12), (share, 0.12)]), ink, canvas.print.thin)


def _plugs(canvas: Canvas, place: _Place, road: bool) -> None:
    angle = np.linspace(-np.pi / 2, np.pi / 2, 12)
    bow = [(0.6 + 0.4 * float(np.cos(one)), 0.24 * float(np.sin(one))) for one in angle]
    colour = canvas.print.strong if road else canvas.print.accent
    canvas.area(place([(0.0, -0.24), *bow, (0.0, 0.24)]), colour)
    if not road:
        canvas.line(place([(0.1, 0.0), (0.8, 0.0)]), canvas.print.paper, canvas.print.thin * 1.5)


def _chevrons(canvas: Canvas, place: _Place, road: bool) -> None:
    for share in (0.1, 0.45) if road else (0.1, 0.35, 0.6):
        bend = [(share + 0.3, -0.18), (share, 0.0), (share + 0.3, 0.18)]
        canvas.line(place(bend), canvas.print.strong, canvas.print.bold if road else canvas.print.thin)


def _stubs(canvas: Canvas, place: _Place, road: bool) -> None:
    """What is drawn begun by the print: a dashed road, or a track."""
    ink, wide = canvas.print.strong, max(canvas.print.thin * 2, 0.35)
    if road:
        for side in (-0.2, 0.2):
            canvas.line(place([(0, side), (0.9, side)]), ink, wide)
        return
    canvas.line(place([(0, 0), (0.9, 0)]), ink, wide)
    canvas.line(place([(0.45, -0.16), (0.45, 0.16)]), ink, wide)


def _wedges(canvas: Canvas, place: _Place, road: bool) -> None:
    near, far = (0.12, 0.3) if road else (0.3, 0.12)
    colour = canvas.print.accent if road else canvas.print.strong
    canvas.area(place([(0.05, -near), (0.75, -far), (0.75, far), (0.05, near)]), colour)


def _signposts(canvas: Canvas, place: _Place, road: bool) -> None:
    canvas.line(place([(0.0, 0.0), (0.45, 0.0)]), canvas.print.strong, canvas.print.bold)
    board = place([(0.45, -0.3), (1.0, -0.3), (1.0, 0.3), (0.45, 0.3), (0.45, -0.3)])
    if road:
        canvas.area(board[:4], canvas.print.strong)
    else:
        canvas.line(board, canvas.print.strong, max(canvas.print.thin, 0.35))


def _rails(canvas: Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.thin * 1.5
    if road:
        canvas.line(place([(0.1, 0.0), (0.4, 0.0)]), ink, canvas.print.bold * 2)
        canvas.line(place([(0.65, 0.0), (0.95, 0.0)]), ink, canvas.print.bold * 2)
        return
    for side in (-0.1, 0.1):
        canvas.line(place([(0, side), (1, side)]), ink, wide)
    for share in (0.2, 0.5, 0.8):
        canvas.line(place([(share, -0.2), (share, 0.2)]), ink, wide)


def _letters(canvas: Canvas, place: _Place, road: bool) -> None:
    """One letter for roads and another for railways, upright on all sides of the board."""
    pair = ("AT", "SB", "CZ", "FE", "OX")[canvas.print.seed % 5]
    x, y = place([(0.65, 0)])[0]
    size = 0.24 + 0.02 * (canvas.print.seed % 4)
    canvas.text(pair[not road], (x - 0.4 * size, y + size / 2), size, canvas.print.strong)


def _vehicles(canvas: Canvas, place: _Place, road: bool) -> None:
    """A car and a train seen from their side, upright on all sides of the board."""
    middle, ink = place([(0.6, 0)])[0], canvas.print.strong
    body = [(-0.2, 0.06), (-0.2, -0.02), (-0.1, -0.12), (0.08, -0.12), (0.2, 0.0), (0.2, 0.06)]
    wheels: tuple[float, ...] = (-0.11, 0.11)
    if not road:
        body = [(-0.2, 0.06), (-0.2, -0.16), (-0.06, -0.16), (-0.06, -0.06), (0.2, -0.06), (0.2, 0.06)]
        wheels = (-0.14, 0.0, 0.14)
    canvas.area(middle + as_points(body), ink)
    turn = np.linspace(0, 2 * np.pi, 12)
    for wheel in wheels:
        ring = 0.055 * np.stack([np.cos(turn), np.sin(turn)], axis=1) + as_points([(wheel, 0.09)])
        canvas.area(middle + ring, canvas.print.accent)


_EXITS: dict[str, Callable[[Canvas, _Place, bool], None]] = {
    "kerbs": _kerbs,
    "arrows": _arrows,
    "ties": _ties,
    "bars": _bars,
    "locomotives": _locomotives,
    "words": _words,
    "discs": _discs,
    "gates": _gates,
    "plugs": _plugs,
    "chevrons": _chevrons,
    "stubs": _stubs,
    "wedges": _wedges,
    "signposts": _signposts,
    "rails": _rails,
    "letters": _letters,
    "vehicles": _vehicles,
}
