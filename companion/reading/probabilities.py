"""What a classifier says of all slots of a sheet at once, as arrays: the way from networks to a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from companion.games.kit.evidence import EMPTY, SlotReading

_SUM = 0.02  # how far from 1 a slot may add up to: readers leave out what is hardly probable


@dataclass(frozen=True, eq=False)
class SlotProbabilities:
    """Label probabilities of slots: ``probs`` (n_slots, n_labels) in 0 to 1, each row adding up to 1.

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
        if shape[0] and (self.probs.min() < 0 or np.abs(self.probs.sum(axis=1) - 1).max() > _SUM):
            raise ValueError("the probabilities of every slot are at least 0 and add up to 1")

    @classmethod
    def of(cls, slots: Mapping[str, SlotReading]) -> Self:
        """The slots of a reading; a label that was left out of a slot has none of its probability."""
        every = (label for slot in slots.values() for label in slot.probabilities)
        labels = tuple(dict.fromkeys((EMPTY, *every)))
        column = {label: n for n, label in enumerate(labels)}
        probs = np.zeros((len(slots), len(labels)))
        for row, slot in enumerate(slots.values()):
            for label, p in slot.probabilities.items():
                probs[row, column[label]] = p
        probs /= np.maximum(probs.sum(axis=1, keepdims=True), 1e-12)
        return cls(tuple(slots), labels, probs, tuple(slot.cannot_see for slot in slots.values()))

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Whether a slot can be seen, (n_slots)."""
        return np.array([reason is None for reason in self.unseen_reason], np.bool_)

    @property
    def best(self) -> NDArray[np.int64]:
        """The column of the most probable label of every slot, (n_slots)."""
        return np.asarray(self.probs.argmax(axis=1), np.int64)

    @property
    def best_probs(self) -> NDArray[np.float64]:
        """The probability of that label, (n_slots)."""
        return np.asarray(self.probs.max(axis=1), np.float64)

    def slots(self, least: float = 0.0) -> dict[str, SlotReading]:
        """Slot by slot, the most probable label first; what is not ``least`` probable is left out.

        >>> probs = np.array([[0.2, 0.8], [1.0, 0.0]])
        >>> said = SlotProbabilities(("a1", "b1"), ("", "x"), probs, (None, "glare"))
        >>> {name: (slot.best, slot.p, slot.cannot_see) for name, slot in said.slots().items()}
        {'a1': ('x', 0.8, None), 'b1': ('', 1.0, 'glare')}
        """
        rows = zip(self.names, self.probs.tolist(), self.unseen_reason, strict=True)
        return {name: SlotReading(self._ranked(row, least), reason) for name, row, reason in rows}

    def _ranked(self, row: Sequence[float], least: float) -> dict[str, float]:
        pairs = sorted(zip(self.labels, row, strict=True), key=lambda pair: -pair[1])
        return {label: p for label, p in pairs if not least or p > least or label == EMPTY}
