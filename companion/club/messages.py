"""The messages between box and hub: JSON, signed by the box.

A match reaches the hub as a chain of records, one for each event, as watchers may see it. Each record holds
the SHA-256 of itself and of its predecessor. It is a chain of its own beside the journal's, because the hash
of an event would give away hidden cards to whoever tries out all of them. When a match is over, the last
record names the hash of the journal's last event, and with it the whole journal.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, m, with_messages
from companion.table.events import FIRST_HASH, content_hash

MOST_RECORDS = 100  # in a batch
MOST_SEATS = 24  # at one table; every one of them is a line of the standings
LARGEST_BATCH = 1_000_000  # bytes
PAIRING = b"stationmaster pairing 1\n"
SENDING = b"stationmaster batch 1\n"

Name = Annotated[str, msgspec.Meta(max_length=80)]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]
MatchName = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?!\n)$")]
Word = Annotated[str, msgspec.Meta(max_length=40)]
Sentence = Annotated[str, msgspec.Meta(max_length=300)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]
Place = Annotated[int, msgspec.Meta(ge=1, le=99)]
Total = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
MaybeHash = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?(?!\n)$")]
Mark = Annotated[
    str, msgspec.Meta(pattern="^[a-z0-9-]{0,40}(?!\n)$")
]  # a colour or shape, of whatever version


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a seat stands; ``place`` is None for one that does not rank."""

    seat: SeatNumber
    name: Name
    total: Total
    place: Place | None = None
    colour: Mark = ""
    shape: Mark = ""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a match as watchers may see it.

    ``results`` are there when the match is over with it; ``journal`` is then the hash of the event itself.
    """

    match: MatchName
    seq: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    at: Word
    kind: Word
    seat: SeatNumber | None
    by: Word
    data: JsonObject
    results: Annotated[list[Standing], msgspec.Meta(max_length=MOST_SEATS)]
    journal: MaybeHash
    prev: Hash
    hash: MaybeHash = ""


class TableState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a match stands after event ``seq``, for who looks on; it does not count for anything.

    To a hub that takes messages go headline and status as such, too, and those of the position.
    """

    match: MatchName
    seq: Number
    game: Word
    headline: Sentence
    status: Sentence
    seats: Annotated[list[Standing], msgspec.Meta(max_length=MOST_SEATS)]
    finished: bool
    round: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | None = None
    options: JsonObject = {}  # what the match was begun with
    view: JsonObject | None = None  # the whole position, while somebody looks at this table
    said: Annotated[dict[str, JsonObject], msgspec.Meta(max_length=2)] = {}  # headline and status as data

    def with_words(self) -> TableState:
        """Headline and status as they can be said in every language; those of an earlier box stay English."""
        read = with_messages({name: self.said[name] for name in ("headline", "status") if name in self.said})
        said = {name: words for name, words in read.items() if isinstance(words, Message)}
        return msgspec.structs.replace(
            self, **{name: words for name, words in said.items() if words == getattr(self, name)}
        )


class Untold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the records of a match that is over left out, by event: with it a hub can play it again.

    Until the end watchers may not see it, from then on they may.
    """

    match: MatchName
    data: dict[Annotated[str, msgspec.Meta(pattern="^[0-9]{1,7}(?!\n)$")], JsonObject]


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a box sends: ``number`` rises, so that an old batch sent again changes nothing that is shown.

    What says nothing is left out, so that hubs of earlier versions understand the rest.
    """

    club: Word
    number: Number
    records: Annotated[list[Record], msgspec.Meta(max_length=MOST_RECORDS)] = []
    asks: Annotated[list[MatchName], msgspec.Meta(max_length=1000)] = []
    table: TableState | None = None
    help: Sentence = ""  # somebody at the table calls for the organiser
    sealed: Annotated[list[Hash], msgspec.Meta(max_length=20)] = []  # commitments that wait for their seeds
    untold: Untold | None = None  # where the hub has asked for it


class Head(msgspec.Struct, frozen=True):
    """How far the hub has a match: the last record, and its hash."""

    seq: int = 0
    hash: str = FIRST_HASH


class RoundDice(msgspec.Struct, frozen=True):
    """The dice of all tables of a round: see :mod:`companion.club.dice`."""

    commitment: Hash
    word: Word
    sealed: str  # the seed, for this box alone


class Seating(msgspec.Struct, frozen=True):
    """What a table is to play next: a round of the club, and who sits there."""

    round: int
    game: str
    players: list[str]
    options: JsonObject = {}
    mode: str = "umpire"
    dice: RoundDice | None = None  # every table has the same


class Receipt(msgspec.Struct, frozen=True):
    """The hub's answer to a batch."""

    name: str  # of the club
    table: int
    number: int  # the highest batch so far
    heads: dict[str, Head] = {}
    faults: dict[str, str] = {}  # matches whose chain does not verify: shown, and not counted
    watched: bool = False  # somebody looks at this table: send its whole position
    seating: Seating | None = None
    opened: dict[str, str] = {}  # seeds by their commitments, of those that the box asked for
    messages: bool = False  # this hub takes messages as data, and says them in the languages of its readers
    wants: str = ""  # a match of which the hub asks what records left out
    settled: bool = True  # the heads are what is stored; else what is on its way: the box asks again


class PairingRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box's request to belong to the club: the code of the organiser's page, signed by the box."""

    code: Word
    box: Hash
    name: Name
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}(?!\n)$")]


class Paired(msgspec.Struct, frozen=True):
    """The hub's answer: the box belongs to the club."""

    club: str
    name: str
    table: int


def record_hash(record: Record) -> str:
    """The hash that a record has to have."""
    return content_hash(record)


def link_fault(before: Head, record: Record) -> str | None:
    """Why this record does not continue the chain, as a sentence; None when it does."""
    if record.seq != before.seq + 1:
        return m(
            "event {seq} is missing: the next one that came is event {seq2}",
            seq=before.seq + 1,
            seq2=record.seq,
        )
    if record.prev != before.hash:
        return m(
            "event {seq} does not follow the event {seq2} that came before", seq=record.seq, seq2=before.seq
        )
    if record.hash != record_hash(record):
        return m("event {seq} was changed: its hash does not fit its content", seq=record.seq)
    return None


def pairing_text(code: str, box: str) -> bytes:
    """The text that a box signs to be paired."""
    return PAIRING + f"{code}\n{box}".encode()


def batch_text(club: str, body: bytes) -> bytes:
    """The text that a box signs with each batch; the club's name makes it worthless elsewhere."""
    return SENDING + club.encode() + b"\n" + body
