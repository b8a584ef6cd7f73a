"""The games the box knows. A new game is a folder with a game.py and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract import Game
from companion.games.derailed.rules.game import Derailed
from companion.games.empire_builder.rules.game import EmpireBuilder
from companion.games.kit.errors import NotationError
from companion.games.kit.grid import quoted
from companion.games.railroad_ink.rules.game import RailroadInk
from companion.games.spike.rules.game import Spike

GAMES: Mapping[str, Game[Any]] = {
    game.name: game for game in (RailroadInk(), Derailed(), Spike(), EmpireBuilder())
}


def find_game(name: str) -> Game[Any]:
    """The game called ``name``."""
    if name not in GAMES:
        message = f"there is no game {quoted(name)}: choose one of {', '.join(GAMES)}"
        raise NotationError("unknown-game", message)
    return GAMES[name]
