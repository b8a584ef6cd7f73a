"""A photograph in, the map in it with everything that is drawn on it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.games.contract import Plain
from companion.games.empire_builder.eye.edges import edges_outside, read_edges
from companion.games.empire_builder.eye.looking import MapLook, look_at
from companion.games.empire_builder.paper.sheets import map_sheet
from companion.games.kit.evidence import EMPTY, PhotoReading, Quality, SheetReading, SlotReading, slot_json
from companion.games.sight import Corners
from vision.finding import FoundSheet
from vision.rectify import Image, Placement
from vision.seeing import Search, Seen, see, why_nothing

ENOUGH = 0.9  # pixels per mm at which crayon is read well
_TOLD = 0.005  # probability of a line from which an edge is told


@dataclass(frozen=True)
class MapReading(SheetReading[SlotReading]):
    """The map in a photograph: edges and mileposts by name, those that are surely empty left out.

    ``crayons`` are the colours on the map by their usual names, as ``#rrggbb`` on white paper.
    ``players`` says whose they are, where somebody said so, ``seats`` also where it was found out.
    """

    crayons: Mapping[str, str]
    players: Mapping[str, int]
    seats: Mapping[str, int]
    placement: Placement = field(compare=False)  # in the whole photograph

    def as_json(self) -> Plain:
        """The sheet in a line of ``read --json``."""
        told = {name: slot for name, slot in self.slots.items() if _is_told(slot)}
        return super().as_json() | {
            "slots": {name: self._slot_json(slot) for name, slot in told.items()},
            "doubtful": [name for name in self.doubtful if name in told],
            "colours": dict(self.crayons),
        }

    def _slot_json(self, slot: SlotReading) -> Plain:
        """With the seat's number for a mark where somebody said whose colour it is."""
        named = {self._named(mark): p for mark, p in slot.probabilities.items()}
        colour = {"colour": slot.best} if slot.best in self.players else {}
        return slot_json(replace(slot, probabilities=named), "mark", **colour)

    def _named(self, mark: str) -> str:
        return str(self.players[mark]) if mark in self.players else mark


MapPhoto = PhotoReading[MapReading]


def _is_told(slot: SlotReading) -> bool:
    return slot.cannot_see is not None or 1 - slot.probabilities.get(EMPTY, 0.0) >= _TOLD


def read_map(
    photo: bytes | Image, players: Sequence[tuple[str, int]] = (), corners: Corners | None = None
) -> MapPhoto:
    """The map in a photograph: packed bytes, or pixels (blue first)."""
    sheet = map_sheet()
    marked = None if corners is None else (sheet, corners)
    seen = see(photo, Search([sheet], ENOUGH, marked=marked))
    maps = [_read(seen, found, players) for found in seen.sheets if found.sheet is sheet]
    notes = () if maps else (why_nothing(seen, [sheet]),)
    return PhotoReading(*seen.picture.whole, tuple(maps[:1]), notes)


def _read(seen: Seen, found: FoundSheet, players: Sequence[tuple[str, int]]) -> MapReading:
    picture, sheet = seen.picture, found.sheet
    look = look_at(picture.image, found.placement)
    read = read_edges(look, edges_outside(found.placement, picture.size), [name for name, _ in players])
    corners = found.corners * np.array(picture.enlarging)
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return MapReading(
        sheet=sheet.name,
        edition=sheet.edition,
        seat=sheet.seat,
        corners_px=(first, second, third, fourth),
        slots=read.slots,
        quality=_quality(found, picture.enlarging, look),
        crayons=dict(zip(read.crayons.names, read.crayons.shades, strict=True)),
        players=dict(players),
        seats=dict(players),
        placement=found.placement.scaled(picture.enlarging),
    )


def _quality(found: FoundSheet, enlarging: tuple[float, float], look: MapLook) -> Quality:
    return Quality(found.found_by, found.scale * max(enlarging), look.compared.light)
