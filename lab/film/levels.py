"""How restless a table is: ranges and shares, as data."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from lab.studio.habits import Range
from vision.errors import StudioError


class FilmLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranges of ``levels.toml``, which says what each of them means."""

    studio: str
    megapixels: Range
    think: Range
    speed: Range
    hop: Range
    pause: Range
    leaves: float
    stays: float
    second_thoughts: float
    pushes: float
    push: Range
    turn: float
    reaches: float
    heads: float
    leans: float
    cups: float
    nudges: float
    lamps: float
    hunting: float
    shaky: Range


class _Levels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: dict[str, FilmLevel]


FILM_LEVELS: dict[str, FilmLevel] = msgspec.toml.decode(
    files(__package__).joinpath("levels.toml").read_bytes(), type=_Levels
).level


def film_level(name: str) -> FilmLevel:
    """A level by its name."""
    if name not in FILM_LEVELS:
        raise StudioError(f"there is no level {name!r}: choose from {', '.join(FILM_LEVELS)}")
    return FILM_LEVELS[name]
