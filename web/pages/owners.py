"""Files of the owner's that a game can be played with, kept beside the matches."""

from __future__ import annotations

from typing import Any

from companion.games.contract import Game, Plain
from companion.table.store import Store


def kept_options(store: Store, game: Game[Any]) -> dict[str, str]:
    """What is kept for them; empty where nothing is."""
    return {name: store.setting(_key(game.name, name)) or "" for name in game.file_options}


def keep_option(store: Store, game: str, option: str, text: str) -> None:
    """Keep a file, or forget it when it is empty."""
    store.put_setting(_key(game, option), text)


def keep_deal(store: Store, game: str, options: Plain) -> None:
    """With which cards a game was begun: whoever owns them plays with them the next time, too."""
    deal = options.get("deal")
    if isinstance(deal, str):
        store.put_setting(_key(game, "deal"), deal)


def kept_deal(store: Store, game: str) -> str:
    """With which cards it was begun the last time; empty before the first."""
    return store.setting(_key(game, "deal")) or ""


def _key(game: str, option: str) -> str:
    return f"option-{game}-{option}"
