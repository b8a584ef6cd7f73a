"""Dice and rolls. A die is a name and a number of faces; what the faces mean is the game's business."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from firmware_bridge.exc import BadDice
from firmware_bridge.protocol import MOST_DICE, MOST_FACES

_NAME = re.compile(r"[A-Za-z0-9 _.+-]{1,12}")


class Die(NamedTuple):
    """A die; `glyphs` are pictures for its faces, eight rows of eight dots as 16 hex digits each."""

    name: str
    faces: int
    glyphs: tuple[str, ...] = ()
    rgb: str = "ffffff"


AnyDie = Die | tuple[str, int]


def checked_dice(dice: Iterable[AnyDie]) -> tuple[Die, ...]:
    """The dice themselves; :class:`BadDice` if a roller could not throw or name them.

    >>> checked_dice([("A", 6)])
    (Die(name='A', faces=6, glyphs=(), rgb='ffffff'),)
    """
    known = tuple(Die(*die) for die in dice)
    if not 1 <= len(known) <= MOST_DICE:
        raise BadDice(f"The roller throws 1 to {MOST_DICE} dice at a time, not {len(known)}.")
    for die in known:
        _check(die)
    if len({die.name for die in known}) < len(known):
        raise BadDice("Two dice of one roll have the same name: give each its own.")
    return known


def _check(die: Die) -> None:
    if not _NAME.fullmatch(die.name):
        raise BadDice(f"The die name {die.name!r} must be 1 to 12 plain letters, digits or spaces.")
    if not 2 <= die.faces <= MOST_FACES:
        raise BadDice(
            f"Die {die.name} has {die.faces} face{'' if die.faces == 1 else 's'}; "
            f"2 to {MOST_FACES} are possible."
        )
    if len(die.glyphs) > die.faces or not all(re.fullmatch("[0-9a-f]{16}", g) for g in die.glyphs):
        raise BadDice(f"Die {die.name} needs pictures of 16 hex digits, at most one a face.")


class Thrown(NamedTuple):
    """One die of a roll; faces count from 0."""

    name: str
    faces: int
    face: int


@dataclass(frozen=True)
class Roll:
    """A roll as the table stores it; (uid, boot, n) is unique for ever."""

    uid: str
    boot: str
    n: int
    dice: tuple[Thrown, ...]
    request_id: str | None = None
    fair: str | None = None  # the first eight hex digits of the commitment it belongs to
    late: bool = False  # made while the table was not connected, and heard of afterwards
    virtual: bool = False  # by the simulator: label it "virtual dice"

    @property
    def key(self) -> tuple[str, str, int]:
        """The triple that identifies the roll: (uid, boot, n)."""
        return self.uid, self.boot, self.n

    @property
    def faces(self) -> dict[str, int]:
        """The face of each die by its name."""
        return {die.name: die.face for die in self.dice}

    @property
    def by(self) -> Literal["request", "button"]:
        """Who asked for the roll: the table, or the roller's own button."""
        return "button" if self.request_id is None else "request"


def histograms(rolls: Iterable[Roll]) -> dict[tuple[str, str, int], list[int]]:
    """How often each face came, for every (uid, die, number of faces).

    >>> histograms([Roll("u", "b", 1, (Thrown("A", 3, 2),)), Roll("u", "b", 2, (Thrown("A", 3, 2),))])
    {('u', 'A', 3): [0, 0, 2]}
    """
    counts: dict[tuple[str, str, int], list[int]] = {}
    for roll in rolls:
        count_roll(counts, roll)
    return counts


def count_roll(counts: dict[tuple[str, str, int], list[int]], roll: Roll) -> None:
    """Add one roll to histograms."""
    for die in roll.dice:
        counts.setdefault((roll.uid, die.name, die.faces), [0] * die.faces)[die.face] += 1


def names_and_faces(dice: Sequence[Die | Thrown]) -> tuple[tuple[str, int], ...]:
    """What a request and its answer must agree on."""
    return tuple((die.name, die.faces) for die in dice)
