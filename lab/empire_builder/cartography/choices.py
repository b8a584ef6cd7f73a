"""The decisions of ``choices.toml``."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from companion.sheets.lattice import Lattice

Box = tuple[float, float, float, float]  # west, south, east, north


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class CityChoice(_Strict, frozen=True):
    """One city: where it lies is looked up under ``place``."""

    name: str
    size: str
    loads: tuple[str, ...]
    place: str | None = None
    region: str | None = None
    moved: tuple[int, int] = (0, 0)  # columns and half rows from where it really lies


class Region(_Strict, frozen=True):
    """Part of the map, and how many of its mileposts are mountains."""

    name: str
    box: Box
    share: float


class Relief(_Strict, frozen=True):
    """What makes a mountain."""

    miles: float
    regions: tuple[Region, ...]

    def region(self, latitude: float, longitude: float) -> Region:
        """The first region that a place lies in."""
        return next(region for region in self.regions if inside(region.box, latitude, longitude))


def inside(box: Box, latitude: float, longitude: float) -> bool:
    """Does a box hold this place?"""
    west, south, east, north = box
    return west <= longitude <= east and south <= latitude <= north


class RiverChoice(_Strict, frozen=True):
    """A river, and how the sources write its name."""

    name: str
    written: tuple[str, ...] = ()
    box: Box = (-180.0, 0.0, 0.0, 90.0)

    @property
    def names(self) -> tuple[str, ...]:
        """Every way it is written."""
        return self.written or (self.name,)


class Sea(_Strict, frozen=True):
    """Water that a box holds."""

    name: str
    box: Box


class ChannelChoice(_Strict, frozen=True):
    """Narrow water that may be bridged, by latitude and longitude; some is too narrow for the sources."""

    name: str
    at: tuple[float, float]
    drawn: bool = True


class Narrows(_Strict, frozen=True):
    """Land that gets a milepost although the lattice misses it."""

    name: str
    at: tuple[float, float]


class Choices(_Strict, frozen=True):
    """Every choice by which the map is made, as ``choices.toml`` has them."""

    columns: int
    rows: int
    pitch: float
    parallels: tuple[float, float]
    middle: tuple[float, float]
    middle_at: tuple[float, float]
    box: Box
    countries: tuple[str, ...]
    lake_area: float
    water_share: float
    simplified: float
    cities: tuple[CityChoice, ...]
    relief: Relief
    seas: tuple[Sea, ...]
    rivers: tuple[RiverChoice, ...]
    narrows: tuple[Narrows, ...]
    channels: tuple[ChannelChoice, ...]


CHOICES = msgspec.toml.decode(files(__package__).joinpath("choices.toml").read_bytes(), type=Choices)
PLANE = Lattice(1.0, upright=True)  # one milepost is 1 in the plane
