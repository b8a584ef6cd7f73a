"""How each game looks on a page: one :class:`~web.show.parts.Show` a game, found by the game's name.

A show turns what ``game.view`` and ``game.score`` say into markup and sentences. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract import Game
from companion.games.derailed.page.show import DerailedShow
from companion.games.empire_builder.page.show import EmpireBuilderShow
from companion.games.railroad_ink.page.show import RailroadInkShow
from companion.games.spike.page.show import SpikeShow
from web.show.parts import Show
from web.show.plain import PlainShow

SHOWS: Mapping[str, Show] = {
    "derailed": DerailedShow(),
    "empire-builder": EmpireBuilderShow(),
    "railroad-ink": RailroadInkShow(),
    "spike": SpikeShow(),
}


def show_of(game: Game[Any]) -> Show:
    """The game's own show, or one that every game can have."""
    return SHOWS.get(game.name) or PlainShow(game)
