"""The rules of every game the box knows, loaded one by one when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.contract import Game
from companion.games.packages import find_package, loaded, packages


class _Games(Mapping[str, Game[Any]]):
    """By name; what is never asked for is never loaded."""

    def __getitem__(self, name: str) -> Game[Any]:
        game: Game[Any] = loaded(packages()[name].rules)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(packages())

    def __len__(self) -> int:
        return len(packages())


GAMES: Mapping[str, Game[Any]] = _Games()


def find_game(name: str) -> Game[Any]:
    """The game called ``name``."""
    find_package(name)
    return GAMES[name]
