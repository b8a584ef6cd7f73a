"""A printed sheet's numbers for other programs: slots and corner tags in millimetres and in pixels."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.sheet import Sheet
from companion.sheets.tags import CORNERS, tag_number

MM_PER_INCH = 25.4


def corner_tags(kind: str | int, seat: int, size: Point, side: float, margin: float) -> dict[int, Quad]:
    """The black squares of a sheet's four tags by number, each clockwise from its own top left.

    >>> list(corner_tags("railroad-ink/challenge", 2, (100, 200), 15, 2.5))
    [4, 5, 6, 7]
    """
    far = size[0] - margin - side, size[1] - margin - side
    return {
        tag_number(kind, seat, corner): rectangle(
            (far[0] if corner in {1, 2} else margin, far[1] if corner in {2, 3} else margin), (side, side)
        )
        for corner in range(len(CORNERS))
    }


def sheet_layout(sheet: Sheet, dpi: float) -> JsonObject:
    """The layout as it is promised, for a picture at ``dpi``.

    Pixels are continuous: 0 is the left or upper edge of the first one.
    """
    return {
        "sheet": sheet.name,
        "edition": sheet.edition,
        "seat": sheet.seat,
        "dpi": dpi,
        "size_mm": list(sheet.size),
        "size_px": [max(1, round(length * dpi / MM_PER_INCH)) for length in sheet.size],
        "slots": {name: _both(slot.quad, dpi) for name, slot in sheet.slots.items()},
        "tags": {str(number): _both(quad, dpi) for number, quad in sheet.tags.items()},
    }


def _both(quad: Quad, dpi: float) -> JsonObject:
    return {
        "mm": [[round(x, 4), round(y, 4)] for x, y in quad],
        "px": [[round(x * dpi / MM_PER_INCH, 3), round(y * dpi / MM_PER_INCH, 3)] for x, y in quad],
    }
