"""The walls of a blueprint as two rows of black and white boxes, printed where nobody draws.

A photograph of a board, or of a blueprint card, is then enough to know its walls, whatever is drawn on it. A
box stands for one of the 84 borders between two cells; a checksum (CRC-16) of sixteen more says whether they
were read right. Between them stand columns that are always white above black: what white and black look like
there, whatever the light.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Sequence

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import NEIGHBOURS, USUAL
from companion.sheets.drawing import Point, RoundedRect, Shape, filled, rectangle
from companion.sheets.grid import EAST, SOUTH, opposite

BORDERS: tuple[tuple[int, int], ...] = tuple(
    (cell, way) for cell in USUAL.cells for way in (EAST, SOUTH) if NEIGHBOURS[cell][way] >= 0
)
_CHECK = 16  # bits of the checksum
_PAYLOAD = (len(BORDERS) + _CHECK) // 2  # columns with two bits each
_EVERY = 11  # columns from one of white above black to the next
COLUMNS = _PAYLOAD + _PAYLOAD // (_EVERY - 1) + 1
KNOWN_COLUMNS: tuple[int, ...] = tuple(range(0, COLUMNS, _EVERY))
_OTHERS: tuple[int, ...] = tuple(column for column in range(COLUMNS) if column not in KNOWN_COLUMNS)
# The boxes of the bits as (row, column), in their order.
BOXES: tuple[tuple[int, int], ...] = tuple((row, column) for row in (0, 1) for column in _OTHERS)


def bits_of(walls: Walls) -> tuple[bool, ...]:
    """Black (true) or white for every box; some are turned round, so that few walls are no white row."""
    plain = [border in walls for border in BORDERS]
    check = _checksum(plain)
    return _turned([*plain, *(bool(check >> at & 1) for at in range(_CHECK))])


def walls_of(bits: Sequence[bool]) -> Walls | None:
    """The walls that were printed so; nothing where the checksum says that this is none of our rows."""
    plain = _turned(bits)
    walls, check = plain[: len(BORDERS)], plain[len(BORDERS) :]
    if _checksum(walls) != sum(bit << at for at, bit in enumerate(check)):
        return None
    borders = [border for border, there in zip(BORDERS, walls, strict=True) if there]
    return frozenset(borders) | {(NEIGHBOURS[cell][way], opposite(way)) for cell, way in borders}


def _turned(bits: Sequence[bool]) -> tuple[bool, ...]:
    return tuple(bit != (at % 3 == 0) for at, bit in enumerate(bits))


def _checksum(bits: Sequence[bool]) -> int:
    number = sum(bit << at for at, bit in enumerate(bits))
    return crc_hqx(number.to_bytes((len(bits) + 7) // 8, "big"), 0xFFFF)


# --- on paper ---


def box_corner(row: int, column: int) -> Point:
    """The top left corner of a box, in mm on the sheet."""
    (left, top), (width, height) = PRINTED.walls.corner, PRINTED.walls.box
    return left + column * width, top + row * height


def code_shapes(walls: Walls) -> list[Shape]:
    """The rows on their white ground; nothing without walls."""
    if not walls:
        return []
    width, height = PRINTED.walls.box
    (left, top) = PRINTED.walls.corner
    ground = rectangle((left - 0.6, top - 0.3), (COLUMNS * width + 1.2, 2 * height + 0.6))
    black = [box for box, bit in zip(BOXES, bits_of(walls), strict=True) if bit]
    black += [(1, column) for column in KNOWN_COLUMNS]
    size = (ground[1][0] - ground[0][0], ground[2][1] - ground[1][1])
    shapes: list[Shape] = [RoundedRect(ground[0], size, 0, filled("#ffffff"))]
    return shapes + [RoundedRect(box_corner(*box), (width, height), 0, filled("#000000")) for box in black]
