"""Follows every sheet on a table through small frames, and says when one has changed and come to rest.

follower = TableFollower()
follower.place(seen, picture_size, small(frame), at)     # sheets found once, in a whole picture
for view in follower.see(small(frame), at):              # some two to four frames a second
    if view.due: ...                                      # read it (see :mod:`vision.watch.shots`), then
        follower.settle(view.key, at)                     # what lay there then has been read

Finding a sheet takes a whole picture and up to a second; following it takes a millisecond or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import SheetKey
from vision.quality import level
from vision.register.rectify import Image, Matrix, Placement
from vision.watch.looks import Canvas, Look, compared, dense, differing, in_squares
from vision.watch.tracking import corners_of_look, moved_by, movement, searched
from vision.watch.views import Mask, Patience, SeenSheet, SheetState, SheetView, TableState

SMALL = 960  # pixels of the longer side of the frames that are followed
_RECOGNISED = 0.35  # of the printed squares: a sheet of which less is seen is hidden, or not there
_STILL_THERE = 0.6  # of the printed squares: so much of it seen proves the place without its corners
_MOVING = 0.0002  # of a sheet's pixels, at least some: a pen's tip
_LEAST_MOVING = 5  # pixels
_CHANGED = 8  # pixels that differ: a dot of a pen
_VISIT = 1.0  # seconds of something over a sheet after which it is looked at even if nothing differs
_SCATTERED = 0.05  # of a square: print that is a part of a pixel off differs as much, a hand differs more
_PUSHED = 0.02  # of the longer side between two frames: a sheet that is pushed, not a camera that trembles
_TREMBLE = 0.25  # pixels of the canvas: less is no movement
_COVERED = 0.01  # of the squares: less is no hand
_KEPT_RESTS = 4  # looks at rest that are remembered
_SEARCH_EVERY, _SEARCH_STIRRED = 1.0, 3.0  # seconds: while nothing moves there, and else
_LONGEST_FRAME = 0.8  # seconds: more of a slow camera's is not known
_CHECK_EVERY = 2.0  # seconds after which a sheet on which nothing moves is registered again
_NIGHT, _LIGHTEST = 40, 0.95  # not even the lightest of a frame is lighter
_PLAIN = 1.5  # codes: deviation of a frame in which nothing can be made out


def small(frame: Image) -> Image:
    """A frame as it is followed: grey, and no larger than needed."""
    grey = frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    while max(grey.shape) >= 2 * SMALL:  # halving takes a tenth of the time of any other mean
        half = (grey.shape[1] // 2, grey.shape[0] // 2)
        grey = cv2.resize(grey[: 2 * half[1], : 2 * half[0]], half, interpolation=cv2.INTER_AREA)
    share = min(1.0, SMALL / max(grey.shape))
    size = (max(1, round(grey.shape[1] * share)), max(1, round(grey.shape[0] * share)))
    shrunk = grey if share == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(shrunk, np.uint8)


class TableFollower:
    """The sheets of one table as one camera sees them; times are seconds of any monotonic clock."""

    def __init__(self, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        self._sheets: dict[SheetKey, _Followed] = {}
        self._table: TableState = "seen"
        self._last_frame: float | None = None

    @property
    def table(self) -> TableState:
        """How the table as a whole is seen."""
        return self._table

    @property
    def keys(self) -> tuple[SheetKey, ...]:
        """The sheets that are followed."""
        return tuple(self._sheets)

    def place(self, sheets: Sequence[SeenSheet], picture: tuple[int, int], frame: Image, at: float) -> None:
        """Begin with sheets that were found in a picture of this size (width, height), or place them anew.

        ``frame`` is that picture, or one taken with it, as :func:`small` makes it. A sheet that is known
        keeps what was settled of it; sheets not named go on being followed.
        """
        share = np.diag([frame.shape[1] / picture[0], frame.shape[0] / picture[1], 1.0])
        for sheet in sheets:
            homography = share @ sheet.homography
            known = self._sheets.get(sheet.key)
            if known is not None and known.size == sheet.size:
                known.place(homography, frame, at)
            else:
                self._sheets[sheet.key] = _Followed(sheet, homography, frame, at, self._patience)

    def see(self, frame: Image, at: float) -> Sequence[SheetView]:
        """Follow every sheet into one more frame (as :func:`small` makes it)."""
        self._last_frame = at
        blind = self._blind(frame)
        if not blind:
            for sheet in self._sheets.values():
                others = [one.corners for one in self._sheets.values() if one is not sheet and one.is_seen]
                sheet.see(frame, at, others)
        else:
            for sheet in self._sheets.values():
                sheet.miss(at)
        lost = bool(self._sheets) and all(sheet.state == "gone" for sheet in self._sheets.values())
        self._table = blind or ("moved" if lost else "seen")
        return [sheet.view((frame.shape[1], frame.shape[0])) for sheet in self._sheets.values()]

    def miss(self, at: float) -> None:
        """Hear that the camera gave no picture at this time."""
        if self._last_frame is None:
            self._last_frame = at
        if at - self._last_frame >= self._patience.silent_after:
            self._table = "silent"
        for sheet in self._sheets.values():
            sheet.miss(at)

    def settle(self, key: SheetKey, at: float | None = None) -> None:
        """Hear that a sheet was read as it lay at rest ``at`` that time, by default now.

        What was hidden then stays as it was settled before.
        """
        if key in self._sheets:
            self._sheets[key].settle(at)

    def _blind(self, frame: Image) -> TableState | None:
        """Say why nothing can be made out in a frame, if so."""
        tiny = cv2.resize(frame, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        grey = np.asarray(tiny, np.uint8)
        if level(grey, _LIGHTEST) < _NIGHT:
            return "dark"
        detail = cv2.subtract(grey, cv2.blur(grey, (9, 9)), dtype=cv2.CV_32F)
        return "covered" if float(np.std(detail)) < _PLAIN else None


@dataclass(eq=False)
class _Rest:
    """How a sheet looked while it was at rest, and what was hidden of it."""

    since: float
    look: Look
    hidden: Mask


@dataclass(eq=False)
class _Followed:
    """One sheet. ``known``: how each part of it looked when it was last seen uncovered and at rest."""

    seen: SeenSheet
    homography: Matrix
    first: Image
    began: float
    patience: Patience
    state: SheetState = "busy"
    changed: bool = True
    rests: list[_Rest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.size = self.seen.size
        scale = Placement(self.homography).scale_at((self.size[0] / 2, self.size[1] / 2))
        self.canvas = Canvas.of(self.size, scale)
        self.settled: Look | None = None
        self._start(self.first, self.began)

    def _start(self, frame: Image, at: float) -> None:
        self.last = self.known = self.canvas.look(frame, self.homography)
        self.corners_known = corners_of_look(self.known, self.canvas)
        self.covered = self._nowhere()
        self.differs = self._nowhere()
        self.unlike = ~self._nowhere_at_all()  # pixels that differ from what was settled
        self.moved_at = at
        self.visited, self.visited_at = 0.0, at  # for how long something was over it since, until when
        self.resting_since: float | None = None
        self.lost_since: float | None = None
        self.searched_at = self.checked_at = at
        self.is_seen, self.is_calm = True, False

    def _nowhere(self) -> Mask:
        columns, rows = self.canvas.squares
        return np.zeros((rows, columns), np.bool_)

    def _nowhere_at_all(self) -> Mask:
        width, height = self.canvas.pixels
        return np.zeros((height, width), np.bool_)

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners in pixels of the frame."""
        width, height = self.size
        return Placement(self.homography).pixels(np.array([[0, 0], [width, 0], [width, height], [0, height]]))

    def place(self, homography: Matrix, frame: Image, at: float) -> None:
        """Go on in another place, where it was found anew."""
        self.homography = homography
        self.last = self.canvas.look(frame, homography)
        self.moved_at, self.lost_since, self.is_seen = at, None, True
        self.is_calm = False

    def miss(self, at: float) -> None:
        """Nothing can be seen: nothing is known to rest."""
        self.moved_at, self.resting_since = at, None
        self.state = "gone" if self.state == "gone" else "busy"

    # --- one more frame ---

    def see(self, frame: Image, at: float, others: list[NDArray[np.float64]]) -> None:
        """Follow the sheet into a frame; ``others``: where the other sheets lie."""
        look = self.canvas.look(frame, self.homography)
        is_known = self.is_seen and self.is_calm and at < self.checked_at + _CHECK_EVERY
        if is_known and not dense(differing(look.ink, self.last.ink), self.canvas).any():
            self.last = look
            self._judge(look, at)
            return
        since, self.checked_at, before = at - self.checked_at, at, self.homography
        look, pushed, recognised = self._registered(frame, look)
        if recognised < _RECOGNISED and self._may_search(look, at):
            look, pushed, recognised = self._searched(frame, look, recognised, others)
        self.is_seen = recognised >= _RECOGNISED
        comparison = compared(look, self.known, self.canvas.squares)
        moving = in_squares(dense(differing(look.ink, self.last.ink), self.canvas), self.canvas.squares)
        if self.homography is not before:  # the camera trembles, or the sheet is pushed
            moving[moving < _SCATTERED] = 0
        self.last = look
        if pushed or float(moving.mean()) > max(_LEAST_MOVING / look.ink.size, _MOVING):
            self.moved_at = at
        stirred = moving > 0
        self.is_calm = not (pushed or stirred.any())
        hidden = comparison.hidden if self.is_seen else ~self._nowhere()
        self.covered = self._reaching_in(hidden, stirred)
        if self.is_seen and self.covered.any():
            self.visited, self.visited_at = self.visited + min(since, _LONGEST_FRAME), at
        self._judge(look, at)

    def _registered(self, frame: Image, look: Look) -> tuple[Look, bool, float]:
        """The look at the place where the sheet is now, whether it was pushed, and how much is recognised."""
        here = compared(look, self.known, self.canvas.squares).recognised
        found = movement(self.known, look, self.corners_known)
        if found is None:
            return look, False, here
        move, _ = found
        rim, longest = self.canvas.outline, max(self.canvas.pixels)
        off = float(np.hypot(*(Placement(move).pixels(rim) - rim).T).max())
        if off < _TREMBLE:
            return look, False, here
        there = moved_by(self.canvas, self.homography, move)
        moved = self.canvas.look(frame, there)
        recognised = compared(moved, self.known, self.canvas.squares).recognised
        if recognised < here or (recognised < _RECOGNISED and off > _PUSHED * longest):
            return look, False, here
        self.homography = there
        return moved, off > _PUSHED * longest, recognised

    def _may_search(self, look: Look, at: float) -> bool:
        """Return True if a lost sheet shall be searched for: now and then, more seldom where something moves.

        Under a camera that trembles something always does where a sheet is not followed.
        """
        stirred = dense(differing(look.ink, self.last.ink), self.canvas).mean() > 10 * _MOVING
        if at - self.searched_at < (_SEARCH_STIRRED if stirred else _SEARCH_EVERY):
            return False
        self.searched_at = at
        return True

    def _searched(
        self, frame: Image, look: Look, recognised: float, others: list[NDArray[np.float64]]
    ) -> tuple[Look, bool, float]:
        before = self.homography
        best = (_STILL_THERE, look, before)
        # All of them: a grid looks much the same one space further
        for idea in searched(frame, self.known, self.canvas, before, others):
            self.homography = idea
            for _ in range(2):
                found_look = self.canvas.look(frame, self.homography)
                found_look, _, found = self._registered(frame, found_look)
            best = max(best, (found, found_look, self.homography), key=lambda one: one[0])
        found, found_look, self.homography = best
        return (look, False, recognised) if found_look is look else (found_look, True, found)

    def _reaching_in(self, hidden: Mask, stirred: Mask) -> Mask:
        """The hidden squares that belong to something that moves, or reaches in over the sheet's rim."""
        _, parts = cv2.connectedComponents((hidden | stirred).astype(np.uint8), connectivity=8)
        table = np.ones_like(hidden)
        table[1:-1, 1:-1] = False
        kept = set(np.unique(parts[(table & hidden) | stirred]).tolist()) - {0}
        found = np.isin(parts, list(kept)) & hidden
        return found if found[1:-1, 1:-1].mean() > _COVERED else np.zeros_like(hidden)

    def _judge(self, look: Look, at: float) -> None:
        if self.is_seen:
            self.lost_since = None
        elif self.lost_since is None:
            self.lost_since = at
        quiet = at - self.moved_at
        if not self.is_seen:
            self.resting_since = None
            lost = self.lost_since if self.lost_since is not None else at
            still = at - max(lost, self.moved_at) >= self.patience.gone_after
            self.state = "gone" if still or at - lost >= self.patience.given_up_after else "busy"
            return
        covered = self.settled is not None and bool(self.covered.any())
        needed = self.patience.covered_for if covered else self.patience.still_for
        if quiet < needed:
            self.state, self.resting_since = "busy", None
            return
        self.state = "resting"
        if self.resting_since is not None:
            if covered and quiet > self.patience.covered_for + self.patience.taken_in_after:
                self._take_in(look, at)
            elif self.changed and self.settled is not None:
                self._compare_with_settled(look)  # what differs in one frame only is noise
        else:
            self.resting_since = self.moved_at
            self._remember(look, at)

    def _remember(self, look: Look, at: float) -> None:
        """The sheet has come to rest: remember how it looks, where nothing hides it."""
        if self.settled is None:
            self.covered = self._nowhere()  # nothing is known of it: what is seen is the sheet
        self.rests = [*self.rests[1 - _KEPT_RESTS :], _Rest(at, look, self.covered)]
        self.known = self._under(look, self.known, self.covered)
        self.corners_known = corners_of_look(self.known, self.canvas)
        self.unlike = ~self._nowhere_at_all()
        self._compare_with_settled(look)

    def _take_in(self, look: Look, at: float) -> None:
        """Something has lain there for long, or was there from the beginning and is gone: it is known now."""
        self.known, self.corners_known = look, corners_of_look(look, self.canvas)
        self.covered = self._nowhere()
        self._remember(look, at)

    def _compare_with_settled(self, look: Look) -> None:
        """See whether the sheet looks different from what was settled, where it is not hidden.

        What differs has to do so in every frame of a rest.
        """
        if self.settled is None:
            self.changed = True
            self.differs = ~self._nowhere()
            return
        other = dense(differing(look.ink, self.settled.ink), self.canvas)
        self.unlike &= other & ~self._pixels(self.rests[-1].hidden)
        self.differs = in_squares(self.unlike, self.canvas.squares) > 0
        # A pale line may be too thin for small frames: whoever was there may have drawn one
        self.changed = int(self.unlike.sum()) > _CHANGED or self.visited >= _VISIT

    def settle(self, at: float | None) -> None:
        """Remember what lay there at a time as read."""
        before = [rest for rest in self.rests if at is None or rest.since <= at]
        if not before:
            return
        rest = before[-1]
        self.settled = (
            rest.look if self.settled is None else self._under(rest.look, self.settled, rest.hidden)
        )
        self.unlike = ~self._nowhere_at_all()
        if at is None or self.visited_at <= at:
            self.visited = 0.0
        self._compare_with_settled(self.rests[-1].look)

    def _under(self, look: Look, under: Look, hidden: Mask) -> Look:
        """A look, with another one where something hid it."""
        if not hidden.any():
            return look
        there = self._pixels(hidden)
        return Look(np.where(there, under.ink, look.ink), np.where(there, under.light, look.light))

    def _pixels(self, squares: Mask) -> Mask:
        """Squares of the grid, and a little around them, as a mask of pixels."""
        wide = cv2.dilate(squares.astype(np.uint8), np.ones((3, 3), np.uint8))
        whole = cv2.resize(wide, self.canvas.pixels, interpolation=cv2.INTER_NEAREST)
        return np.asarray(whole > 0, np.bool_)

    def view(self, frame: tuple[int, int]) -> SheetView:
        """What is said of the sheet."""
        return SheetView(
            self.seen.key,
            self.size,
            frame,
            self.homography,
            self.state,
            self.changed,
            self.resting_since if self.state == "resting" else None,
            self.covered[1:-1, 1:-1],
            self.differs[1:-1, 1:-1],
        )
