"""Players by name: the rules speak of seats by their numbers, people know each other by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.core.messages import Message, Seat, Seats, listed, replaced
from companion.games.contract import Plain
from companion.table.seats import Player, default_player

_SEATS = re.compile(
    r"(?<!\bat )(?<!\bno )"  # where somebody sits, and a seat that does not exist, stay numbers
    r"\b(?:the )?seats? (?P<seats>\d+(?:(?:, \d+)* and \d+)?)\b"
    r"(?! to \d)",
    re.IGNORECASE,
)


def by_name(words: str, players: Mapping[int, Player]) -> str:
    """A sentence with the names of players instead of the numbers of their seats.

    >>> players = {1: Player("Ada", "red", "circle"), 2: Player("Ben", "blue", "square")}
    >>> by_name("it is the turn of seat 2; the seats 1 and 2 both have track there", players)
    'it is the turn of Ben; Ada and Ben both have track there'
    >>> by_name("Ben already sits at seat 2: there is no seat 7, seats are 1 to 6", players)
    'Ben already sits at seat 2: there is no seat 7, seats are 1 to 6'
    """
    known = {seat: one.name for seat, one in players.items() if one.name != default_player(seat).name}
    if isinstance(words, Message):

        def called(value: object) -> object | None:
            if isinstance(value, Seats) and not known.keys().isdisjoint(value.numbers):
                return value.called(known)
            return known.get(value.number) if isinstance(value, Seat) else None

        return replaced(words, called)

    def name(found: re.Match[str]) -> str:
        seats = [int(number) for number in re.findall(r"\d+", found["seats"])]
        if not any(seat in known for seat in seats):
            return found[0]
        return listed(known.get(seat, f"seat {seat}") for seat in seats)

    # A sentence that has the name beside the number does not say it twice.
    for seat, said in known.items():
        words = re.sub(rf"\bseat {seat}, {re.escape(said)}(?!\w)", said.replace("\\", r"\\"), words)
    return _SEATS.sub(name, words)


_SPOKEN = frozenset({"against", "message", "notes", "remarks", "says"})  # keys under which sentences stand


def told_by_name(told: Plain, players: Mapping[int, Player]) -> Plain:
    """The same for what programs and people are told together: its sentences only, however deep."""
    return {key: _named(value, players, key in _SPOKEN) for key, value in told.items()}


def _named(value: Any, players: Mapping[int, Player], spoken: bool) -> Any:
    if isinstance(value, dict):
        return told_by_name(value, players)
    if isinstance(value, list | tuple):
        return [_named(one, players, spoken) for one in value]
    return by_name(value, players) if spoken and isinstance(value, str) else value
