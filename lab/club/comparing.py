"""What a hub has of boxes' matches against the boxes' own events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.club.keys import public_key
from companion.club.membership import KEY_SETTING
from companion.club.records import RecordBuilder
from companion.game.registry import GAMES
from hub.intake.ledger import chain_fault, stored_records
from hub.standings import Outcome
from hub.storage.database import Database
from lab.club.boxes import PlayingBox


@dataclass
class Comparison:
    """How many records and matches the boxes have, and how many of them are not right at the hub."""

    matches: int = 0
    records: int = 0
    lost: int = 0
    doubled: int = 0
    broken: int = 0  # chains
    outcomes: list[Outcome] = field(default_factory=list)  # of matches that are over, as the boxes tell them


def compared(database: Database, boxes: Sequence[PlayingBox]) -> Comparison:
    """All matches of these boxes."""
    told = Comparison()
    with database.reading() as look:
        for box in boxes:
            key = public_key(box.store.setting(KEY_SETTING) or "")
            for match in box.store.matches():
                wanted = list(RecordBuilder(GAMES[match.game]).records(box.store.events(match.id)))
                found = stored_records(look, key, match.id)
                told.matches += 1
                told.records += len(wanted)
                told.lost += sum(one not in found for one in wanted)
                told.doubled += len(found) - len({one.seq for one in found})
                told.broken += chain_fault(found) is not None
                if wanted[-1].results:
                    seats = tuple((one.name, one.total, one.place) for one in wanted[-1].results)
                    told.outcomes.append(Outcome(f"{key}/{match.id}", match.game, "", seats))
    return told
