"""What boxes send: checked, stored once, and summarised by match.

A batch counts when its signature is that of a box of this club, over this club's name. A record is known by
(box, match, number, hash): the same one again changes nothing; another one under a number that is taken, or
one that does not continue its chain, marks the match: it is shown from then on, and not counted.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from companion.club.keys import is_signed
from companion.club.limits import read_batch
from companion.club.messages import (
    Batch,
    Head,
    Paired,
    PairingRequest,
    Receipt,
    Record,
    Seating,
    batch_text,
    link_fault,
    pairing_text,
)
from companion.core.errors import NotationError
from companion.core.messages import m
from hub.intake.setting_aside import put_aside
from hub.intake.storing import RefusedError, Stored, held_matches, store_batches
from hub.storage.database import (
    AwayError,
    Database,
    Transaction,
    UnstorableError,
    next_version,
    places,
    put_setting,
    setting,
)
from hub.storage.log import append

log = logging.getLogger(__name__)

MOST_BOXES = 5000  # that ever joined
CLUB, NAME = "club", "name"
NAMELESS = m("Our club")  # until somebody names it
CODE = "pairing-code"
SECRET = "secret"  # noqa: S105 - what it is kept under
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that reads like another


def now() -> str:
    """The time as the database keeps it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Club:
    """The club that this hub serves."""

    id: str
    name: str


def found_club(database: Database, name: str = "") -> Club:
    """The club of this database; a new one gets a name and an identity."""
    with database.writing() as change:
        identity = setting(change, CLUB)
        if identity is None:
            identity = secrets.token_hex(8)
            next_version(change)  # two hubs that start together: the second finds what the first has made
            if (other := setting(change, CLUB)) is not None:
                identity = other
            else:
                put_setting(change, CLUB, identity)
                put_setting(change, NAME, name or str(NAMELESS))
                put_setting(change, CODE, new_code())
        if name:
            put_setting(change, NAME, name)
        name = setting(change, NAME) or NAMELESS
        return Club(identity, NAMELESS if name == NAMELESS else name)


def secret_of(database: Database) -> bytes:
    """The secret that only this club's hubs know."""
    with database.writing() as change:
        next_version(change)
        if setting(change, SECRET) is None:
            put_setting(change, SECRET, secrets.token_hex(16))
        return bytes.fromhex(setting(change, SECRET) or "")


def new_code() -> str:
    """A code for pairing boxes; eight letters are read aloud easily and guessed in no life."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


class Ledger:
    """The boxes' side of the hub. ``seating`` says what a table plays next, ``opened`` what its dice were.

    ``wanted`` says of which match a box is asked what its records left out.
    """

    def __init__(
        self,
        database: Database,
        club: Club,
        *,
        seating: Callable[[int], Seating | None] = lambda _: None,
        is_watched: Callable[[str], bool] = lambda _: False,
        opened: Callable[[Sequence[str]], dict[str, str]] = lambda _: {},
        wanted: Callable[[str], str] = lambda _: "",
        clock: Callable[[], str] = now,
    ) -> None:
        self.database = database
        self.club = club
        self.seating = seating
        self.is_watched = is_watched
        self.opened = opened
        self.wanted = wanted
        self._clock = clock

    # Pairing

    def pair(self, request: PairingRequest) -> Paired:
        """Take a box in, against the organiser's code; one that comes back keeps its table if it is free."""
        with self.database.writing() as change:
            code = setting(change, CODE) or ""
            if not code or not secrets.compare_digest(code.encode(), request.code.encode()):
                raise RefusedError("bad-code", m("that is not the code of the organiser's page"))
            if not is_signed(request.box, pairing_text(request.code, request.box), request.signature):
                raise RefusedError("bad-signature", m("the box did not sign its wish with its own key"))
            version = next_version(change)
            found = change.rows("SELECT number FROM boxes WHERE box = ?", (request.box,))
            number = int(found[0][0]) if found else 0
            others = "SELECT 1 FROM boxes WHERE number = ? AND left_at = '' AND box <> ?"
            is_taken = bool(found and change.rows(others, (number, request.box)))  # by whoever took its place
            if not found or is_taken:
                number = int(change.rows("SELECT coalesce(max(number), 0) + 1 FROM boxes")[0][0])
            if number > MOST_BOXES:
                raise RefusedError("full", m("this club has as many boxes as a hub can serve"))
            if found:
                change.run(
                    "UPDATE boxes SET name = ?, number = ?, left_at = '', version = ? WHERE box = ?",
                    (request.name, number, version, request.box),
                )
            else:
                values = (request.box, request.name, number, self._clock(), "", 0, "", "", "", version)
                change.run(
                    "INSERT INTO boxes"
                    " (box, name, number, paired, left_at, batch, seen, help, match, version)"
                    f" VALUES ({places(values)})",
                    values,
                )
            append(
                change,
                self._clock(),
                "hub",
                "box",
                {"box": request.box, "table": number, "name": request.name},
            )
        return Paired(self.club.id, self.club.name, number)

    # Batches

    def checked(
        self, box: str, signed: str, body: bytes, known: Callable[[str], bool | None] | None = None
    ) -> Batch:
        """A batch that is what a box of this club has signed; else a :class:`RefusedError`.

        ``known`` says whether a box belongs here (None: a stranger); usually the database is asked.
        """
        belongs = (known or self._known)(box[:64])
        if belongs is None:
            raise RefusedError("unknown-box", m("this hub does not know that box: pair it first"))
        if not belongs:
            raise RefusedError("left", m("that box was replaced or sent away: pair it again"))
        if not is_signed(box, batch_text(self.club.id, body), signed):
            raise RefusedError("bad-signature", m("the batch was not signed by that box for this club"))
        try:
            batch = read_batch(body)
        except NotationError as problem:
            raise RefusedError(problem.code, problem.message, 422) from problem
        if batch.club != self.club.id:
            raise RefusedError("other-club", m("the batch is meant for another club"))
        return batch

    def _known(self, box: str) -> bool | None:
        with self.database.reading() as look:
            found = look.rows("SELECT left_at FROM boxes WHERE box = ?", (box,))
        return None if not found else not found[0][0]

    def heads(self, box: str, matches: Sequence[str]) -> dict[str, Head]:
        """How far these matches are stored."""
        with self.database.reading() as look:
            held = held_matches(look, [(box, match) for match in matches])
        return {match: held[box, match].head if (box, match) in held else Head() for match in matches}

    def take(self, box: str, batch: Batch) -> Receipt:
        """Store what is new in a checked batch, and answer how far everything has come."""
        answer = self.take_all([(box, batch)])[0]
        if isinstance(answer, RefusedError):
            raise answer
        return answer

    def take_all(self, batches: Sequence[tuple[str, Batch]]) -> list[Receipt | RefusedError]:
        """Store many checked batches in one transaction; the answer to each.

        Where that fails, although the database is there, the halves are tried: so the one batch that is the
        reason is found, put aside for the organiser, and the others are stored.
        """
        if not batches:
            return []
        try:
            with self.database.writing() as change:
                stored = store_batches(change, batches, self._clock)
        except AwayError:
            raise
        except Exception as problem:
            if len(batches) > 1:
                half = len(batches) // 2
                return [*self.take_all(batches[:half]), *self.take_all(batches[half:])]
            log.exception("A batch of box %s cannot be stored", batches[0][0][:8])
            return [self._set_aside(*batches[0], problem)]
        return [one if isinstance(one, RefusedError) else self._receipt(*one) for one in stored]

    def _set_aside(self, box: str, batch: Batch, problem: Exception) -> RefusedError:
        why = str(problem) if isinstance(problem, UnstorableError) else type(problem).__name__
        with self.database.writing() as change:
            put_aside(change, self._clock(), box, batch, why)
        return RefusedError("unstorable", m("this cannot be stored: it was put aside for the organiser"), 422)

    def _receipt(self, box: str, batch: Batch, stored: Stored) -> Receipt:
        return Receipt(
            self.club.name,
            stored.table,
            stored.number,
            stored.heads,
            stored.faults,
            stored.wanted or self.is_watched(box),
            self.seating(stored.table),
            self.opened(batch.sealed),
            messages=True,
            wants=self.wanted(box),
        )


def stored_records(look: Transaction, box: str, match: str) -> list[Record]:
    """A match as its box told it, in order."""
    rows = look.rows("SELECT body FROM records WHERE box = ? AND match = ? ORDER BY seq", (box, match))
    return [msgspec.json.decode(body, type=Record) for (body,) in rows]


def records_size(look: Transaction, box: str, match: str) -> int:
    """The size of a match as its box told it, in characters."""
    asked = "SELECT coalesce(sum(length(body)), 0) FROM records WHERE box = ? AND match = ?"
    return int(look.rows(asked, (box, match))[0][0])


def chain_fault(records: list[Record]) -> str | None:
    """The first place where a stored chain is broken; None when it is whole."""
    head = Head()
    for record in records:
        fault = link_fault(head, record)
        if fault is not None:
            return fault
        head = Head(record.seq, record.hash)
    return None
