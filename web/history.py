"""Matches that were played, and how their players did over time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.table.match import Match


@dataclass(frozen=True)
class Result:
    """One player's outcome."""

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


@dataclass(frozen=True)
class PlayerRecord:
    """One name over all finished matches of the list."""

    name: str
    matches: int
    wins: int
    best: int
    mean: float
    totals: tuple[int, ...]  # oldest first


def played(match: Match) -> Played:
    """A match as a line of the history."""
    results = tuple(
        Result(match.players[row["seat"]].name, row["place"], row["total"])
        for row in match.game.score(match.state)
    )
    return Played(match.id, match.game.title, match.events[0].at, match.finished, match.ended, results)


def players_over_time(matches: Iterable[Played]) -> list[PlayerRecord]:
    """Those with most wins first; matches that were ended early do not count."""
    by_name: dict[str, list[Result]] = {}
    for match in sorted(matches, key=lambda one: one.began):
        if match.finished and not match.ended:
            for result in match.results:
                by_name.setdefault(result.name, []).append(result)
    return sorted(
        (_record(name, results) for name, results in by_name.items()),
        key=lambda one: (-one.wins, -one.mean, one.name),
    )


def _record(name: str, results: list[Result]) -> PlayerRecord:
    totals = tuple(result.total for result in results)
    wins = sum(result.place == 1 for result in results)
    return PlayerRecord(name, len(results), wins, max(totals), sum(totals) / len(totals), totals)
