"""How each game looks on a page: a :class:`~web.show.parts.Show`, found when it is asked for."""

from __future__ import annotations

from typing import TypeVar

from companion.games.contract import Game
from companion.games.packages import loaded, packages
from web.show.parts import Show
from web.show.plain import PlainShow

S = TypeVar("S")


def show_of(game: Game[S]) -> Show[S]:
    """The game's own show, or one that every game can have."""
    package = packages().get(game.name)
    if package is None or not package.page:
        return PlainShow(game)
    show: Show[S] = loaded(package.page)
    return show
