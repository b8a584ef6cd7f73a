"""``rpicam-still`` and stand-ins for it: well, slow, hanging, crashing, garbage, too much, none."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import pytest

from vision.cameras.still_program import StillCamera
from vision.children import TooMuchError, TooSlowError, run_bounded
from vision.errors import CameraError

WELL = """
out=""; told=""
echo "$@" >> {folder}/asked
while [ $# -gt 0 ]; do case "$1" in --metadata) told=$2;; esac; shift; done
cat {folder}/metadata > "$told"
cat {folder}/picture.jpg
"""
TROUBLES = {
    "none": (
        "echo 'ERROR: *** no cameras available ***' >&2; exit 255",
        "sees no camera at its ribbon cable",
    ),
    "busy": (
        "echo 'ERROR: Failed to acquire: Device or resource busy' >&2; exit 1",
        "another program is using",
    ),
    "odd": (
        "echo 'ERROR: *** something odd ***' >&2; exit 3",
        r"cannot be used \(ERROR: \*\*\* something odd",
    ),
    "silent": ("exit 7", r"it ended with 7"),
    "empty": ("exit 0", "cannot be used"),
    "crash": ("kill -SEGV $$", "stopped by itself"),
    "hang": ("sleep 600", "hangs and was stopped"),
    "child that hangs": ("sleep 600 & wait", "hangs and was stopped"),
    "garbage": ("head -c 100000 /dev/urandom", "no picture"),
    "half": ("head -c 300 {folder}/picture.jpg", "no picture"),
    "endless": ("cat /dev/zero", "no picture"),
    "wrong ABI": (
        "echo 'rpicam-still: symbol lookup error: undefined symbol: _ZN9libcamera' >&2; exit 127",
        "libcamera",
    ),
}


def stand_in(folder: Path, words: str) -> list[str]:
    done, data = cv2.imencode(".jpg", np.full((60, 80, 3), (10, 200, 30), np.uint8))
    assert done
    (folder / "picture.jpg").write_bytes(bytes(data))
    told = {"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": [1.5, 1.75], "LensPosition": 2.1}
    (folder / "metadata").write_text(json.dumps(told))
    program = folder / "rpicam-still"
    program.write_text("#!/bin/sh\n" + words.replace("{folder}", str(folder)))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return [str(program)]


def test_the_first_picture_focuses_and_measures_and_the_next_repeat_it(tmp_path: Path) -> None:
    camera = StillCamera(1, program=stand_in(tmp_path, WELL), patience=(20.0, 20.0))
    for _ in range(2):
        assert camera.take()[30, 40].tolist() == pytest.approx([10, 200, 30], abs=4)
    first, second = (tmp_path / "asked").read_text().splitlines()
    assert "--camera 1" in first
    assert "--autofocus-on-capture" in first
    assert "--immediate --shutter 20000 --gain 2.0 --awbgains 1.5,1.75" in second
    assert "--lens-position 2.1" in second
    camera.close()
    camera.take()
    assert "--autofocus-on-capture" in (tmp_path / "asked").read_text().splitlines()[-1]


def test_a_focus_that_is_set_is_used_from_the_first_picture_on(tmp_path: Path) -> None:
    StillCamera(focus="2.5", program=stand_in(tmp_path, WELL), patience=(20.0, 20.0)).take()
    assert "--autofocus-mode manual --lens-position 2.5" in (tmp_path / "asked").read_text()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_every_trouble_is_a_sentence_and_soon(tmp_path: Path, trouble: str) -> None:
    words, says = TROUBLES[trouble]
    seconds = 0.4 if "hang" in trouble else 20.0
    camera = StillCamera(program=stand_in(tmp_path, words), patience=(seconds, seconds))
    began = monotonic()
    with pytest.raises(CameraError, match=says):
        camera.take()
    assert monotonic() - began < 15


def test_a_program_that_is_not_there_or_cannot_run_here(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="needs rpicam-still"):
        StillCamera(program=["/nowhere/rpicam-still"]).take()
    other = tmp_path / "rpicam-still"
    other.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(200))  # of another kind of machine
    other.chmod(0o755)
    with pytest.raises(CameraError, match="cannot be started here"):
        StillCamera(program=[str(other)]).take()


def test_programs_are_bounded_in_time_and_in_words() -> None:
    done = run_bounded(["sh", "-c", "echo out; echo wrong >&2; exit 3"], 20, 100)
    assert (done.code, done.output, done.complaint) == (3, b"out\n", "wrong\n")
    with pytest.raises(TooMuchError):
        run_bounded(["sh", "-c", "cat /dev/zero"], 20, 1000)
    with pytest.raises(TooSlowError):
        run_bounded(["sh", "-c", "exec >&-; sleep 600"], 0.3, 1000)
