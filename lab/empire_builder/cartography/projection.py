"""From latitude and longitude to the plane of the lattice, and back.

The plane is measured in mileposts: neighbours of the lattice are 1 apart, x runs east and y south.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, degrees, hypot, log, pi, radians, sin, tan

from companion.sheets.drawing import Point

EARTH_MILES = 3958.76  # mean radius


def _stretch(latitude: float) -> float:
    """The isometric stretch of a parallel; latitudes in radians."""
    return tan(pi / 4 + latitude / 2)


@dataclass(frozen=True)
class Projection:
    """Lambert's conformal cone through two parallels, scaled so that a milepost is ``pitch`` miles."""

    parallels: tuple[float, float]
    middle: tuple[float, float]  # latitude and longitude of the middle
    at: Point  # where the middle lies in the plane
    pitch: float

    @cached_property
    def _cone(self) -> float:
        first, second = (radians(parallel) for parallel in self.parallels)
        return log(cos(first) / cos(second)) / log(_stretch(second) / _stretch(first))

    @cached_property
    def _scale(self) -> float:
        first = radians(self.parallels[0])
        return float(cos(first) * _stretch(first) ** self._cone / self._cone * EARTH_MILES / self.pitch)

    def _radius(self, latitude: float) -> float:
        return float(self._scale / _stretch(radians(latitude)) ** self._cone)

    def to_plane(self, latitude: float, longitude: float) -> Point:
        """A place on earth in the plane.

        >>> Projection((20, 60), (40, -100), (5.0, 7.0), 50).to_plane(40, -100)
        (5.0, 7.0)
        """
        turn = self._cone * radians(longitude - self.middle[1])
        radius = self._radius(latitude)
        return self.at[0] + radius * sin(turn), self.at[1] + radius * cos(turn) - self._radius(self.middle[0])

    def to_earth(self, point: Point) -> tuple[float, float]:
        """Latitude and longitude of a point of the plane.

        >>> whole = Projection((20, 60), (40, -100), (0, 0), 50)
        >>> [round(value, 6) for value in whole.to_earth(whole.to_plane(25.5, -80.25))]
        [25.5, -80.25]
        """
        across = point[0] - self.at[0]
        down = point[1] - self.at[1] + self._radius(self.middle[0])
        longitude = self.middle[1] + degrees(atan2(across, down)) / self._cone
        stretch = (self._scale / hypot(across, down)) ** (1 / self._cone)
        return degrees(2 * atan2(stretch, 1) - pi / 2), longitude
