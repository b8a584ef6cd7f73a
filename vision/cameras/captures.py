"""Cameras captured by OpenCV: opened once, kept open, and released after a fault."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from vision.errors import CameraError
from vision.register.rectify import Image


class CapturedCamera(ABC):
    """An OpenCV capture that is opened for the first picture, and again after a fault.

    ``stale``: the number of old frames waiting in its buffer. ``missing`` and ``gone``: the messages for when
    it cannot be opened, and when it gives no picture.
    """

    def __init__(self, stale: int, missing: str, gone: str) -> None:
        self._stale, self._missing, self._gone = stale, missing, gone
        self._capture: Any = None

    @abstractmethod
    def _open(self) -> Any:
        """Create the capture; it may fail to open."""

    def take(self) -> Image:
        """Take a current frame, discarding the older ones in the buffer."""
        capture = self._opened()
        for _ in range(self._stale):
            capture.grab()
        done, frame = capture.read()
        if not done or frame is None:
            self.close()  # the next picture opens it again
            raise CameraError(self._gone)
        return np.asarray(frame, np.uint8)

    def _opened(self) -> Any:
        if self._capture is None:
            capture = self._open()
            if not capture.isOpened():
                capture.release()
                raise CameraError(self._missing)
            self._capture = capture
        return self._capture

    def close(self) -> None:
        """Release the capture, if it is open."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
