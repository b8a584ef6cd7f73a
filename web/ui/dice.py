"""Dice that people throw themselves: which faces a page offers to tap, for any game with dice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from companion.table.match import Match, in_effect, with_fact
from web.ui import presenter_of
from web.ui.parts import Die


@dataclass(frozen=True)
class DiceGroup:
    """Dice with the same faces: their places in the roll, and each face with its picture."""

    places: tuple[int, ...]
    faces: tuple[tuple[str, Die], ...]


@dataclass(frozen=True)
class DiceEntry:
    """A roll to be entered: one tap a die."""

    count: int
    groups: tuple[DiceGroup, ...]


def dice_entry(match: Match, roll: int | None = None) -> DiceEntry | None:
    """What can be entered for the dice that are due, or instead of the roll of that event."""
    names = match.game.dice(match.state) if roll is None else _names_of(match, roll)
    if not names:
        return None
    draw = presenter_of(match.game).face
    by_faces: dict[tuple[str, ...], list[int]] = {}
    for place, name in enumerate(names):
        by_faces.setdefault(tuple(dict.fromkeys(match.game.die_faces[name])), []).append(place)
    groups = tuple(
        DiceGroup(tuple(places), tuple((face, draw(face)) for face in faces))
        for faces, places in by_faces.items()
    )
    return DiceEntry(len(names), groups)


_REMEMBERED = 16  # rolls; a page is drawn many times while one lies on the table
_known: OrderedDict[str, tuple[str, ...]] = OrderedDict()  # by the hash of the roll's event
_lock = threading.Lock()


def _names_of(match: Match, roll: int) -> tuple[str, ...]:
    """Which dice an earlier roll was of: those that were due before it."""
    key = match.events[roll - 1].hash
    with _lock:
        if key in _known:
            return _known[key]
    names = match.game.dice(_before(match, roll))
    with _lock:
        _known[key] = names
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    return names


def _before(match: Match, roll: int) -> Any:
    """Return the state before an event."""
    state = match.game.start(match.opening["setup"])
    for seq, fact in in_effect(match.events).items():
        if seq >= roll:
            break
        state = with_fact(match.game, state, fact)
    return state
