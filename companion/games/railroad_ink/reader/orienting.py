"""Which side of a board is the upper one, where no tag tells it.

Highways and railways leave the board by turns: turned by a quarter every exit changes its kind. So the ink
drawn up to the exits tells the quarter. Turned by half the exits are the same: the places of printed
buildings tell the half, or the position before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.railroad_ink.reader.boards import SHEET_OUTLINE, cells_of, grid_corners
from companion.games.railroad_ink.reader.cells import EMPTY_CLASS, GRID_MARGIN, GRID_SIZE
from companion.games.railroad_ink.reader.mark_classes import CLASS_NUMBER, MARK_CLASSES, MARK_TURNED
from companion.games.railroad_ink.reader.readings import CellReading, SheetReading
from companion.games.railroad_ink.reader.turning import CELL_MOVED, classes_turned
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, ROUTES, VOCABULARY, Cells, turned
from companion.games.railroad_ink.rules.expansions.marks import border_name
from companion.games.railroad_ink.rules.rulebook import EDITION, EXITS, GRID
from companion.reading.evidence import SlotReading
from companion.sheets.grid import SYMMETRIES
from vision.find.lattices import share_above
from vision.register.rectify import Image
from vision.white_paper import on_white_paper

Shares = NDArray[np.float64]
HALF = 2  # the symmetry that turns a board by half
_LEAST = 1e-4  # of a probability, as its logarithm counts
_SURELY_EMPTY = 0.5
_SURE_QUARTER = 2.0  # nats by which the exits tell a quarter
_TOLD = 0.78  # how often a building's cell has more print than another, where buildings are printed (AUC)
_LEAST_EMPTY = 3  # cells with and without a building of which something must be seen
_INNER = slice(GRID_MARGIN + 3, GRID_MARGIN + GRID_SIZE - 3)
_WITH_BUILDINGS = "challenge"
_BETTER = 3.0  # nats by which one way up explains the position before better


def turned_shares(shares: Shares, way: int) -> Shares:
    """The class probabilities of the cells of a board, (49, classes), after it was turned."""
    found = np.empty_like(shares)
    found[CELL_MOVED[way][:, None], classes_turned(way, shares.shape[1])] = shares
    return found


def upright_way(grid: Image, shares: Shares) -> tuple[int, bool]:
    """By how many quarters a board must be turned to be upright, and if buildings tell the half of it."""
    better = _exits_met(turned_shares(shares, 1)) - _exits_met(shares)
    quarter = int(better > 0)
    print_ = _own_print(grid)
    empty = shares[:, EMPTY_CLASS] > _SURELY_EMPTY
    told = [_buildings_told(print_, empty, way) for way in range(4)]
    best = int(np.argmax(told))
    sure = abs(better) > _SURE_QUARTER
    if sure:
        best = max((quarter, quarter + 2), key=lambda way: told[way])
    return (best, True) if told[best] >= _TOLD else (quarter, False)


def _exits_met(shares: Shares) -> float:
    """How probably what is drawn up to the exits is of their kind, in nats against the other kind."""
    told = 0.0
    for exit_ in EXITS:
        ends = _ENDS[:, exit_.direction]
        own = float(shares[exit_.cell, : len(VOCABULARY)][ends == 1 + exit_.type].sum())
        other = float(shares[exit_.cell, : len(VOCABULARY)][ends == 2 - exit_.type].sum())
        told += float(np.log(own + 0.02) - np.log(other + 0.02))
    return told


def _end_of(highway: int, railway: int, direction: int) -> int:
    """Which end a route has at a side: none, 1 of a highway, 2 of a railway."""
    return 1 + HIGHWAY if highway >> direction & 1 else 2 * (railway >> direction & 1)


_ENDS = np.array(
    [[_end_of(route.highway, route.railway, direction) for direction in range(4)] for route in VOCABULARY]
)


def _own_print(grid: Image) -> NDArray[np.float64]:
    """How much every cell differs from what most cells show, (49,)."""
    grey = cv2.cvtColor(on_white_paper(grid), cv2.COLOR_BGR2GRAY)
    cells = cells_of(np.asarray(grey), GRID_SIZE, GRID_MARGIN)[:, _INNER, _INNER].astype(np.float64)
    return np.asarray(np.abs(cells - np.median(cells, axis=0)).mean(axis=(1, 2)), np.float64)


def _buildings_told(print_: NDArray[np.float64], empty: NDArray[np.bool_], way: int) -> float:
    """How often an empty cell that has a building has more print than one without, with the board turned."""
    board = EDITION[_WITH_BUILDINGS]
    built = np.array([board.building(int(cell)) is not None for cell in CELL_MOVED[way]])
    with_, without = print_[built & empty], print_[~built & empty]
    if min(len(with_), len(without)) < _LEAST_EMPTY:
        return 0.5
    return share_above(with_, without)


# --- readings ---


def half_turned(sheet: SheetReading) -> SheetReading:
    """The same board as read when its other end is the upper one."""
    moved = CELL_MOVED[HALF]
    cells = {GRID.names[moved[n]]: _turned_cell(sheet.cells[name]) for n, name in enumerate(GRID.names)}
    # The grid turns about its middle, which is not that of our sheet.
    seen = np.array(sheet.corners_px, np.float32)
    to_photo = cv2.getPerspectiveTransform(SHEET_OUTLINE.astype(np.float32), seen)
    outline = 2 * grid_corners().mean(axis=0) - SHEET_OUTLINE
    first, second, third, fourth = (
        (float(x), float(y)) for x, y in cv2.perspectiveTransform(outline[None], to_photo)[0]
    )
    return replace(
        sheet,
        slots={name: cells[name] for name in GRID.names},
        corners_px=(first, second, third, fourth),
        marks={_turned_place(place): _turned_mark(slot) for place, slot in sheet.marks.items()},
    )


def _turned_place(place: str) -> str:
    """Where a mark goes: in a cell, or on the border of two."""
    first, *others = (int(CELL_MOVED[HALF][GRID.cell(name)]) for name in place.split("-"))
    return border_name(first, *others) if others else GRID.names[first]


def _turned_mark(slot: SlotReading) -> SlotReading:
    return replace(slot, probabilities={_MARKS.get(name, name): p for name, p in slot.probabilities.items()})


def _turned_cell(cell: CellReading) -> CellReading:
    return replace(cell, probabilities={_TURNED.get(text, text): p for text, p in cell.probabilities.items()})


_MARKS = {name: MARK_CLASSES[MARK_TURNED[HALF][number]] for name, number in CLASS_NUMBER.items()}
_TURNED: Mapping[str, str] = {
    route.text: turned(ROUTES[route.text], SYMMETRIES[HALF]).text for route in VOCABULARY
}


def explains(sheet: SheetReading, cells: Cells) -> float:
    """How well a reading fits what was drawn before, in nats: 0 at best."""
    told = 0.0
    for cell, route in cells.items():
        seen = sheet.cells[GRID.names[cell]]
        if seen.cannot_see is None:
            told += float(np.log(max(seen.probabilities.get(route.text, 0.0), _LEAST)))
    return told


def as_before(sheet: SheetReading, cells: Cells) -> SheetReading:
    """The reading the way up in which it explains the position before, if no tag told the way."""
    if sheet.quality.found_by == "tags" or not cells:
        return sheet
    other = half_turned(sheet)
    return other if explains(other, cells) > explains(sheet, cells) + _BETTER else sheet


def upper_edges(sheet: SheetReading) -> tuple[str, str] | None:
    """Where in the picture the board's upper edge lies as it was read, and where if it is turned by half.

    None if that is known, or if nothing depends on it: where no buildings are printed.
    """
    built = any(EDITION[sheet.edition].building(cell) for cell in range(GRID.size))
    if sheet.upper_known or not built:
        return None
    corners = np.array(sheet.corners_px)
    across, down = corners[:2].mean(axis=0) - corners.mean(axis=0)
    side = (1 if across > 0 else 3) if abs(across) > abs(down) else (2 if down > 0 else 0)
    return _EDGES[side], _EDGES[(side + 2) % 4]


_EDGES = (
    m("at the top of the picture"),
    m("on the right of the picture"),
    m("at the bottom of the picture"),
    m("on the left of the picture"),
)
