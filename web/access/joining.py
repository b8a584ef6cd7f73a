"""Taking a seat: the join code of a match, free seats, and moving a seat to another browser.

A seat is taken when its player has sat down. It is free again when the player gets up, when the host gives it
away, or gives it back its first name. All of that is in the match's events, so it survives everything the
match survives.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from companion.core.jsontext import builtins_of
from companion.core.messages import m
from companion.game.base import Action
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.seats import Player
from companion.table.sitting import kept_seats, taken_seats
from companion.table.store import Store
from companion.table.table import Refused, Table
from web.access.codes import ALPHABET, new_code, same_code, tidy
from web.access.room import Room
from web.exc import WebError
from web.pages.rematch import renumbered
from web.ui.naming import by_name

__all__ = ["ALPHABET", "Joining", "is_join_code", "join_code", "tidy"]

_MOVE_SECONDS = 300.0
_MAKING = threading.Lock()  # two who ask first get the same code


def join_code(store: Store, match: Match) -> str:
    """The code that lets people sit down in this match: that of the room in which it was begun."""
    key = f"join-code:{match.id}"
    with _MAKING:
        code = store.setting(key)
        if code is None:
            code = Room(store.setting, store.put_setting).code
            store.put_setting(key, code)
    return code


def is_join_code(store: Store, match: Match, code: str) -> bool:
    """Return True if ``code``, as somebody typed it, is the match's join code."""
    return same_code(code, join_code(store, match))


@dataclass
class Joining:
    """Assigns seats one at a time, so that two phones never get the same one."""

    table: Table
    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _moves: dict[str, tuple[str, int, float]] = field(default_factory=dict)
    _minded: set[tuple[str, int]] = field(default_factory=set)  # seats that some phone plays beside its own
    _up: set[tuple[str, int]] = field(default_factory=set)  # seats given up after their match was over

    def sit_down(self, match_id: str, seat: int, player: Player) -> str:
        """Take a free seat and return the secret that proves its ownership."""
        with self._lock:
            match = self.table.match(match_id)
            if match is None or seat not in match.players:
                raise WebError(404, "no-seat", m("there is no such seat in this match"))
            if seat in taken_seats(match):
                message = m("{name} already sits there: choose a free seat", name=match.players[seat].name)
                raise WebError(409, "taken", message)
            action = Action("sit", seat, builtins_of(player))
            self._submitted(match, action, Actor("player", seat))
            self._minded.discard((match_id, seat))
            if match.holder(seat).by != "person":  # left, or played by a bot until now
                self._submitted(match, Action("hold", seat, {"by": "person"}), Actor("player", seat))
            return self.table.issue_token(match_id, seat)

    def come_late(self, match_id: str, player: Player) -> tuple[int, str]:
        """Add a seat for a latecomer, where the rules allow it; return its number and its secret."""
        with self._lock:
            match = self.table.match(match_id)
            if match is None:
                raise WebError(404, "no-match", m("there is no such match: the host begins one"))
            data = builtins_of(player)
            seat = len(match.players) + 1
            self._submitted(match, Action("admit", seat, data), Actor("service", name="late guest"))
            self._submitted(match, Action("sit", seat, data), Actor("player", seat))
            return seat, self.table.issue_token(match_id, seat)

    def look_after(self, match_id: str, seat: int) -> str:
        """Return the secret of a seat without a phone, to a phone that plays it besides its own."""
        with self._lock:
            match = self.table.match(match_id)
            if match is None or seat not in match.players:
                raise WebError(404, "no-seat", m("there is no such seat in this match"))
            if seat in taken_seats(match):
                message = m(
                    "{name} plays with a phone: ask to have the seat again there",
                    name=match.players[seat].name,
                )
                raise WebError(409, "taken", message)
            if match.holder(seat).by != "person":  # whoever sits down there with a phone may still do so
                back = Action("hold", seat, {"by": "person"})
                self._submitted(match, back, Actor("service", name="looked after"))
            self._minded.add((match_id, seat))
            return self.table.issue_token(match_id, seat)

    def looked_after(self, match: Match) -> frozenset[int]:
        """Return the seats played by somebody else's phone, as far as known since the box started."""
        return frozenset(seat for known, seat in self._minded if known == match.id) - taken_seats(match)

    def look_away(self, match_id: str, seats: Iterable[int]) -> None:
        """Note that a phone has stopped looking after these seats."""
        with self._lock:
            self._minded.difference_update((match_id, seat) for seat in seats)

    def get_up(self, match_id: str, seat: int, then: Literal["bot", "nobody"]) -> None:
        """Give up a seat to a bot or to nobody; its secrets become invalid."""
        with self._lock:
            match = self.table.match(match_id)
            if match is None:
                raise WebError(404, "no-match", m("there is no such match: the host begins one"))
            if not match.finished:
                action = Action("hold", seat, {"by": then, "free": True})
                self._submitted(match, action, Actor("player", seat))
            else:
                self._up.add((match_id, seat))
            self.table.issue_token(match_id, seat)  # nobody is told it

    def got_up(self, match: Match) -> frozenset[int]:
        """Return the seats given up after the end of the match, as far as known since the box started."""
        return frozenset(seat for known, seat in self._up if known == match.id)

    def come_back(self, match_id: str, seat: int) -> None:
        """Note that somebody has retaken a seat of a finished match."""
        with self._lock:
            self._up.discard((match_id, seat))

    def _submitted(self, match: Match, action: Action, actor: Actor) -> None:
        answer = self.table.submit(action, actor, match=match.id)
        if isinstance(answer, Refused):
            raise WebError(409, answer.code, by_name(answer.message, match.players))

    def seat_for(self, match: Match, person: str) -> int | None:
        """Return the seat reserved for a person when the match began, if it is still free."""
        return next((seat for seat, waited in kept_seats(match).items() if person == waited), None)

    def seat_again(self, old: Match, seat: int, new: Match) -> int | None:
        """Return the same player's seat in a rematch with the same people, if it is still free.

        Seats move up where somebody has left; a seat without a name is called by its new number.
        """
        player = old.players.get(seat)
        taken = taken_seats(new)
        same = (place for place, one in new.players.items() if renumbered(one, place, seat) == player)
        return next((place for place in same if place not in taken), None)

    def offer_move(self, match_id: str, seat: int) -> str:
        """Return a code that moves this seat to another browser; valid once, for five minutes."""
        with self._lock:
            code = new_code(6)
            now = self.clock()
            live = {
                key: move
                for key, move in self._moves.items()
                if move[2] > now and move[:2] != (match_id, seat)
            }
            self._moves = {**live, code: (match_id, seat, now + _MOVE_SECONDS)}
            return code

    def take_move(self, code: str) -> tuple[str, str] | None:
        """Return the match and the new secret of a moved seat; the old browser's secret becomes invalid."""
        with self._lock:
            match_id, seat, until = self._moves.pop(tidy(code), ("", 0, 0.0))
            if until <= self.clock():
                return None
            return match_id, self.table.issue_token(match_id, seat)
