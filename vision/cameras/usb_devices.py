"""Lists the cameras of Video4Linux and the device nodes that deliver pictures.

A Raspberry Pi has a dozen nodes that are no cameras: decoders, and the raw side of the camera at the ribbon
cable. A USB camera has two or more, of which the first gives pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.errors import CameraError

_NODES = Path("/sys/class/video4linux")
_OF_THE_PI = ("unicam", "rp1-cfe", "bcm2835", "rpi-", "pispbe", "rpivid")


@dataclass(frozen=True)
class VideoNode:
    """A device node ``/dev/videoN``; ``index``: its number among the nodes of its device."""

    number: int
    name: str
    usb: bool
    index: int = 0

    @property
    def is_camera(self) -> bool:
        """Return True if this device node delivers pictures."""
        return self.usb and self.index == 0

    @property
    def is_of_the_pi(self) -> bool:
        """Return True if this node belongs to the Pi itself: ribbon camera (raw pictures) or decoder."""
        return not self.usb and self.name.lower().startswith(_OF_THE_PI)


def video_nodes(nodes: Path = _NODES) -> list[VideoNode]:
    """All Video4Linux nodes of this machine, by number."""
    found = []
    for place in nodes.glob("video*"):
        number = place.name.removeprefix("video")
        if not number.isdigit():
            continue
        try:
            name = (place / "name").read_text(errors="replace").strip()
            index = int((place / "index").read_text())
        except (OSError, ValueError):
            name, index = "", 0
        usb = any(part.startswith("usb") for part in place.resolve().parts)
        found.append(VideoNode(int(number), name, usb, index))
    return sorted(found, key=lambda node: node.number)


def usb_number(wanted: str, nodes: list[VideoNode]) -> int:
    """The number of the node named by ``usb`` (any), ``usb:2`` or ``usb:part of a name``."""
    cameras = [node for node in nodes if node.is_camera]
    if wanted.isascii() and wanted.isdigit():
        number = int(wanted)
        known = next((node for node in nodes if node.number == number), None)
        if known is not None and known.is_of_the_pi:
            raise CameraError(f"camera {number} is the Pi's own, raw: call it pi, not usb:{number}")
        return number
    if not nodes and not wanted:
        return 0  # a system that tells nothing of its cameras
    fitting = [node for node in cameras if wanted.lower() in node.name.lower()]
    if fitting:
        return fitting[0].number
    if cameras:
        names = ", ".join(sorted({node.name for node in cameras}))
        raise CameraError(f"no USB camera is called {wanted!r}: there is {names}")
    if any(node.is_of_the_pi for node in nodes):
        raise CameraError("there is no USB camera; the one at the Pi's ribbon cable is called pi")
    raise CameraError("there is no USB camera: plug one in, or use a phone")
