"""People who see colours otherwise: every pair of seats differs by its shape and its pattern, too.

Colour vision is simulated with the matrices of Machado, Oliveira and Fernandes (2009) for the whole loss of
one kind of cone, applied to linear light; how far two colours are apart is the distance in CIELAB (CIE 1976).
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sheets.drawing import filled
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import SEAT_MARKS, seat_shape
from web.ui.charts import Curve, chart

Colour = NDArray[np.float64]

VISION = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
NOTICED = 2.3  # a difference in CIELAB that people just see side by side
PAGE = (Path(__file__).parents[2] / "web/static/page.css").read_text(encoding="utf-8")
RECORDS = (Path(__file__).parents[2] / "web/static/records.css").read_text(encoding="utf-8")


def lab(code: str, vision: str) -> Colour:
    """A colour as somebody with that vision sees it, in CIELAB."""
    light = np.array([int(code[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    seen = np.clip(VISION[vision] @ linear, 0, 1)
    ratio = _TO_XYZ @ seen / _WHITE
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, other: str, vision: str) -> float:
    """How different two colours look to somebody."""
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


def page_colours(scheme: str) -> dict[str, str]:
    """The seats' colours on pages, by day and in the dark."""
    light, dark = PAGE.split("@media (prefers-color-scheme: dark)", 1)
    text = light if scheme == "light" else dark
    return {
        mark.colour: next(iter(re.findall(rf"--{mark.colour}: (#[0-9a-f]{{6}})", text)))
        for mark in SEAT_MARKS
    }


PALETTES = {
    "printed": {mark.colour: mark.ink for mark in SEAT_MARKS},
    "light": page_colours("light"),
    "dark": page_colours("dark"),
}


def test_the_simulation_is_the_published_one() -> None:
    """Greys stay grey, and red and green come together for those who lack one of their cones."""
    for vision, matrix in VISION.items():
        assert matrix.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-5), vision
    assert apart("#b92d24", "#5f6b00", "usual") > 2 * apart("#b92d24", "#5f6b00", "deuteranopia")


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("palette", PALETTES)
def test_every_pair_of_seats_differs_by_shape_and_by_pattern(palette: str, vision: str) -> None:
    """The shape always; and no two colours are the same to anybody, side by side."""
    colours, alike = PALETTES[palette], []
    for one, other in combinations(SEAT_MARKS, 2):
        assert one.shape != other.shape
        drawn = {
            svg_shapes([seat_shape(mark.shape, (8, 8), 7.5, filled("currentColor"))]) for mark in (one, other)
        }
        assert len(drawn) == 2, "two shapes that look the same"
        if apart(colours[one.colour], colours[other.colour], vision) < NOTICED:
            alike.append((one.colour, other.colour))
    assert alike == [], f"{palette}, {vision}"


def test_lines_of_a_chart_differ_by_their_dashes_and_marks() -> None:
    curves = [
        Curve(mark.colour, mark.colour, mark.shape, [(0, 1), (1, at)]) for at, mark in enumerate(SEAT_MARKS)
    ]
    picture = str(chart("Points", curves, ["1", "2"]))
    dashes = re.findall(r'class="trace (dash-\d)"', picture)
    assert len(set(dashes)) == len(SEAT_MARKS)
    looks = [re.findall(rf"\.chart \.{dash} {{ stroke-dasharray: ([\d ]+); }}", RECORDS) for dash in dashes]
    assert len({tuple(look) for look in looks}) == len(SEAT_MARKS), "one of them is a whole line"
