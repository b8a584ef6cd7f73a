"""From single dice to rolls: which throws belong together.

A roll is complete when every die that the table asks for has a face. Each connected die counts once a roll,
the first time it lies still; where people own fewer dice than a roll needs, they throw them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

TOGETHER = 20.0  # seconds after which a die that lies there belongs to an older throw


@dataclass
class Gathering:
    """``dice`` are the connected ones: faces by id."""

    dice: Mapping[str, int]
    _wanted: tuple[int, ...] = ()
    _thrown: list[tuple[str, int, int, float]] = field(default_factory=list)  # id, faces, face, when

    def want(self, faces: Sequence[int]) -> None:
        """Set the dice of the next roll, in order; throws so far are dropped."""
        self._wanted, self._thrown = tuple(faces), []

    @property
    def can_throw(self) -> bool:
        """True if there is a die for each kind that is wanted."""
        return set(self._wanted) <= set(self.dice.values())

    def add(self, die: str, face: int, now: float) -> list[int] | None:
        """Add a die that lies still; the faces of the whole roll in order, once it is complete."""
        faces = self.dice.get(die)
        self._thrown = [one for one in self._thrown if now - one[3] <= TOGETHER]
        if faces is None or faces not in self._wanted:
            return None
        times = sum(one[0] == die for one in self._thrown)
        here = sum(one[1] == faces for one in self._thrown)
        others = sum(known == faces for known in self.dice.values())
        if here >= self._wanted.count(faces) or times > here // others:
            return None  # it counts already, and another one is still in the air
        self._thrown.append((die, faces, face, now))
        if len(self._thrown) < len(self._wanted):
            return None
        return self._in_order()

    def _in_order(self) -> list[int]:
        """Return the faces in the roll's order, each die keeping its place while the same are connected."""
        thrown = sorted(self._thrown, key=lambda one: (one[0], one[3]))
        self._thrown = []
        lying = {faces: [one[2] for one in thrown if one[1] == faces] for faces in set(self._wanted)}
        return [lying[faces].pop(0) for faces in self._wanted]
