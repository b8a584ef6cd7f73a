"""The sheet of Shuttle: a line of twelve boxes, with corner tags."""

from __future__ import annotations

from functools import cache, partial

from companion.game.parts import Printables
from companion.sheets.drawing import Drawing, Point, Polygon, Quad, Shape, Text, rectangle, stroked
from companion.sheets.layouts import corner_tags
from companion.sheets.printing.paper import Leaf, PaperName, impose, one_sided
from companion.sheets.sheet import Sheet, Slot
from companion.sheets.tags import OWN_KINDS, SEATS, tag_shapes

from ..rules.line import STOPS

SIZE: Point = (180.0, 90.0)  # mm
TAG_SIDE, TAG_MARGIN = 15.0, 4.0
STOP_SIDE, FIRST_STOP, STEP = 11.0, (22.0, 40.0), 12.0
TAG_KIND = OWN_KINDS[0]
EDITION = "line"
INK = "#333333"


def stop_name(stop: int) -> str:
    """How the slot of a stop is called."""
    return f"stop-{stop}"


def stop_quad(stop: int) -> Quad:
    """The box of a stop, in mm."""
    return rectangle((FIRST_STOP[0] + (stop - 1) * STEP, FIRST_STOP[1]), (STOP_SIDE, STOP_SIDE))


def tag_quads(seat: int) -> dict[int, Quad]:
    """The black squares of a seat's four tags."""
    return corner_tags(TAG_KIND, seat, SIZE, TAG_SIDE, TAG_MARGIN)


def sheet_drawing(seat: int) -> Drawing:
    """The empty sheet."""
    shapes: list[Shape] = [Polygon(rectangle((0.0, 0.0), SIZE), stroked("#bbbbbb", 0.2))]
    for number, quad in tag_quads(seat).items():
        shapes += tag_shapes(number, quad[0], TAG_SIDE)
    shapes.append(Text((SIZE[0] / 2, 30.0), f"Shuttle, seat {seat}", 7.0, INK, bold=True))
    for stop in range(1, STOPS + 1):
        quad = stop_quad(stop)
        shapes.append(Polygon(quad, stroked(INK, 0.6)))
        shapes.append(Text((quad[0][0] + STOP_SIDE / 2, quad[2][1] + 6.0), str(stop), 4.5, INK))
    return Drawing(SIZE, tuple(shapes))


@cache
def seat_sheet(seat: int) -> Sheet:
    """The sheet as readers and printers know it."""
    return Sheet(
        name="shuttle",
        edition=EDITION,
        seat=seat,
        size=SIZE,
        tags=tag_quads(seat),
        slots={stop_name(stop): Slot(stop_quad(stop), "stop") for stop in range(1, STOPS + 1)},
        area=(stop_quad(1)[0], stop_quad(STOPS)[1], stop_quad(STOPS)[2], stop_quad(1)[3]),
        draw=partial(sheet_drawing, seat),
    )


class ShuttlePrintables(Printables):
    """A sheet for every seat."""

    title = "Shuttle sheets"
    parts = ("sheets",)
    editions = (EDITION,)

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        return one_sided(impose([sheet_drawing(seat) for seat in range(1, SEATS + 1)], paper))

    def sheet(self, seat: int, edition: str) -> Sheet:
        return seat_sheet(seat)
