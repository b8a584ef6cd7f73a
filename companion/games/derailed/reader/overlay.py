"""Draws the reading of a card table on a picture; track and stations are orange."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.printing.trackwork import middle_lines
from companion.games.derailed.reader.readings import CardReading
from companion.games.derailed.rules.cards import parse_face
from companion.reading.annotation import (
    GREEN,
    MAGENTA,
    WHITE,
    Annotations,
    Pencil,
    Points,
    matrix_between,
    rectified,
)
from companion.sheets.drawing import rectangle
from vision.register.rectify import Image

_ORANGE = (0, 120, 255)
_PLACE = 130  # pixels of a place's width in the table seen from above
_CARD = rectangle((0.0, 0.0), PRINTED.card.size)
_HIGH = PRINTED.card.size[1]


def table_above(photo: Image, sheet: CardReading) -> Image:
    """The table seen from straight above."""
    return rectified(photo, sheet.corners_px, _size_above(sheet), flags=cv2.INTER_AREA)


def to_above(sheet: CardReading) -> Points:
    """The homography from pixels of the photograph to those of the view from above."""
    (wide, high), (left, top) = _size_above(sheet), (0, 0)
    return matrix_between(sheet.corners_px, ((left, top), (wide, top), (wide, high), (left, high)))


def _size_above(sheet: CardReading) -> tuple[int, int]:
    wide, high = PRINTED.mat.cell
    return sheet.lanes * _PLACE, round(6 * _PLACE * high / wide)


def draw_table(photo: Pencil, sheet: CardReading, marked: Annotations) -> None:
    """Every card on its own corners; the pencil takes pixels of the photograph, as cards lie anyhow."""
    for name, place in sheet.cells.items():
        pencil = Pencil.between(photo.image, _CARD, photo.to_pixels(np.array(place.corners)))
        if text := marked.labels.get(name):
            face = parse_face(text)
            for colour, wide in ((WHITE, 3.6), (_ORANGE, 2.0)):
                for line in middle_lines(face):
                    pencil.line(line, colour, wide)
            pencil.text(text, (3, _HIGH - 4), _ORANGE, 7)
        pencil.signs(name, _CARD, marked, width=1.6)
    for column, places in zip(sheet.columns, (sheet.starts, sheet.destinations), strict=True):
        for letter, place in zip(column, places, strict=True):
            pencil = Pencil.between(photo.image, _CARD, photo.to_pixels(np.array(place.corners)))
            pencil.line(_CARD, MAGENTA if place.doubtful else _ORANGE, 1.6, closed=True)
            pencil.text(letter, (8, 28), _ORANGE, 20)
    if marked.title:
        first = photo.to_pixels(np.array(sheet.starts[0].corners))
        pencil = Pencil.between(photo.image, _CARD, first)
        pencil.text(marked.title, (0, -6), MAGENTA if marked.refused else GREEN, 12)
