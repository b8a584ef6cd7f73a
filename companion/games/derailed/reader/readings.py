"""The reading of a card table: for every place the possible cards with their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.core.jsontext import JsonObject
from companion.games.derailed.printing.printed import PRINTED, lanes_of_mat
from companion.games.derailed.reader.cards.faces import half_turned
from companion.games.derailed.reader.choices import with_mistakes
from companion.games.derailed.reader.trace import Look, TriedGrid
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.reading.evidence import (
    MarkProbabilities,
    PhotoReading,
    Quality,
    SheetReading,
    SlotReading,
    corners_json,
    probabilities_of,
    slot_json,
)
from companion.sheets.drawing import Quad

Columns: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]  # starts and destinations, lane by lane


@dataclass(frozen=True)
class PlaceReading(SlotReading):
    """One place for a card: its marks are faces, or companies at either end of a lane.

    ``corners`` are those of the card, or of the place if there is none; ``looks`` say how it was read.
    """

    corners: Quad = field(kw_only=True)
    looks: tuple[Look, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Note:
    """A sentence for people about a table, or what makes one of the names of its ``places``.

    ``minor``: worth saying only where something is doubtful or refused.
    """

    text: str | Callable[[str], str]
    places: tuple[str, ...] = ()
    minor: bool = False

    @property
    def sentence(self) -> str:
        """The sentence with its places under their current names."""
        return self.text if isinstance(self.text, str) else self.text(", ".join(self.places))


@dataclass(frozen=True)
class CardReading(SheetReading[PlaceReading]):
    """A card table: its cells, then its stations. Without a mat the starts were taken to be at the top.

    ``columns`` are the companies of both columns: the most probable ones that a table can have; ``tried``
    are the grids that were weighed.
    """

    columns: Columns
    notes: tuple[Note, ...] = ()
    tried: tuple[TriedGrid, ...] = ()

    def sentences(self, *, minor: bool) -> list[str]:
        """The notes for people; minor ones only if asked for."""
        return [note.sentence for note in self.notes if minor or not note.minor]

    @property
    def mat(self) -> int | None:
        """The lanes of the mat; None on a bare table."""
        return lanes_of_mat(self.edition) if self.edition else None

    @property
    def either_way(self) -> bool:
        """True if nothing in the picture says which column is the start: neither a mat nor marked corners."""
        return self.mat is None and self.quality.found_by == "cards"

    @property
    def lanes(self) -> int:
        """The number of lanes."""
        return len(self.columns[0])

    @property
    def cells(self) -> dict[str, PlaceReading]:
        """The railway area by cell."""
        return {name: self.slots[name] for name in grid_of(self.lanes).names}

    @property
    def starts(self) -> tuple[PlaceReading, ...]:
        """The starting stations, lane by lane."""
        return tuple(self.slots[name] for name in _column_names("start", self.lanes))

    @property
    def destinations(self) -> tuple[PlaceReading, ...]:
        """The destinations, lane by lane."""
        return tuple(self.slots[name] for name in _column_names("destination", self.lanes))

    @property
    def stations(self) -> dict[str, PlaceReading]:
        """The stations of both columns by place."""
        return {name: self.slots[name] for name in _station_names(self.lanes)}

    @property
    def probabilities(self) -> dict[str, MarkProbabilities]:
        """The class probabilities of the railway area for the rules, without stations."""
        return {name: with_mistakes(marks) for name, marks in probabilities_of(self.cells).items()}

    def explained(self) -> JsonObject:
        """The grids that were tried, and every look at every place: the last one decided."""
        looks = {name: [look.as_json() for look in place.looks] for name, place in self.slots.items()}
        return {"grids": [grid.as_json() for grid in self.tried], "places": looks}

    def as_json(self) -> JsonObject:
        """The table in a line of ``read --json``."""
        return {
            "sheet": self.sheet,
            "edition": self.edition or None,
            "lanes": self.lanes,
            "corners": corners_json(self.corners_px, 2),
            "starts": list(self.columns[0]),
            "destinations": list(self.columns[1]),
            "cells": {name: place_json(place, "card") for name, place in self.cells.items()},
            "stations": {name: place_json(place, "company") for name, place in self.stations.items()},
            "slots": {name: slot_json(slot, "mark") for name, slot in self.slots.items()},
            "doubtful": list(self.doubtful),
            "quality": {
                "found_by": self.quality.found_by,
                "pixels_per_mm": round(self.quality.pixels_per_mm, 2),
                "light": round(self.quality.light, 2),
            },
        }


CardsPhoto: TypeAlias = PhotoReading[CardReading]


def card_reading(
    mat: int | None,
    corners_px: Quad,
    cells: Mapping[str, PlaceReading],
    stations: tuple[Sequence[PlaceReading], Sequence[PlaceReading]],
    quality: Quality,
    columns: Columns,
) -> CardReading:
    """A card table by the lanes of its mat, its cells by name, and both columns of stations lane by lane."""
    places = (*stations[0], *stations[1])
    slots = dict(cells) | dict(zip(_station_names(len(stations[0])), places, strict=True))
    edition = "" if mat is None else f"lanes-{mat}"
    return CardReading(PRINTED.name, edition, 1, corners_px, slots, quality, columns)


def _column_names(end: str, lanes: int) -> list[str]:
    return [f"{lane_name(lane)}-{end}" for lane in range(lanes)]


def _station_names(lanes: int) -> list[str]:
    return [*_column_names("start", lanes), *_column_names("destination", lanes)]


def seen_from_the_other_end(reading: CardReading) -> CardReading:
    """The reading turned by half a turn: starts and destinations exchange places."""
    names, stations = grid_of(reading.lanes).names, _station_names(reading.lanes)
    order = (*names, *stations)
    there = dict(zip(order, (*names[::-1], *stations[::-1]), strict=True))
    turned = card_reading(
        mat=reading.mat,
        corners_px=(*reading.corners_px[2:], *reading.corners_px[:2]),
        cells={
            name: _half_turned(reading.slots[other])
            for name, other in zip(names, reversed(names), strict=True)
        },
        stations=(reading.destinations[::-1], reading.starts[::-1]),
        quality=reading.quality,
        columns=(reading.columns[1][::-1], reading.columns[0][::-1]),
    )
    notes = (
        replace(note, places=tuple(sorted((there[name] for name in note.places), key=order.index)))
        for note in reading.notes
    )
    return replace(turned, notes=tuple(notes), tried=reading.tried)


def first_lanes(reading: CardReading, lanes: int) -> CardReading:
    """The reading cut down to its first lanes."""
    slots = {name: reading.slots[name] for name in (*grid_of(lanes).names, *_station_names(lanes))}
    kept = [(note, tuple(name for name in note.places if name in slots)) for note in reading.notes]
    return replace(
        reading,
        slots=slots,
        columns=(reading.columns[0][:lanes], reading.columns[1][:lanes]),
        notes=tuple(replace(note, places=places) for note, places in kept if places or not note.places),
    )


def notes_about(photo: CardsPhoto, sheets: Sequence[CardReading], *, minor: bool) -> tuple[str, ...]:
    """The sentences about a photograph, with its places named as these sheets have them."""
    before = {sentence for sheet in photo.sheets for sentence in sheet.sentences(minor=True)}
    now = [sentence for sheet in sheets for sentence in sheet.sentences(minor=minor)]
    return tuple(dict.fromkeys([*now, *(note for note in photo.notes if note not in before)]))


def _half_turned(place: PlaceReading) -> PlaceReading:
    turned = {half_turned(face): p for face, p in place.probabilities.items()}
    looks = tuple(replace(look, mark=half_turned(look.mark)) for look in place.looks)
    return replace(place, probabilities=turned, corners=(*place.corners[2:], *place.corners[:2]), looks=looks)


def place_json(place: PlaceReading, called: str) -> JsonObject:
    """One place; a card's corners are told where there is one."""
    more = {"corners": corners_json(place.corners, 1)} if place.best else {}
    return slot_json(place, called, **more)
