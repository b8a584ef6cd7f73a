"""What a follower says of a table: its sheets, one by one, and the camera's view as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.sheet import SheetKey
from vision.register.placing import weighted_homography
from vision.register.rectify import Matrix, Placement, Places

Mask: TypeAlias = NDArray[np.bool_]  # (rows, columns) of the squares of a grid laid over a sheet

# resting: nothing has moved on it for a while; busy: something moves on it or hides it; gone: it is not seen
# where it was, nor anywhere near.
SheetState: TypeAlias = Literal["resting", "busy", "gone"]
# seen: all is well, or as well as the sheets say; dark: no light on the table; covered: something is before
# the lens, or so near that nothing can be made out; moved: there are things to be seen, but none of the
# sheets, so that they have to be found again; silent: the camera gives no pictures.
TableState: TypeAlias = Literal["seen", "dark", "covered", "moved", "silent"]


@dataclass(frozen=True)
class SeenSheet:
    """Where a sheet was found: its corners in pixels, clockwise from its own top left, and its size in mm."""

    key: SheetKey
    size: Point
    corners: Quad

    @property
    def homography(self) -> Matrix:
        """Maps mm on the sheet to pixels."""
        found = weighted_homography(np.array(rectangle((0.0, 0.0), self.size)), np.array(self.corners))
        assert found is not None, "four corners of a sheet that was found make a homography"
        return found


@dataclass(frozen=True, eq=False)
class SheetView:
    """One sheet in one small frame.

    ``homography`` maps mm on the sheet to pixels of the frame. ``changed``: it looked different from what
    was last settled, as far as it could be seen when it last rested, or something was over it for a while
    (True as long as nothing is settled).
    ``resting_since``: the moment from which nothing has moved on it; None while it is not at rest.
    ``covered``: where something hides it (a hand, a sleeve, a pen); ``differs``: where it looked
    different from what was settled. Both are masks of squares over the whole sheet.
    """

    key: SheetKey
    size: Point
    frame: tuple[int, int]  # width and height of the frame
    homography: Matrix
    state: SheetState
    changed: bool
    resting_since: float | None
    covered: Mask
    differs: Mask

    @property
    def due(self) -> bool:
        """True if it has changed and come to rest: the moment to read it."""
        return self.changed and self.state == "resting"

    @property
    def placement(self) -> Placement:
        """The placement of the sheet in the frame."""
        return Placement(self.homography)

    def corners(self, picture: tuple[int, int] | None = None) -> Places:
        """The corners of the sheet, (4, 2), in pixels of a picture of this size taken with the frame."""
        share = np.ones(2) if picture is None else np.array(picture) / np.array(self.frame)
        return self.placement.pixels(np.array(rectangle((0.0, 0.0), self.size))) * share

    def covered_share(self, quad: Quad) -> float:
        """How much of a place on the sheet (in mm) is hidden: that was not seen, and is not empty."""
        return self._share(self.covered, quad)

    def differing_share(self, quad: Quad) -> float:
        """How much of a place on the sheet (in mm) looks different from what was settled."""
        return self._share(self.differs, quad)

    def _share(self, mask: Mask, quad: Quad) -> float:
        if not mask.any():
            return 0.0
        rows, columns = mask.shape
        fine = 4  # places looked at along each side of a square
        within = np.zeros((rows * fine, columns * fine), np.uint8)
        cells = np.array(quad) / self.size * [columns * fine, rows * fine]
        cv2.fillPoly(within, [np.rint(cells).astype(np.int32)], 1)
        there = mask.repeat(fine, axis=0).repeat(fine, axis=1)
        return float(there[within > 0].mean()) if within.any() else 0.0


@dataclass(frozen=True)
class Patience:
    """How long is waited for what, in seconds."""

    still_for: float = 0.7  # without movement until a sheet rests
    covered_for: float = 2.0  # the same while something lies still on it, such as an arm
    taken_in_after: float = 6.0  # more, until what lies there is taken for a part of the sheet
    gone_after: float = (
        4.0  # until a sheet that is not seen where it was, though nothing moves there, is gone
    )
    given_up_after: float = 10.0  # the same whatever moves there
    silent_after: float = 5.0  # without a picture
