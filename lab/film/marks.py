"""What comes onto a sheet in one go, such as a route that is drawn or a card that is laid; and the sheet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.sheets.drawing import Point
from companion.sheets.sheet import Sheet
from lab.studio.cameras import Matrix, transformed
from lab.studio.darkroom import Codes
from lab.studio.ink import InkLayer, Window, inked
from lab.studio.settings import outline_of
from lab.studio.solids import Solid
from lab.studio.strokes import Points, Stroke

_ROOM = 3.0  # mm around what is touched, so that no ink is cut off


class Mark(ABC):
    """Something that comes onto a sheet in one go; ``place`` says where, as the game names its places."""

    place: str

    @property
    @abstractmethod
    def ways(self) -> Sequence[Points]:
        """The ways of the pen, or of what is laid, one after the other, in mm of the sheet."""

    @abstractmethod
    def paint(self, picture: Codes, window: Window, drawn: float) -> Codes:
        """The mark on a part of the sheet; ``drawn``: so many ways, and that share of the next one."""

    @property
    def box(self) -> tuple[Points, Points]:
        """The first and the last place that it may touch, in mm."""
        every = np.concatenate(list(self.ways))
        return every.min(axis=0) - _ROOM, every.max(axis=0) + _ROOM


def begun(lines: Sequence[Stroke], drawn: float) -> list[Stroke]:
    """The first so many lines, and of the one that is being drawn its beginning."""
    whole = int(drawn)
    done = list(lines[:whole])
    if whole < len(lines) and drawn > whole:
        line = lines[whole]
        kept = max(2, round((drawn - whole) * len(line.points)))
        points, widths, strengths = line.points[:kept], line.widths[:kept], line.strengths[:kept]
        done.append(replace(line, points=points, widths=widths, strengths=strengths, area=False))
    return done


@dataclass(frozen=True)
class DrawnMark(Mark):
    """Lines of pens, in the order in which they are drawn, each with its ink."""

    place: str
    lines: Sequence[tuple[str, Stroke]]
    dry: float
    seed: int

    @property
    def ways(self) -> Sequence[Points]:
        """The lines of the pen."""
        return [line.points for _, line in self.lines]

    def paint(self, picture: Codes, window: Window, drawn: float) -> Codes:
        """Ink on paper; of the line that is being drawn only its beginning."""
        strokes = begun([line for _, line in self.lines], drawn)
        lines = list(zip((ink for ink, _ in self.lines), strokes, strict=False))
        inks = list(dict.fromkeys(ink for ink, _ in lines))
        layers = [
            InkLayer(ink, tuple(line for own, line in lines if own == ink), self.dry, seed=self.seed)
            for ink in inks
        ]
        return inked(picture, layers, window)


class BroughtMark(Mark):
    """Something that a hand brings to its place."""

    @property
    @abstractmethod
    def outline(self) -> Points:
        """Where it comes to lie, in mm of the sheet."""

    @property
    def ways(self) -> Sequence[Points]:
        """It is brought from below the sheet to its place."""
        middle = self.outline.mean(axis=0)
        return [np.stack([middle + np.array([0.0, 40.0]), middle])]

    @property
    def box(self) -> tuple[Points, Points]:
        """Where it lies."""
        return self.outline.min(axis=0) - _ROOM, self.outline.max(axis=0) + _ROOM


@dataclass(frozen=True)
class PieceMark(BroughtMark):
    """Pieces that stand on the sheet from then on."""

    place: str
    solids: Sequence[Solid]

    @property
    def outline(self) -> Points:
        """All their outlines."""
        return np.concatenate([solid.outline for solid in self.solids])

    def paint(self, picture: Codes, window: Window, drawn: float) -> Codes:
        """They stand there, nothing is drawn."""
        return picture


@dataclass(frozen=True)
class LaidMark(BroughtMark):
    """A card or a tile that is laid: its picture with ``scale`` pixels per mm, and where it comes to lie."""

    place: str
    picture: Codes
    scale: float
    to_sheet: Matrix

    @property
    def outline(self) -> Points:
        """The card's own."""
        height, width = self.picture.shape[:2]
        return transformed(self.to_sheet, outline_of((width / self.scale, height / self.scale)))

    def paint(self, picture: Codes, window: Window, drawn: float) -> Codes:
        """It lies there once it has been let go."""
        if drawn < 1:
            return picture
        scale = np.diag([1 / self.scale, 1 / self.scale, 1.0])
        corner = np.array([[1, 0, -window.corner[0]], [0, 1, -window.corner[1]], [0, 0, 1]])
        matrix = np.diag([window.scale, window.scale, 1.0]) @ corner @ self.to_sheet @ scale
        laid = cv2.warpPerspective(self.picture, matrix, window.size, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full(self.picture.shape[:2], 255, np.uint8), matrix, window.size)
        share = (there / np.float32(255))[..., None]
        return np.asarray(picture * (1 - share) + laid * share + 0.5, np.uint8)


@dataclass(eq=False)
class FilmSheet:
    """A sheet of a film with all that is on it by now; ``blank`` paints it empty, in pixels per mm.

    ``standing``: what stands on it beside the pieces of its marks.
    """

    seat: int
    sheet: Sheet
    blank: Callable[[float], Codes]
    marks: list[Mark] = field(default_factory=list)
    standing: Sequence[Solid] = ()
    _pictures: dict[float, Codes] = field(default_factory=dict)

    @property
    def size(self) -> Point:
        """Width and height in mm."""
        return self.sheet.size

    @property
    def solids(self) -> list[Solid]:
        """Everything that stands on it."""
        pieces = [solid for mark in self.marks if isinstance(mark, PieceMark) for solid in mark.solids]
        return [*pieces, *self.standing]

    def add(self, mark: Mark) -> None:
        """A mark is complete."""
        self.marks.append(mark)
        self._pictures = {scale: _with(one, scale, mark) for scale, one in self._pictures.items()}

    def picture(self, scale: float) -> Codes:
        """The sheet with all that is complete."""
        if scale not in self._pictures:
            picture = self.blank(scale)
            for one in self.marks:
                picture = _with(picture, scale, one)
            self._pictures[scale] = picture
        return self._pictures[scale]

    def part(self, scale: float, mark: Mark, drawn: float) -> tuple[Codes, Window]:
        """The part of the sheet on which a mark is being drawn."""
        picture = self.picture(scale)
        window = _window(picture, scale, mark)
        return mark.paint(window.of(picture), window, drawn), window


def _window(picture: Codes, scale: float, mark: Mark) -> Window:
    """The part of a sheet's picture that a mark touches."""
    height, width = picture.shape[:2]
    low, high = mark.box
    left, top = np.clip(np.floor(low * scale), 0, [width - 1, height - 1]).astype(int).tolist()
    right, bottom = np.clip(np.ceil(high * scale), [left + 1, top + 1], [width, height]).astype(int).tolist()
    return Window((left / scale, top / scale), scale, (right - left, bottom - top))


def _with(picture: Codes, scale: float, mark: Mark) -> Codes:
    """The picture of a sheet with a mark on it."""
    whole, window = picture.copy(), _window(picture, scale, mark)
    window.of(whole)[:] = mark.paint(window.of(picture), window, len(mark.ways))
    return whole
