"""A small house for the tests of the pages: a real table on a temporary folder, dice that repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from companion.club.dice import ClubDice
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Game
from companion.game.bots import any_action, greedy_action
from companion.game.registry import GAMES
from companion.service.devices.club_dice import round_chance
from companion.service.photos.eye import Eye
from companion.service.service import Service
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Table

HOST = Actor("host")
Think: TypeAlias = Callable[[Game[Any], Any, int, Chance], Action | None]


@contextmanager
def small_house(folder: Path, seed: int = 7) -> Iterator[Service]:
    """A house without devices, on a folder of its own; matches are called m1, m2 and so on."""
    numbers = iter(range(1, 1000))
    with Store(folder) as store:
        table = Table(
            store,
            GAMES,
            chance=SeededChance(seed),
            new_id=lambda: f"m{next(numbers)}",
            chance_for=round_chance(ClubDice(store.setting, store.put_setting)),
        )
        house = Service(store, table, links=["http://192.168.1.20:8080/"])
        try:
            yield house
        finally:
            house.eye.stop()


def with_eye(house: Service, eye: Eye) -> None:
    """Have photographs read by a stand-in."""
    house.eye = house.photos.eye = house.taught.eye = eye


def begin(house: Service, *players: str, **options: Any) -> str:
    """A match of Railroad Ink; its id."""
    data: JsonObject = {"game": "railroad-ink", "players": list(players or ("East", "North")), **options}
    return accepted(house, Action("start", data=data)).event.match


def accepted(house: Service, action: Action, actor: Actor = HOST) -> Accepted:
    """Do something that has to be accepted."""
    answer = house.table.submit(action, actor)
    assert isinstance(answer, Accepted), answer
    return answer


def play_rounds(house: Service, rounds: int, seed: int = 3, think: Think = any_action) -> None:
    """Bots play so many rounds of the current match, or until it is over."""
    chance = SeededChance(seed)
    match = house.table.current
    assert match is not None
    last = match.state.round + rounds
    while not match.finished and match.state.round < last:
        seats = [seat for seat in match.players if seat not in match.state.done]
        action = think(match.game, match.state, seats[0], chance)
        assert action is not None
        accepted(house, action)
        match = house.table.current
        assert match is not None


def play_steps(house: Service, steps: int, seed: int = 5) -> None:
    """Greedy bots take so many steps in the current match, of whatever game, or play until it is over."""
    chance = SeededChance(seed)
    for _ in range(steps):
        match = house.table.current
        assert match is not None
        if match.finished:
            return
        found = (greedy_action(match.game, match.state, seat, chance) for seat in match.players)
        accepted(house, next(action for action in found if action is not None))
