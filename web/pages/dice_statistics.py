"""How often each face of a match's dice has come up, beside how often it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

from companion.core.messages import m
from companion.table.match import Match, in_effect, with_fact

_ENOUGH = 5.0  # of each face expected; with fewer nothing can be said


@dataclass(frozen=True)
class FaceCount:
    """A face of one kind of die."""

    face: str
    seen: int
    expected: float


@dataclass(frozen=True)
class DieCount:
    """One kind of die: how often it was thrown, and what came up."""

    name: str
    thrown: int
    faces: tuple[FaceCount, ...]

    @property
    def chance(self) -> float | None:
        """How likely fair dice differ at least so much (chi-squared test); None: too few throws to say."""
        if any(one.expected < _ENOUGH for one in self.faces) or len(self.faces) < 2:
            return None
        squares = sum((one.seen - one.expected) ** 2 / one.expected for one in self.faces)
        return _tail(squares, len(self.faces) - 1)

    @property
    def sentence(self) -> str:
        """Return the result of the test as a sentence."""
        chance = self.chance
        if chance is None:
            return m("thrown {thrown} times: too few to say anything", thrown=self.thrown)
        return m(
            "thrown {thrown} times: fair dice would differ this much or more {chance}",
            thrown=self.thrown,
            chance=_often(chance),
        )


def _often(chance: float) -> str:
    percent = round(100 * chance)
    return (
        m("in {percent} of 100 matches", percent=percent) if percent else m("in less than 1 of 100 matches")
    )


def _tail(squares: float, freedom: int) -> float:
    """The upper tail of chi-squared, by the cube root of Wilson and Hilferty.

    >>> round(_tail(3.84, 1), 2), round(_tail(11.07, 5), 2)
    (0.05, 0.05)
    """
    spread = 2 / (9 * freedom)
    z = ((squares / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return erfc(z / sqrt(2)) / 2


def dice_counts(matches: Sequence[Match]) -> list[DieCount]:
    """All rolls that count in these matches of one game."""
    seen: dict[str, Counter[str]] = {}
    for match in matches:
        state: Any = match.game.start(match.opening["setup"])
        for fact in in_effect(match.events).values():
            if fact.kind == "roll":
                for name, face in zip(match.game.dice(state), fact.data["faces"], strict=False):
                    seen.setdefault(name, Counter())[face] += 1
            state = with_fact(match.game, state, fact)
    game = matches[0].game if matches else None
    return [_counted(name, found, game.die_faces[name]) for name, found in sorted(seen.items()) if game]


def _counted(name: str, found: Counter[str], faces: Sequence[str]) -> DieCount:
    thrown, sides = found.total(), Counter(faces)
    share = thrown / len(faces)
    return DieCount(name, thrown, tuple(FaceCount(face, found[face], share * sides[face]) for face in sides))
