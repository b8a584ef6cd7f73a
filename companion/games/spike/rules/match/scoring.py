"""Money and routes: what everybody has, explained line by line, and who wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.boards.cards import Route
from companion.games.spike.rules.rulebook import BOOK


@dataclass(frozen=True)
class RouteScore:
    """What a route card brings: the best city that is joined to its start, and one for each other."""

    start: str
    touched: bool
    best: str | None
    best_value: int
    others: tuple[str, ...]

    @property
    def total(self) -> int:
        """The dollars for the route: the best city's value, and one for each other city."""
        return self.best_value + len(self.others)

    @property
    def cities(self) -> list[str]:
        """The cities that scored: the start, the best, the others; none where no track touches the start."""
        if not self.touched:
            return []
        return [self.start, *([self.best] if self.best else []), *self.others]


@dataclass(frozen=True)
class Final:
    """The final result of one player."""

    seat: int
    money: int
    route: RouteScore | None
    cities: int
    pieces: int

    @property
    def total(self) -> int:
        """The player's money plus the dollars of the route."""
        return self.money + (self.route.total if self.route else 0)

    @property
    def rank(self) -> tuple[int, int, int]:
        """Greater is better: most money, most connected cities, most track that was not played."""
        return self.total, self.cities, self.pieces


def joined_to(board: Board, tracks: Iterable[str], start: str) -> set[str]:
    """The connected component of a place on these tracks; empty if none touches it."""
    ends: dict[str, list[str]] = {}
    for name in tracks:
        one, other = board.tracks[name].track
        ends.setdefault(one, []).append(other)
        ends.setdefault(other, []).append(one)
    if start not in ends:
        return set()
    found, waiting = {start}, [start]
    for here in waiting:
        new = [there for there in ends[here] if there not in found]
        found.update(new)
        waiting += new
    return found


def score_route(board: Board, tracks: Iterable[str], card: Route) -> RouteScore:
    """What a route card brings on this network."""
    joined = joined_to(board, tracks, card.route)
    reached = sorted((city for city in card.pays if city in joined), key=lambda city: -card.pays[city])
    best = reached[0] if reached else None
    value = card.pays[best] if best else 0
    return RouteScore(card.route, bool(joined), best, value, tuple(reached[1:]))


def final(board: Board, seat: int, money: int, tracks: tuple[str, ...], card: Route | None) -> Final:
    """A player's result; without a card the routes are not counted."""
    touched = {end for name in tracks for end in board.tracks[name].track}
    route = score_route(board, tracks, card) if card else None
    return Final(seat, money, route, len(touched & set(board.cities)), BOOK.tracks - len(tracks))


def places(finals: Iterable[Final]) -> list[tuple[int, Final]]:
    """Best first, with the place; full ties share theirs."""
    ordered = sorted(finals, key=lambda one: (tuple(-value for value in one.rank), one.seat))
    found: list[tuple[int, Final]] = []
    for number, one in enumerate(ordered, start=1):
        shared = bool(found) and found[-1][1].rank == one.rank
        found.append((found[-1][0] if shared else number, one))
    return found


def explain(board: Board, one: Final) -> list[str]:
    """The result in lines a person can follow."""
    lines: list[str] = [m("money: ${money}", money=one.money)]
    if one.route is not None:
        lines.append(_route_line(board, one.route))
    lines.append(
        m(
            "tie-breaks: {cities} cities connected, {pieces} track pieces left",
            cities=one.cities,
            pieces=one.pieces,
        )
    )
    return [*lines, m("total: ${total}", total=one.total)]


def _route_line(board: Board, route: RouteScore) -> str:
    start = board.cities[route.start].name
    if not route.touched:
        return m("route: no track touches {start}: $0", start=start)
    if route.best is None:
        return m("route from {start}: none of its cities is joined to it: $0", start=start)
    best = m("{city} ${dollars}", city=board.cities[route.best].name, dollars=route.best_value)
    if route.others:
        others = joined(", ", (board.cities[city].name for city in route.others))
        best = joined(" ", [best, m("and $1 each for {others}", others=others)])
    return m("route from {start}: {best}: ${total}", start=start, best=best, total=route.total)


def row(board: Board, place: int, one: Final) -> JsonObject:
    """A result for programs and pages."""
    return {
        "seat": one.seat,
        "place": place,
        "total": one.total,
        "money": one.money,
        "route": one.route.total if one.route else 0,
        "cities": one.cities,
        "tracks_left": one.pieces,
        "lines": explain(board, one),
    }
