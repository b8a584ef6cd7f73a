"""One good picture with a fixed camera: waits until nothing moves, and merges several frames into one.

still = still_picture(camera)                    # several frames, their median
still = still_picture(camera, lights=panel)      # lit from the left, then the right: no glare in common
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from vision.cameras.sources import Camera
from vision.errors import CameraError
from vision.register.rectify import Image

_SMALL = 160  # pixels of the longer side in which movement is looked for
_LEAST_CHANGE = 9.0  # codes by which a pixel differs when something has moved there
_NOISES = 6.0  # and by so many deviations of the noise
_MOVED_SHARE = 0.002  # of the pixels; the tip of a pen over the board is about that
# Where one of two differently lit pictures is so much brighter than the other, relative to the light all
# around, it is glare. Shadows differ, too, but do not go above the paper.
_GLARE = (0.08, 0.22)

_STRIP, _RIM = 256, 8  # rows that are mixed at once, and rows beyond them that are looked at
_LAMP = 0.2  # seconds that a lamp needs
_FIELD = 64  # pixels of the longer side in which the light on the table is known

Grey = NDArray[np.float32]
Colours = NDArray[np.float32]


class Lights(Protocol):
    """Two lamps, such as the panel's."""

    @property
    def has_two_lamps(self) -> bool:
        """Return True if both lamps are there."""

    def lit(self, *, left: bool = False, right: bool = False) -> AbstractContextManager[None]:
        """Light the table from one side within this context."""


class Clock(Protocol):
    """A clock that tests can replace so that they need not wait."""

    def now(self) -> float:
        """Seconds on a monotonic clock."""

    def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""


class SystemClock:
    """The monotonic clock of this machine."""

    def now(self) -> float:
        """Seconds since an arbitrary moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        time.sleep(seconds)


@dataclass(frozen=True)
class Patience:
    """Intervals and limits of watching: between frames, until still, until it times out; frames to take."""

    step: float = 0.2
    still_for: int = 3
    give_up: float = 20.0
    frames: int = 5


@dataclass(frozen=True)
class Still:
    """One good picture and how it was made."""

    image: Image
    frames: int
    lamps: int  # differently lit pictures in it; 1 without lamps
    waited: float


USUAL = Patience()
SLOW = Patience(step=0.0, still_for=1, frames=3)  # for cameras that take a second for a picture
_FEW_FRAMES, _LARGE = 3, 6_000_000  # so many frames of pictures with more pixels: memory


def still_picture(
    camera: Camera, lights: Lights | None = None, patience: Patience = USUAL, clock: Clock | None = None
) -> Still:
    """Wait until nothing moves, then take several frames; with two lamps, several from each side."""
    clock = clock or SystemClock()
    began = clock.now()
    wait_for_stillness(camera, patience, clock)
    if lights is None or not lights.has_two_lamps:
        image, frames = _calm_picture(camera, patience.frames)
        return Still(image, frames, 1, clock.now() - began)
    with lights.lit(left=True):
        clock.sleep(max(patience.step, _LAMP))
        left, frames = _calm_picture(camera, patience.frames)
    with lights.lit(right=True):
        clock.sleep(max(patience.step, _LAMP))
        right, more = _calm_picture(camera, patience.frames)
    return Still(without_glare([left, right]), frames + more, 2, clock.now() - began)


def _calm_picture(camera: Camera, frames: int) -> tuple[Image, int]:
    """The median of several frames, fewer if they are large; also their number."""
    first = camera.take()
    count = min(frames, _FEW_FRAMES) if first.shape[0] * first.shape[1] > _LARGE else frames
    rest = [camera.take() for _ in range(count - 1)]
    return median_of([first, *rest], into=first if first.flags.writeable else None), count


def wait_for_stillness(camera: Camera, patience: Patience, clock: Clock) -> Image:
    """Return the first frame after nothing has moved for a while; raises CameraError when it times out."""
    until = clock.now() + patience.give_up
    last = camera.take()
    quiet = 0  # looks without movement; of two frames at most is there memory
    while quiet < patience.still_for:
        if clock.now() >= until:
            raise CameraError(m("something keeps moving in the picture: take your hands away and try again"))
        clock.sleep(patience.step)
        frame = camera.take()
        quiet = quiet + 1 if not has_moved(last, frame) else 0
        last = frame
    return last


def _small_copy(image: Image) -> Image:
    share = min(1.0, _SMALL / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * share)), max(1, round(image.shape[0] * share)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


# --- movement ---


def has_moved(before: Image, after: Image) -> bool:
    """Return True if anything moved between two frames, ignoring noise and a change of the overall light."""
    if before.shape != after.shape:
        return True
    first, second = _small(before), _small(after)
    gain = float(np.median(first)) / max(float(np.median(second)), 1.0)
    difference = np.abs(first - second * gain)
    noise = 1.48 * float(np.median(difference))
    return float((difference > max(_LEAST_CHANGE, _NOISES * noise)).mean()) > _MOVED_SHARE


def _small(image: Image) -> Grey:
    small = _small_copy(image)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.float32)


# --- several frames as one ---


def median_of(frames: Sequence[Image], into: Image | None = None) -> Image:
    """The median of each pixel over an odd number of frames, which removes noise and passing things.

    ``into``: one of the frames, to be overwritten, for pictures so large that they fill the memory.
    """
    if not frames or len({frame.shape for frame in frames}) > 1:
        raise CameraError(m("the camera changed the size of its pictures: take the picture again"))
    middle = np.empty_like(frames[0]) if into is None else into
    for top in range(0, middle.shape[0], _STRIP):  # a big picture does not need big memory
        # The median of whole strips at once, by an exchange sort only up to the middle
        rows = [frame[top : top + _STRIP] for frame in frames]
        for place in range(len(rows) // 2 + 1):
            for other in range(len(rows) - 1, place, -1):
                low = np.asarray(cv2.min(rows[other - 1], rows[other]), np.uint8)
                rows[other] = np.asarray(cv2.max(rows[other - 1], rows[other]), np.uint8)
                rows[other - 1] = low
        middle[top : top + _STRIP] = rows[len(rows) // 2]
    return middle


def without_glare(shots: Sequence[Image]) -> Image:
    """Merge differently lit pictures into one, without the glare that not all of them have.

    All are normalised to the same light. Where one is then much brighter than another, it has glare and the
    darkest counts; elsewhere the mean counts, so that the shadows of one lamp do not get darker.
    """
    fields = [_light_field(shot) for shot in shots]
    height, width = shots[0].shape[:2]
    mixed = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP):  # a big picture does not need big memory
        bottom = min(top + _STRIP, height)
        first, last = max(0, top - _RIM), min(height, bottom + _RIM)
        strip = _mixed(
            [shot[first:last] for shot in shots],
            [_enlarged(field, (width, height), first, last) for field in fields],
        )
        mixed[top:bottom] = strip[top - first : bottom - first]
    return mixed


def _mixed(shots: Sequence[Image], lights: Sequence[Colours]) -> Image:
    common = np.mean(lights, axis=0, dtype=np.float32)
    even = [shot * (common / light) for shot, light in zip(shots, lights, strict=True)]
    darkest, brightest = np.minimum.reduce(even), np.maximum.reduce(even)
    excess = ((brightest - darkest) / common).min(axis=2)
    low, high = _GLARE
    share = cv2.GaussianBlur(np.clip((excess - low) / (high - low), 0, 1), (0, 0), 1.5)
    share = cv2.dilate(share, np.ones((3, 3), np.uint8))
    mean = np.mean(even, axis=0, dtype=np.float32)
    mixed = mean + (darkest - mean) * np.asarray(share, np.float32)[..., None]
    return np.asarray(np.clip(mixed + 0.5, 0, 255), np.uint8)


def _light_field(shot: Image) -> Colours:
    """A coarse field of the light on the table, without drawings and small glare."""
    height, width = shot.shape[:2]
    share = _FIELD / max(height, width)
    size = (max(8, round(width * share)), max(8, round(height * share)))
    small = cv2.resize(shot, size, interpolation=cv2.INTER_AREA)
    paper = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    calm = np.asarray(cv2.medianBlur(paper, 15), np.float32)
    return np.maximum(np.asarray(cv2.GaussianBlur(calm, (0, 0), 5), np.float32), 4.0)


def _enlarged(field: Colours, size: tuple[int, int], first: int, last: int) -> Colours:
    """Some rows of a field, interpolated to the size of the picture."""
    x, y = field.shape[1] / size[0], field.shape[0] / size[1]
    matrix = np.array([[x, 0, 0.5 * x - 0.5], [0, y, (first + 0.5) * y - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    rows = cv2.warpAffine(
        field, matrix, (size[0], last - first), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(rows, np.float32)
