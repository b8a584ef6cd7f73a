"""Files of the owner's that a game can be played with, kept beside the matches."""

from __future__ import annotations

from typing import Any

from companion.core.jsontext import JsonObject
from companion.game.base import Game
from companion.sheets.decks import DEAL
from companion.table.store import Store


def kept_options(store: Store, game: Game[Any]) -> dict[str, str]:
    """Return the stored option files; empty text where nothing is stored."""
    return {name: store.setting(_key(game.name, name)) or "" for name in game.file_options}


def keep_option(store: Store, game: str, option: str, text: str) -> None:
    """Store an option file, or delete it if the text is empty."""
    store.put_setting(_key(game, option), text)


def keep_deal(store: Store, game: str, options: JsonObject) -> None:
    """Store the card selection of a game as the default for the next match."""
    deal = options.get(DEAL)
    if isinstance(deal, str):
        store.put_setting(_key(game, DEAL), deal)


def kept_deal(store: Store, game: str) -> str:
    """Return the card selection of the last match; empty before the first."""
    return store.setting(_key(game, DEAL)) or ""


def _key(game: str, option: str) -> str:
    return f"option-{game}-{option}"
