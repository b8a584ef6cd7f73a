"""Reads a photograph of the map with everything drawn on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.packages import title_of_kind
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.reader.edges import edges_outside, read_edges
from companion.games.empire_builder.reader.genuine import genuine_places, maps_of
from companion.games.empire_builder.reader.looking import MapLook, look_at
from companion.games.empire_builder.reader.places import EdgePlaces, edge_places
from companion.games.empire_builder.reader.posts import read_posts, taken_posts, without_leaning
from companion.reading.evidence import EMPTY, PhotoReading, Quality, SheetReading, SlotReading, slot_json
from companion.reading.types import Corners
from vision.find.by_tags import FoundSheet
from vision.find.seeing import Search, Seen, see, why_nothing
from vision.register.rectify import Image, Placement

ENOUGH = 0.9  # pixels per mm at which crayon is read well
_COLOURLESS = m("There is no colour in this picture: it shows where lines are, but not whose.")
_SELDOM = 8  # one pixel of so many, each way
_COLOURED, _PALEST = 0.98, 0.03  # share of the pixels that are paler; of the light
_TOLD = 0.005  # probability of a line from which an edge is told


@dataclass(frozen=True)
class MapReading(SheetReading[SlotReading]):
    """The map in a photograph: edges and mileposts by name, without those that are surely empty.

    ``crayons``: the colours by their usual names, as ``#rrggbb`` on white paper; ``also``: the probabilities
    of other names; ``by_looks``: that of the own name by the colour alone. ``players``: the owners that
    people named; ``seats``: also those that were inferred. ``places``: the map that was read, ours or a
    genuine one.
    """

    crayons: Mapping[str, str]
    players: Mapping[str, int]
    seats: Mapping[str, int]
    placement: Placement = field(compare=False)  # in the whole photograph
    also: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    by_looks: Mapping[str, float] = field(default_factory=dict)
    places: EdgePlaces = field(default_factory=edge_places, compare=False, repr=False)

    def as_json(self) -> JsonObject:
        """The sheet in a line of ``read --json``."""
        told = {name: slot for name, slot in self.slots.items() if _is_told(slot)}
        return super().as_json() | {
            "slots": {name: self._slot_json(slot) for name, slot in told.items()},
            "doubtful": [name for name in self.doubtful if name in told],
            "colours": dict(self.crayons),
        }

    def _slot_json(self, slot: SlotReading) -> JsonObject:
        """The slot with seat numbers as marks where the owner of a colour is known."""
        named = {self._named(mark): p for mark, p in slot.probabilities.items()}
        colour = {"colour": slot.best} if slot.best in self.players else {}
        return slot_json(replace(slot, probabilities=named), "mark", **colour)

    def _named(self, mark: str) -> str:
        return str(self.players[mark]) if mark in self.players else mark


MapPhoto = PhotoReading[MapReading]


def _is_told(slot: SlotReading) -> bool:
    return slot.cannot_see is not None or 1 - slot.probabilities.get(EMPTY, 0.0) >= _TOLD


def read_map(
    photo: bytes | Image,
    players: Sequence[tuple[str, int]] = (),
    corners: Corners | None = None,
    taught: Sequence[Path] = (),
) -> MapPhoto:
    """Read the map in a photograph, ours or one that was taught: encoded bytes, or pixels (BGR).

    ``corners`` are those of the map's area: of the one taught map if there is one, else of ours.
    """
    genuine = maps_of(taught)
    sheets = [map_sheet()]
    marked = None if corners is None else ((genuine[0][1] if genuine else sheets[0]), corners)
    seen = see(photo, Search(sheets, ENOUGH, genuine, marked=marked))
    found = next(iter(seen.sheets), None)
    if found is None:
        boards = [board for board, _ in genuine]
        return PhotoReading(*seen.picture.whole, (), (why_nothing(seen, sheets, boards, title_of_kind),))
    board = next((board for board, sheet in genuine if sheet is found.sheet), None)
    places = edge_places() if board is None else genuine_places(board)
    look = look_at(seen.picture.image, found.placement, places)
    colourless = is_colourless(look.straight)
    read = _read(seen, found, look, players, colourless=colourless)
    return PhotoReading(*seen.picture.whole, (read,), (_COLOURLESS,) if colourless else ())


def is_colourless(straight: Image) -> bool:
    """Return True if the picture is grey: every printed map has a sea, and cities in other colours."""
    few = straight[::_SELDOM, ::_SELDOM].astype(np.int16)
    spread = few.max(axis=2) - few.min(axis=2)
    return bool(np.quantile(spread, _COLOURED) < 1 + _PALEST * few.mean())


def _read(
    seen: Seen, found: FoundSheet, look: MapLook, players: Sequence[tuple[str, int]], *, colourless: bool
) -> MapReading:
    picture, sheet = seen.picture, found.sheet
    names = [name for name, _ in players]
    posts = read_posts(look)
    places = look.places
    outside = edges_outside(found.placement, picture.size, places)
    read = read_edges(look, outside, names, taken_posts(posts, places))
    slots = read.slots
    if colourless and names:
        slots = {name: _anybodys(slot, names) for name, slot in slots.items()}
    return MapReading(
        sheet=sheet.name,
        edition=sheet.edition,
        seat=sheet.seat,
        corners_px=seen.corners_of(found),
        slots=without_leaning(slots, posts, places) | posts,
        quality=_quality(found, picture.enlarging, look),
        crayons=dict(zip(read.crayons.names, read.crayons.shades, strict=True)),
        players=dict(players),
        seats=dict(players),
        placement=found.placement.scaled(picture.enlarging),
        also=read.crayons.also,
        by_looks=read.crayons.by_looks,
        places=places,
    )


def _anybodys(slot: SlotReading, names: Sequence[str]) -> SlotReading:
    """A line in an unknown colour."""
    nothing = slot.probabilities.get(EMPTY, 0.0)
    shares = {EMPTY: nothing} | dict.fromkeys(names, (1 - nothing) / len(names))
    return SlotReading(dict(sorted(shares.items(), key=lambda one: -one[1])), slot.cannot_see)


def _quality(found: FoundSheet, enlarging: tuple[float, float], look: MapLook) -> Quality:
    return Quality(found.found_by, found.scale * max(enlarging), look.compared.light)
