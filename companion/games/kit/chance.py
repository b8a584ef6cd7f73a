"""Chance that repeats: for demonstrations, tests and measurements, never for a real table."""

from __future__ import annotations

from random import Random

from companion.games.contract import Plain


class SeededChance:
    """The same numbers for the same seed; a generator that is handed in is shared with whoever has it."""

    def __init__(self, seed: int | Random) -> None:
        shared = isinstance(seed, Random)
        self.source: Plain = {"kind": "seeded"} if shared else {"kind": "seeded", "seed": seed}
        self._generator = seed if isinstance(seed, Random) else Random(seed)

    def below(self, bound: int) -> int:
        """The next number of the sequence."""
        return self._generator.randrange(bound)
