"""A sheet: a physical thing that is printed, photographed and shown, with the same numbers for all three."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.games.kit.drawing import Drawing, Point
from companion.games.kit.layouts import Quad


@dataclass(frozen=True)
class Slot:
    """One place on a sheet where something can be: its corners in mm, and what kind of place it is."""

    quad: Quad
    kind: str


@dataclass(frozen=True, eq=False)
class Sheet:
    """One sheet of a game; two of the same name, edition and seat are the same sheet.

    ``tags`` are the black squares of its corner tags by number, in mm, clockwise from the top left corner of
    each. ``draw`` makes the blank sheet as it is printed: readers register a photograph on that print.
    ``area`` is the rectangle of the print that reading is about (a grid, a map), in mm clockwise from its top
    left: it is what people drag corners to on a photograph of a board without tags.
    """

    name: str
    edition: str
    seat: int
    size: Point
    tags: Mapping[int, Quad]
    slots: Mapping[str, Slot]
    area: Quad
    draw: Callable[[], Drawing] = field(repr=False)

    @cached_property
    def blank(self) -> Drawing:
        """The empty sheet as it is printed."""
        return self.draw()

    @property
    def outline(self) -> Quad:
        """The corners of the paper, clockwise from its top left."""
        width, height = self.size
        return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)
