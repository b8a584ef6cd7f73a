"""How each game looks on a page: one :class:`Show` a game, found by the game's name.

A show turns what ``game.view`` and ``game.score`` say into markup and sentences. It decides nothing; a match
of a game without a show of its own still has its names, places and totals on the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from web.show.parts import Show
from web.show.railroad_ink import RailroadInkShow

SHOWS: Mapping[str, Show] = {"railroad-ink": RailroadInkShow()}
