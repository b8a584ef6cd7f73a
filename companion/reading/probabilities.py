"""A classifier's label probabilities for all slots of a sheet, as arrays, on the way to a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from companion.reading.evidence import EMPTY, SlotReading

_SUM = 0.02  # by how much a slot may add up to more than 1


@dataclass(frozen=True, eq=False)
class LabelProbabilities:
    """Label probabilities of slots: ``probs`` (n_slots, n_labels) in 0 to 1, each row adding up to at most 1.

    What is missing from 1 is a label that is none of these: a line on a map without any known colour.

    ``names`` (n_slots) and ``labels`` (n_labels) call rows and columns; :data:`EMPTY` is the label of a slot
    with nothing in it. ``unseen_reason`` (n_slots) says why a slot cannot be seen, and is None where it can:
    what is said of an unseen slot is a guess.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    probs: NDArray[np.float64]
    unseen_reason: tuple[str | None, ...]

    def __post_init__(self) -> None:
        shape = (len(self.names), len(self.labels))
        if self.probs.shape != shape:
            raise ValueError(f"probs are {self.probs.shape}, and not slots by labels, {shape}")
        if len(self.unseen_reason) != len(self.names):
            raise ValueError(f"{len(self.unseen_reason)} unseen reasons for {len(self.names)} slots")
        for called, names in (("slot", self.names), ("label", self.labels)):
            if len(set(names)) != len(names):
                raise ValueError(f"a {called} is named twice")
        if shape[0] and (self.probs.min() < 0 or self.probs.sum(axis=1).max() > 1 + _SUM):
            raise ValueError("the probabilities of every slot are at least 0 and add up to at most 1")

    @classmethod
    def of(cls, slots: Mapping[str, SlotReading], labels: Sequence[str]) -> Self:
        """The slots of a reading, with these labels in question; one that a slot leaves out has no share."""
        probs = [[slot.probabilities.get(label, 0.0) for label in labels] for slot in slots.values()]
        unseen = tuple(slot.cannot_see for slot in slots.values())
        return cls(tuple(slots), tuple(labels), np.array(probs).reshape(-1, len(labels)), unseen)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Whether a slot can be seen, (n_slots)."""
        return np.array([reason is None for reason in self.unseen_reason], np.bool_)

    def slots(self, least: float = 0.0) -> dict[str, SlotReading]:
        """Slot by slot, the most probable label first; what is not ``least`` probable is left out.

        >>> probs = np.array([[0.2, 0.8], [1.0, 0.0]])
        >>> said = LabelProbabilities(("a1", "b1"), ("", "x"), probs, (None, "glare"))
        >>> {name: (slot.best, slot.p, slot.cannot_see) for name, slot in said.slots().items()}
        {'a1': ('x', 0.8, None), 'b1': ('', 1.0, 'glare')}
        """
        rows = zip(self.names, self.probs.tolist(), self.unseen_reason, strict=True)
        return {name: SlotReading(self._ranked(row, least), reason) for name, row, reason in rows}

    def _ranked(self, row: Sequence[float], least: float) -> dict[str, float]:
        pairs = sorted(zip(self.labels, row, strict=True), key=lambda pair: -pair[1])
        return {label: p for label, p in pairs if not least or p > least or label == EMPTY}
