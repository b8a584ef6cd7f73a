"""Label probabilities of all slots of a sheet: what makes no sense is said when they are made."""

from __future__ import annotations

import numpy as np
import pytest

from companion.reading.evidence import EMPTY, SlotReading
from companion.reading.probabilities import LabelProbabilities

SLOTS = {
    "a1": SlotReading({"NS": 0.9, EMPTY: 0.1}),
    "b1": SlotReading({EMPTY: 0.7, "ew": 0.3}, "glare"),
}


def test_a_reading_goes_into_arrays_and_comes_back() -> None:
    said = LabelProbabilities.of(SLOTS, (EMPTY, "NS", "ew"))
    assert (said.names, said.unseen_reason) == (("a1", "b1"), (None, "glare"))
    assert said.probs.tolist() == [[0.1, 0.9, 0.0], [0.7, 0.0, 0.3]]
    assert said.seen.tolist() == [True, False]
    assert said.slots(least=0.01) == SLOTS


def test_the_order_of_labels_that_are_as_probable_stays() -> None:
    said = LabelProbabilities(("a1",), ("y", "x", EMPTY), np.array([[0.4, 0.4, 0.2]]), (None,))
    assert list(said.slots()["a1"].probabilities) == ["y", "x", EMPTY]


def test_a_sheet_without_slots_has_nothing_to_say() -> None:
    assert LabelProbabilities((), (EMPTY, "x"), np.zeros((0, 2)), ()).slots() == {}


@pytest.mark.parametrize(
    ("names", "labels", "probs", "unseen", "fault"),
    [
        (("a1",), (EMPTY, "x"), [[1.0]], (None,), r"probs are \(1, 1\), and not slots by labels"),
        (("a1",), (EMPTY,), [[1.0]], (), "0 unseen reasons for 1 slots"),
        (("a1", "a1"), (EMPTY,), [[1.0], [1.0]], (None, None), "a slot is named twice"),
        (("a1",), ("x", "x"), [[0.5, 0.5]], (None,), "a label is named twice"),
        (("a1",), (EMPTY, "x"), [[0.5, 0.9]], (None,), "add up to at most 1"),
        (("a1",), (EMPTY, "x"), [[-0.5, 1.5]], (None,), "at least 0"),
    ],
)
def test_what_makes_no_sense_is_refused(
    names: tuple[str, ...],
    labels: tuple[str, ...],
    probs: list[list[float]],
    unseen: tuple[str | None, ...],
    fault: str,
) -> None:
    with pytest.raises(ValueError, match=fault):
        LabelProbabilities(names, labels, np.array(probs), unseen)
