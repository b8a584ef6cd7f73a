"""Boards that nobody photographs: giant and epic ones, and the second board of an expansion, below ground.

They have no corner tags, for the reader knows the usual board only. What no source says of them is printed
as a house rule.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core.messages import m, vocabulary
from companion.games.railroad_ink.printing.grid_art import PlacedGrid, grid_shapes, wall_shapes
from companion.games.railroad_ink.printing.printed import PRINTED, check_edition
from companion.games.railroad_ink.printing.printed_art import (
    buildings_panel,
    goals_panel,
    network_track,
    owner_line,
    score_row,
    specials_row,
)
from companion.games.railroad_ink.rules.boards.layouts import Layout, Size
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.rulebook import USUAL, edition_on
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    RoundedRect,
    Shape,
    Text,
    filled,
    moved,
    stroked,
)
from companion.sheets.seat_marks import SeatMark, seat_mark, seat_shape

_INK = PRINTED.ink
_SIZE: Point = (186.0, 262.0)  # one to a page of A4 or letter, two of A3
_GRID_TOP = 34.0
_GRID_WIDTH = {"giant": 153.0, "epic": 161.7}


def large_board(seat: int, edition: str, size: Size, walls: Walls = NO_WALLS) -> Drawing:
    """A giant or an epic board."""
    board, mark = edition_on(check_edition(edition), size), seat_mark(seat)
    layout = board.layout
    cell = _GRID_WIDTH[size] / layout.side
    grid = PlacedGrid(layout, ((_SIZE[0] - _GRID_WIDTH[size]) / 2, _GRID_TOP), cell)
    aside = (_SIZE[0] - PRINTED.size[0]) / 2  # what lies around the usual grid is moved, not drawn again
    down = grid.corner[1] + grid.side + 12.0 - PRINTED.panel.corner[1]
    below = [
        *(buildings_panel(mark) + goals_panel() if board.goals else []),
        *score_row(board, mark),
        *network_track(board, mark),
        *owner_line(board, seat, mark),
    ]
    says = m("house rule: exits, buildings and central area of this board")
    note = Text((_SIZE[0] / 2, _SIZE[1] - 3.5), says, 2.4, _INK.middle, room=_SIZE[0] - 30)
    shapes = [
        *_ground(_SIZE, mark),
        *moved(specials_row(mark), (aside, 3.0)),
        *grid_shapes(grid, board),
        *_symbol_corners(grid),
        *wall_shapes(grid, walls),
        *moved(below, (aside, down)),
        note,
    ]
    return Drawing(_SIZE, tuple(shapes))


def second_board(seat: int) -> Drawing:
    """The board below ground: subways are drawn as highways, pipes as railways."""
    mark, layout = seat_mark(seat), USUAL
    board = replace(
        edition_on("challenge", "usual"), factory=frozenset(), village=frozenset(), university=frozenset()
    )
    grid = PlacedGrid(layout, PRINTED.grid.corner, PRINTED.grid.cell)
    width = PRINTED.size[0]
    title = Text((width / 2, 9.0), m("below ground"), 5.0, _INK.dark, bold=True, room=60.0)
    says = m("subways as highways, pipes as railways; house rule: exits as above ground; alone: 7 rounds")
    shapes = [
        *_ground(PRINTED.size, mark),
        title,
        Text((width / 2, 15.0), says, 2.4, _INK.middle, room=width - 20),
        *grid_shapes(grid, board),
        *_hub_circles(grid, layout),
        *_copies(mark),
        *_points_below(mark),
        *network_track(board, mark),
        *owner_line(board, seat, mark),
    ]
    return Drawing(PRINTED.size, tuple(shapes))


def _ground(size: Point, mark: SeatMark) -> list[Shape]:
    """White paper with a band of the seat's colour down both sides."""
    shapes: list[Shape] = [RoundedRect((0, 0), size, 0, filled("#ffffff"))]
    for left in (0.0, size[0] - 3.2):
        shapes.append(RoundedRect((left, 8.0), (3.2, size[1] - 16.0), 0, filled(mark.ink)))
        shapes += [
            seat_shape(mark.shape, (left + 1.6, y), 1.15, filled("#ffffff")) for y in (14.0, size[1] - 14.0)
        ]
    return shapes


def _symbol_corners(grid: PlacedGrid) -> list[Shape]:
    """The lower right corner of every cell, where small symbols are written: a pale angle."""
    long, rim = 3.6 * grid.scale, 0.7 * grid.scale
    found: list[Shape] = []
    for cell in grid.layout.cells:
        x, y = (at + grid.cell - rim for at in grid.at(cell))
        found.append(Line(((x - long, y), (x - long, y - long), (x, y - long)), stroked(_INK.grid, 0.2)))
    return found


def _hub_circles(grid: PlacedGrid, layout: Layout) -> list[Shape]:
    """A circle in the lower right corner of every cell, marked where a station lies above a station."""
    radius = 1.7
    return [
        Circle((x + grid.cell - radius - 0.8, y + grid.cell - radius - 0.8), radius, stroked(_INK.grid, 0.25))
        for x, y in map(grid.at, layout.cells)
    ]


def _copies(mark: SeatMark) -> list[Shape]:
    """Three boxes for the dice that are drawn a second time."""
    left, top = PRINTED.panel.corner
    words = Text((left, top + 4.6), m("dice drawn twice"), 2.6, _INK.dark, "start", room=30.0)
    boxes = [
        RoundedRect((left + 34 + 8 * n, top), (6.0, 6.0), 0.8, stroked(mark.ink, 0.45)) for n in range(3)
    ]
    return [words, *boxes]


_BELOW = vocabulary(
    "score box", "subways", "pipes", "pipe ×2", "subway", "centre", "broken", "errors", "below"
)


def _points_below(mark: SeatMark) -> list[Shape]:
    """The boxes for the points below ground."""
    left, width, gap = PRINTED.panel.corner[0], PRINTED.panel.width, PRINTED.scores.gap
    each = (width - gap * (len(_BELOW) - 1)) / len(_BELOW)
    top, height = PRINTED.scores.challenge.top, PRINTED.scores.challenge.height
    shapes: list[Shape] = []
    for number, name in enumerate(_BELOW.values()):
        x, last = left + number * (each + gap), number == len(_BELOW) - 1
        shapes += [
            RoundedRect((x, top), (each, height), 1.0, filled(mark.tint if last else "#ffffff")),
            RoundedRect((x, top), (each, height), 1.0, stroked(mark.ink if last else _INK.middle, 0.3)),
            Text((x + each / 2, top + 2.8), name, 2.05, _INK.dark, bold=last, room=each - 0.8),
        ]
    return shapes
