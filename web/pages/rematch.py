"""Rematches: who plays again, and at which seat.

Whoever plays a seat at the end plays it again: a person (also one for whom a bot plays for a
while), somebody who came late, a bot. Seats that were left are not there any more, and the others move up.
Guests for whom there was no place any more come after them; where all seats are taken, bots make room.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from companion.table.events import Actor
from companion.table.match import TABLE_KINDS, Match
from companion.table.seats import Player, default_player
from companion.table.standings import absences
from web.access.room import Guest, with_free_mark


@dataclass(frozen=True)
class Again:
    """A player of the next match, and the seat in the last one."""

    seat: int  # 0: a guest for whom the last match had no place
    player: Player
    bot: bool


def seats_again(match: Match, got_up: Container[int], gone: Container[str]) -> list[Again]:
    """Everybody who plays again, in the order of the seats.

    ``got_up``: seats given up after the match was over; ``gone``: persons who went home.
    """
    left = absences(match).keys() | _freed(match)
    from_the_start = _bots_from_the_start(match)
    again: list[Again] = []
    for seat, player in match.players.items():
        bot = match.holder(seat).by == "bot" and not _plays_for_a_while(match, seat)
        went = not bot and (seat in got_up or player.person in gone)
        if match.holder(seat).by == "nobody" or seat in left or went:
            continue
        if bot and seat not in from_the_start:  # it stood in for somebody who has left
            one = msgspec.structs.replace(player, name=_free_bot_name(match, again), person="")
        else:
            one = renumbered(player, seat, len(again) + 1)
        again.append(Again(seat, one, bot))
    return again


def waiting_guests(match: Match, guests: Iterable[Guest]) -> list[Guest]:
    """Those who came too late for a match: the next one has a place for them."""
    events = [event.data for event in match.events if event.kind in ("sit", "admit")]
    seated = {told.get("person") for told in (*match.opening["players"], *events)}
    return [guest for guest in guests if guest.person not in seated]


def with_waiting(again: Sequence[Again], waiting: Iterable[Guest], most: int) -> list[Again]:
    """Everybody who plays again, and those who waited, as far as there are seats without bots on them."""
    players = list(again)
    for guest in waiting:
        if len(players) == most:
            bot = next((one for one in reversed(players) if one.bot), None)
            if bot is None:
                break
            players.remove(bot)
        taken = [one.player for one in players]
        players.append(Again(0, with_free_mark(guest.player, taken), bot=False))
    return players


def _plays_for_a_while(match: Match, seat: int) -> bool:
    """True if a bot plays because the seat's own player asked it to, and kept the seat."""
    last = [event for event in match.events if event.kind == "hold" and event.seat == seat][-1:]
    return any(one.actor == Actor("player", seat) and not one.data.get("free") for one in last)


def renumbered(player: Player, seat: int, to: int) -> Player:
    """The player at another seat; one without a name is called by the seat's number."""
    nameless = player.name == default_player(seat).name
    return msgspec.structs.replace(player, name=default_player(to).name) if nameless else player


def _freed(match: Match) -> set[int]:
    """The seats that got their first name back from the host, and where nobody has sat down since."""
    last = {event.seat: event for event in match.events if event.kind == "sit" and event.seat is not None}
    return {
        seat
        for seat, event in last.items()
        if event.actor.role != "player" and event.data["name"] == default_player(seat).name
    } & _sat_at(match)


def _sat_at(match: Match) -> set[int | None]:
    """The seats at which somebody with a phone has ever sat."""
    return {event.seat for event in match.events if event.kind == "sit" and event.actor.role == "player"}


def _bots_from_the_start(match: Match) -> set[int | None]:
    """The seats that were given to bots before anything of the game happened, and that nobody has sat at."""
    moves = (event.seq for event in match.events if event.kind not in TABLE_KINDS)
    first = next(moves, match.version + 1)
    held = {event.seat: event.data["by"] for event in match.events[: first - 1] if event.kind == "hold"}
    return {seat for seat, by in held.items() if by == "bot"} - _sat_at(match)


def _free_bot_name(match: Match, again: list[Again]) -> str:
    """The first of "Bot 1", "Bot 2" .. that nobody has, in the last match or the next."""
    names = {player.name for player in match.players.values()} | {one.player.name for one in again}
    return next(name for number in range(1, len(names) + 2) if (name := f"Bot {number}") not in names)
