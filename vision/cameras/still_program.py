"""The Pi's camera through the system's program ``rpicam-still``, one process for each picture.

It belongs to the system (Raspberry Pi OS 12 and 13), so nothing of ours has to fit its Python, and one that
hangs is killed. The first picture focuses and measures the light; both are then kept, so that pictures of one
evening are alike and the next ones come at once.
"""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision.children import Done, TooMuchError, TooSlowError, run_bounded
from vision.decoding import MOST_BYTES, decoded
from vision.errors import CameraError, PictureError
from vision.register.rectify import Image

PROGRAMS = ("rpicam-still", "libcamera-still")
_FIRST_SECONDS, _NEXT_SECONDS = 25.0, 8.0
_SETTLE = 1500  # milliseconds in which light and focus are found
_QUALITY = 95
_MISSING = "the Pi's camera needs rpicam-still: sudo apt install rpicam-apps-lite"
_HANGS = "the Pi's camera hangs and was stopped: try again; if it stays so, restart"
_NO_PICTURE = "the Pi's camera sent something that is no picture: try again"


def still_program() -> str | None:
    """The system's program, if it has one."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


class StillCamera:
    """Pictures by ``rpicam-still``; ``focus`` is ``auto`` or a distance in dioptres (1 divided by metres)."""

    slow = True  # each picture takes about a second

    def __init__(
        self,
        number: int = 0,
        focus: str = "auto",
        *,
        program: Sequence[str] | None = None,
        patience: tuple[float, float] = (_FIRST_SECONDS, _NEXT_SECONDS),
    ) -> None:
        self._program = program
        self._number, self._focus = number, focus
        self._patience = patience
        self._kept: list[str] = []  # the options that repeat the first picture's light and focus

    def take(self) -> Image:
        """Take one picture with the program and decode it."""
        program = self._program or (still_program() or PROGRAMS[0],)
        with tempfile.TemporaryDirectory(prefix="camera-") as place:
            told = Path(place) / "metadata.json"
            command = [*program, "--nopreview", "--camera", str(self._number), "--encoding", "jpg"]
            command += ["--quality", str(_QUALITY), "--output", "-", "--metadata", str(told)]
            data = self._output([*command, *(self._kept or self._first())])
            if not self._kept:
                self._kept = _repeating(_metadata(told))
        try:
            return decoded(data, 1).image
        except PictureError:
            self.close()
            raise CameraError(_NO_PICTURE) from None

    def _first(self) -> list[str]:
        light = ["--timeout", str(_SETTLE)]
        if self._focus == "auto":
            return [*light, "--autofocus-mode", "auto", "--autofocus-on-capture"]
        return [*light, "--autofocus-mode", "manual", "--lens-position", self._focus]

    def _output(self, command: list[str]) -> bytes:
        seconds = self._patience[1] if self._kept else self._patience[0]
        try:
            done = run_bounded(command, seconds, MOST_BYTES)
        except FileNotFoundError:
            raise CameraError(_MISSING) from None
        except OSError as problem:
            raise CameraError(f"{command[0]} cannot be started here ({problem.strerror})") from problem
        except TooSlowError:
            self.close()
            raise CameraError(_HANGS) from None
        except TooMuchError:
            self.close()
            raise CameraError(_NO_PICTURE) from None
        if done.code != 0 or not done.output:
            self.close()
            raise CameraError(_complaint(done))
        return done.output

    def close(self) -> None:
        """Forget the exposure: the next picture measures light and focus anew."""
        self._kept = []


def _complaint(done: Done) -> str:
    """The program's error message in a sentence."""
    words = done.complaint
    if "no cameras available" in words:
        return "the Pi sees no camera at its ribbon cable: check the cable at both ends, and restart"
    if "busy" in words.lower() or "in use" in words.lower():
        return "another program is using the Pi's camera: stop that one"
    if done.code < 0:
        return "the Pi's camera stopped by itself: try again"
    said = [line.strip() for line in words.splitlines() if "ERROR" in line] or words.strip().splitlines()
    last = said[-1][-120:].strip() if said else f"it ended with {done.code}"
    return f"the Pi's camera cannot be used ({last}): check its cable"


def _metadata(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _repeating(told: dict[str, Any]) -> list[str]:
    """The options that repeat this picture's exposure; none if the metadata are incomplete.

    >>> _repeating({"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": [1.5, 1.8]})
    ['--immediate', '--shutter', '20000', '--gain', '2.0', '--awbgains', '1.5,1.8']
    >>> _repeating({"ExposureTime": "long"})
    []
    """
    try:
        exposure, gain = int(told["ExposureTime"]), float(told["AnalogueGain"])
        red, blue = (float(one) for one in told["ColourGains"])
        lens = None if told.get("LensPosition") is None else float(told["LensPosition"])
    except (KeyError, TypeError, ValueError):
        return []
    if exposure <= 0 or not all(math.isfinite(one) and one > 0 for one in (gain, red, blue)):
        return []
    kept = ["--immediate", "--shutter", str(exposure), "--gain", str(gain), "--awbgains", f"{red},{blue}"]
    return kept if lens is None else [*kept, "--autofocus-mode", "manual", "--lens-position", str(lens)]
