"""A person over the years: results by year and by game, with whom, and what would be the first time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.core.messages import m, nm
from web.pages.history import Played, Result, won

_STEPS = ((40, 5), (150, 10), (600, 50))  # up to this total goals are so far apart; above by hundreds
_COUNTS = (5, 10, 25, 50, 100, 200, 500, 1000)
_OFTEN = 3  # matches against somebody before it is remarkable never to have been ahead


@dataclass(frozen=True)
class Challenge:
    """Something that would be the first time, and how near it is, from 0 to 1."""

    says: str
    so_far: str
    share: float


@dataclass(frozen=True)
class Year:
    """The matches of one year."""

    year: str
    matches: int
    wins: int


@dataclass(frozen=True)
class Rival:
    """Somebody who sat at the same table, and how often one was ahead."""

    name: str
    matches: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class GameOfPerson:
    """One person's matches of one game, oldest first."""

    title: str
    matches: tuple[Played, ...]
    results: tuple[Result, ...]

    @property
    def wins(self) -> int:
        """How many were won, against others."""
        return sum(won(one, result) for one, result in zip(self.matches, self.results, strict=True))

    @property
    def best(self) -> int:
        """The highest total of all."""
        return max(result.total for result in self.results)

    @property
    def best_match(self) -> Played:
        """The match of the highest total, the first of several."""
        return max(zip(self.matches, self.results, strict=True), key=lambda pair: pair[1].total)[0]

    @property
    def mean(self) -> float:
        """The mean total."""
        return sum(result.total for result in self.results) / len(self.results)


@dataclass(frozen=True)
class PersonRecord:
    """All that the box's history tells of a name."""

    name: str
    years: tuple[Year, ...]  # the latest first
    games: tuple[GameOfPerson, ...]  # the one played most first
    rivals: tuple[Rival, ...]  # those met most first
    challenges: tuple[Challenge, ...]


def person_record(name: str, matches: Iterable[Played], titles: Sequence[str]) -> PersonRecord | None:
    """Somebody's matches that were played to their end; ``titles``: of the games that this box has.

    None: nobody of that name was in any match. Who was only in matches that did not come to their end has a
    record without games.
    """
    everything = [
        (match, result)
        for match in sorted(matches, key=lambda one: one.began)
        for result in match.results
        if result.name == name
    ]
    if not everything:
        return None
    mine = [(match, result) for match, result in everything if match.finished and not match.ended]
    by_year: dict[str, list[bool]] = {}
    by_game: dict[str, list[tuple[Played, Result]]] = {}
    for match, result in mine:
        by_year.setdefault(match.began[:4], []).append(won(match, result))
        by_game.setdefault(match.title, []).append((match, result))
    games = tuple(
        GameOfPerson(title, *(tuple(part) for part in zip(*found, strict=True)))
        for title, found in sorted(by_game.items(), key=lambda one: (-len(one[1]), one[0]))
    )
    years = tuple(Year(year, len(found), sum(found)) for year, found in sorted(by_year.items(), reverse=True))
    rivals = _rivals(name, mine)
    return PersonRecord(name, years, games, rivals, (*_challenges(games, titles), *_ahead(rivals)))


def _rivals(name: str, mine: Sequence[tuple[Played, Result]]) -> tuple[Rival, ...]:
    met: dict[str, list[int]] = {}
    for match, result in mine:
        for other in match.results:
            if other.name != name:
                met.setdefault(other.name, []).append(other.place - result.place)
    rivals = (
        Rival(other, len(gaps), sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps))
        for other, gaps in met.items()
    )
    return tuple(sorted(rivals, key=lambda one: (-one.matches, one.name)))


# --- what would be the first time ---


def next_goal(best: int) -> int:
    """A round number that was never reached.

    >>> [next_goal(best) for best in (-3, 0, 38, 57, 60, 149, 250, 640)]
    [5, 5, 40, 60, 70, 150, 300, 700]
    """
    step = next((step for most, step in _STEPS if best < most), 100)
    return max(0, best) // step * step + step


def _challenges(games: Sequence[GameOfPerson], titles: Sequence[str]) -> list[Challenge]:
    found = [
        challenge for game in games for challenge in (_total(game), _row(game), _count(game)) if challenge
    ]
    played = {game.title for game in games}
    new = [Challenge(m("A first match of {title}", title=title), m("never yet"), 0.0) for title in titles]
    return [*found, *(one for one, title in zip(new, titles, strict=True) if title not in played)]


def _total(game: GameOfPerson) -> Challenge | None:
    goal = next_goal(game.best)
    says = m("{title}: {goal} or more", title=game.title, goal=goal)
    return Challenge(says, m("never over {best} yet", best=game.best), max(0, game.best) / goal)


def _row(game: GameOfPerson) -> Challenge | None:
    """One win in a row more than ever before."""
    longest = run = 0
    for match, result in zip(game.matches, game.results, strict=True):
        run = run + 1 if won(match, result) else 0
        longest = max(longest, run)
    if not longest:
        return None
    says = m("{title}: {n} wins in a row", title=game.title, n=longest + 1)
    return Challenge(says, m("never more than {n} yet", n=longest), run / (longest + 1))


def _count(game: GameOfPerson) -> Challenge | None:
    number = len(game.matches)
    goal = next((one for one in _COUNTS if one > number), 0)
    if not goal:
        return None
    says = m("{title}: {n} matches", title=game.title, n=goal)
    return Challenge(says, m("{n} so far", n=number), number / goal)


def _ahead(rivals: Sequence[Rival]) -> list[Challenge]:
    return [
        Challenge(
            m("To be ahead of {name}", name=one.name),
            nm("not once in {n} match", "not once in {n} matches", one.matches),
            0.0,
        )
        for one in rivals
        if one.matches >= _OFTEN and not one.ahead
    ]
