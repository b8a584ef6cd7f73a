"""Who throws the dice at this table: the dice roller, the box, or people by hand, as the host has chosen.

Phones, the panel's button and the roller's own button ask here, and get the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from companion.core.messages import m
from companion.table.table import Refused

DICE_SETTING = "dice-source"
DiceSource: TypeAlias = Literal["roller", "virtual", "hand"]  # without a roller, "roller" is virtual as well
Thrower: TypeAlias = Literal["roller", "box"]

_BY_HAND = Refused("hand-dice", m("at this table dice are thrown by hand: enter what they show"))
_BY_THE_BOX = Refused("virtual-dice", m("at this table the box throws virtual dice, not the dice roller"))


@dataclass(frozen=True)
class DicePolicy:
    """The host's choice. ``setting`` is where it is kept; it is asked every time, as it may change."""

    setting: Callable[[str], str | None]

    @property
    def source(self) -> DiceSource:
        """Return the source of dice that the host has chosen, by default the roller."""
        chosen = self.setting(DICE_SETTING)
        return next((source for source in get_args(DiceSource) if source == chosen), "roller")

    def refusal(self, thrower: Thrower) -> Refused | None:
        """Explain why dice from this source do not count; None if they do."""
        match self.source:  # read once: the host may choose again meanwhile
            case "hand":
                return _BY_HAND
            case "virtual" if thrower == "roller":
                return _BY_THE_BOX
            case _:
                return None
