"""The process that owns the Pi's camera: ``python -m vision.picamera_child``. See :mod:`vision.picamera`."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, BinaryIO

from vision.picamera import FRAME, HEADER, SENTENCE

_SETTLE_SECONDS = 1.5
_MISSING = (
    "the Pi's camera needs picamera2: sudo apt install python3-picamera2, "
    "and make the environment with --system-site-packages"
)


def main() -> int:
    """Answer every byte on standard input with a frame on standard output."""
    # The library prints; only frames may go where the parent listens.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    camera: Any = None
    while sys.stdin.buffer.read(1):
        try:
            camera = camera or _opened()
            _send_frame(answers, camera)
        except ImportError:
            _send_sentence(answers, _MISSING)
        except (RuntimeError, IndexError, OSError) as problem:
            _send_sentence(answers, f"the Pi's camera cannot be used ({problem}): check its cable")
    return 0


def _opened() -> Any:
    """The camera at full size, its exposure and colours settled and then kept as they are."""
    from picamera2 import Picamera2  # type: ignore[import-not-found]

    camera = Picamera2()
    # This format's name is backwards: its bytes are blue first.
    camera.configure(camera.create_still_configuration(main={"format": "RGB888"}))
    camera.start()
    time.sleep(_SETTLE_SECONDS)
    known = camera.capture_metadata()
    camera.set_controls(
        {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": known["ExposureTime"],
            "AnalogueGain": known["AnalogueGain"],
            "ColourGains": known["ColourGains"],
        }
    )
    return camera


def _send_frame(answers: BinaryIO, camera: Any) -> None:
    frame = camera.capture_array("main")
    height, width = frame.shape[:2]
    answers.write(HEADER.pack(FRAME, width, height) + frame[:, :, :3].tobytes())
    answers.flush()


def _send_sentence(answers: BinaryIO, sentence: str) -> None:
    data = sentence.encode()
    answers.write(HEADER.pack(SENTENCE, len(data), 0) + data)
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
