"""What boxes say: checked, stored once, and summed up by match.

A batch counts when its signature is that of a box of this club, over this club's name. A record is known by
(box, match, number, hash): the same one again changes nothing; another one under a number that is taken, or
one that does not continue its chain, marks the match: it is shown from then on, and not counted.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from companion.club.keys import is_signed
from companion.club.messages import (
    Batch,
    Head,
    Paired,
    PairingWish,
    Receipt,
    Record,
    Seating,
    TableState,
    batch_text,
    link_fault,
    pairing_text,
    record_hash,
)
from companion.games.kit.errors import NotationError
from companion.games.kit.jsontext import read_object, shaped
from companion.table.events import canonical
from companion.table.exc import TableError
from hub.database import Database, Transaction, next_version, put_setting, setting
from hub.log import append

CLUB, NAME = "club", "name"
CODE = "pairing-code"
SECRET = "secret"  # noqa: S105 - what it is kept under
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that reads like another
MOST_RECORDS_OF_A_MATCH = 20_000
MOST_MATCHES_A_DAY = 200  # of one box


class RefusedError(TableError):
    """A batch that does not count, and why."""

    def __init__(self, code: str, message: str, status: int = 403) -> None:
        super().__init__(code, message)
        self.status = status


def now() -> str:
    """The time, as it is kept."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Club:
    """Who we are."""

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
                put_setting(change, NAME, name or "Our club")
                put_setting(change, CODE, new_code())
        if name:
            put_setting(change, NAME, name)
        return Club(identity, setting(change, NAME) or "Our club")


def secret_of(database: Database) -> bytes:
    """What only this club's hubs know."""
    with database.writing() as change:
        next_version(change)
        if setting(change, SECRET) is None:
            put_setting(change, SECRET, secrets.token_hex(16))
        return bytes.fromhex(setting(change, SECRET) or "")


def new_code() -> str:
    """A code for pairing boxes; eight letters are read aloud easily and guessed in no life."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


class Ledger:
    """The boxes' side of the hub. ``seating`` says what a table plays next, ``opened`` what its dice were."""

    def __init__(
        self,
        database: Database,
        club: Club,
        *,
        seating: Callable[[int], Seating | None] = lambda _: None,
        is_watched: Callable[[str], bool] = lambda _: False,
        opened: Callable[[Sequence[str]], dict[str, str]] = lambda _: {},
        clock: Callable[[], str] = now,
    ) -> None:
        self.database = database
        self.club = club
        self.seating = seating
        self.is_watched = is_watched
        self.opened = opened
        self._clock = clock

    # Pairing

    def pair(self, wish: PairingWish) -> Paired:
        """Take a box in, against the code of the organiser's page; the same box again keeps its table."""
        with self.database.writing() as change:
            code = setting(change, CODE) or ""
            if not code or not secrets.compare_digest(code.encode(), wish.code.encode()):
                raise RefusedError("bad-code", "that is not the code of the organiser's page")
            if not is_signed(wish.box, pairing_text(wish.code, wish.box), wish.signature):
                raise RefusedError("bad-signature", "the box did not sign its wish with its own key")
            version = next_version(change)
            found = change.rows("SELECT number FROM boxes WHERE box = ?", (wish.box,))
            if found:
                number = int(found[0][0])
                change.run(
                    "UPDATE boxes SET name = ?, left_at = '', version = ? WHERE box = ?",
                    (wish.name, version, wish.box),
                )
            else:
                number = int(change.rows("SELECT coalesce(max(number), 0) + 1 FROM boxes")[0][0])
                values = (wish.box, wish.name, number, self._clock(), "", 0, "", "", "", version)
                change.run(f"INSERT INTO boxes VALUES ({_places(values)})", values)
            append(change, self._clock(), "hub", "box", {"box": wish.box, "table": number, "name": wish.name})
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
            raise RefusedError("unknown-box", "this hub does not know that box: pair it first")
        if not belongs:
            raise RefusedError("left", "that box was replaced or sent away: pair it again")
        if not is_signed(box, batch_text(self.club.id, body), signed):
            raise RefusedError("bad-signature", "the batch was not signed by that box for this club")
        try:
            batch = shaped(read_object(body), Batch)
        except NotationError as problem:
            raise RefusedError(problem.code, problem.message, 422) from problem
        if batch.club != self.club.id:
            raise RefusedError("other-club", "the batch is meant for another club")
        return batch

    def _known(self, box: str) -> bool | None:
        with self.database.reading() as look:
            found = look.rows("SELECT left_at FROM boxes WHERE box = ?", (box,))
        return None if not found else not found[0][0]

    def heads(self, box: str, matches: Sequence[str]) -> dict[str, Head]:
        """How far these matches are stored."""
        with self.database.reading() as look:
            found = {match: _held(look, box, match) for match in matches}
        return {match: held.head if held is not None else Head() for match, held in found.items()}

    def take(self, box: str, batch: Batch) -> Receipt:
        """Store what is new in a checked batch, and answer how far everything has come."""
        with self.database.writing() as change:
            version = 0 if self._is_quiet(change, box, batch) else next_version(change)
            names = list(dict.fromkeys([*(one.match for one in batch.records), *batch.asks]))
            if batch.table is not None and batch.table.match not in names:
                names.append(batch.table.match)
            held = {name: found for name in names if (found := _held(change, box, name)) is not None}
            for name in dict.fromkeys(one.match for one in batch.records):
                if name not in held:
                    held[name] = self._begun(change, box, name, batch.records, version)
                records = [one for one in batch.records if one.match == name]
                held[name] = self._stored(change, box, held[name], records, version)
            number, table = self._noted(change, box, batch, held, version)
            shown = held.get(batch.table.match) if batch.table is not None else None
            wanted = shown is not None and shown.over and shown.view_seq < shown.head.seq
            faults = change.rows("SELECT match, fault FROM matches WHERE box = ? AND fault <> ''", (box,))
        return Receipt(
            self.club.name,
            table,
            number,
            {name: found.head for name, found in held.items()},
            {str(match): str(fault) for match, fault in faults},
            wanted or self.is_watched(box),
            self.seating(table),
            self.opened(batch.sealed),
        )

    def _is_quiet(self, change: Transaction, box: str, batch: Batch) -> bool:
        """Does it only say that the table is still there? Then no page has to be told."""
        if batch.records:
            return False
        asked = "SELECT help, match FROM boxes WHERE box = ?"
        help_, match = change.rows(asked, (box,))[0]
        state = batch.table
        if state is None:
            return bool(batch.help == help_)
        held = _held(change, box, state.match)
        shown = held is None or (
            state.seq <= held.state_seq and (state.view is None or state.seq <= held.view_seq)
        )
        return bool(shown and (batch.help, state.match) == (help_, match))

    def _begun(self, change: Transaction, box: str, match: str, records: list[Record], version: int) -> _Held:
        first = next(one for one in records if one.match == match)
        at = self._clock()
        today = change.rows("SELECT count(*) FROM matches WHERE box = ? AND began >= ?", (box, at[:10]))
        if int(today[0][0]) >= MOST_MATCHES_A_DAY:
            raise RefusedError("too-many", "more matches than one table can play in a day", 429)
        game = str(first.data.get("game", ""))[:40]
        values = (box, match, game, at, 0, Head().hash, "", "", "", "", 0, "", 0, version)
        change.run(f"INSERT INTO matches VALUES ({_places(values)})", values)
        return _Held(match, Head(), "", False, 0, 0)

    def _stored(
        self, change: Transaction, box: str, held: _Held, records: list[Record], version: int
    ) -> _Held:
        """The match with the records that continue it; one that contradicts what is stored marks it."""
        head, fault, over = held.head, held.fault, held.over
        results, journal = None, ""
        for record in records:
            if record.seq <= head.seq:
                fault = fault or _contradiction(change, box, record)
                continue
            wrong = link_fault(head, record)
            if wrong and record.seq > head.seq + 1:
                break  # there is a gap: the box hears where we are, and sends from there
            fault = fault or wrong or ""
            if wrong or record.seq > MOST_RECORDS_OF_A_MATCH:
                break
            row = (box, record.match, record.seq, record.hash, canonical(record).decode(), self._clock())
            change.run(f"INSERT INTO records VALUES ({_places(row)})", row)
            head = Head(record.seq, record.hash)
            results, journal, over = record.results, record.journal, bool(record.results)
        if (head, fault) == (held.head, held.fault):
            return held
        change.run(
            "UPDATE matches SET seq = ?, hash = ?, fault = ?, version = ? WHERE box = ? AND match = ?",
            (head.seq, head.hash, fault, version, box, held.match),
        )
        if results is not None:
            change.run(
                "UPDATE matches SET results = ?, journal = ? WHERE box = ? AND match = ?",
                (canonical(results).decode() if results else "", journal, box, held.match),
            )
        return _Held(held.match, head, fault, over, held.state_seq, held.view_seq)

    def _noted(
        self, change: Transaction, box: str, batch: Batch, held: dict[str, _Held], version: int
    ) -> tuple[int, int]:
        """Who is there and how it stands; an old batch that comes again says nothing about that."""
        lock = change.rows("SELECT batch, number, help, match FROM boxes WHERE box = ?", (box,))[0]
        newest, table = int(lock[0]), int(lock[1])
        if batch.number <= newest:
            return newest, table
        playing = batch.table.match if batch.table is not None else str(lock[3])
        changed = (batch.help, playing) != (str(lock[2]), str(lock[3]))
        change.run(
            "UPDATE boxes SET batch = ?, seen = ?, help = ?, match = ? WHERE box = ?",
            (batch.number, self._clock(), batch.help, playing, box),
        )
        if changed:
            change.run("UPDATE boxes SET version = ? WHERE box = ?", (version, box))
        state = batch.table
        if state is not None and state.match in held and state.seq >= held[state.match].state_seq:
            self._shown(change, box, state, held[state.match], version)
        return batch.number, table

    def _shown(self, change: Transaction, box: str, state: TableState, held: _Held, version: int) -> None:
        place = (box, state.match)
        if state.seq > held.state_seq:
            told = canonical(msgspec.structs.replace(state, view=None)).decode()
            change.run(
                "UPDATE matches SET state = ?, state_seq = ?, version = ? WHERE box = ? AND match = ?",
                (told, state.seq, version, *place),
            )
        if state.view is not None and state.seq > held.view_seq:
            change.run(
                "UPDATE matches SET view = ?, view_seq = ?, version = ? WHERE box = ? AND match = ?",
                (canonical(state.view).decode(), state.seq, version, *place),
            )
            held.view_seq = state.seq


@dataclass
class _Held:
    """What is stored of a match, as far as taking more of it needs."""

    match: str
    head: Head
    fault: str
    over: bool
    state_seq: int
    view_seq: int


def _held(change: Transaction, box: str, match: str) -> _Held | None:
    found = change.rows(
        "SELECT seq, hash, fault, results, state_seq, view_seq FROM matches WHERE box = ? AND match = ?",
        (box, match),
    )
    if not found:
        return None
    seq, hash_, fault, results, state_seq, view_seq = found[0]
    return _Held(match, Head(int(seq), hash_), fault, bool(results), int(state_seq), int(view_seq))


def _contradiction(change: Transaction, box: str, record: Record) -> str:
    """What is wrong with a record whose number is taken; nothing when it is the same record."""
    stored = change.rows(
        "SELECT hash FROM records WHERE box = ? AND match = ? AND seq = ?", (box, record.match, record.seq)
    )
    if stored and stored[0][0] == record.hash == record_hash(record):
        return ""
    return f"event {record.seq} came twice, and not the same both times"


def _places(values: tuple[object, ...]) -> str:
    return ", ".join("?" * len(values))


def stored_records(look: Transaction, box: str, match: str) -> list[Record]:
    """A match as its box told it, in order."""
    rows = look.rows("SELECT body FROM records WHERE box = ? AND match = ? ORDER BY seq", (box, match))
    return [msgspec.json.decode(body, type=Record) for (body,) in rows]


def chain_fault(records: list[Record]) -> str | None:
    """The first place where a stored chain is broken; None when it is whole."""
    head = Head()
    for record in records:
        fault = link_fault(head, record)
        if fault is not None:
            return fault
        head = Head(record.seq, record.hash)
    return None
