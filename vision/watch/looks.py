"""How a sheet looks from straight above in one frame, and what differs between two such looks.

A look is grey and free of the light on the table: every pixel is divided by the paper around it, so that
lamps, clouds, soft shadows and a camera's exposure cancel out and print, ink and things remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Point
from vision.register.rectify import Image, Matrix, Places
from vision.watch.views import Mask

Grey = NDArray[np.float32]
_LONGEST = 448  # pixels of a look's longer side: more than a small frame shows of a map
_FINEST = 2.0  # pixels per mm, at most
_SQUARES = 24  # of the grid in which it is said what is covered, along the longer side
_PAPER = 0.045  # of the longer side: so near to every ink there is paper
_WHITE = 200.0
_LEAST = 14.0  # of 200: a difference that may be something
_NOISES = 5.0  # and in deviations of the noise
_RIM = 0.01  # of the longer side: so far from its rim a sheet is looked at
_TEXTURED = 7.0  # standard deviation in a square that has a print to be recognised
_ALIKE = 0.5  # correlation from which the print of a square is the one that was there
_SHADED = 0.12  # logarithm by which a square is lighter or darker than the light explains
_STROKE = 0.022  # of the longer side: so near to every line of ink there is paper
_DARK, _VANISHED = 170, 0.5  # print is darker than this; a square has lost it if so much of it is gone


@dataclass(frozen=True, eq=False)
class Look:
    """One look: ``ink`` is the picture without its light, ``light`` the picture as it was, both in grey."""

    ink: Image
    light: Image


@dataclass(frozen=True)
class Canvas:
    """The picture of a sheet from above, in squares of ``side`` pixels, with one of table all around."""

    size: Point  # of the sheet, in mm
    columns: int
    rows: int
    side: int

    @classmethod
    def of(cls, size: Point, frame_scale: float) -> Canvas:
        """A canvas for a sheet of this size, of which frames show so many pixels per mm."""
        scale = min(frame_scale, _FINEST, _LONGEST / max(size))
        square = max(size) / _SQUARES
        columns, rows = (max(2, round(length / square)) for length in size)
        return cls(size, columns, rows, max(3, round(square * scale)))

    @property
    def scale(self) -> float:
        """Pixels per mm."""
        return self.side * self.columns / self.size[0]

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height."""
        return (self.columns + 2) * self.side, (self.rows + 2) * self.side

    @property
    def squares(self) -> tuple[int, int]:
        """Columns and rows of squares, those of the table included."""
        return self.columns + 2, self.rows + 2

    @property
    def outline(self) -> Places:
        """The corners of the sheet in pixels of the canvas, clockwise from its top left."""
        right, low = self.side * (self.columns + 1), self.side * (self.rows + 1)
        return np.array([[self.side, self.side], [right, self.side], [right, low], [self.side, low]], float)

    @property
    def within(self) -> Mask:
        """Mask of the pixels on the sheet, but for its rim: there it is the table that is seen at times."""
        width, height = self.pixels
        inside = np.zeros((height, width), np.bool_)
        rim = self.side + max(2, round(_RIM * max(width, height)))
        inside[rim:-rim, rim:-rim] = True
        return inside

    @property
    def from_sheet(self) -> Matrix:
        """Maps mm on the sheet to pixels of the canvas."""
        across, down = self.side * self.columns / self.size[0], self.side * self.rows / self.size[1]
        return np.array([[across, 0, self.side], [0, down, self.side], [0, 0, 1.0]])

    def look(self, frame: Image, homography: Matrix) -> Look:
        """The sheet as a grey frame shows it where ``homography`` has it."""
        to_frame = homography @ np.linalg.inv(self.from_sheet)
        # OpenCV counts from the middle of the first pixel.
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        matrix = np.linalg.inv(half) @ to_frame @ half
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        light = cv2.warpPerspective(frame, matrix, self.pixels, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        grey = np.asarray(cv2.GaussianBlur(light, (3, 3), 0), np.uint8)
        side = 2 * round(_PAPER * max(self.pixels) / 2) + 1
        paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
        paper = cv2.blur(paper, (side // 2, side // 2))
        return Look(np.asarray(cv2.divide(grey, paper, scale=_WHITE), np.uint8), grey)


def differing(first: Image, second: Image) -> Mask:
    """Mask of the pixels in which two looks differ, wherever the edges of the print lie exactly.

    A pixel counts as different if it is lighter or darker than everything next to it in the other look, so
    that looks that are a pixel off from each other are the same; noise is taken from the looks themselves.
    """
    around = np.ones((3, 3), np.uint8)
    above = cv2.subtract(first, cv2.dilate(second, around))
    below = cv2.subtract(cv2.erode(second, around), first)
    difference = cv2.max(above, below)
    spread = cv2.absdiff(first, second)[::3, ::3]
    noise = 1.48 * float(np.median(spread))
    return np.asarray(difference > max(_LEAST, _NOISES * noise), np.bool_)


def dense(mask: Mask, canvas: Canvas) -> Mask:
    """The pixels of a mask on the sheet that have company: single ones are noise, a pen's tip is several."""
    company = cv2.boxFilter(mask.astype(np.float32), -1, (3, 3), normalize=False)
    return np.asarray(mask & (company >= (4 if canvas.scale > 1.0 else 3)) & canvas.within, np.bool_)


def in_squares(values: NDArray[np.generic], squares: tuple[int, int]) -> Grey:
    """The mean of a picture in every square of the grid."""
    small = cv2.resize(np.asarray(values, np.float32), squares, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a look compares with a known one in the same squares.

    ``alike``: correlation of the print, NaN in squares without any; ``shaded``: logarithm by which the paper
    of a square is lighter or darker than the light of the whole sheet explains; ``vanished``: the share of
    what was dark that is not. Ink changes the correlation only: there is paper beside it, and print under it.
    """

    alike: Grey
    shaded: Grey
    vanished: Grey

    @property
    def recognised(self) -> float:
        """The share of the sheet's squares with a print in which it is the one expected; 1 without any."""
        sheet = self.alike[1:-1, 1:-1]
        told = sheet[~np.isnan(sheet)]
        return float((told > _ALIKE).mean()) if told.size else 1.0

    @property
    def hidden(self) -> Mask:
        """The squares over which something lies: its shade is another, or it has no print."""
        textured = ~np.isnan(self.alike)
        lost = textured & (self.alike < _ALIKE)
        odd = np.abs(self.shaded) > _SHADED
        covered = lost & (odd | (self.vanished > _VANISHED))
        # A shadow leaves the print as it is: bare squares are judged as the printed ones around them.
        kept = textured & ~lost & odd
        around = np.ones((3, 3), np.float32)
        votes = cv2.filter2D(covered.astype(np.float32), -1, around)
        against = cv2.filter2D(kept.astype(np.float32), -1, around)
        found = covered | (~textured & odd & (votes >= against) & (votes > 0))
        # Nothing lies beyond the picture: otherwise closing would join whatever is near the rim with it.
        padded = np.pad(found.astype(np.uint8), 2)
        closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        return np.asarray(closed[2:-2, 2:-2] > 0, np.bool_)


def compared(look: Look, known: Look, squares: tuple[int, int]) -> Comparison:
    """Compare a look with a known one, square by square."""
    one, other = look.ink.astype(np.float32), known.ink.astype(np.float32)
    mean, other_mean = in_squares(one, squares), in_squares(other, squares)
    spread = np.maximum(in_squares(one * one, squares) - mean**2, 0)
    other_spread = np.maximum(in_squares(other * other, squares) - other_mean**2, 0)
    together = in_squares(one * other, squares) - mean * other_mean
    alike = together / np.sqrt(np.maximum(spread * other_spread, 1e-6))
    textured = np.maximum(spread, other_spread) > _TEXTURED**2
    told = np.where(textured, alike, np.nan).astype(np.float32)
    side = max(3, round(_STROKE * max(look.light.shape)))
    paper, known_paper = (
        in_squares(cv2.dilate(light, np.ones((side, side), np.uint8)), squares)
        for light in (look.light, known.light)
    )
    ratio = np.asarray(np.log(np.maximum(paper, 2) / np.maximum(known_paper, 2)), np.float32)
    dark = known.ink < _DARK
    gone = dark & (cv2.subtract(look.ink, known.ink) > (_WHITE - _DARK))
    vanished = in_squares(gone, squares) / np.maximum(in_squares(dark, squares), 0.02)
    return Comparison(told, (ratio - _smooth(ratio)).astype(np.float32), vanished.astype(np.float32))


def _smooth(ratio: Grey) -> Grey:
    """The plane through the logarithms of the light, as most squares have it (least squares, reweighted)."""
    rows, columns = ratio.shape
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    terms = np.stack([np.ones(ratio.size), x.ravel(), y.ravel()], axis=1)
    values = ratio.ravel().astype(np.float64)
    plane = np.array([np.median(values), 0.0, 0.0])
    for _ in range(4):
        weights = 1 / (1 + ((values - terms @ plane) / 0.06) ** 2)
        weighted = terms * weights[:, None]
        plane = np.linalg.solve(terms.T @ weighted + 1e-6 * np.eye(3), weighted.T @ values)
    return np.asarray((terms @ plane).reshape(rows, columns), np.float32)
