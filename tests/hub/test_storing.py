"""Batches that are stored together: the same as one after the other, and one that is refused harms nobody."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import msgspec
import pytest

from companion.club.keys import new_key, public_key, signature
from companion.club.messages import (
    Batch,
    Head,
    PairingRequest,
    Receipt,
    Record,
    Standing,
    TableState,
    pairing_text,
    record_hash,
)
from hub.intake.batch_queue import BatchQueue
from hub.intake.ledger import Ledger, stored_records
from hub.intake.storing import MOST_MATCHES_A_DAY, RefusedError
from tests.hub.houses import Night, needs_signing, put_box

pytestmark = needs_signing
BOXES = [f"{number:064x}" for number in range(1, 4)]


@pytest.fixture
def ledger(night: Night) -> Ledger:
    with night.database.writing() as change:
        for number, box in enumerate(BOXES, start=1):
            put_box(change, box, number, number)
        change.run("UPDATE clock SET version = 9")
    return night.house.ledger


def chain(match: str, count: int, first: int = 1) -> list[Record]:
    """A match's records from ``first`` on."""
    head, made = Head(), []
    for seq in range(1, count + 1):
        told = {"game": "spike"} if seq == 1 else {}
        over = [Standing(1, "Ada", seq, 1)] if seq == count else []
        record = Record(match, seq, "now", "x", None, "host", told, over, "", head.hash)
        record = msgspec.structs.replace(record, hash=record_hash(record))
        head = Head(seq, record.hash)
        made.append(record)
    return made[first - 1 :]


def shown(match: str, seq: int) -> TableState:
    return TableState(match, seq, "spike", "h", "s", [], False, view={"n": seq})


def rows(night: Night) -> list[Sequence[object]]:
    asked = (
        "SELECT box, match, game, seq, hash, fault, results, state_seq, view_seq, view FROM matches",
        "SELECT box, match, seq, hash, body FROM records",
        "SELECT box, batch, help, match FROM boxes",
    )
    return [sorted(night.rows(question)) for question in asked]


def an_evening() -> list[tuple[str, Batch]]:
    """Batches of three boxes, in one order: new, repeated, with a gap, contradicting, old."""
    one, two, three = BOXES
    lie = chain("m2", 3)
    return [
        (one, Batch("c", 1, chain("m1", 4)[:2], table=shown("m1", 2))),
        (two, Batch("c", 1, chain("m1", 3), help="a marker is dry")),
        (one, Batch("c", 2, chain("m1", 4)[:3], table=shown("m1", 3))),
        (three, Batch("c", 1, chain("m2", 3)[1:])),
        (three, Batch("c", 2, chain("m2", 4)[:2])),
        (three, Batch("c", 3, [*lie[:1], *chain("m2", 9)[2:3]])),
        (two, Batch("c", 3, [], ["m1", "m7"])),
        (two, Batch("c", 2, [], help="an old word")),
    ]


def test_together_is_the_same_as_one_after_the_other(night: Night, ledger: Ledger, tmp_path: object) -> None:
    together = ledger.take_all(an_evening())
    after = rows(night)
    with night.database.writing() as change:
        for statement in ("DELETE FROM records", "DELETE FROM matches"):
            change.run(statement)
        change.run("UPDATE boxes SET batch = 0, help = '', match = ''")
    alone = [ledger.take(*one) for one in an_evening()]
    assert rows(night) == after
    assert together == alone
    receipts = [one for one in together if isinstance(one, Receipt)]
    assert [one.heads["m1"].seq for one in receipts if "m1" in one.heads] == [2, 3, 3, 3]
    assert receipts[-2].heads["m1"].seq == 3
    with night.database.reading() as look:
        assert stored_records(look, BOXES[0], "m1") == chain("m1", 4)[:3]


def test_columns_are_filled_by_name(night: Night) -> None:
    """Whatever else a later version keeps in the tables."""
    with night.database.writing() as change:
        for table in ("settings", "clock", "boxes", "matches", "records", "log"):
            change.run(f"ALTER TABLE {table} ADD COLUMN more TEXT NOT NULL DEFAULT ''")
    key = new_key()
    told = signature(key, pairing_text(night.code, public_key(key)))
    night.house.ledger.pair(PairingRequest(night.code, public_key(key), "Window", told))
    night.house.ledger.take(public_key(key), Batch("c", 1, chain("m1", 3), table=shown("m1", 3)))
    assert night.rows("SELECT match, seq, state_seq, more FROM matches") == [("m1", 3, 3, "")]
    with night.database.reading() as look:
        assert stored_records(look, public_key(key), "m1") == chain("m1", 3)


def test_one_that_is_refused_harms_nobody(night: Night, ledger: Ledger) -> None:
    for number in range(MOST_MATCHES_A_DAY):
        ledger.take(BOXES[0], Batch("c", number + 1, chain(f"n{number}", 1)))
    answers = ledger.take_all(
        [
            (BOXES[0], Batch("c", 900, chain("one-more", 2))),
            (BOXES[1], Batch("c", 1, chain("m1", 2))),
            (BOXES[0], Batch("c", 901, chain("n0", 1))),
        ]
    )
    assert isinstance(answers[0], RefusedError)
    assert isinstance(answers[1], Receipt)
    assert isinstance(answers[2], Receipt)
    assert night.rows("SELECT count(*) FROM matches WHERE match = 'one-more'") == [(0,)]
    assert night.rows("SELECT seq FROM matches WHERE match = 'm1'") == [(2,)]


def test_whoever_comes_meanwhile_is_stored_with_the_next(night: Night, ledger: Ledger) -> None:
    queue, answers = BatchQueue(ledger), dict[int, Receipt]()

    def send(number: int) -> None:
        batch = Batch("c", 1 + number, chain(f"m{number}", 2))
        answers[number] = queue.take(BOXES[number % 3], batch)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answers[number].heads[f"m{number}"].seq == 2 for number in range(24))
    assert night.rows("SELECT count(*) FROM records") == [(48,)]
