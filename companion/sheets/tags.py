"""Corner tags: AprilTag 36h11 patterns, and which number stands for which sheet, seat and corner.

Every sheet carries four tags. A tag's number names the *kind* of sheet (a game's board in one edition, a map,
a set of stickers), the seat (or, for a sheet that all share, the part of it) and the corner, so that one
photograph of the whole table tells every sheet in it::

    number = (kind * 6 + seat - 1) * 4 + corner

with the corners 0 top left, 1 top right, 2 bottom right, 3 bottom left.

36h11 has 587 patterns, which is room for 24 kinds of six seats. The kinds are listed in ``tag_kinds.toml``;
the last four are never listed, so that a game that somebody adds in a folder of their own can take one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import msgspec

from companion.core.errors import RulesDataError
from companion.core.messages import vocabulary
from companion.sheets.drawing import Point, Polygon, filled, rectangle

SEATS = 6
CORNERS = tuple(vocabulary("corner", "top left", "top right", "bottom right", "bottom left").values())
SIDE = 8  # modules from edge to edge: six of pattern and a black border
QUIET = 1  # modules of white that a tag needs around it


class _Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, int]


def _load_kinds() -> dict[str, int]:
    text = files(__package__).joinpath("tag_kinds.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Kinds).kinds


def _load_patterns() -> tuple[int, ...]:
    lines = files(__package__).joinpath("tags36h11.txt").read_text().splitlines()
    return tuple(int(line, 16) for line in lines if line and not line.startswith("#"))


KINDS: dict[str, int] = _load_kinds()
OWN_KINDS = range(20, 24)  # never given to a game of ours: free for whoever adds one in a folder of their own
PATTERNS: tuple[int, ...] = _load_patterns()
_KIND_NAMES = {number: name for name, number in KINDS.items()}


@dataclass(frozen=True, slots=True)
class TagPlace:
    """The meaning of a tag's number: kind of sheet, seat and corner."""

    kind: str
    seat: int
    corner: int


def tag_number(kind: str | int, seat: int, corner: int) -> int:
    """The number of one corner's tag; a game that is not listed names one of the free kinds by its number.

    >>> tag_number("railroad-ink/challenge", 2, 0), tag_number(OWN_KINDS[0], 1, 0)
    (4, 480)
    """
    if kind not in KINDS and kind not in OWN_KINDS:
        raise RulesDataError("unknown-tag-kind", f"{kind!r} is no kind of sheet: add it to tag_kinds.toml")
    if not 1 <= seat <= SEATS:
        raise RulesDataError("bad-seat", f"there is no seat {seat}: seats are 1 to {SEATS}")
    number = kind if isinstance(kind, int) else KINDS[kind]
    return (number * SEATS + seat - 1) * len(CORNERS) + corner


def tag_place(number: int) -> TagPlace | None:
    """The meaning of a tag found in a picture; None if no sheet carries it.

    >>> tag_place(4)
    TagPlace(kind='railroad-ink/challenge', seat=2, corner=0)
    """
    sheet, corner = divmod(number, len(CORNERS))
    kind = _KIND_NAMES.get(sheet // SEATS)
    return None if kind is None else TagPlace(kind, sheet % SEATS + 1, corner)


@lru_cache(maxsize=256)
def black_modules(number: int) -> tuple[tuple[int, int, int], ...]:
    """The black of a tag as runs (column, row, length) of modules.

    >>> black_modules(0)[:2]
    ((0, 0, 8), (0, 1, 3))
    """
    rows = ["1" * SIDE, *(f"1{_pattern_row(number, row)}1" for row in range(SIDE - 2)), "1" * SIDE]
    return tuple(run for y, row in enumerate(rows) for run in _runs(row, y))


def _pattern_row(number: int, row: int) -> str:
    """Six modules, 1 for black; the table has 1 for white, the top left module first."""
    bits = f"{PATTERNS[number]:036b}"[row * 6 : row * 6 + 6]
    return "".join("0" if bit == "1" else "1" for bit in bits)


def _runs(row: str, y: int) -> list[tuple[int, int, int]]:
    starts = [x for x in range(SIDE) if row[x] == "1" and (x == 0 or row[x - 1] == "0")]
    return [(x, y, len(row[x:].split("0", maxsplit=1)[0])) for x in starts]


def tag_shapes(number: int, corner: Point, side: float) -> tuple[Polygon, ...]:
    """A tag of this size in mm, with its quiet zone white; ``corner`` is the top left of the black border."""
    module = side / SIDE
    quiet = QUIET * module
    white = rectangle((corner[0] - quiet, corner[1] - quiet), (side + 2 * quiet, side + 2 * quiet))
    black = (
        rectangle((corner[0] + x * module, corner[1] + y * module), (length * module, module))
        for x, y, length in black_modules(number)
    )
    return (
        Polygon(white, filled("#ffffff")),
        *(Polygon(points, filled("#000000")) for points in black),
    )
