"""Where pictures come from: the Pi's own camera, any USB camera, a folder.

A camera is anything with ``take()``: one frame, blue first, or a :class:`CameraError` that says what to do.
``open_camera`` finds one by name. None of them is touched before the first picture is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.decoding import decoded
from vision.errors import CameraError
from vision.picamera import PiCamera
from vision.rectify import Image

PICTURE_ENDINGS = (".jpg", ".jpeg", ".heic", ".heif", ".png", ".webp", ".bmp")
_STALE_FRAMES = 4  # a USB camera keeps so many old frames in its buffer


class Camera(Protocol):
    """Takes pictures."""

    def take(self) -> Image:
        """One frame, blue first."""

    def close(self) -> None:
        """Let the device go."""


class FolderCamera:
    """The pictures that come into a folder, one after the other, the oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: set[Path] = set()

    def take(self) -> Image:
        """The next picture that was not taken yet."""
        waiting = [path for path in self._pictures() if path not in self._taken]
        if not waiting:
            raise CameraError(f"no new picture is in {self._folder}: put a JPEG or PNG there")
        self._taken.add(waiting[0])
        return decoded(waiting[0].read_bytes(), 1).image

    def _pictures(self) -> list[Path]:
        if not self._folder.is_dir():
            raise CameraError(f"there is no folder {self._folder}: make it, or choose another")
        found = [path for path in self._folder.iterdir() if path.suffix.lower() in PICTURE_ENDINGS]
        return sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))

    def close(self) -> None:
        """Nothing is held."""


class UsbCamera:
    """Any camera that Video4Linux knows, by its number or its name under the device folder."""

    def __init__(
        self,
        device: int | str = 0,
        size: tuple[int, int] = (3840, 2160),
        open_capture: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        self._device, self._size = device, size
        self._open_capture = open_capture
        self._capture: Any = None

    def take(self) -> Image:
        """A frame of this moment: what waits in the camera's buffer is older, and thrown away."""
        capture = self._opened()
        for _ in range(_STALE_FRAMES):
            capture.grab()
        done, frame = capture.read()
        if not done or frame is None:
            self.close()  # it may have been unplugged: the next picture opens it again
            raise CameraError(f"camera {self._device} gives no picture: plug it in again")
        return np.asarray(frame, np.uint8)

    def _opened(self) -> Any:
        if self._capture is None:
            capture = self._open_capture(self._device, cv2.CAP_V4L2)
            if not capture.isOpened():
                capture.release()
                raise CameraError(f"there is no camera {self._device}: plug one in, or use a phone")
            # Compressed, or USB would be too slow for big frames; it gives its next best where it cannot.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            self._capture = capture
        return self._capture

    def close(self) -> None:
        """Let the device go."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def open_camera(name: str) -> Camera:
    """A camera by name: ``pi``, ``usb``, ``usb:2`` or a device, or else a folder of pictures."""
    if name == "pi":
        return PiCamera()
    if name == "usb" or name.startswith("usb:"):
        number = name.partition(":")[2] or "0"
        if not number.isdigit():
            raise CameraError(f"{name!r} is no camera: write usb:0, usb:1, ...")
        return UsbCamera(int(number))
    if name.startswith("/dev/"):
        return UsbCamera(name)
    return FolderCamera(Path(name))
