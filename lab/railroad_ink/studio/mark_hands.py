"""How people draw the signs of expansions, as data, and one person's ways taken from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

import msgspec
import numpy as np

from lab.railroad_ink.studio.hands import CELL, Hand
from lab.railroad_ink.studio.writing import GlyphLine, read_way
from lab.studio.habits import PENS, Range, between, one_of

LineStyle = Literal[
    "solid", "wavy", "zigzag", "dashed", "dotted", "double", "double-wavy", "triple",
    "band", "cliff", "ticks", "dabs",
]  # fmt: skip
FillStyle = Literal["none", "waves", "hatch", "cross", "dots", "solid", "drops", "echo"]
_OTHER_PEN = 0.4  # share of people who have another pen for the signs of expansions


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One variant of drawing a sign: see ``marks.toml``."""

    name: str
    strange: bool = False
    strokes: str = ""
    size: Range = (0.3, 0.4)
    alone: float = 1.3
    count: tuple[int, int] = (1, 1)
    place: Literal["free", "nw", "middle"] = "free"
    line: LineStyle = "solid"
    broad: float = 1.0
    apart: Range = (0.0, 0.0)
    fill: FillStyle = "none"
    unlike: tuple[str, ...] = ()

    @property
    def glyph(self) -> list[GlyphLine]:
        """The lines of a sign that stands in its space."""
        return read_way(self.strokes)


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign: the pens that people have for it, and the ways of drawing it."""

    inks: tuple[str, ...]
    way: tuple[Way, ...]


SIGNS: Mapping[str, Sign] = msgspec.toml.decode(
    files(__package__).joinpath("marks.toml").read_bytes(), type=dict[str, Sign]
)
_LIKE = {"cacti": "cactus"}  # drawn twice


@dataclass(frozen=True)
class SignHand:
    """How one person draws one sign; ``ink`` is empty for the pen that draws the routes. Lengths in cells."""

    way: Way
    ink: str
    size: float
    apart: float
    wave: float  # length of a wave, a dash or a step of a fill
    count: int


def sign_hand(rng: np.random.Generator, hand: Hand, sign: str, strange: bool = False) -> SignHand:
    """One person's way of drawing a sign; ``strange``: one that no network learns from."""
    known = SIGNS[_LIKE.get(sign, sign)]
    ink = one_of(rng, known.inks) if rng.random() < _OTHER_PEN else ""
    lines = {hand.highway, hand.railway}
    ways = [way for way in known.way if way.strange == strange and (ink or not lines & {*way.unlike})]
    way = one_of(rng, ways)
    least = 2.6 * min(hand.width, 1.6) / CELL if way.line in ("double", "double-wavy", "triple") else 0.0
    return SignHand(
        way=way,
        ink=ink,
        size=between(rng, way.size),
        apart=max(between(rng, way.apart), least),
        wave=between(rng, (0.12, 0.32)),
        count=int(rng.integers(way.count[0], way.count[1] + 1)),
    )


def ink_of(hand: Hand, sign: SignHand) -> str:
    """The colour of a sign."""
    if sign.ink:
        return sign.ink
    return PENS[hand.pen].ink if hand.inks is None else hand.inks[0]
