"""How each game looks on a page: one :class:`~web.show.parts.Show` a game, found by the game's name.

A show turns what ``game.view`` and ``game.score`` say into markup and sentences. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract import Game
from web.show.derailed import DerailedShow
from web.show.empire_builder import EmpireBuilderShow
from web.show.parts import Show
from web.show.plain import PlainShow
from web.show.railroad_ink import RailroadInkShow
from web.show.spike import SpikeShow

SHOWS: Mapping[str, Show] = {
    "derailed": DerailedShow(),
    "empire-builder": EmpireBuilderShow(),
    "railroad-ink": RailroadInkShow(),
    "spike": SpikeShow(),
}


def show_of(game: Game[Any]) -> Show:
    """The game's own show, or one that every game can have."""
    return SHOWS.get(game.name) or PlainShow(game)
