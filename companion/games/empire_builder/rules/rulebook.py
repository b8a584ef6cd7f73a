"""The numbers of ``rulebook.toml``, read once and checked."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, get_args

import msgspec

from companion.core.errors import RulesDataError
from companion.core.messages import vocabulary

TrainKind = Literal["freight", "fast", "heavy", "super"]
CitySize = Literal["small", "medium", "major"]
Terrain = Literal["clear", "mountain"]
TRAIN_KINDS: tuple[TrainKind, ...] = get_args(TrainKind)
CITY_SIZES: tuple[CitySize, ...] = get_args(CitySize)
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class Money(_Strict, frozen=True):
    """Millions at the start, for using others' track, and to win."""

    start: int
    fee: int
    win: int
    win_after_tie: int


class Borrowing(_Strict, frozen=True):
    """The house rule: how much may be borrowed at a time, and what is owed for each million."""

    most: int
    owed_for_each: int


class Building(_Strict, frozen=True):
    """Prices of track and the limits of a turn."""

    a_turn: int
    clear: int
    mountain: int
    small: int
    medium: int
    major: int
    river: int
    channel: int
    out_of_majors: int
    building_turns: int

    def price(self, kind: Terrain | CitySize) -> int:
        """What a segment into such a milepost costs."""
        return int(getattr(self, kind))


class Builders(_Strict, frozen=True):
    """How many players may build into a city."""

    small: int
    medium: int


class MatchRules(_Strict, frozen=True):
    """Players, the goal and the hand."""

    players: tuple[int, int]
    majors_to_win: int
    hand: int


class TrainCard(_Strict, frozen=True):
    """One side of a loco card."""

    title: str
    speed: int
    loads: int
    upgrades: dict[TrainKind, int] = {}


class Rulebook(_Strict, frozen=True):
    """The rulebook's numbers: money, building, trains and the end of a match."""

    money: Money
    borrowing: Borrowing
    building: Building
    builders: Builders
    match: MatchRules
    trains: dict[TrainKind, TrainCard]
    chips: dict[str, int]


def _load() -> Rulebook:
    book = msgspec.toml.decode(files(__package__).joinpath("rulebook.toml").read_bytes(), type=Rulebook)
    if set(book.trains) != set(TRAIN_KINDS) or sum(book.chips.values()) != CHIPS:
        raise RulesDataError("bad-rulebook", f"rulebook.toml: four trains and {CHIPS} load chips are needed")
    return book


CHIPS = 100
RULES = _load()
LOADS: tuple[str, ...] = tuple(sorted(RULES.chips))
LOAD_WORDS = vocabulary(
    "load",
    *("bauxite", "cars", "cattle", "coal", "coffee", "copper", "corn", "cotton", "fish", "fruit"),
    *("imports", "iron", "lead", "machinery", "nickel", "oats", "oil", "rice", "sheep", "silver"),
    *("steel", "sugar", "swine", "textiles", "tobacco", "tourists", "uranium", "wheat", "wood"),
)
SIZE_WORDS = vocabulary("city", "small", "medium", "major")
