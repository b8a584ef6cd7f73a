"""All tables at this moment, in memory: a copy of what the database says, kept up to date."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from companion.club.messages import Standing, TableState
from companion.core.messages import m
from companion.game.registry import GAMES
from hub.evening import Evening
from hub.intake.setting_aside import SET_ASIDE, SetAside, all_set_aside
from hub.rating import RatingBook
from hub.standings import Line
from hub.storage.database import Database, Row, Transaction, version_now
from hub.storage.log import entries

log = logging.getLogger(__name__)

NEEDED = m("somebody is needed")  # what a box says whose host calls for help
TABLE_DIGITS, SEASON_DIGITS, ROUND_DIGITS = 6, 4, 5  # of numbers in addresses


@dataclass(frozen=True)
class Box:
    """The box of one table of the club."""

    key: str
    name: str
    number: int
    left: bool
    help: str
    match: str


@dataclass(frozen=True)
class Played:
    """A match at a table, under way or over."""

    box: str
    match: str
    game: str
    began: str
    seq: int
    fault: str
    results: tuple[Standing, ...]  # empty while it is played
    state: TableState | None
    view_seq: int  # after which event the position was last sent
    version: int
    nth: int = 0  # its place among all matches of the club
    entries: int = 0  # of the log, when it began
    checked: str = ""  # see hub/foreign/checking.py

    @property
    def order(self) -> tuple[int, str, str]:
        """Matches sorted by this are in the order in which they came; clocks do not matter."""
        return (self.nth, self.began, self.match)


@dataclass
class HubState:
    """Kept by one process for its pages; :meth:`refresh` takes in what has changed since."""

    database: Database
    version: int = -1
    boxes: dict[str, Box] = field(default_factory=dict)
    matches: dict[tuple[str, str], Played] = field(default_factory=dict)
    evening: Evening = field(default_factory=Evening)
    results_version: int = 0  # rises whenever a result, or the organiser's log, changes
    ratings: RatingBook = field(default_factory=RatingBook)
    # By season, with the number of what they follow from; see hub/results.py.
    standings: dict[int | None, tuple[int, list[Line]]] = field(default_factory=dict)
    set_aside: list[SetAside] = field(default_factory=list)
    # By box its matches whose totals are its word, until it has told what records left out.
    claims: dict[str, dict[str, None]] = field(default_factory=dict)
    _faults: dict[str, dict[str, str]] = field(default_factory=dict)  # by box and match
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def refresh(self) -> int:
        """The version of what is shown from now on."""
        with self._lock, self.database.reading() as look:
            version = version_now(look)
            if version < self.version:  # the database was put back to a backup
                self.version, self.boxes, self.matches, self.evening = -1, {}, {}, Evening()
                self._faults, self.claims = {}, {}
                self.results_version += 1
            if version != self.version:
                self._take(look, self.version, version)
                self.version = version
            return version

    def _take(self, look: Transaction, since: int, version: int) -> None:
        boxes = dict(self.boxes)
        for key, name, number, left, help_, match in look.rows(
            "SELECT box, name, number, left_at, help, match FROM boxes WHERE version > ?", (since,)
        ):
            boxes[key] = Box(key, name, int(number), bool(left), NEEDED if help_ == NEEDED else help_, match)
        matches = dict(self.matches)
        for row in look.rows(
            f"SELECT {_PLAYED} FROM matches WHERE version > ?",
            (since,),
        ):
            match = _played(row)
            before = matches.get((match.box, match.match))
            told = (before.results, before.checked, before.fault) if before else ((), "", "")
            if (match.results, match.checked, match.fault) != told:
                self.results_version += 1
            matches[match.box, match.match] = match
            if match.results and match.checked == "claimed" and can_be_told(match.game):
                self.claims.setdefault(match.box, {})[match.match] = None
            else:
                self.claims.get(match.box, {}).pop(match.match, None)
            if match.fault:
                self._faults.setdefault(match.box, {})[match.match] = match.fault
        self.boxes, self.matches = boxes, matches
        self.set_aside = all_set_aside(look)
        new = entries(look, self.evening.entries)
        if new:
            self.results_version += 1
            self.evening = self.evening.after(new)

    def tables(self) -> list[Box]:
        """The boxes that belong here, by the number of their table."""
        return sorted((box for box in self.boxes.values() if not box.left), key=lambda box: box.number)

    def table(self, number: int) -> Box | None:
        """The box at that table."""
        return next((box for box in self.tables() if box.number == number), None)

    def version_of(self, box: Box) -> int:
        """A number that changes whenever something about this table does."""
        played = self.playing(box)
        return hash((box, played.version if played else 0, self.evening.entries))

    def faults_of(self, box: str) -> dict[str, str]:
        """Why matches of a box are not counted, by their names."""
        aside = {one.match: SET_ASIDE for one in self.set_aside if one.box == box and one.match}
        return self._faults.get(box, {}) | aside

    def opened_seeds(self, commitments: Sequence[str]) -> dict[str, str]:
        """What the dice of rounds followed from, as far as the organiser has opened them."""
        return self.evening.opened_seeds(commitments)

    def playing(self, box: Box) -> Played | None:
        """The match that is played at a table, or was played last."""
        return self.matches.get((box.key, box.match))


def can_be_told(game: str) -> bool:
    """True for games whose records leave something out, with which they can be played again."""
    return game in GAMES and not GAMES[game].duplicable


_PLAYED = "box, match, game, began, seq, fault, results, state, view_seq, version, nth, entries, checked"


def _played(row: Row) -> Played:
    box, match, game, began, seq, fault, results, state, view_seq, version, nth, after, checked = row
    told: tuple[Standing, ...] = ()
    shown: TableState | None = None
    try:
        told = tuple(msgspec.json.decode(results, type=list[Standing])) if results else ()
        shown = msgspec.json.decode(state, type=TableState).with_words() if state else None
    except msgspec.ValidationError as problem:  # an earlier hub took what this one would not
        log.warning("Match %s of box %s cannot be shown: %s", match, box[:8], problem)
        fault = fault or m("what its box told cannot be read by this hub")
    numbers = int(view_seq), int(version), int(nth), int(after)
    return Played(box, match, game, began, int(seq), fault, told, shown, *numbers, checked)


def number_in(text: str, digits: int) -> int | None:
    """The number that an address names, of a table or a season; None for anything else.

    >>> number_in("12", 4), number_in("12x", 4), number_in("12345", 4)
    (12, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def view_of(look: Transaction, box: str, match: str) -> str:
    """The whole position as it was last sent, as JSON; empty when none was."""
    found = look.rows("SELECT view FROM matches WHERE box = ? AND match = ?", (box, match))
    return str(found[0][0]) if found else ""
