"""Picture sources: the Pi's own camera, any USB camera, a network camera, or a folder.

A camera is anything with ``take()``: one frame, blue first, or a :class:`CameraError` that says what to do.
``open_camera`` finds one by name. None of them is touched before the first picture is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.cameras.captures import CapturedCamera
from vision.cameras.network import is_network_name, network_camera
from vision.cameras.picamera import PiCamera
from vision.cameras.pushed import PUSHED, PushedCamera
from vision.cameras.still_program import StillCamera, still_program
from vision.cameras.usb_devices import usb_number, video_nodes
from vision.decoding import decoded
from vision.errors import CameraError
from vision.register.rectify import Image

PICTURE_ENDINGS = (".jpg", ".jpeg", ".heic", ".heif", ".png", ".webp", ".bmp")
_STALE_FRAMES = 4  # a USB camera keeps so many old frames in its buffer


class Camera(Protocol):
    """A source of pictures, one frame at a time."""

    def take(self) -> Image:
        """Take one frame, (height, width, 3) in BGR order."""

    def close(self) -> None:
        """Release the device, if one is held."""


class FolderCamera:
    """A camera that delivers the pictures arriving in a folder, oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: set[Path] = set()

    def take(self) -> Image:
        """Return the oldest picture that was not taken yet."""
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
        """Do nothing: no device is held open."""


class UsbCamera(CapturedCamera):
    """A Video4Linux camera, by its number or its name under the device folder."""

    def __init__(
        self,
        device: int | str = 0,
        size: tuple[int, int] = (3840, 2160),
        open_capture: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        super().__init__(
            _STALE_FRAMES,
            missing=f"there is no camera {device}: plug one in, or use a phone",
            gone=f"camera {device} gives no picture: plug it in again",
        )
        self._device, self._size = device, size
        self._open_capture = open_capture

    def _open(self) -> Any:
        capture = self._open_capture(self._device, cv2.CAP_V4L2)
        if capture.isOpened():
            # Compressed, or USB would be too slow for big frames; it gives its next best where it cannot.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        return capture


class Turned:
    """A camera whose pictures are rotated upright and cropped to the table."""

    def __init__(self, camera: Camera, rotation: int = 0, crop: tuple[float, ...] = ()) -> None:
        self._camera, self._rotation, self._crop = camera, rotation, crop
        self.slow = getattr(camera, "slow", False)
        self.single = getattr(camera, "single", False)

    def take(self) -> Image:
        """Take a frame, rotate it upright, then crop it."""
        return self._upright(self._camera.take())

    def glance(self) -> Image:
        """The same of a small frame, from a camera that has them."""
        glance = getattr(self._camera, "glance", self._camera.take)
        return self._upright(glance())

    def push(self, data: bytes) -> None:
        """Hand on a picture to a camera to which they are sent."""
        self._camera.push(data)  # type: ignore[attr-defined]  # asked of those alone

    def _upright(self, frame: Image) -> Image:
        if self._rotation:
            frame = np.asarray(cv2.rotate(frame, _TURNS[self._rotation]), np.uint8)
        if self._crop:
            height, width = frame.shape[:2]
            left, top, right, bottom = (share / 100 for share in self._crop)
            rows = slice(int(top * height), ceil(bottom * height))
            columns = slice(int(left * width), ceil(right * width))
            frame = np.ascontiguousarray(frame[rows, columns])
        return frame

    def close(self) -> None:
        """Release the camera behind this one."""
        self._camera.close()


_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True)
class CameraRequest:
    """A camera by name, and how to use it.

    ``rotation``: clockwise, in degrees; ``crop``: left, top, right and bottom of the part to keep, in
    percent; ``focus``: ``auto`` or dioptres (the Pi's own camera only).
    """

    name: str
    rotation: int = 0
    crop: tuple[float, ...] = ()
    focus: str = "auto"


def opened(request: CameraRequest) -> Camera:
    """The camera described by the request; the device itself is opened for the first picture."""
    camera = open_camera(request.name, request.focus)
    return Turned(camera, request.rotation, request.crop) if request.rotation or request.crop else camera


def open_camera(name: str, focus: str = "auto") -> Camera:
    """A camera by name, or else a folder of pictures.

    To ``phone`` pictures are sent by a browser; ``pi`` (``pi:1`` the second one) is at the Pi's ribbon cable,
    ``usb`` the first USB camera, ``usb:Logi`` the one with that in its name, ``usb:2`` and ``/dev/video2``
    the one of that number; ``http://``, ``https://`` and ``rtsp://`` are in the network.
    """
    kind, _, which = name.partition(":")
    if is_network_name(name):
        return network_camera(name)
    if name in _BY_NAME:
        return _BY_NAME[name]()
    if kind == "pi":
        if which and not (which.isascii() and which.isdigit()):
            raise CameraError(f"{name!r} is no camera: write pi, or pi:1 for the second one")
        number = int(which or 0)
        return StillCamera(number, focus) if still_program() else PiCamera(number=number)
    if kind == "usb":
        if name.startswith("usb:") and not which:
            raise CameraError(f"{name!r} is no camera: write usb:0, usb:1, ... or a part of its name")
        return UsbCamera(usb_number(which, video_nodes()))
    if name.startswith("/dev/") and not Path(name).is_dir():  # a folder may lie in memory: /dev/shm
        return UsbCamera(name)
    return FolderCamera(Path(name))


# Kinds of which there is one, by its name.
_BY_NAME: dict[str, Callable[[], Camera]] = {
    PUSHED: PushedCamera,
}


def cameras_here() -> list[CameraRequest]:
    """The cameras that are attached to this machine, by the names that settings have for them."""
    nodes = video_nodes()
    found = [CameraRequest(f"usb:{node.name}") for node in nodes if node.is_camera and node.name]
    at_cable = any(node.name.lower().startswith(("unicam", "rp1-cfe")) for node in nodes)
    return ([CameraRequest("pi")] if at_cable else []) + found
