"""How hard a picture is: ranges and shares, as data."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from lab.studio.habits import Range
from vision.errors import StudioError


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


class _Levels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: dict[str, Level]


LEVELS: dict[str, Level] = msgspec.toml.decode(
    files(__package__).joinpath("levels.toml").read_bytes(), type=_Levels
).level


def level_named(name: str) -> Level:
    """A level by its name."""
    if name not in LEVELS:
        raise StudioError(f"there is no level {name!r}: choose from {', '.join(LEVELS)}")
    return LEVELS[name]
