"""Replaces seat numbers in the rules' messages by players' names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, Seat, Seats, m, replaced  # noqa: F401  for the example
from companion.table.seats import Player


def by_name(words: str, players: Mapping[int, Player]) -> str:
    """A message with the names of players instead of the numbers of their seats; other texts as they are.

    >>> players = {1: Player("Ada", "red", "circle"), 2: Player("Ben", "blue", "square")}
    >>> turn = m("it is the turn of {seat}; {seats} have track there", seat=Seat(2), seats=Seats([1, 2]))
    >>> by_name(turn, players)
    'it is the turn of Ben; Ada and Ben have track there'
    """
    known = {seat: one.name for seat, one in players.items() if not isinstance(one.name, Seat)}

    def called(value: object) -> object | None:
        if isinstance(value, Seats) and not known.keys().isdisjoint(value.numbers):
            return value.called(known)
        return known.get(value.number) if isinstance(value, Seat) else None

    return replaced(words, called) if isinstance(words, Message) else words


def told_by_name(told: JsonObject, players: Mapping[int, Player]) -> JsonObject:
    """Apply :func:`by_name` to every message in a nested JSON value."""
    named: JsonObject = _named(told, players)
    return named


def _named(value: Any, players: Mapping[int, Player]) -> Any:
    if isinstance(value, dict):
        return {key: _named(one, players) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_named(one, players) for one in value]
    return by_name(value, players) if isinstance(value, Message) else value
