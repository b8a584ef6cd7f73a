"""The tables of ``rulebook.toml``, read once."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, TypeAlias, get_args

import msgspec

Part: TypeAlias = Literal["speed", "power", "cargo"]
PARTS: tuple[Part, ...] = get_args(Part)


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules text."""

    tracks: int
    rails: int
    rails_left_out: dict[str, int]
    hand: int
    shown: int
    time_cards: int
    rounds: int
    suits: int
    goods: int
    cities_a_good: int
    columns: int
    prices: tuple[int, ...]
    contract_cards: int
    sides: tuple[str, ...]
    upgrade_costs: tuple[int, ...]
    spaces: int
    parts: dict[Part, tuple[int, ...]]

    def rails_of_a_suit(self, seats: int) -> int:
        """How many rail cards of each suit are in play.

        >>> BOOK.rails_of_a_suit(2), BOOK.rails_of_a_suit(3)
        (7, 10)
        """
        return self.rails - self.rails_left_out.get(str(seats), 0)

    def upgrade_cost(self, level: int) -> int | None:
        """What the next upgrade of a part costs that counts ``level`` now, by how often it was upgraded."""
        return self.upgrade_costs[level] if level < len(self.upgrade_costs) else None


BOOK = msgspec.toml.decode(files(__package__).joinpath("rulebook.toml").read_bytes(), type=Rulebook)
TIME = "time"  # the name of a time card in the rail deck
