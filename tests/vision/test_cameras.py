"""Every source of pictures: what it gives, and the sentence when it has none."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras import picamera, picamera_child
from vision.cameras.picamera import CHILD, PiCamera
from vision.cameras.sources import FolderCamera, UsbCamera, open_camera
from vision.errors import CameraError, VisionError
from vision.register.rectify import Image


def plain(value: int, size: tuple[int, int] = (80, 60)) -> Image:
    return np.full((size[1], size[0], 3), value, np.uint8)


def packed(image: Image, ending: str = ".png") -> bytes:
    done, data = cv2.imencode(ending, image)
    assert done
    return bytes(data)


# --- folders ---


def test_a_folder_gives_each_picture_once_the_oldest_first(tmp_path: Path) -> None:
    for age, value in ((3, 10), (2, 20), (1, 30)):
        path = tmp_path / f"{value}.png"
        path.write_bytes(packed(plain(value)))
        os.utime(path, (1000 - age, 1000 - age))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path)
    assert [int(camera.take()[0, 0, 0]) for _ in range(3)] == [10, 20, 30]
    with pytest.raises(CameraError, match="no new picture"):
        camera.take()
    (tmp_path / "later.png").write_bytes(packed(plain(40)))
    assert int(camera.take()[0, 0, 0]) == 40
    camera.close()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="there is no folder"):
        FolderCamera(tmp_path / "none").take()


# --- USB ---


class Capture:
    """What OpenCV opens: counts what is thrown away, and can be unplugged."""

    def __init__(self, opens: bool = True, frames: int = 10**6) -> None:
        self.opens, self.frames = opens, frames
        self.count = 0
        self.settings: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def set(self, what: int, value: float) -> None:
        self.settings[what] = value

    def grab(self) -> bool:
        self.count += 1
        return self.count <= self.frames

    def read(self) -> tuple[bool, Any]:
        return (True, plain(min(self.count, 255))) if self.grab() else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_usb_camera_gives_a_frame_of_this_moment() -> None:
    capture = Capture()
    camera = UsbCamera(2, (1920, 1080), lambda *_: capture)
    assert int(camera.take()[0, 0, 0]) == 5, "four old frames were thrown away"
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1920
    camera.close()
    assert capture.released


def test_a_usb_camera_that_is_not_there() -> None:
    capture = Capture(opens=False)
    with pytest.raises(CameraError, match="there is no camera 1"):
        UsbCamera(1, open_capture=lambda *_: capture).take()
    assert capture.released


def test_a_usb_camera_that_was_unplugged_is_opened_again() -> None:
    captures = [Capture(frames=7), Capture()]
    opened: list[Capture] = []

    def open_capture(*_: Any) -> Capture:
        opened.append(captures[len(opened)])
        return opened[-1]

    camera = UsbCamera(0, open_capture=open_capture)
    camera.take()
    with pytest.raises(CameraError, match="plug it in again"):
        camera.take()
    assert captures[0].released
    camera.take()
    assert len(opened) == 2


# --- the Pi's camera, in its child ---

FAKE = """
import os, sys, time
import numpy as np
time.sleep, _sleep = (lambda seconds: None), time.sleep
print("noise on standard output")
class Picamera2:
    def __init__(self):
        if os.environ["FAKE"] == "busy":
            raise RuntimeError("Device or resource busy")
        self.count = 0
    def create_still_configuration(self, main):
        return main
    def configure(self, configuration):
        assert configuration == {"format": "RGB888"}
    def start(self): pass
    def capture_metadata(self):
        return {"ExposureTime": 1, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0)}
    def set_controls(self, controls):
        self.settled = controls["AeEnable"] is False
    def capture_array(self, name):
        assert self.settled
        self.count += 1
        print("more noise")
        if self.count == 2 and os.environ["FAKE"] == "hang":
            _sleep(60)
        if self.count == 2 and os.environ["FAKE"] == "crash":
            os._exit(1)
        frame = np.zeros((48, 64, 3), np.uint8)
        frame[:] = (10, 20, 30 + self.count)
        return frame
"""


def pi(folder: Path, mood: str, frame_seconds: float = 20.0) -> PiCamera:
    (folder / "picamera2.py").write_text(FAKE)
    environment = {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", "FAKE": mood}
    return PiCamera((sys.executable, str(CHILD)), environment, (60.0, frame_seconds))


def test_frames_come_from_the_child_blue_first(tmp_path: Path) -> None:
    camera = pi(tmp_path, "well")
    try:
        assert camera.take()[5, 5].tolist() == [10, 20, 31]
        assert camera.take().shape == (48, 64, 3)
    finally:
        camera.close()


@pytest.mark.parametrize(
    ("mood", "said"), [("hang", "hangs and was stopped"), ("crash", "stopped by itself")]
)
def test_a_child_in_trouble_is_replaced(tmp_path: Path, mood: str, said: str) -> None:
    camera = pi(tmp_path, mood, frame_seconds=0.3)
    try:
        camera.take()
        with pytest.raises(CameraError, match=said):
            camera.take()
        assert camera.take()[0, 0].tolist() == [10, 20, 31], "another child"
    finally:
        camera.close()


def test_a_camera_that_is_in_use(tmp_path: Path) -> None:
    camera = pi(tmp_path, "busy")
    with pytest.raises(CameraError, match=r"cannot be used \(Device or resource busy\): check its cable"):
        camera.take()
    camera.close()


def test_without_its_library_it_is_said_what_to_install() -> None:
    if find_spec("picamera2") is not None:
        pytest.skip("picamera2 is installed here")
    camera = PiCamera(patience=(60.0, 20.0))
    try:
        with pytest.raises(CameraError, match="sudo apt install rpicam-apps-lite"):
            camera.take()
    finally:
        camera.close()


# --- by name ---


def test_cameras_have_names(tmp_path: Path) -> None:
    assert isinstance(open_camera("pi"), PiCamera)
    assert isinstance(open_camera("/dev/video7"), UsbCamera)
    assert isinstance(open_camera(str(tmp_path)), FolderCamera)
    assert isinstance(open_camera("/dev/fd"), FolderCamera), "a folder is none of the devices beside it"
    for wrong, says in (
        ("usb:", "write usb:0"),
        ("pi:left", "write pi"),
        ("http://", "no address of a camera"),
    ):
        with pytest.raises(VisionError, match=says):
            open_camera(wrong)


def test_parent_and_child_speak_alike() -> None:
    for name in ("HEADER", "FRAME", "SENTENCE"):
        theirs, ours = getattr(picamera_child, name), getattr(picamera, name)
        assert getattr(theirs, "format", theirs) == getattr(ours, "format", ours)
