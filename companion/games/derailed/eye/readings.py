"""What the camera saw of a card table: for every place the possible cards with their probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.contract import Plain
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.network import grid_of, lane_name

EMPTY = ""  # the face of a cell without a card
SURE = 0.9  # a place whose best card is less probable than this is doubtful
_WORTH_TELLING = 0.001
_MOST_OTHERS = 5
Corner = tuple[float, float]
Corners = tuple[Corner, Corner, Corner, Corner]


@dataclass(frozen=True)
class PlaceReading:
    """One place: every face (or company) and :data:`EMPTY` with its probability, the most probable first.

    With ``cannot_see`` the probabilities are what may be guessed all the same, and nobody should take the
    best of them for what lies there. ``corners`` are those of the card, or of the place if there is none.
    """

    probabilities: dict[str, float]
    corners: Corners
    cannot_see: str | None = None

    @property
    def best(self) -> str:
        """The most probable face, or :data:`EMPTY`."""
        return next(iter(self.probabilities))

    @property
    def p(self) -> float:
        """How probable that is."""
        return self.probabilities[self.best]

    @property
    def doubtful(self) -> bool:
        """Should somebody be asked?"""
        return self.cannot_see is None and self.p < SURE


@dataclass(frozen=True)
class CardQuality:
    """What may have made the reading hard."""

    found_by: str  # tags of a mat, or the cards themselves
    pixels_per_mm: float
    light: float  # of paper, 1 is white


@dataclass(frozen=True)
class CardReading:
    """A card table. ``mat``: the lanes of a mat; without one the starts were taken to be at the top."""

    mat: int | None
    corners_px: Corners
    cells: dict[str, PlaceReading]
    starts: tuple[PlaceReading, ...]
    destinations: tuple[PlaceReading, ...]
    quality: CardQuality
    columns: tuple[tuple[str, ...], tuple[str, ...]]  # both columns as companies, the likeliest that can be

    @property
    def lanes(self) -> int:
        """How many there are."""
        return len(self.starts)

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The places that somebody should look at, by name."""
        cells = [name for name, cell in self.cells.items() if cell.doubtful]
        stations = [name for name, station in self.stations.items() if station.doubtful]
        return (*cells, *stations)

    @property
    def stations(self) -> dict[str, PlaceReading]:
        """Both columns by place."""
        named = [("start", self.starts), ("destination", self.destinations)]
        return {f"{lane_name(n)}-{end}": one for end, column in named for n, one in enumerate(column)}


@dataclass(frozen=True)
class CardsPhoto:
    """Everything read from a photograph of a card table."""

    width: int
    height: int
    sheets: tuple[CardReading, ...]
    notes: tuple[str, ...] = ()


def seen_from_the_other_end(reading: CardReading) -> CardReading:
    """The same table with what was taken for the starts as destinations."""
    names = grid_of(reading.lanes).names
    cells = {
        name: _half_turned(reading.cells[other]) for name, other in zip(names, reversed(names), strict=True)
    }
    return replace(
        reading,
        cells=cells,
        starts=reading.destinations[::-1],
        destinations=reading.starts[::-1],
        columns=(reading.columns[1][::-1], reading.columns[0][::-1]),
        corners_px=(*reading.corners_px[2:], *reading.corners_px[:2]),
    )


def _half_turned(place: PlaceReading) -> PlaceReading:
    turned = {parse_face(face).turned.text if face else EMPTY: p for face, p in place.probabilities.items()}
    return replace(place, probabilities=turned, corners=(*place.corners[2:], *place.corners[:2]))


# --- as JSON ---


def cards_json(photo: str, reading: CardsPhoto, rulings: dict[int, Plain] | None = None) -> Plain:
    """The line of ``read --json``; ``rulings`` by the sheet's place."""
    return {
        "photo": photo,
        "width": reading.width,
        "height": reading.height,
        "sheets": [
            sheet_json(sheet) | ({"ruling": rulings[n]} if rulings and n in rulings else {})
            for n, sheet in enumerate(reading.sheets)
        ],
        "notes": list(reading.notes),
    }


def sheet_json(sheet: CardReading) -> Plain:
    """One card table."""
    return {
        "sheet": PRINTED.name,
        "edition": None if sheet.mat is None else f"lanes-{sheet.mat}",
        "lanes": sheet.lanes,
        "corners": [[round(x, 2), round(y, 2)] for x, y in sheet.corners_px],
        "starts": list(sheet.columns[0]),
        "destinations": list(sheet.columns[1]),
        "cells": {name: place_json(place, "card") for name, place in sheet.cells.items()},
        "stations": {name: place_json(place, "company") for name, place in sheet.stations.items()},
        "doubtful": list(sheet.doubtful),
        "quality": {
            "found_by": sheet.quality.found_by,
            "pixels_per_mm": round(sheet.quality.pixels_per_mm, 2),
            "light": round(sheet.quality.light, 2),
        },
    }


def place_json(place: PlaceReading, what: str) -> Plain:
    """One place; what cannot be seen is never told as empty."""
    corners = [[round(x, 1), round(y, 1)] for x, y in place.corners]
    if place.cannot_see is not None:
        return {"cannot_see": place.cannot_see}
    others = [
        [face or None, round(p, 4)]
        for face, p in list(place.probabilities.items())[1 : _MOST_OTHERS + 1]
        if p >= _WORTH_TELLING
    ]
    entry: Plain = {what: place.best or None, "p": round(place.p, 4)}
    if place.best:
        entry["corners"] = corners
    return entry | ({"others": others} if others else {})
