"""The studio beside photographs: what is measured tells noise, blur, stray light and colour apart."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.railroad_ink.likeness import main, measures, side_by_side
from vision.register.rectify import Image


def picture() -> Image:
    """Black squares on white paper."""
    seen = np.full((750, 1000, 3), 220, np.uint8)
    for x in range(100, 900, 100):
        cv2.rectangle(seen, (x, 200), (x + 50, 500), (12, 12, 12), -1)
    return seen


def noisy(seen: Image) -> Image:
    grain = np.random.default_rng(1).normal(0, 5, seen.shape)
    return np.clip(seen + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("noise", noisy(picture())),
        ("edge", np.asarray(cv2.GaussianBlur(picture(), (0, 0), 3), np.uint8)),
        ("black", (0.8 * picture() + 40).astype(np.uint8)),
        ("falloff", (picture() * np.linspace(0.4, 1, 1000)[None, :, None]).astype(np.uint8)),
        ("warmth", (picture() * np.array([0.7, 1, 1])).astype(np.uint8)),
        ("blown", np.where(picture() > 200, np.uint8(255), picture())),
    ],
)
def test_every_measure_tells_what_it_is_about(name: str, changed: Image) -> None:
    assert measures(changed)[name] > measures(picture())[name] + 0.01


def test_pictures_of_all_shapes_are_laid_side_by_side() -> None:
    rows = {"real": [picture(), picture().transpose(1, 0, 2).copy()], "drawn": [picture()] * 9}
    assert side_by_side(rows).shape == (640, 2560, 3)


def test_photographs_are_compared_with_the_studio(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), picture())
    said: list[str] = []
    asked = [
        str(tmp_path / "one.png"),
        "--level",
        "hard",
        "--count",
        "1",
        "--out",
        str(tmp_path / "side.png"),
    ]
    assert main(asked, said.append) == 0
    assert [line.partition(":")[0] for line in said] == ["real (1)", "hard (1)"]
    assert (tmp_path / "side.png").exists()
