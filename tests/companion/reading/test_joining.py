"""Several photographs of one sheet read as one."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.reading.evidence import PhotoReading, Quality, SheetReading, SlotReading
from companion.reading.joining import joined_photos, joined_slots

CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
RED, EMPTY, UNSEEN = (
    SlotReading({"red": 0.9, "": 0.1}),
    SlotReading({"": 0.95, "red": 0.05}),
    "outside the picture",
)


def half(slots: dict[str, SlotReading], seat: int = 1) -> PhotoReading[SheetReading[SlotReading]]:
    quality = Quality("tags", 2.0, 0.8)
    return PhotoReading(100, 80, (SheetReading("map", "", seat, CORNERS, slots, quality),), ("a note",))


def test_what_one_does_not_show_another_does() -> None:
    left = half({"a": RED, "b": RED, "c": SlotReading({"": 1.0}, UNSEEN)})
    right = half({"a": SlotReading({"": 1.0}, UNSEEN), "b": RED, "c": EMPTY})
    whole = joined_photos([left, right])
    (sheet,) = whole.sheets
    assert whole.notes == ("a note",)
    assert {name: slot.best for name, slot in sheet.slots.items()} == {"a": "red", "b": "red", "c": ""}
    assert all(slot.cannot_see is None for slot in sheet.slots.values())
    assert sheet.slots["b"].p > RED.p  # two witnesses are surer than one


def test_nothing_is_made_of_what_nobody_sees() -> None:
    unseen = {"a": SlotReading({"": 1.0}, "glare")}
    (slot,) = joined_slots([unseen, unseen]).values()
    assert slot.cannot_see == "glare"


def test_pictures_that_contradict_each_other_are_a_doubt() -> None:
    (slot,) = joined_slots([{"a": RED}, {"a": SlotReading({"": 0.9, "red": 0.1})}]).values()
    assert slot.doubtful
    assert slot.p == pytest.approx(0.5, abs=0.01)


def test_the_order_of_pictures_says_nothing() -> None:
    one, other, third = {"a": RED}, {"a": EMPTY}, {"a": SlotReading({"blue": 0.5, "red": 0.3, "": 0.2})}
    forth, back = joined_slots([one, other, third])["a"], joined_slots([third, other, one])["a"]
    assert dict(forth.probabilities) == pytest.approx(dict(back.probabilities))
    assert sum(forth.probabilities.values()) == pytest.approx(1)


def test_every_seat_keeps_its_own_sheet() -> None:
    both = joined_photos([half({"a": RED}), half({"a": EMPTY}, seat=2)])
    assert [(sheet.seat, sheet.slots["a"].best) for sheet in both.sheets] == [(1, "red"), (2, "")]


def test_two_alike_in_one_picture_are_refused() -> None:
    one = half({"a": RED})
    twice = PhotoReading(100, 80, one.sheets * 2)
    with pytest.raises(NotationError, match="which one to join"):
        joined_photos([twice, one])


def test_what_a_map_leaves_out_is_surely_empty() -> None:
    (slot,) = joined_slots([{"a": SlotReading({"red": 0.7, "": 0.3})}, {}]).values()
    assert slot.best == ""
    (slot,) = joined_slots(
        [{"a": SlotReading({"red": 0.7, "": 0.3})}, {"a": SlotReading({"": 1.0}, UNSEEN)}]
    ).values()
    assert slot.best == "red"
