"""The decisions of ``choices.toml``."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from companion.sheets.drawing import Point


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class Window(_Strict, frozen=True):
    """The part of the earth that is drawn."""

    parallels: tuple[float, float]
    middle: tuple[float, float]
    across: float
    down: float
    lake_area: float
    simplified: float
    rivers: tuple[str, ...]


class LatticeChoice(_Strict, frozen=True):
    """How dense the points and the tracks are."""

    miles: float
    apart: int
    tracks: int
    least: int
    least_city: int
    land: float
    land_city: float
    coast: float


class RouteChoice(_Strict, frozen=True):
    """What route cards pay, and how far their cities lie."""

    cities: int
    values: tuple[tuple[int, int], ...]

    def value(self, tracks: int) -> int:
        """The dollars for a city so many tracks away; 0 for one that is too near."""
        return max((value for least, value in self.values if tracks >= least), default=0)


class ContractChoice(_Strict, frozen=True):
    """What contracts pay, and for which cities."""

    cities: int
    dollars_a_track: float
    dollars: float
    least: int
    most: int
    nearest: int


class Paper(_Strict, frozen=True):
    """The layout of the printed board."""

    size: Point
    miles_at: Point
    miles: Point
    millimetres_a_mile: float
    rim: float
    clear: float
    across: int
    down: int
    market: Point
    market_step: Point
    time: Point
    time_step: Point

    def at(self, miles: Point) -> Point:
        """A place of the map on the paper."""
        x, y = (self.miles_at[i] + (miles[i] - self.miles[i]) * self.millimetres_a_mile for i in (0, 1))
        return round(x, 2), round(y, 2)


class CityChoice(_Strict, frozen=True):
    """A city, the state it lies in, and what it may supply."""

    name: str
    at: str
    goods: tuple[str, ...]


class Choices(_Strict, frozen=True):
    """The choices from which a board and its cards are generated."""

    seed: int
    title: str
    window: Window
    lattice: LatticeChoice
    routes: RouteChoice
    contracts: ContractChoice
    paper: Paper
    city: tuple[CityChoice, ...]


CHOICES = msgspec.toml.decode(files(__package__).joinpath("choices.toml").read_bytes(), type=Choices)
