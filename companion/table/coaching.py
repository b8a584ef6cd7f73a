"""What the moves of a match cost, as its game's bot tells, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.jsontext import JsonObject
from companion.game.base import Bot, Fact, Game
from companion.table.events import Event, is_move
from companion.table.match import advanced, fact_of, opened


@dataclass(frozen=True)
class Priced:
    """A seat's round: what the bot says of it, and the match at its end, as it was and at its best."""

    seat: int
    told: JsonObject
    made: Any
    best: Any


Ask = Callable[[Event, Any, Fact], Priced | None]


def price(bot: Bot[Any], event: Event, before: Any, fact: Fact) -> Priced | None:
    """Ask the bot what the moves cost that an event brings to an end; None if it ends none."""
    told = bot.coach(before, fact)
    if told is None or event.seat is None:
        return None
    return Priced(event.seat, told, before, bot.instead(before, event.seat, told["best"]))


def prices(events: Sequence[Event], game: Game[Any], ask: Ask) -> Iterator[Priced]:
    """Every round of every seat that the bot can tell of, in the order in which they ended."""
    match = opened(events[0], game)
    for event in events[1:]:
        fact = fact_of(event)
        if is_move(fact) and event.seat is not None:
            found = ask(event, match.state, fact)
            if found is not None:
                yield found
        match = advanced(match, event)
