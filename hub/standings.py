"""Standings: points for places or shares, tie-breaks in the organiser's order. The choices are data."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from companion.core.messages import m, table_text


class Scheme(msgspec.Struct, frozen=True):
    """What the organiser has chosen; names are those of ``schemes.toml``."""

    points: str = "league"
    ties: tuple[str, ...] = ("wins", "ratio", "opponents", "total")
    bye: str = "mean"


@dataclass(frozen=True)
class Outcome:
    """A match that is over: who sat there, with which total and place (None: does not rank)."""

    match: str
    game: str
    at: str
    seats: tuple[tuple[str, int, int | None], ...]


@dataclass
class Line:
    """One person's line in the standings."""

    person: str
    points: float = 0.0
    played: int = 0
    wins: int = 0
    byes: int = 0
    total: int = 0
    ratio: float = 0.0
    opponents: float = 0.0
    place: int = 0
    rating: float | None = None
    spread: float | None = None  # the rating's standard deviation
    by_match: list[float] = field(default_factory=list)


@cache
def tables() -> Mapping[str, Any]:
    """The ways of counting that ``schemes.toml`` offers."""
    told = tomllib.loads(files(__package__).joinpath("schemes.toml").read_text(encoding="utf-8"))
    for table in told["points"].values():
        table["says"] = table_text(table["says"])
    return {**told, "ties": {name: table_text(says) for name, says in told["ties"].items()}}


def scheme_fault(scheme: Scheme) -> str | None:
    """What is wrong with a choice; None when it is one."""
    if scheme.points not in tables()["points"]:
        return m("there is no way of counting called {points}", points=scheme.points)
    unknown = [tie for tie in scheme.ties if tie not in tables()["ties"]]
    if unknown or len(set(scheme.ties)) != len(scheme.ties):
        return (
            m("there is no tie-break called {unknown}", unknown=unknown[0])
            if unknown
            else m("a tie-break stands there twice")
        )
    return None if scheme.bye in ("mean", "none", "win") else m("a bye cannot count as {bye}", bye=scheme.bye)


def points_of(outcome: Outcome, scheme: Scheme) -> dict[str, float]:
    """The points that each ranking player gets for one match."""
    ranked = [(person, total, place) for person, total, place in outcome.seats if place is not None]
    if scheme.points == "ratio":
        return {person: 100 * share for person, share in shares(outcome).items()}
    table = tables()["points"][scheme.points].get(str(len(ranked)), [])
    found = {}
    for person, _, place in ranked:
        same = sum(other == place for _, _, other in ranked)
        filled = [table[at] if at < len(table) else 0 for at in range(place - 1, place - 1 + same)]
        found[person] = sum(filled) / same
    return found


def shares(outcome: Outcome) -> dict[str, float]:
    """Each one's part of the table's points; equal parts where there are none, or fewer than none."""
    ranked = [(person, total) for person, total, place in outcome.seats if place is not None]
    low = min(0, min((total for _, total in ranked), default=0))
    whole = sum(total - low for _, total in ranked)
    return {person: (total - low) / whole if whole else 1 / len(ranked) for person, total in ranked}


def standings(outcomes: Sequence[Outcome], scheme: Scheme, byes: Mapping[str, int] = {}) -> list[Line]:
    """Everybody who played or had a bye, best first; equal lines share a place."""
    lines: dict[str, Line] = {}
    met: dict[str, list[str]] = defaultdict(list)
    ratios: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        points, parts = points_of(outcome, scheme), shares(outcome)
        for person, total, place in outcome.seats:
            if place is None:
                continue
            line = lines.setdefault(person, Line(person))
            line.by_match.append(points[person])
            line.played += 1
            line.wins += place == 1
            line.total += total
            ratios[person].append(parts[person])
            met[person] += [other for other, _, rank in outcome.seats if other != person and rank is not None]
    for person, count in byes.items():
        lines.setdefault(person, Line(person)).byes = count
    for person, line in lines.items():
        mean = sum(line.by_match) / len(line.by_match) if line.by_match else 0.0
        worth = {"mean": mean, "none": 0.0, "win": tables()["points"]["league"]["3"][0]}[scheme.bye]
        line.points = round(sum(line.by_match) + worth * line.byes, 6)
        line.ratio = round(sum(ratios[person]) / len(ratios[person]), 6) if ratios[person] else 0.0
    for person, line in lines.items():
        others = [lines[other].points for other in met[person]]
        line.opponents = round(sum(others) / len(others), 6) if others else 0.0

    def key(line: Line) -> tuple[float, ...]:
        return (-line.points, *(-float(getattr(line, tie)) for tie in scheme.ties))

    ordered = sorted(lines.values(), key=lambda line: (key(line), line.person.casefold()))
    for at, line in enumerate(ordered):
        same = at > 0 and key(ordered[at - 1]) == key(line)
        line.place = ordered[at - 1].place if same else at + 1
    return ordered
