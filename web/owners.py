"""Files of the owner's that a game can be played with, kept beside the matches."""

from __future__ import annotations

from typing import Any

from companion.games.contract import Game, Plain
from web.house import House


def kept_options(house: House, game: Game[Any]) -> dict[str, str]:
    """What is kept for them; empty where nothing is."""
    return {name: house.setting(_key(game.name, name)) or "" for name in game.file_options}


def keep_option(house: House, game: str, option: str, text: str) -> None:
    """Keep a file, or forget it when it is empty."""
    house.put_setting(_key(game, option), text)


def keep_deal(house: House, game: str, options: Plain) -> None:
    """With which cards a game was begun: whoever owns them plays with them the next time, too."""
    deal = options.get("deal")
    if isinstance(deal, str):
        house.put_setting(_key(game, "deal"), deal)


def kept_deal(house: House, game: str) -> str:
    """With which cards it was begun the last time; empty before the first."""
    return house.setting(_key(game, "deal")) or ""


def _key(game: str, option: str) -> str:
    return f"option-{game}-{option}"
