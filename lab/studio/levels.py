"""How hard a picture is: ranges and shares, as data."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Generic, TypeVar

import msgspec

from lab.studio.habits import Range
from vision.errors import StudioError

L = TypeVar("L")


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranges of ``levels.toml``, which says what each of them means."""

    megapixels: Range
    scale: float
    sheets: tuple[int, int]
    tilt: Range
    turn: float
    margin: Range
    distortion: Range
    ghosts: float
    second_thoughts: float
    careless: float
    unsteady: float
    without_rounds: float
    scored: float
    lamps: tuple[int, int]
    ambient: Range
    colour_cast: float
    vignette: Range
    shadow: float
    shadow_depth: Range
    shadow_softness: Range
    gloss: float
    gloss_strength: Range
    gloss_size: Range
    sheen: Range
    clutter: tuple[int, int]
    pens_near: float
    hands: float
    covered_corner: float
    focus: Range
    motion: Range
    smear: float
    noise: Range
    exposure: Range
    sharpen: Range
    denoise: float
    jpeg: tuple[int, int]
    flare: Range = (0.0, 0.0)


class _Levels(msgspec.Struct, Generic[L], frozen=True, forbid_unknown_fields=True):
    level: dict[str, L]


def levels_of(package: str, kind: type[L]) -> dict[str, L]:
    """The levels in the ``levels.toml`` of a package, by their names."""
    text = files(package).joinpath("levels.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Levels[kind]).level  # type: ignore[valid-type]


def level_in(levels: Mapping[str, L], name: str) -> L:
    """A level by its name."""
    if name not in levels:
        raise StudioError(f"there is no level {name!r}: choose from {', '.join(levels)}")
    return levels[name]


LEVELS = levels_of(__package__, Level)


def level_named(name: str) -> Level:
    """A level of the studio by its name."""
    return level_in(LEVELS, name)
