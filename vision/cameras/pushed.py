"""A camera whose pictures are sent to it: an old phone on a stand, with nothing but its browser."""

from __future__ import annotations

from companion.core.messages import m
from vision.decoding import Reduction, checked_header, decoded
from vision.errors import CameraError
from vision.register.rectify import Image

PUSHED = "phone"  # what it is called in settings
_GLANCE = 960  # pixels of the longer side that are enough to see what moves


class PushedCamera:
    """The last picture that was sent. A glance at it, small and quick to decode, is given once."""

    single = True  # there is one frame, not several of the same moment

    def __init__(self) -> None:
        self._data = b""
        self._seen = True

    def push(self, data: bytes) -> None:
        """Take a picture as it was sent, in place of the one before."""
        self._data, self._seen = data, False

    def glance(self) -> Image:
        """A small version of a picture that nobody has glanced at yet."""
        if self._seen:
            raise _no_picture()
        self._seen = True
        longest = max(checked_header(self._data).size)
        steps: tuple[Reduction, ...] = (8, 4, 2)
        step: Reduction = next((one for one in steps if longest >= _GLANCE * one), 1)
        return decoded(self._data, step).image

    def take(self) -> Image:
        """The last picture, with all its pixels."""
        if not self._data:
            raise _no_picture()
        return decoded(self._data, 1).image

    def close(self) -> None:
        """Forget the last picture."""
        self._data, self._seen = b"", True


def _no_picture() -> CameraError:
    return CameraError(m("the phone over the table sends no pictures: is its page open, and its screen on?"))
