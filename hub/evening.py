"""The organiser's decisions as the fold of the log: people, rounds, corrections, choices.

Entries by their kind, and what is in their data:

==========  ==========================================================================================
box         a box joined: ``box``, ``table``, ``name``
replace     another box took a table's place: ``table``, ``box``, ``before``
person      somebody came: ``person`` (the name)
here        somebody goes home or comes back: ``person``, ``here``
round       a round was drawn: ``round``, ``game``, ``options``, ``mode``, ``tables``, ``byes``; with the
            same dice for all tables the ``commitment`` to their seed
begin       a round begins: ``round``; with the same dice the ``word`` from the hall
open        the dice of a round are opened: ``round``, ``seed``
correct     a result is corrected: ``box``, ``match``, ``totals`` by seat, ``reason``
count       a match counts or does not: ``box``, ``match``, ``counts``, ``reason``
scheme      how is counted from now on: the fields of :class:`~hub.standings.Scheme`
season      a new season begins: ``name``
==========  ==========================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import msgspec

from companion.core.jsontext import JsonObject
from hub.standings import Scheme
from hub.storage.log import Entry


@dataclass(frozen=True)
class Round:
    """Who sits where in a round; ``tables`` by the number of the table."""

    number: int
    game: str
    mode: str
    options: JsonObject
    tables: dict[int, list[str]]
    byes: list[str]
    begun: str = ""  # when
    entry: int = 0  # of the log, with which it began: matches that begin after it belong to the round
    commitment: str = ""  # to the seed of the dice that all tables have; none: every table has its own
    word: str = ""  # said in the hall when it began, after the commitment
    seed: str = ""  # once it is opened
    opened: str = ""  # when

    @property
    def is_sealed(self) -> bool:
        """True if all tables have the same dice and some may still have to play with them."""
        return bool(self.commitment and not self.seed)


@dataclass(frozen=True)
class Correction:
    """Totals by seat that count instead of the table's own, and why."""

    totals: dict[int, int]
    reason: str
    at: str


@dataclass(frozen=True)
class Evening:
    """Everything that follows from the log up to its entry number ``entries``."""

    entries: int = 0
    people: tuple[str, ...] = ()  # by their names, in the order in which they came
    away: frozenset[str] = frozenset()
    rounds: tuple[Round, ...] = ()
    corrections: dict[tuple[str, str], Correction] = field(default_factory=dict)
    counts: dict[tuple[str, str], tuple[bool, str]] = field(default_factory=dict)
    scheme: Scheme = field(default_factory=Scheme)
    seasons: tuple[tuple[int, str], ...] = ()  # since which entry, and what it is called

    def after(self, new: Iterable[Entry]) -> Evening:
        """The evening after further entries of the log."""
        evening = self
        for entry in new:
            evening = replace(_folded(evening, entry), entries=entry.n)
        return evening

    @property
    def here(self) -> list[str]:
        """The people who are here and can be seated."""
        return [person for person in self.people if person not in self.away]

    @property
    def current(self) -> Round | None:
        """The round that was begun last."""
        return next((one for one in reversed(self.rounds) if one.begun), None)

    def round(self, number: int) -> Round | None:
        """The round with this number."""
        return next((one for one in self.rounds if one.number == number), None)

    def opened_seeds(self, commitments: Sequence[str]) -> dict[str, str]:
        """The seeds behind these commitments, as far as they are open."""
        return {one.commitment: one.seed for one in self.rounds if one.seed and one.commitment in commitments}

    def met(self) -> Counter[frozenset[str]]:
        """How often each pair of people has sat at one table."""
        tables = [members for one in self.rounds if one.begun for members in one.tables.values()]
        return Counter(frozenset(pair) for members in tables for pair in combinations(members, 2))

    def byes(self) -> Counter[str]:
        """How often each person sat out."""
        return Counter(person for one in self.rounds if one.begun for person in one.byes)


def _folded(evening: Evening, entry: Entry) -> Evening:  # noqa: PLR0911 - one line for each kind
    data = entry.data
    match entry.kind:
        case "person":
            away = evening.away - {data["person"]}
            others = tuple(one for one in evening.people if one != data["person"])
            return replace(evening, people=(*others, data["person"]), away=away)
        case "here":
            left = evening.away - {data["person"]}
            return replace(evening, away=left if data["here"] else left | {data["person"]})
        case "round":
            kept = tuple(one for one in evening.rounds if one.number != data["round"])
            return replace(evening, rounds=(*kept, _round_of(data)))
        case "begin":
            begun = {"begun": entry.at, "word": data.get("word", ""), "entry": entry.n}
            return replace(evening, rounds=_changed(evening.rounds, data["round"], begun))
        case "open":
            opened = {"seed": data["seed"], "opened": entry.at}
            return replace(evening, rounds=_changed(evening.rounds, data["round"], opened))
        case "correct":
            totals = {int(seat): int(total) for seat, total in data["totals"].items()}
            known = {(data["box"], data["match"]): Correction(totals, data["reason"], entry.at)}
            return replace(evening, corrections=evening.corrections | known)
        case "count":
            said = {(data["box"], data["match"]): (bool(data["counts"]), str(data["reason"]))}
            return replace(evening, counts=evening.counts | said)
        case "scheme":
            return replace(evening, scheme=msgspec.convert(data, Scheme))
        case "season":
            return replace(evening, seasons=(*evening.seasons, (entry.n, data["name"])))
    return evening  # about boxes: their own table says it


def _round_of(data: JsonObject) -> Round:
    return Round(
        data["round"],
        data["game"],
        data["mode"],
        data["options"],
        dict(sorted((int(table), members) for table, members in data["tables"].items())),
        data["byes"],
        commitment=data.get("commitment", ""),
    )


def _changed(rounds: Sequence[Round], number: int, changes: Mapping[str, object]) -> tuple[Round, ...]:
    """The rounds with one of them replaced."""
    return tuple(replace(one, **changes) if one.number == number else one for one in rounds)  # type: ignore[arg-type]
