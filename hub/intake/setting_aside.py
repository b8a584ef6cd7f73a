"""Batches that could not be stored: put aside, so that the rest goes on, and shown to the organiser.

What comes here passed every check and was refused by the database all the same, or met a fault of this hub.
Its box is told, and sends no more of that match until the organiser has it taken again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from companion.club.messages import Batch
from companion.core.jsontext import builtins_of
from companion.core.messages import m
from hub.storage.database import Transaction, next_version

SET_ASIDE = m("an event of it cannot be stored at the club's hub: the organiser sees why")
_MOST_OF_A_BOX = 20
_BODY_KEPT = 20_000  # characters, for whoever looks for the reason


@dataclass(frozen=True)
class SetAside:
    """A batch that waits for the organiser; ``match`` is empty where it had no records."""

    box: str
    match: str
    at: str
    why: str


def put_aside(change: Transaction, at: str, box: str, batch: Batch, why: str) -> None:
    """Keep a batch for the organiser; of one match the newest."""
    version = next_version(change)
    match = batch.records[0].match if batch.records else ""
    body = json.dumps(builtins_of(batch))[:_BODY_KEPT]  # ASCII, which every database takes
    change.run("DELETE FROM set_aside WHERE box = ? AND match = ?", (box, match))
    held = int(change.rows("SELECT count(*) FROM set_aside WHERE box = ?", (box,))[0][0])
    if held < _MOST_OF_A_BOX:
        row = (box, match, at, why.encode("ascii", "replace").decode()[:300], body)
        change.run("INSERT INTO set_aside (box, match, at, why, body) VALUES (?, ?, ?, ?, ?)", row)
    change.run("UPDATE boxes SET version = ? WHERE box = ?", (version, box))


def take_again(change: Transaction, box: str, match: str) -> None:
    """Forget that a batch was put aside: its box sends it again."""
    version = next_version(change)
    change.run("DELETE FROM set_aside WHERE box = ? AND match = ?", (box, match))
    change.run("UPDATE boxes SET version = ? WHERE box = ?", (version, box))


def all_set_aside(look: Transaction) -> list[SetAside]:
    """All batches that wait for the organiser, the newest first."""
    rows = look.rows("SELECT box, match, at, why FROM set_aside ORDER BY at DESC, box, match")
    return [SetAside(*map(str, row)) for row in rows]


def faults_of(look: Transaction, box: str) -> dict[str, str]:
    """The matches of a box of which nothing is taken before the organiser has looked, and why."""
    rows = look.rows("SELECT match FROM set_aside WHERE box = ? AND match <> ''", (box,))
    return {str(match): SET_ASIDE for (match,) in rows}
