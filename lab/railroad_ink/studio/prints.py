"""Invented prints of Railroad Ink boards, in other makers' manners: what is printed, as data.

A family is one manner; a print is one board of it, with its own colours and measures. Only what the game
itself needs is common to all: seven by seven cells and twelve exits. Families in :data:`HELD_OUT` are for
reports only: nothing is tried out or set on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from lab.studio.habits import between, one_of

Colour = tuple[int, int, int]  # sRGB, red first
GridStyle = Literal[
    "lines", "dotted", "dashed", "crosses", "dots", "ticks", "corners", "tinted", "chequered", "gaps"
]
ExitStyle = Literal[
    "kerbs", "arrows", "ties", "bars", "locomotives", "words", "discs", "gates",
    "plugs", "chevrons", "stubs", "wedges", "signposts", "rails", "letters", "vehicles",
]  # fmt: skip
FrameStyle = Literal["none", "thin", "bold", "double", "outer", "rounded", "band"]
CentreStyle = Literal["none", "frame", "tint", "dashed", "brackets"]
Ground = Literal["plain", "squared", "mottled", "picture", "fading"]
Where = Literal["above", "below", "left", "right"]


@dataclass(frozen=True)
class Look:
    """How a family prints its boards. Lengths in shares of a cell where nothing else is said."""

    grid: GridStyle
    exits: ExitStyle
    frame: FrameStyle = "thin"
    centre: CentreStyle = "none"
    buildings: Literal["none", "icons", "letters", "tints"] = "none"
    boxes: tuple[Where, ...] = ()  # where score boxes stand
    labels: Literal["none", "letters", "numbers"] = "none"
    round_boxes: bool = False
    guides: bool = False  # short ticks in the middle of every cell side, as on our own sheets
    ground: Ground = "plain"
    dark: bool = False  # light lines on a dark board
    seams: bool = False
    by_hand: bool = False
    words: tuple[str, ...] = ("EXITS", "ROUTES", "TOTAL")
    strength: tuple[float, float] = (0.25, 0.8)  # of the grid against its ground
    rim: tuple[float, float] = (0.5, 1.4)  # paper around the grid beyond the exits, in cells
    thin: tuple[float, float] = (0.2, 0.5)  # mm of thin lines


@dataclass(frozen=True)
class Print:
    """One invented board: a family's look, with the measures of this copy."""

    family: str
    look: Look
    paper: Colour
    line: Colour
    strong: Colour  # of frames and exits
    accent: Colour
    thin: float  # mm
    bold: float
    reach: float  # of the exits outside the grid, in cells
    rims: tuple[float, float, float, float]  # paper left, above, right and below the grid, in cells
    seams: tuple[tuple[Literal["across", "down"], float], ...] = ()  # where a fold runs, in cells
    seed: int = 0
    buildings: bool = True  # of the edition that has them


FAMILIES: dict[str, Look] = {
    "ruled": Look("lines", "kerbs", "bold", "frame", "icons", ("below",)),
    "airy": Look("dotted", "bars", "thin", "tint", words=("LIGNES", "ROUTES", "SOMME")),
    "dashes": Look("dashed", "arrows", "none", "dashed", "letters", ("right",), labels="letters"),
    "crosses": Look("crosses", "ties", "none", "brackets", strength=(0.5, 1.0), round_boxes=True),
    "ticks": Look("ticks", "kerbs", "bold", "tint", "icons", ("below",), strength=(0.4, 0.9)),
    "tiles": Look("tinted", "bars", "none", "tint", boxes=("below",), words=("WERTUNG", "SUMME", "NETZE")),
    "paving": Look("gaps", "arrows", "none", "none", "icons", ("right",)),
    "night": Look("lines", "kerbs", "thin", "frame", "icons", ("below",), dark=True),
    "folder": Look("lines", "kerbs", "bold", "frame", "icons", ("below",), seams=True),
    "school": Look("lines", "arrows", "thin", ground="squared", by_hand=True, strength=(0.6, 1.0)),
    "stations": Look("lines", "locomotives", "double", "tint", boxes=("left",), labels="numbers"),
    "guided": Look("lines", "ties", "outer", "tint", "icons", ("above",), round_boxes=True, guides=True),
    "pocket": Look("dashed", "discs", "thin", "none", strength=(0.2, 0.4), rim=(0.35, 0.6)),
    "draughts": Look("chequered", "kerbs", "bold", "frame", "letters"),
    "valley": Look("lines", "plugs", "rounded", "tint", "icons", ("below",), ground="picture"),
    "poster": Look("lines", "chevrons", "band", "none", "letters", strength=(0.6, 1.0), thin=(0.8, 1.4)),
    "hairline": Look("lines", "stubs", "thin", "dashed", "icons", ("right",), thin=(0.1, 0.2)),
    "sketch": Look("crosses", "chevrons", "none", ground="squared", by_hand=True, strength=(0.7, 1.0)),
    "ticket": Look("lines", "letters", "bold", "tint", "icons", ("below",)),
    "primer": Look("dots", "letters", "double", "none", strength=(0.5, 1.0), labels="numbers"),
    "toybox": Look("dashed", "vehicles", "rounded", "frame", "tints", ("right",)),
    "bulletin": Look("corners", "vehicles", "none", "dashed", "icons", strength=(0.5, 1.0)),
    # held out
    "atlas": Look("lines", "gates", "thin", "dashed", "icons", ("right", "below"), labels="letters"),
    "pearls": Look("dots", "kerbs", "thin", "frame", boxes=("below",), strength=(0.5, 1.0)),
    "notches": Look("corners", "bars", "none", "tint", "letters", strength=(0.5, 1.0)),
    "slate": Look("dashed", "arrows", "bold", "tint", boxes=("above",), dark=True),
    "creased": Look("dotted", "ties", "bold", "frame", "icons", ("below",), seams=True),
    "exercise": Look("lines", "kerbs", "bold", "dashed", ground="squared", by_hand=True),
    "plaza": Look("gaps", "discs", "outer", "tint", "tints", ("left",), words=("SCORE", "BONUS", "TOTALE")),
    "terse": Look("ticks", "arrows", "thin", "none", strength=(0.5, 1.0), rim=(0.35, 0.7)),
    "parade": Look("lines", "words", "double", "none", "icons", ("below",), words=("PUNTOS", "RUTAS")),
    "stone": Look("tinted", "ties", "thin", "frame", ground="mottled", boxes=("below",)),
    "survey": Look("crosses", "arrows", "thin", "frame", "icons", ("right",), strength=(0.5, 1.0)),
    "ledger": Look("lines", "locomotives", "none", "brackets", round_boxes=True, boxes=("left", "below")),
    # held out, later
    "meadow": Look("gaps", "wedges", "none", "none", "icons", ("below",), ground="picture"),
    "gazette": Look("lines", "signposts", "double", "dashed", "letters", ("left",), labels="numbers"),
    "harbour": Look("dotted", "rails", "rounded", "tint", "tints", ("right",), ground="fading"),
    "stamp": Look("ticks", "wedges", "band", "frame", strength=(0.5, 1.0), rim=(0.35, 0.7)),
    "cadet": Look("dots", "rails", "none", ground="squared", by_hand=True, strength=(0.7, 1.0)),
    "midnight": Look("tinted", "signposts", "outer", "none", "icons", ("above",), dark=True),
    "napkin": Look("dashed", "wedges", "bold", seams=True, by_hand=True, strength=(0.6, 1.0)),
    "billboard": Look("lines", "rails", "band", "brackets", strength=(0.6, 1.0), thin=(0.8, 1.4)),
}
HELD_OUT = (
    "atlas", "pearls", "notches", "slate", "creased", "exercise",
    "plaza", "terse", "parade", "stone", "survey", "ledger",
    "meadow", "gazette", "harbour", "stamp", "cadet", "midnight", "napkin", "billboard",
)  # fmt: skip
DEVELOPMENT = tuple(name for name in FAMILIES if name not in HELD_OUT)


def print_for(rng: np.random.Generator, family: str, buildings: bool = True) -> Print:
    """One print of a family; ``buildings``: whether its edition has them."""
    look = FAMILIES[family]
    paper, strong = _ground_and_ink(rng, look)
    strength = between(rng, look.strength)
    line = _mixed(paper, strong if rng.random() < 0.6 else _any_colour(rng, look.dark), strength)
    reach = between(rng, (0.25, 0.45))
    low, high = look.rim
    rims = [reach + between(rng, (low, high)) for _ in range(4)]
    for side, where in enumerate(("left", "above", "right", "below")):
        if where in look.boxes:
            rims[side] += between(rng, (1.0, 2.2))
    made = Print(
        family,
        look,
        paper,
        line,
        strong,
        _any_colour(rng, look.dark),
        between(rng, look.thin),
        between(rng, (0.7, 1.5)),
        reach,
        (rims[0], rims[1], rims[2], rims[3]),
        seed=int(rng.integers(2**31)),
        buildings=buildings,
    )
    if not look.seams:
        return made
    down = between(rng, (2.2, 4.8))
    both = rng.random() < 0.4
    across = (("across", between(rng, (2.2, 4.8))),) if both else ()
    return replace(made, seams=(("down", down), *across))


def _ground_and_ink(rng: np.random.Generator, look: Look) -> tuple[Colour, Colour]:
    if look.dark:
        dark = tuple(int(value) for value in rng.integers(110, 165, 3))  # ink has to be seen on it
        return (dark[0], dark[1], dark[2]), (240, 240, 232)
    white = int(rng.integers(215, 256))
    tint = rng.integers(-22, 1, 3) if rng.random() < 0.5 else np.zeros(3, int)
    paper = tuple(int(np.clip(white + step, 0, 255)) for step in tint)
    ink = tuple(int(value) for value in rng.integers(10, 100, 3))
    return (paper[0], paper[1], paper[2]), (ink[0], ink[1], ink[2])


def _any_colour(rng: np.random.Generator, light: bool) -> Colour:
    base = 130 if light else 30
    return one_of(
        rng,
        [
            (base + 90, base, base),
            (base, base + 80, base + 20),
            (base, base + 30, base + 100),
            (base + 80, base + 60, base),
        ],
    )


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    r, g, b = (round((1 - share) * a + share * b) for a, b in zip(one, other, strict=True))
    return r, g, b
