"""Chance that repeats: for demonstrations, tests and measurements, never for a real table."""

from __future__ import annotations

from random import Random

from companion.core.jsontext import JsonObject


class SeededChance:
    """Chance from a seed: the same numbers for the same seed. A generator may be shared with others."""

    def __init__(self, seed: int | Random) -> None:
        shared = isinstance(seed, Random)
        self.source: JsonObject = {"kind": "seeded"} if shared else {"kind": "seeded", "seed": seed}
        self._generator = seed if isinstance(seed, Random) else Random(seed)

    def below(self, bound: int) -> int:
        """The next number of the sequence."""
        return self._generator.randrange(bound)
