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
        whole = int(drawn)
        lines = list(self.lines[:whole])
        if whole < len(self.lines) and drawn > whole:
            ink, line = self.lines[whole]
            kept = max(2, round((drawn - whole) * len(line.points)))
            points, widths, strengths = line.points[:kept], line.widths[:kept], line.strengths[:kept]
            lines.append((ink, replace(line, points=points, widths=widths, strengths=strengths, area=False)))
        inks = list(dict.fromkeys(ink for ink, _ in lines))
        layers = [
            InkLayer(ink, tuple(line for own, line in lines if own == ink), self.dry, seed=self.seed)
            for ink in inks
        ]
        return inked(picture, layers, window)


@dataclass(frozen=True)
class LaidMark(Mark):
    """A card or a tile that is laid: its picture with ``scale`` pixels per mm, and where it comes to lie."""

    place: str
    picture: Codes
    scale: float
    to_sheet: Matrix

    @property
    def _outline(self) -> Points:
        height, width = self.picture.shape[:2]
        return transformed(self.to_sheet, outline_of((width / self.scale, height / self.scale)))

    @property
    def ways(self) -> Sequence[Points]:
        """It is brought from below the sheet to its place."""
        middle = self._outline.mean(axis=0)
        return [np.stack([middle + np.array([0.0, 40.0]), middle])]

    @property
    def box(self) -> tuple[Points, Points]:
        """Where it lies."""
        return self._outline.min(axis=0) - _ROOM, self._outline.max(axis=0) + _ROOM

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
    """A sheet of a film with all that is on it by now; ``blank`` paints it empty, in pixels per mm."""

    seat: int
    sheet: Sheet
    blank: Callable[[float], Codes]
    marks: list[Mark] = field(default_factory=list)
    _pictures: dict[float, Codes] = field(default_factory=dict)

    @property
    def size(self) -> Point:
        """Width and height in mm."""
        return self.sheet.size

    def add(self, mark: Mark) -> None:
        """A mark is complete."""
        self.marks.append(mark)
        for scale, picture in self._pictures.items():
            self._pictures[scale] = _with(picture, scale, mark, len(mark.ways))

    def picture(self, scale: float, mark: Mark | None = None, drawn: float = 0.0) -> Codes:
        """The sheet as it is; ``mark`` is being drawn."""
        if scale not in self._pictures:
            picture = self.blank(scale)
            for one in self.marks:
                picture = _with(picture, scale, one, len(one.ways))
            self._pictures[scale] = picture
        whole = self._pictures[scale]
        return whole if mark is None or drawn <= 0 else _with(whole, scale, mark, drawn)


def _with(picture: Codes, scale: float, mark: Mark, drawn: float) -> Codes:
    """The picture of a sheet with a mark on it; only the part that it touches is painted."""
    height, width = picture.shape[:2]
    low, high = mark.box
    left, top = np.clip(np.floor(low * scale), 0, [width - 1, height - 1]).astype(int).tolist()
    right, bottom = np.clip(np.ceil(high * scale), [left + 1, top + 1], [width, height]).astype(int).tolist()
    whole = picture.copy()
    window = Window((left / scale, top / scale), scale, (right - left, bottom - top))
    whole[top:bottom, left:right] = mark.paint(picture[top:bottom, left:right], window, drawn)
    return whole
