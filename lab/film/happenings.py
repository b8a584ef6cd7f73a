"""What happens at a table beside the drawing: pushes, arms, cups, heads, lamps, a camera that is nudged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lab.film.exposing import Moment
from lab.film.levels import FilmLevel
from lab.film.people import head_shadow, leaning
from lab.studio.cameras import Matrix, rotation
from lab.studio.habits import between, one_of
from lab.studio.settings import Patch, SoftShape
from lab.studio.strokes import Points
from lab.studio.things import Surface, Thing, hand_over

_ROUNDS = 7.0  # of a match: what a level gives for a match is spread over them
_SWING = 1.6  # seconds of one swing of the exposure
_CALMED = 1.8  # seconds in which it calms down
_ARM, _HEAD, _LEAN = (0.8, 2.5), (1.0, 8.0), (3.0, 6.0)  # seconds


@dataclass(frozen=True)
class _Spell:
    """Something that goes on for a while; ``seed`` makes the same of it in every frame."""

    kind: str
    begins: float
    ends: float
    seed: int
    at: Points

    def share(self, at: float) -> float:
        """How far it has come, and gone again: 0 at both ends, 1 between."""
        done = (at - self.begins) / (self.ends - self.begins)
        return float(np.clip(min(done, 1 - done) * 4, 0, 1))


@dataclass(frozen=True)
class Push:
    """A sheet that is pushed ``by`` so many mm, and turned so many degrees around its own middle."""

    seat: int
    begins: float
    ends: float
    by: Points
    turn: float

    def share(self, before: float, at: float) -> float:
        """How much of it happens between two times."""
        done = np.clip([before, at], self.begins, self.ends)
        return float((done[1] - done[0]) / (self.ends - self.begins))


@dataclass
class Happenings:
    """All of it, planned round by round."""

    rng: np.random.Generator
    level: FilmLevel
    patches: Sequence[Patch]
    reach: float
    spells: list[_Spell] = field(default_factory=list)
    cups: list[tuple[float, Thing]] = field(default_factory=list)  # from when on it stands there

    def __post_init__(self) -> None:
        self._middle = np.concatenate([patch.outline for patch in self.patches]).mean(axis=0)
        self._looks: Matrix = np.eye(3)
        self._shaky = between(self.rng, self.level.shaky) / 1000
        self._lamp = np.ones(3)
        self._slope = (0.0, 0.0)
        self._switched: list[float] = []
        self._lamps: list[tuple[float, NDArray[np.float64], tuple[float, float]]] = []
        self._nudges: list[tuple[float, Matrix]] = []
        self.pushes: list[Push] = []

    def plan(
        self,
        rng: np.random.Generator,
        begins: float,
        ends: float,
        strayed: Mapping[int, tuple[Points, float]],
    ) -> None:
        """Plan what happens in a round; ``strayed``: by how many mm and degrees each seat's sheet has."""
        when = partial(_when, rng, begins, ends)
        self._plan_people(rng, begins, when)
        self.pushes = [push for push in self.pushes if push.ends > begins]
        for seat, (away, turned) in strayed.items():
            for _ in range(int(rng.poisson(self.level.pushes))):
                start = when()
                by, turn = rng.normal(0, 1, 2), float(rng.normal(0, self.level.turn / 2))
                by = by / max(float(np.hypot(*by)), 1e-6) * between(rng, self.level.push)
                # Nobody pushes a sheet farther and farther away.
                back = by - 0.6 * away, turn - 0.6 * turned
                self.pushes.append(Push(seat, start, start + float(rng.uniform(0.4, 1.5)), *back))
        for _ in range(int(rng.poisson(self.level.nudges / _ROUNDS))):
            jolt = rotation(float(rng.normal(0, 0.6)))
            jolt[:2, 2] = rng.normal(0, 0.008, 2)
            self._nudges.append((when(), jolt))
        for _ in range(int(rng.poisson(self.level.lamps / _ROUNDS))):
            gain = np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.05, 3))
            self._lamps.append((when(), np.clip(gain, 0.45, 1.3), (float(rng.normal(0, 0.15)), 0.0)))
        # A cup comes, or goes again
        self.cups = [] if rng.random() < 0.5 else self.cups
        for _ in range(int(rng.poisson(self.level.cups / _ROUNDS))):
            self.cups.append((when(), _cup(rng, one_of(rng, self.patches))))

    def _plan_people(self, rng: np.random.Generator, begins: float, when: Callable[..., float]) -> None:
        """Arms that reach over, heads that throw shadows, somebody who leans over everything."""
        self.spells = [spell for spell in self.spells if spell.ends > begins]

        def spell(kind: str, start: float, length: float, at: Points) -> None:
            self.spells.append(_Spell(kind, start, start + length, int(rng.integers(2**31)), at))

        spell("arm", begins, 1.2, self._middle)  # the dice are taken from the middle of the table
        for _ in range(int(rng.poisson(self.level.reaches))):
            length = between(rng, _ARM)
            target = one_of(rng, self.patches).outline.mean(axis=0) + rng.normal(0, 50, 2)
            spell("arm", when(length), length, target)
        for _ in range(int(rng.poisson(self.level.heads))):
            at = self._middle + rng.normal(0, 0.5 * self.reach, 2)
            spell("head", when(), between(rng, _HEAD), at)
        for _ in range(int(rng.poisson(self.level.leans / _ROUNDS))):
            length = between(rng, _LEAN)
            spell("lean", when(length), length, self._middle)

    def moment(self, number: int, at: float, hands: Sequence[Thing]) -> Moment:
        """What a frame shows beside the sheets."""
        rng = np.random.default_rng([number, int(self._middle[0] * 1000) % 2**31])
        things: list[Thing] = [cup for begins, cup in self.cups if begins <= at]
        things += hands
        shadows: list[SoftShape] = []
        for spell in self.spells:
            if not spell.begins < at < spell.ends:
                continue
            own = np.random.default_rng(spell.seed)
            share = spell.share(at)
            if spell.kind == "arm":
                out = spell.at - self._middle + own.normal(0, 30, 2)
                out = out / max(float(np.hypot(*out)), 1.0) * 2.2 * self.reach
                tip = spell.at + out * (1 - share)
                things.append(hand_over(np.random.default_rng(spell.seed), tip, spell.at + 2 * out))
            elif spell.kind == "head":
                drift = (at - spell.begins) * own.normal(0, 0.04 * self.reach, 2)
                shadow = head_shadow(own, spell.at + drift, self.reach)
                shadows.append(SoftShape(shadow.outline, shadow.softness, shadow.strength * share))
            else:
                things += leaning(own, self._middle, self.reach, share)
                shadows.append(head_shadow(own, self._middle, 2 * self.reach))
        gain, slope = self._lit(at)
        return Moment(number, things, shadows, gain, slope, self._looked(rng, at), self._jerk(rng))

    def _lit(self, at: float) -> tuple[NDArray[np.float64], tuple[float, float]]:
        """The light as the exposure makes it: it follows a lamp within a second or two, swinging."""
        for lamp in [one for one in self._lamps if one[0] <= at]:
            self._lamps.remove(lamp)
            self._lamp, self._slope = self._lamp * 0 + lamp[1], lamp[2]
            self._switched.append(lamp[0])
        swing = 0.0
        for switched in self._switched[-2:]:
            since = at - switched
            swing += np.exp(-since / _CALMED) * np.cos(2 * np.pi * since / _SWING)
        wander = 0.3 * np.sin(at / 2.3) * np.sin(at / 7.1)
        exposure = 1 + self.level.hunting * (swing + wander)
        # Half of what a lamp gives is taken back by the exposure.
        return np.sqrt(self._lamp) * exposure, self._slope

    def _looked(self, rng: np.random.Generator, at: float) -> Matrix:
        for nudge in [one for one in self._nudges if one[0] <= at]:
            self._nudges.remove(nudge)
            self._looks = nudge[1] @ self._looks
        if not self._shaky:
            return self._looks
        tremble = rotation(float(rng.normal(0, 20 * self._shaky)))
        tremble[:2, 2] = rng.normal(0, self._shaky, 2)
        return np.asarray(tremble @ self._looks, np.float64)

    def _jerk(self, rng: np.random.Generator) -> float:
        return abs(float(rng.normal(0, 0.5 * self._shaky))) if self._shaky else 0.0


def _when(rng: np.random.Generator, begins: float, ends: float, length: float = 0.0) -> float:
    """A random moment of a round at which something begins that takes so long."""
    return float(rng.uniform(begins, max(begins + 0.1, ends - length)))


def _cup(rng: np.random.Generator, patch: Patch) -> Thing:
    """A cup beside a sheet, or on its rim: nobody puts it where people draw."""
    outline = patch.outline
    side, share = int(rng.integers(4)), float(rng.uniform(0, 1))
    rim = outline[side] * (1 - share) + outline[(side + 1) % 4] * share
    radius = float(rng.uniform(30, 45))
    outwards = rim - outline.mean(axis=0)
    at = rim + outwards / np.hypot(*outwards) * (radius + float(rng.uniform(-15, 40)))
    turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    colours = rng.uniform(0.03, 0.7, (2, 3))
    surfaces = [
        Surface(ring * radius * part + at, (float(c[0]), float(c[1]), float(c[2])))
        for part, c in zip((1, 0.88), colours, strict=True)
    ]
    return Thing(surfaces, True, rng.normal(0, 10, 2), 12.0)
