"""How restless a table is: ranges and shares, as data."""

from __future__ import annotations

import msgspec

from lab.studio.habits import Range
from lab.studio.levels import level_in, levels_of


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


FILM_LEVELS = levels_of(__package__, FilmLevel)


def film_level(name: str) -> FilmLevel:
    """A level of films by its name."""
    return level_in(FILM_LEVELS, name)
