"""What was read of a card table, drawn on the photograph or on the table seen from above.

Track is orange; a place in doubt has a magenta frame and a question
mark, one that could not be seen is crossed out in grey, one that is new has a green frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.messages import m
from companion.games.derailed.eye.readings import CardReading, PlaceReading
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.paper.trackwork import middle_lines
from companion.games.derailed.rules.cards import parse_face
from vision.rectify import Image, Matrix, Places

_ORANGE, _MAGENTA, _GREEN, _GREY, _WHITE = (
    (0, 120, 255),
    (200, 0, 230),
    (60, 170, 0),
    (110, 110, 110),
    (255, 255, 255),
)
_LARGEST = 2400  # pixels of the longer side of what is written
_PLACE = 130  # pixels of a place's width in the table seen from above
_INK = 0.85
_SHIFT = 4  # bits after the point in which OpenCV wants places
_CARD = np.array(
    [(0, 0), (PRINTED.card.size[0], 0), PRINTED.card.size, (0, PRINTED.card.size[1])], np.float32
)
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Marks:
    """What to say about a table."""

    cells: Mapping[str, str]
    doubtful: Collection[str] = ()
    changed: Collection[str] = ()
    title: str = ""
    bad: bool = False  # against the rules


def cards_overlaid(photo: Image, sheets: Sequence[tuple[CardReading, Marks]]) -> Image:
    """The photograph, smaller if it is big, with everything drawn on it."""
    share = min(1.0, _LARGEST / max(photo.shape[:2]))
    image = _resized(photo, share)
    drawn = image.copy()
    for sheet, marks in sheets:
        _draw(drawn, sheet, marks, np.diag([share, share, 1.0]))
    return np.asarray(cv2.addWeighted(drawn, _INK, image, 1 - _INK, 0), np.uint8)


def straightened_table(photo: Image, sheet: CardReading) -> Image:
    """The table seen from straight above."""
    wide, high = PRINTED.mat.cell
    size = (sheet.lanes * _PLACE, round(6 * _PLACE * high / wide))
    return np.asarray(
        cv2.warpPerspective(photo, _to_above(sheet, size), size, flags=cv2.INTER_AREA), np.uint8
    )


def drawn_table(
    above: Image, sheet: CardReading, cells: Mapping[str, str], doubtful: Collection[str] = ()
) -> Image:
    """The table seen from above with what was read on it."""
    drawn = above.copy()
    _draw(drawn, sheet, Marks(cells, doubtful), _to_above(sheet, (above.shape[1], above.shape[0])))
    return np.asarray(cv2.addWeighted(drawn, 0.7, above, 0.3, 0), np.uint8)


def _to_above(sheet: CardReading, size: tuple[int, int]) -> Matrix:
    """From pixels of the photograph to those of a picture of the table from above."""
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(np.array(sheet.corners_px, np.float32), corners), np.float64
    )


def marks_of(sheet: CardReading) -> Marks:
    """What was read, when no rules were asked."""
    cells = {name: cell.best for name, cell in sheet.cells.items() if cell.best and cell.cannot_see is None}
    columns = m(
        "{columns} to {columns2}", columns="".join(sheet.columns[0]), columns2="".join(sheet.columns[1])
    )
    unsure = [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]
    return Marks(cells, unsure, (), columns)


def _resized(photo: Image, share: float) -> Image:
    if share >= 1:
        return photo.copy()
    return np.asarray(cv2.resize(photo, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def _draw(image: Image, sheet: CardReading, marks: Marks, view: Matrix) -> None:
    for name, place in sheet.cells.items():
        pencil = _Pencil(image, place, view)
        if name in marks.changed:
            pencil.frame(_GREEN, 1.5)
        if name in marks.cells:
            pencil.face(marks.cells[name])
        if name in marks.doubtful:
            pencil.frame(_MAGENTA, 4.0)
            pencil.text("?", (6, 20), _MAGENTA, 14)
        elif place.cannot_see is not None:
            pencil.cross_out()
    for column, places in zip(sheet.columns, (sheet.starts, sheet.destinations), strict=True):
        for letter, place in zip(column, places, strict=True):
            pencil = _Pencil(image, place, view)
            pencil.frame(_MAGENTA if place.doubtful else _ORANGE, 3.0)
            pencil.text(letter, (8, 28), _ORANGE, 20)
    if marks.title:
        first = next(iter(sheet.starts))
        _Pencil(image, first, view).text(marks.title, (0, -6), _MAGENTA if marks.bad else _GREEN, 12)


class _Pencil:
    """Draws in mm of one card."""

    def __init__(self, image: Image, place: PlaceReading, view: Matrix) -> None:
        self._image = image
        corners = cv2.perspectiveTransform(np.array([place.corners], np.float64), view)[0]
        self._matrix = np.asarray(cv2.getPerspectiveTransform(_CARD, corners.astype(np.float32)), np.float64)
        self._mm = float(np.hypot(*(corners[1] - corners[0]))) / PRINTED.card.size[0]

    def face(self, text: str) -> None:
        """The middle lines of the track, and bars at dead ends."""
        face = parse_face(text)
        for colour, wide in ((_WHITE, 3.6), (_ORANGE, 2.0)):
            for line in middle_lines(face):
                self._line(np.array(line), colour, wide)
        self.text(text, (3, PRINTED.card.size[1] - 4), _ORANGE, 7)

    def frame(self, colour: Colour, inset: float) -> None:
        """A frame inside the card's edge."""
        wide, high = PRINTED.card.size
        low, right, below = inset, wide - inset, high - inset
        self._line(
            np.array([(low, low), (right, low), (right, below), (low, below), (low, low)]), colour, 1.6
        )

    def cross_out(self) -> None:
        """A cross over the place."""
        wide, high = PRINTED.card.size
        for one, other in (((8, 8), (wide - 8, high - 8)), ((wide - 8, 8), (8, high - 8))):
            self._line(np.array([one, other]), _GREY, 2.0)

    def text(self, words: str, at: tuple[float, float], colour: Colour, mm: float) -> None:
        """Words at a place of the card."""
        scale = max(0.35, mm * self._mm / 30)
        x, y = cv2.perspectiveTransform(np.array([[at]], np.float64), self._matrix)[0, 0]
        thin = max(1, round(2 * scale))
        for paint, width in ((_WHITE, 3 * thin), (colour, thin)):
            cv2.putText(
                self._image,
                words,
                (round(x), round(y)),
                cv2.FONT_HERSHEY_SIMPLEX,
                scale,
                paint,
                width,
                cv2.LINE_AA,
            )

    def _line(self, points: Places, colour: Colour, mm: float) -> None:
        seen = cv2.perspectiveTransform(points.astype(np.float64)[None], self._matrix)[0] - 0.5
        fixed = np.rint(np.clip(seen, -(2**15), 2**15) * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self._image, [fixed], False, colour, max(1, round(mm * self._mm)), cv2.LINE_AA, _SHIFT)
