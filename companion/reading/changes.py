"""The slots of a large sheet that a page has to show: new, in doubt or gone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from companion.reading.colour_owners import COLOUR
from companion.reading.evidence import Ruling
from companion.reading.types import LaidSlot, Overlay

Line: TypeAlias = tuple[tuple[float, float], ...]  # its ends, in pixels of the picture from above


def changed_slots_of(
    ruling: Ruling[str, str],
    gone: Collection[str],
    line_of: Callable[[str], Line],
    colour_called: Callable[[str], str],
) -> Overlay:
    """The slots of a ruling by name, each as a line, and the seats that labels such as ``1+3`` stand for.

    Where it is asked whose a colour is, ``colour_called`` says what people call the things of that colour.
    """
    new = "wrong" if ruling.outcome == "refused" else "new"
    looks = dict.fromkeys(ruling.uncertain, "") | dict.fromkeys(ruling.changes, new)
    looks |= dict.fromkeys(gone, "gone")
    slots = {
        name: LaidSlot((), "", colour_called(name.removeprefix(COLOUR)))
        if name.startswith(COLOUR)
        else LaidSlot(line_of(name), look)
        for name, look in looks.items()
    }
    labels = ruling.labels
    asked = {label or "" for options in ruling.questions.values() for label, _ in options}
    shown = {*asked, *(labels.get(name, "") for name in looks)}
    owners = {label: label.split("+") for label in shown}
    return Overlay(
        slots,
        {label: tuple(map(int, seats)) for label, seats in owners.items() if all(map(str.isdecimal, seats))},
    )
