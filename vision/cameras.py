"""Where pictures come from: the Pi's own camera, any USB camera, a phone's upload, a folder, the studio.

A camera is anything with ``take()``: one frame, blue first, or a :class:`CameraError` that says what to do.
``open_camera`` finds one by name. None of them is touched before the first picture is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from lab.railroad_ink.studio.boards import GivenBoard
from lab.railroad_ink.studio.photographs import photograph
from lab.railroad_ink.studio.scenes import SHEET_OUTLINE, Scene, Wish, make_scene
from lab.studio.cameras import transformed
from lab.studio.levels import level_named
from lab.studio.settings import SoftShape
from vision.decoding import decoded
from vision.errors import CameraError
from vision.picamera import PiCamera
from vision.rectify import Image

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_STALE_FRAMES = 4  # a USB camera keeps so many old frames in its buffer
# How the panel lamps are mirrored in the studio boards: mm from the middle, mm across, share of white.
_LAMP_AWAY, _LAMP_SIZE, _LAMP_BRIGHTNESS = 40.0, 13.0, 0.8


class Camera(Protocol):
    """Takes pictures."""

    def take(self) -> Image:
        """One frame, blue first."""

    def close(self) -> None:
        """Let the device go."""


class Upload:
    """A picture that somebody sent."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def take(self) -> Image:
        """That picture, as often as it is wanted."""
        return decoded(self._data, 1).image

    def close(self) -> None:
        """Nothing is held."""


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


class StudioCamera:
    """The demonstration's camera: a made-up table on which the boards of a real match lie.

    Between two frames only the noise differs, as with a camera on a stand. It has two lamps as well
    (:meth:`lit`), so it stands in for the panel when the double exposure is tried.
    """

    has_two_lamps = True

    def __init__(
        self,
        boards: Callable[[], Sequence[GivenBoard]] = tuple,
        seed: int = 1,
        level: str = "table",
        megapixels: float | None = None,
    ) -> None:
        self._boards, self._seed, self._level = boards, seed, level_named(level)
        self._megapixels = megapixels
        self._frames = 0
        self._lamp = 0  # -1 is the left one

    def take(self) -> Image:
        """The boards as they are now."""
        self._frames += 1
        wish = Wish(boards=tuple(self._boards()), megapixels=self._megapixels)
        scene = make_scene(self._seed, self._level, wish)
        frame = replace(_lit(scene, self._lamp), seed=self._seed + self._frames)
        return photograph(frame)[:, :, ::-1].copy()

    @contextmanager
    def lit(self, *, left: bool = False, right: bool = False) -> Iterator[None]:
        """Light from one side while this lasts."""
        self._lamp = right - left
        try:
            yield
        finally:
            self._lamp = 0

    def close(self) -> None:
        """Nothing is held."""


def _lit(scene: Scene, lamp: int) -> Scene:
    """The same table with one of two lamps lit, which is also mirrored in the boards, on its own side."""
    if not lamp:
        return scene
    middle = np.mean(
        [transformed(sheet.to_table, SHEET_OUTLINE).mean(axis=0) for sheet in scene.sheets], axis=0
    )
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    mirrored = SoftShape(
        middle + np.array([lamp * _LAMP_AWAY, 0.0]) + ring * _LAMP_SIZE, 3.0, _LAMP_BRIGHTNESS
    )
    light = replace(scene.light, reflections=[*scene.light.reflections, mirrored])
    return replace(scene, light=light)


def open_camera(name: str) -> Camera:
    """A camera by name: ``pi``, ``usb``, ``usb:2`` or a device, ``studio``, or else a folder of pictures."""
    if name == "pi":
        return PiCamera()
    if name == "studio":
        return StudioCamera()
    if name == "usb" or name.startswith("usb:"):
        number = name.partition(":")[2] or "0"
        if not number.isdigit():
            raise CameraError(f"{name!r} is no camera: write usb:0, usb:1, ...")
        return UsbCamera(int(number))
    if name.startswith("/dev/"):
        return UsbCamera(name)
    return FolderCamera(Path(name))
