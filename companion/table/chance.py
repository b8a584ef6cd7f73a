"""Where the table's own randomness comes from, when no dice roller is there."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field

from companion.games.contract import Plain


@dataclass(frozen=True)
class SystemChance:
    """The operating system's generator; on every screen these are "virtual dice"."""

    source: Plain = field(default_factory=lambda: {"kind": "virtual"})

    def below(self, bound: int) -> int:
        """A fair number from 0 to ``bound`` - 1."""
        return secrets.randbelow(bound)


class SeededChance:
    """The same numbers for the same seed: for demonstrations and tests, never for a real table."""

    def __init__(self, seed: int) -> None:
        self.source: Plain = {"kind": "seeded", "seed": seed}
        self._generator = random.Random(seed)

    def below(self, bound: int) -> int:
        """The next number of the sequence."""
        return self._generator.randrange(bound)
