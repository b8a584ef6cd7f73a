"""The table's own source of randomness, used without a dice roller."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject

__all__ = ["SeededChance", "SystemChance"]


@dataclass(frozen=True)
class SystemChance:
    """The operating system's generator; on every screen these are "virtual dice"."""

    source: JsonObject = field(default_factory=lambda: {"kind": "virtual"})

    def below(self, bound: int) -> int:
        """A fair number from 0 to ``bound`` - 1."""
        return secrets.randbelow(bound)
