"""A sheet: a physical thing that is printed, photographed and shown, with the same numbers for all three."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from companion.sheets.drawing import Drawing, Point, Quad, rectangle

SheetKey: TypeAlias = tuple[str, str, int]  # name, edition, seat


@dataclass(frozen=True)
class Slot:
    """One place on a sheet where something can be: its corners in mm, and what kind of place it is."""

    quad: Quad
    kind: str


@dataclass(frozen=True)
class Landmarks:
    """Points of the print, in mm, at which readers register a photograph on a sheet.

    Each is looked for by its surroundings in a straightened picture with ``scale`` pixels a mm.
    """

    points: tuple[Point, ...]
    scale: float


@dataclass(frozen=True, eq=False)
class Sheet:
    """One sheet of a game; ``key`` says which one.

    ``tags`` are the black squares of its corner tags by number, in mm, clockwise from the top left corner of
    each. ``draw`` makes the blank sheet as it is printed: readers register a photograph on that print.
    ``area`` is the upright rectangle of the print that reading is about (a grid, a map), in mm clockwise from
    its top left: it is what people drag corners to on a photograph of a board without tags.
    ``stickers`` are the numbers of the tags that an owner sticks around a genuine board of this kind; where
    they are stuck must be taught. A sheet without ``landmarks`` is registered on the corners in its drawing.
    """

    name: str
    edition: str
    seat: int
    size: Point
    tags: Mapping[int, Quad]
    slots: Mapping[str, Slot] = field(repr=False)
    area: Quad
    draw: Callable[[], Drawing] = field(repr=False)
    stickers: Collection[int] = ()
    landmarks: Landmarks | None = field(default=None, repr=False)

    @property
    def key(self) -> SheetKey:
        """Name, edition and seat, which no other sheet has."""
        return self.name, self.edition, self.seat

    @cached_property
    def blank(self) -> Drawing:
        """The empty sheet as it is printed."""
        return self.draw()

    @property
    def outline(self) -> Quad:
        """The corners of the paper, clockwise from its top left."""
        return rectangle((0.0, 0.0), self.size)

    @property
    def middle(self) -> Point:
        """The middle of the area, in mm."""
        (left, top), _, (right, bottom), _ = self.area
        return left + (right - left) / 2, top + (bottom - top) / 2


def placed_slots(sheet: Sheet, kind: str) -> tuple[Point, dict[str, Quad]]:
    """The size of a sheet's area, and its slots of a kind measured from the top left of that area."""
    (left, top), _, (right, bottom), _ = sheet.area
    slots = {}
    for name, slot in sheet.slots.items():
        if slot.kind == kind:
            a, b, c, d = ((round(x - left, 2), round(y - top, 2)) for x, y in slot.quad)
            slots[name] = (a, b, c, d)
    return (right - left, bottom - top), slots
