"""Dice that people throw themselves: which faces a page offers to tap, for any game with dice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, TypeAlias

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
    """A roll to be entered, one tap a die; of one that is corrected, when it was and what was entered."""

    count: int
    groups: tuple[DiceGroup, ...]
    when: str = ""
    shown: tuple[tuple[str, Die], ...] = ()


def dice_entry(match: Match, roll: int | None = None) -> DiceEntry | None:
    """What can be entered for the dice that are due, or instead of the roll of that event."""
    presenter = presenter_of(match.game)
    names, when = (match.game.dice(match.state), "") if roll is None else _due_before(match, roll)
    if not names:
        return None
    draw = presenter.face
    by_faces: dict[tuple[str, ...], list[int]] = {}
    for place, name in enumerate(names):
        by_faces.setdefault(tuple(dict.fromkeys(match.game.die_faces[name])), []).append(place)
    groups = tuple(
        DiceGroup(tuple(places), tuple((face, draw(face)) for face in faces))
        for faces, places in by_faces.items()
    )
    faces = in_effect(match.events)[roll].data["faces"] if roll is not None else ()
    return DiceEntry(len(names), groups, when, tuple((face, draw(face)) for face in faces))


_REMEMBERED = 16  # rolls; a page is drawn many times while one lies on the table
_Due: TypeAlias = tuple[tuple[str, ...], str]  # the names of dice, and the headline under which they were due
_known: OrderedDict[str, _Due] = OrderedDict()  # by the hash of the roll's event
_lock = threading.Lock()


def _due_before(match: Match, roll: int) -> _Due:
    """Which dice an earlier roll was of, those that were due before it, and when that was."""
    key = match.events[roll - 1].hash
    with _lock:
        if key in _known:
            return _known[key]
    state = _before(match, roll)
    due = match.game.dice(state), presenter_of(match.game).headline(match.game.view(state, None))
    with _lock:
        _known[key] = due
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    return due


def _before(match: Match, roll: int) -> Any:
    """Return the state before an event."""
    state = match.game.start(match.opening["setup"])
    for seq, fact in in_effect(match.events).items():
        if seq >= roll:
            break
        state = with_fact(match.game, state, fact)
    return state
