"""Data about a match for other programs: its game's number at BoardGameGeek, and the place of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.game.base import Game
from companion.game.packages import packages
from companion.table.match import Match

SETTING = "elsewhere"
LARGEST = 10_000_000


class _Kept(msgspec.Struct, frozen=True):
    """The place and the BoardGameGeek numbers (by ``game`` or ``game/edition``) that the owner entered."""

    place: str = ""
    numbers: dict[str, int] = {}


@dataclass(frozen=True)
class Elsewhere:
    """The place and the BoardGameGeek number of one match; 0 if the number is not known."""

    bgg: int = 0
    place: str = ""


NOT_SAID = Elsewhere()


def elsewhere_of(match: Match, setting: Callable[[str], str | None]) -> Elsewhere:
    """Return place and number of a match; the owner's numbers override those that come with the game."""
    kept = kept_here(setting)
    edition = edition_of(match)
    brought = packages()[match.game.name].bgg if match.game.name in packages() else {}
    own = kept.numbers.get(_name(match.game.name, edition), 0)
    return Elsewhere(own or brought.get(edition, 0), kept.place)


def edition_of(match: Match) -> str:
    """Return the edition played; empty in a game without editions."""
    return str(match.opening["setup"].get("options", {}).get("edition", ""))


def kept_here(setting: Callable[[str], str | None]) -> _Kept:
    """What the owner has entered so far."""
    text = setting(SETTING)
    return msgspec.json.decode(text, type=_Kept) if text else _Kept()


def kept_text(place: str, numbers: Mapping[str, int]) -> str:
    """Encode the place and the numbers as they are stored, without numbers that are 0."""
    told = {name: number for name, number in numbers.items() if number}
    return json_of(_Kept(place, told)).decode()


def numbered(games: Mapping[str, Game[Any]]) -> Iterator[tuple[str, str, int]]:
    """Every game and edition: its name in :func:`kept_text`, how it is called, the number that it brings."""
    for name, game in games.items():
        editions = next((option.choices for option in game.options if option.name == "edition"), ("",))
        brought = packages()[name].bgg if name in packages() else {}
        for edition in map(str, editions):
            title = (
                m("{title} ({edition})", title=game.title, edition=game.edition_names.get(edition, edition))
                if edition
                else game.title
            )
            yield _name(name, edition), title, brought.get(edition, 0)


def _name(game: str, edition: str) -> str:
    return f"{game}/{edition}" if edition else game
