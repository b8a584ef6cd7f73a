"""The process that owns the Pi's camera; see ``vision/cameras/picamera.py``.

Run by the system's Python as a file of its own: it imports nothing of ours, and no library of ours is in
reach.
"""

import os
import struct
import sys
import time
from typing import Any, BinaryIO

# As in vision/cameras/picamera.py, which a test holds equal.
HEADER = struct.Struct(">4sII")
FRAME, SENTENCE = b"FRAM", b"SAYS"
_SETTLE_SECONDS = 1.5
_FOCUS_SECONDS = 6.0
_MISSING = "the Pi's camera needs rpicam-still: sudo apt install rpicam-apps-lite (or python3-picamera2)"


def main() -> int:
    """Send one frame on standard output for every byte on standard input."""
    # The library prints; only frames may go where the parent listens.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    camera: Any = None
    while sys.stdin.buffer.read(1):
        try:
            camera = camera or _opened(number)
            _send_frame(answers, camera)
        except ImportError as problem:
            missing = problem.name in ("picamera2", "libcamera")
            _send_sentence(answers, _MISSING if missing else _trouble(problem))
        except Exception as problem:  # noqa: BLE001 - whatever a foreign library throws is told
            _send_sentence(answers, _trouble(problem))
    return 0


def _trouble(problem: Exception) -> str:
    return f"the Pi's camera cannot be used ({problem}): check its cable"


def _opened(number: int) -> Any:
    """Open the camera at full size; let focus, exposure and white balance settle, then lock them."""
    from picamera2 import Picamera2  # type: ignore[import-not-found]

    camera = Picamera2(number) if number else Picamera2()
    # This format's name is backwards: its bytes are blue first.
    camera.configure(camera.create_still_configuration(main={"format": "RGB888"}))
    camera.start()
    time.sleep(_SETTLE_SECONDS)
    kept: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    if "AfMode" in getattr(camera, "camera_controls", {}):
        _focus(camera)
        kept["AfMode"] = 0  # manual: where it is now
    known = camera.capture_metadata()
    for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
        kept[name] = known[name]
    if "AfMode" in kept and "LensPosition" in known:
        kept["LensPosition"] = known["LensPosition"]
    camera.set_controls(kept)
    return camera


def _focus(camera: Any) -> None:
    """Focus once, with a time limit: before an empty table autofocus may never succeed."""
    camera.set_controls({"AfMode": 1, "AfTrigger": 0})
    until = time.monotonic() + _FOCUS_SECONDS
    while time.monotonic() < until:
        if camera.capture_metadata().get("AfState") in (2, 3):  # focused, failed
            return


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
