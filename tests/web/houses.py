"""A small house for the tests of the pages: a real table on a temporary folder, dice that repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games.bots import best_action
from companion.games.contract import Action, Game, Plain
from companion.games.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Table

HOST = Actor("host")


@dataclass
class SmallHouse:
    """Everything the pages may ask of a house, without devices."""

    store: Store
    table: Table
    games: Mapping[str, Game[Any]] = field(default_factory=lambda: GAMES)
    notes: Sequence[str] = ()


@contextmanager
def small_house(folder: Path, seed: int = 7) -> Iterator[SmallHouse]:
    """A house on a folder of its own; matches are called m1, m2 and so on."""
    numbers = iter(range(1, 1000))
    with Store(folder) as store:
        table = Table(store, GAMES, chance=SeededChance(seed), new_id=lambda: f"m{next(numbers)}")
        yield SmallHouse(store, table)


def begin(house: SmallHouse, *players: str, **options: Any) -> str:
    """A match of Railroad Ink; its id."""
    data: Plain = {"game": "railroad-ink", "players": list(players or ("Ada", "Ben")), **options}
    return accepted(house, Action("start", data=data)).event.match


def accepted(house: SmallHouse, action: Action, actor: Actor = HOST) -> Accepted:
    """Do something that has to be accepted."""
    answer = house.table.submit(action, actor)
    assert isinstance(answer, Accepted), answer
    return answer


def play_rounds(house: SmallHouse, rounds: int, seed: int = 3) -> None:
    """Bots play so many rounds of the current match, or until it is over."""
    chance = SeededChance(seed)
    match = house.table.current
    assert match is not None
    last = match.state.round + rounds
    while not match.finished and match.state.round < last:
        seats = [seat for seat in match.players if seat not in match.state.done]
        action = best_action(match.game, match.state, seats[0], chance)
        assert action is not None
        accepted(house, action)
        match = house.table.current
        assert match is not None
