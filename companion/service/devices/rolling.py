"""Rolling the dice of a match for whoever asks the box."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.game.base import Action
from companion.service.devices.dice_policy import DicePolicy
from companion.service.devices.roll_deduplication import RollDeduplication
from companion.table.events import Actor
from companion.table.fairplay import duplicate_of
from companion.table.match import Match
from companion.table.table import Accepted, Refused, Table

if TYPE_CHECKING:
    from companion.service.devices.dice import TableDice


class Rolling:
    """Throws dice by the table's policy, with the ``roller`` once devices are attached."""

    def __init__(self, table: Table, setting: Callable[[str], str | None]) -> None:
        self.policy = DicePolicy(setting)
        self.roller: TableDice | None = None
        self._table = table
        self._one_roll = RollDeduplication(table)

    def roll(
        self, match: Match, actor: Actor, key: str | None, seen: int | None = None
    ) -> Accepted | Refused:
        """Throw the dice that are due.

        Whoever has ``seen`` the match only up to some version gets the roll that was thrown since.
        """
        if self.roller is not None:
            return self.roller.roll(actor, key, match.id, seen)
        return self._one_roll.throw(match, actor, key, seen, lambda: self._virtual(match, actor, key))

    def _virtual(self, match: Match, actor: Actor, key: str | None) -> Accepted | Refused:
        refusal = self.policy.refusal("box") if duplicate_of(match) is None else None
        return refusal or self._table.submit(Action("roll"), actor, key, match=match.id)
