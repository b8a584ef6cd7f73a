"""Several photographs of one sheet read as one: what one of them does not show, another does.

A map of 80 cm does not always fit into a picture, and a hand or a lamp hides something in every one. Slots
that are seen in several pictures get the evidence of all; it counts for less than if each picture were
an independent witness, because what misleads a reader (a faint line, a piece like its print) is in all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import exp, log
from typing import TypeVar

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.reading.evidence import EMPTY, OUTLIER_RATE, PhotoReading, SheetReading, SlotReading
from companion.sheets.drawing import Point

_LEFT_OUT = 0.995  # how surely a slot is empty that a reading leaves out
OUTSIDE = m("outside the picture")  # why readers cannot see a slot that a photograph does not show
_HARDLY, _HALF = 0.01, 0.3  # share of the places of a sheet
_MOSTLY = 2.5  # times as much as on the other side
# By height and side: a small part, a large one.
_WORDS = {
    ("", ""): (m("some of it"), m("all of it")),
    ("", "left"): (m("the left edge"), m("the left half")),
    ("", "right"): (m("the right edge"), m("the right half")),
    ("upper", ""): (m("the upper edge"), m("the upper half")),
    ("lower", ""): (m("the lower edge"), m("the lower half")),
    ("upper", "left"): (m("the upper left corner"), m("the upper left half")),
    ("upper", "right"): (m("the upper right corner"), m("the upper right half")),
    ("lower", "left"): (m("the lower left corner"), m("the lower left half")),
    ("lower", "right"): (m("the lower right corner"), m("the lower right half")),
}
_WITNESS = 0.7  # how much of its own every further picture says
SlotT = TypeVar("SlotT", bound=SlotReading)
SheetT = TypeVar("SheetT", bound=SheetReading[SlotReading])


def joined_photos(readings: Sequence[PhotoReading[SheetT]]) -> PhotoReading[SheetT]:
    """Photographs of one table as one reading: every sheet once, in the order in which they were seen.

    Size and corners are those of the photograph that shows most of a sheet.
    """
    if not readings:
        raise NotationError("no-photo", m("name at least one photograph"))
    by_sheet: dict[tuple[str, str, int], list[SheetT]] = {}
    for reading in readings:
        here = [(sheet.sheet, sheet.edition, sheet.seat) for sheet in reading.sheets]
        for key, sheet in zip(here, reading.sheets, strict=True):
            if here.count(key) > 1:
                raise NotationError(
                    "two-alike",
                    m("two sheets of one seat are in a photograph: it is not clear which one to join"),
                )
            by_sheet.setdefault(key, []).append(sheet)
    notes = dict.fromkeys(note for reading in readings for note in reading.notes)
    first = max(readings, key=lambda reading: len(reading.sheets))
    joined = tuple(joined_sheets(sheets) for sheets in by_sheet.values())
    unread = any(reading.unread for reading in readings)
    return PhotoReading(first.width, first.height, joined, tuple(notes), unread)


def part_words(part: Collection[Point], whole: Collection[Point]) -> str:
    """Which part of a sheet these places are, in words; nothing if there are hardly any.

    >>> every = [(x, y) for x in range(10) for y in range(10)]
    >>> part_words([(x, y) for x, y in every if x < 5], every)
    'the left half'
    >>> part_words([(x, y) for x, y in every if x > 7 and y > 7], every)
    'the lower right corner'
    >>> part_words([(x, y) for x, y in every if y == 0], every), part_words(every, every)
    ('the upper edge', 'all of it')
    """
    share = len(part) / max(len(whole), 1)
    if share < _HARDLY:
        return ""
    if share > 1 - _HARDLY:
        return _WORDS["", ""][1]
    across, down = (_side(part, whole, axis) for axis in (0, 1))
    large = share > _HALF
    sided = ("", "lower", "upper")[down], ("", "right", "left")[across]
    return _WORDS[sided][large and sided != ("", "")]


def _side(part: Collection[Point], whole: Collection[Point], axis: int) -> int:
    """1: mostly above the middle of an axis, -1: mostly below it, 0: neither."""
    values = sorted(place[axis] for place in whole)
    middle = (values[0] + values[-1]) / 2
    most, least = (
        [sum((place[axis] > middle) is high for place in places) for high in (True, False)]
        for places in (part, whole)
    )
    high, low = (count / max(every, 1) for count, every in zip(most, least, strict=True))
    return 1 if high > _MOSTLY * low else -1 if low > _MOSTLY * high else 0


def joined_sheets(sheets: Sequence[SheetT]) -> SheetT:
    """Readings of one sheet as one; all but its slots is that of the reading that sees most of them."""
    most = max(sheets, key=lambda sheet: sum(slot.cannot_see is None for slot in sheet.slots.values()))
    return replace(most, slots=joined_slots([sheet.slots for sheet in sheets]))


def joined_slots(readings: Sequence[Mapping[str, SlotT]]) -> dict[str, SlotT]:
    """Every slot with the evidence of all readings that see it.

    A slot that a reading leaves out is seen there and surely empty: maps with thousands of them do so.
    """
    examples = {name: slot for reading in readings for name, slot in reading.items()}
    return {
        name: _joined([reading[name] if name in reading else _surely_empty(slot) for reading in readings])
        for name, slot in examples.items()
    }


def _surely_empty(slot: SlotT) -> SlotT:
    return replace(slot, probabilities={EMPTY: _LEFT_OUT}, cannot_see=None)


def _joined(slots: Sequence[SlotT]) -> SlotT:
    """One slot: log-linear pooling of what the pictures say in which it is seen.

    >>> one, other = SlotReading({"red": 0.6, "": 0.4}), SlotReading({"red": 0.9, "": 0.1})
    >>> round(_joined([one, other, SlotReading({"": 1.0}, "glare")]).p, 2)
    0.9
    >>> round(_joined([SlotReading({"red": 0.99, "": 0.01}), SlotReading({"": 0.99, "red": 0.01})]).p, 2)
    0.5
    """
    seen = [slot for slot in slots if slot.cannot_see is None]
    if len(seen) < 2:
        return seen[0] if seen else slots[0]
    surest = max(seen, key=lambda slot: slot.p)
    marks = dict.fromkeys(mark for slot in seen for mark in slot.probabilities)
    floor = OUTLIER_RATE / max(len(marks), 1)
    share = (1 + _WITNESS * (len(seen) - 1)) / len(seen)
    sums = {
        mark: share * sum(log(slot.probabilities.get(mark, 0.0) + floor) for slot in seen) for mark in marks
    }
    highest = max(sums.values())
    raised = {mark: exp(value - highest) for mark, value in sums.items()}
    total = sum(raised.values())
    ordered = sorted(raised.items(), key=lambda pair: -pair[1])
    return replace(surest, probabilities={mark: value / total for mark, value in ordered})
