"""Matches that were played, and how their players did over time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.standings import standings
from companion.table.timing import length_words

KEPT = 500  # lines of a few hundred bytes


@dataclass(frozen=True)
class Result:
    """One player's place and total in a match."""

    name: str
    place: int
    total: int


@dataclass(frozen=True)
class Played:
    """One match in the list."""

    id: str
    title: str
    began: str
    finished: bool
    ended: bool
    results: tuple[Result, ...]  # best first
    took: str = ""  # how long it was played


def won(match: Played, result: Result) -> bool:
    """True if somebody has won against others; alone nobody does."""
    return result.place == 1 and len(match.results) > 1


@dataclass(frozen=True)
class PlayerRecord:
    """One player's record over all listed finished matches of one game."""

    name: str
    wins: int
    totals: tuple[int, ...]  # oldest first
    numbers: tuple[int, ...]  # which match of that game each total is of, from 0

    @property
    def matches(self) -> int:
        """The number of matches played."""
        return len(self.totals)

    @property
    def best(self) -> int:
        """The highest total in any match."""
        return max(self.totals)

    @property
    def mean(self) -> float:
        """The mean total per match."""
        return sum(self.totals) / len(self.totals)


@dataclass(frozen=True)
class GameRecord:
    """Everybody's record at one game; points of different games are not comparable."""

    title: str
    days: tuple[str, ...]  # of its matches, oldest first
    players: tuple[PlayerRecord, ...]  # those with most wins first


def note_setting(match: str) -> str:
    """Return the name of the setting in which a match's note is stored."""
    return f"note:{match}"


def played(match: Match) -> Played:
    """A match as a line of the history."""
    results = tuple(
        Result(match.players[row["seat"]].name, row["place"], row["total"])
        for row in standings(match)
        if row["place"] is not None
    )
    return Played(
        match.id,
        match.game.title,
        match.events[0].at,
        match.finished,
        match.ended,
        results,
        length_words(match),
    )


@dataclass
class HistoryBook:
    """The lines of matches that are over, so that a long history is not folded anew for every visitor."""

    _lines: OrderedDict[tuple[str, str], Played] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def line(self, stored: StoredMatch, find: Callable[[str], Match]) -> Played:
        """The line of a match. When it was finished is when it last changed, if only by a correction."""
        if stored.finished is None:
            return played(find(stored.id))
        key = (stored.id, stored.finished)
        with self._lock:
            if key in self._lines:
                self._lines.move_to_end(key)
                return self._lines[key]
        made = played(find(stored.id))
        with self._lock:
            self._lines[key] = made
            while len(self._lines) > KEPT:
                self._lines.popitem(last=False)
        return made


def players_over_time(matches: Iterable[Played]) -> list[GameRecord]:
    """The game played most first; matches that were ended early do not count."""
    by_game: dict[str, list[Played]] = {}
    for match in sorted(matches, key=lambda one: one.began):
        if match.finished and not match.ended:
            by_game.setdefault(match.title, []).append(match)
    records = [_game_record(title, found) for title, found in by_game.items()]
    return sorted(records, key=lambda record: (-len(record.days), record.title))


def _game_record(title: str, matches: list[Played]) -> GameRecord:
    by_name: dict[str, list[tuple[int, int, bool]]] = {}
    for number, match in enumerate(matches):
        for result in match.results:
            by_name.setdefault(result.name, []).append((number, result.total, won(match, result)))
    players = [_player_record(name, results) for name, results in by_name.items()]
    ordered = sorted(players, key=lambda one: (-one.wins, -one.mean, one.name))
    return GameRecord(title, tuple(match.began[:10] for match in matches), tuple(ordered))


def _player_record(name: str, results: list[tuple[int, int, bool]]) -> PlayerRecord:
    numbers, totals, wins = zip(*results, strict=True)
    return PlayerRecord(name, sum(wins), totals, numbers)
