"""How well bots play, by names that people choose from; what each comes to stands in the README."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.railroad_ink.bot.thinking import Effort
from companion.games.railroad_ink.rules.match.state import BotLevel

LEVELS: Mapping[BotLevel, Effort] = {
    "child": Effort(20, 150, noise=60.0),
    "casual": Effort(10, 30, noise=9.0),
    "good": Effort(40, 40, playouts=150),
    "best": Effort(60, 60, playouts=800, next_beam=10, last_beam=4),
}
