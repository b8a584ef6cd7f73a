"""The presentation of each game: a :class:`~web.ui.parts.Presenter`, looked up on demand."""

from __future__ import annotations

from typing import TypeVar

from companion.game.base import Game
from companion.game.packages import loaded, packages
from web.ui.parts import Presenter
from web.ui.plain import PlainPresenter

S = TypeVar("S")


def presenter_of(game: Game[S]) -> Presenter[S]:
    """Return the game's own presenter, or the plain one."""
    package = packages().get(game.name)
    if package is None or not package.ui:
        return PlainPresenter(game)
    presenter: Presenter[S] = loaded(package.ui)
    return presenter
