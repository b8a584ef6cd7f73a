"""One person's turn as it goes on in time: where the hand is, and how much is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lab.film.levels import FilmLevel
from lab.film.marks import Mark
from lab.studio.habits import between
from lab.studio.strokes import Points, distances

_REACH = 0.5  # seconds to bring the hand onto the sheet, or off it
_NOTICED = 2.5  # seconds until somebody hears that the own arm is in the way, and takes it away
_ABOVE = 12.0  # mm: a pen that waits is held beside the place
_FAR = 170.0  # mm below the sheet: there the hand is off it


@dataclass(frozen=True)
class _Way:
    mark: Mark
    number: int
    begins: float
    ends: float


@dataclass
class Turn:
    """What one person does: ``ways`` of marks in time, and where the tip of the hand is meanwhile."""

    seat: int
    ways: list[_Way] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    tips: list[Points] = field(default_factory=list)
    stays: bool = False  # the arm stays where it is when all is drawn
    away: Points = field(default_factory=lambda: np.zeros(2))  # where the hand is off the sheet

    def withdraw(self, at: float) -> None:
        """Hear at a time that the arm is in the way."""
        if self.stays:
            self.stays = False
            self.times += [max(self.times[-1], at + _NOTICED), max(self.times[-1], at + _NOTICED) + _REACH]
            self.tips += [self.tips[-1], self.away]

    @property
    def ends(self) -> float:
        """When the last line ends; before the turn if there is none."""
        return self.ways[-1].ends if self.ways else (self.times[0] if self.times else 0.0)

    def lines_ended(self, at: float) -> int:
        """How many lines are complete by a time."""
        return sum(way.ends <= at for way in self.ways)

    def complete(self, before: float, at: float) -> list[Mark]:
        """The marks that were completed after one time and by another."""
        last = {id(way.mark): way for way in self.ways}
        return [way.mark for way in last.values() if before < way.ends <= at]

    def drawing(self, at: float) -> tuple[Mark, float] | None:
        """The mark that is not complete, if one is begun, and how much of it is drawn."""
        begun = [way for way in self.ways if way.begins < at]
        if not begun:
            return None
        way = begun[-1]
        share = min(1.0, (at - way.begins) / max(way.ends - way.begins, 1e-6))
        drawn = way.number + share
        return None if drawn >= len(way.mark.ways) else (way.mark, drawn)

    def tip(self, at: float) -> Points | None:
        """Where the tip of the hand is, in mm of the sheet; None while it is away."""
        if not self.times or at < self.times[0] or (at > self.times[-1] and not self.stays):
            return None
        return np.array([np.interp(at, self.times, [tip[axis] for tip in self.tips]) for axis in (0, 1)])

    def drawing_now(self, at: float) -> bool:
        """Return True if lines are still to come."""
        return bool(self.ways) and at < self.ends


def turn_of(
    rng: np.random.Generator,
    level: FilmLevel,
    seat: int,
    marks: Sequence[Mark],
    at: float,
    size: tuple[float, float],
) -> Turn:
    """A turn that begins at a time: thinking, marks line by line, pauses, a hand that comes and goes."""
    away = np.array([size[0] * 0.6, size[1] + _FAR])
    turn = Turn(seat, away=away)
    now = at + between(rng, level.think)

    def go(to: Points, seconds: float) -> None:
        nonlocal now
        now += seconds
        turn.times.append(now)
        turn.tips.append(to)

    on_sheet = False
    for mark in marks:
        if not on_sheet:
            go(away, 0.01)
        first = mark.ways[0][0]
        go(first + _ABOVE, _REACH if not on_sheet else 0.3)
        go(first, 0.2)
        for number, way in enumerate(mark.ways):
            if number:
                go(way[0], between(rng, level.hop))
            begins, speed = now, between(rng, level.speed)
            along = distances(way)
            for share in (0.34, 0.67, 1.0):
                place = way[min(len(way) - 1, int(np.searchsorted(along, share * along[-1])))]
                go(place, max(float(along[-1]), 2.0) / speed / 3)
            turn.ways.append(_Way(mark, number, begins, now))
        pause = between(rng, level.pause)
        if rng.random() < level.leaves or mark is marks[-1]:
            stay = mark is marks[-1] and rng.random() < level.stays
            if stay:
                turn.stays = True
                go(np.array([size[0] * rng.uniform(0.2, 0.8), size[1] * rng.uniform(0.75, 0.95)]), _REACH)
            else:
                go(away, _REACH)
                on_sheet = False
                now += pause
        else:
            on_sheet = True
            go(mark.ways[-1][-1] + rng.normal(0, 10, 2) + _ABOVE, pause)
    return turn
