"""Tracks which pictures of faces the roller needs and which it already has."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.dice import Die
from firmware_bridge.protocol import Glyphs

GLYPHS_A_LINE = 12


class Pictures:
    """Pictures by die name; a die whose pictures changed is taught again."""

    def __init__(self) -> None:
        self._wanted: dict[str, Die] = {}
        self._taught: dict[str, int] = {}  # how many faces of the die

    def want(self, dice: Iterable[Die]) -> None:
        """Note the dice whose pictures the roller should have."""
        for die in dice:
            if die.glyphs and self._wanted.get(die.name) != die:
                self._wanted[die.name] = die
                self._taught.pop(die.name, None)

    def all_unknown(self) -> None:
        """Forget what the roller knows: it may have restarted."""
        self._taught.clear()

    def next_line(self, line_id: str) -> Glyphs | None:
        """The next pictures to teach."""
        for name, die in self._wanted.items():
            first = self._taught.get(name, 0)
            if first < len(die.glyphs):
                return Glyphs(line_id, name, die.glyphs[first : first + GLYPHS_A_LINE], first, die.rgb)
        return None

    def known(self, line: Glyphs) -> None:
        """Note that the roller has accepted these pictures."""
        self._taught[line.die] = line.first + len(line.rows)
