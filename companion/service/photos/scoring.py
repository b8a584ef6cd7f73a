"""In the reader's process: finished boards scored without a match, and help for placing the camera."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.game.registry import find_reader, games_with_eyes
from companion.reading.base import Reader
from companion.reading.types import (
    NO_HINTS,
    CameraView,
    FoundBoard,
    FoundPosition,
    Measured,
    ReadHints,
    ScoredPhoto,
)
from companion.service.photos.pictures import ABOVE_QUALITY, decoded, opened, packed
from companion.service.photos.queries import MatchContext, Shot
from companion.service.photos.worker import Worker

if TYPE_CHECKING:
    from companion.game.parts import Image


def score_boards(_: Worker, photo: bytes, game: str = "", hints: ReadHints = NO_HINTS) -> ScoredPhoto:
    """Score every finished board in a photograph without any match: of a game, or (empty) of the first."""
    name, reader = _scoring(game)
    reader.check_expansion(name, hints.expansion)
    image = decoded(photo)
    reading = reader.read(image, hints)
    boards = tuple(_found(reader, image, one) for one in reader.positions(reading))
    return ScoredPhoto(name, boards, tuple(reading.notes))


def _scoring(game: str) -> tuple[str, Reader[Any, Any, Any]]:
    """The reader of the game named, or else the first that finds whole positions."""
    for name in [game] if game else games_with_eyes():
        reader = find_reader(name)
        if reader.finds_positions:
            return name, reader
    raise NotationError("not-scored", m("boards of this game cannot be scored from a photograph alone"))


def _found(reader: Reader[Any, Any, Any], image: Image, found: FoundPosition[Any, Any]) -> FoundBoard:
    ruling = found.ruling
    return FoundBoard(
        seat=found.seat,
        position=found.position,
        marks=ruling.labels,
        outcome=ruling.outcome,
        doubtful=ruling.uncertain,
        says=ruling.against,
        picture=packed(
            reader.annotated_sheet(reader.rectified_sheet(image, found.sheet), found.sheet, ruling),
            ABOVE_QUALITY,
        ),
    )


def look(worker: Worker, match: MatchContext, shot: Shot) -> CameraView:
    """What is to be seen in a picture, and how well: help for placing the camera."""
    reader = find_reader(match.game)
    photo = opened(shot, worker.camera, match.game, match.state, glance=True)
    reading = reader.read(photo.image, ReadHints(quick=True))
    view = reader.view(reading)
    if len(view.sheets) == len(reading.sheets):
        pairs = zip(view.sheets, reading.sheets, strict=True)
        sheets = tuple(
            structs.replace(seen, measured=_measured(reader, photo.image, one)) for seen, one in pairs
        )
        view = replace(view, sheets=sheets)
    return CameraView(photo.cleaned, view)


def _measured(reader: Reader[Any, Any, Any], image: Image, sheet: Any) -> Measured:
    """Measure resolution, sharpness, light and contrast, for people who adjust the camera."""
    from vision.quality import picture_quality

    seen = picture_quality(reader.rectified_sheet(image, sheet))
    told = (sheet.quality.pixels_per_mm, seen.sharpness, seen.light, seen.contrast)
    return Measured(*(round(float(number), 2) for number in told))
