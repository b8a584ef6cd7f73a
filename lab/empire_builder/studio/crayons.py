"""Boxes of crayons and how people draw with them, as data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files

import msgspec
import numpy as np

from lab.studio.habits import Range, between, named, one_of

_WIDTH: Range = (1.3, 4.2)  # mm
_ASTRAY = 9.0  # of 255: how far a crayon is from the colour that its box has on paper


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to draw track: see ``crayons.toml``."""

    reach: tuple[int, int]
    follow: float
    twice: float
    dashes: int
    sloppy: Range


class WaxLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a level means for wax and for what stands on the map."""

    press: Range
    rough: Range
    unsteady: float
    wiped: tuple[int, int]
    left: Range
    pawns: tuple[int, int]
    chips: tuple[int, int]
    litter: tuple[int, int]
    uneven: Range


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: dict[str, dict[str, str]]
    style: dict[str, Style]
    level: dict[str, WaxLevel]


_DATA = msgspec.toml.decode(files(__package__).joinpath("crayons.toml").read_bytes(), type=_Data)
BOXES, STYLES, WAX_LEVELS = _DATA.box, _DATA.style, _DATA.level


@dataclass(frozen=True)
class HeldOut:
    """Boxes and styles that must not be used, by name."""

    boxes: Collection[str] = ()
    styles: Collection[str] = ()


NOTHING_HELD_OUT = HeldOut()
# What networks never see while they are taught, so that benches can say how they read it.
KEPT_APART = HeldOut(boxes=("genuine", "mixed"), styles=("strokes",))


@dataclass(frozen=True)
class CrayonHand:
    """One player with one crayon; lengths in mm."""

    colour: str  # its usual name
    wax: str  # ``#rrggbb`` of a full layer
    style: Style
    sloppy: float
    width: float
    press: float
    opaque: float  # share of the wax that covers; the rest tints


def take_hands(
    rng: np.random.Generator, seats: int, level: WaxLevel, held_out: HeldOut = NOTHING_HELD_OUT
) -> dict[int, CrayonHand]:
    """So many players, each with another crayon of one box."""
    names = [name for name in BOXES if name not in held_out.boxes]
    box = BOXES[one_of(rng, names)]
    styles = named(STYLES, held_out.styles, "style")
    colours = rng.permutation(list(box))[:seats]
    opaque = between(rng, (0.35, 0.9))  # boxes differ in it more than the crayons of a box
    return {
        seat: _hand(rng, str(colour), box[str(colour)], one_of(rng, styles), level, opaque)
        for seat, colour in enumerate(colours, start=1)
    }


def _hand(
    rng: np.random.Generator, colour: str, wax: str, style: Style, level: WaxLevel, opaque: float
) -> CrayonHand:
    sloppy = min(between(rng, style.sloppy), level.unsteady)
    width, press = between(rng, _WIDTH), between(rng, level.press)
    # A colour close to this one: no two crayons are alike, nor two lamps under which they were
    # measured
    codes = [int(wax[n : n + 2], 16) for n in (1, 3, 5)]
    red, green, blue = np.clip(codes + rng.normal(0, _ASTRAY, 3), 8, 250).round().astype(int)
    return CrayonHand(colour, (f"#{red:02x}{green:02x}{blue:02x}"), style, sloppy, width, press, opaque)
