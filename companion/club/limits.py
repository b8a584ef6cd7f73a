"""What a batch may hold: one set of limits, checked by the box before it signs and by the hub as it comes.

The shapes and lengths of the fields are in :mod:`companion.club.messages`. Here is what they leave open: the
content of events, options and positions, which differs from game to game and from version to version. It may
be anything, as long as every database can store it and every page can print it.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from companion.club.messages import Batch, Hash, PairingRequest, Record, TableState, Word
from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, json_of, read_object, shaped
from companion.core.messages import m
from companion.table.exc import TableError

LONGEST_HELP = 120  # characters of a call for help
LARGEST_RECORD = 20_000  # bytes; the largest of ours has 700
# Options and sentences of every match stay in the memory of every hub; the largest of ours have 200 and 400.
LARGEST_OPTIONS = 4000
LARGEST_SAID = 4000
LARGEST_UNTOLD = 400_000  # bytes; the largest of ours has 60,000
LARGEST_VIEW = 400_000  # bytes; the largest of ours, with six seats, has 41,000
MOST_VALUES = 60_000  # of a batch
LONGEST_TEXT = 4000
LARGEST_NUMBER = 2**53
LARGEST_IN_VIEW = 1_000_000  # a position has rounds, points and money in it, no large numbers
_DEEPEST = 40

# PostgreSQL stores no NUL, terminals obey the others.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# No sentence or name has line breaks; what turns the direction of writing would turn its neighbours, too.
_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class _Duplicate(msgspec.Struct, frozen=True):
    """What the first event of a match says about its dice, where they are a club's round's."""

    commitment: Hash
    round: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    word: Word = ""


def read_batch(body: bytes) -> Batch:
    """The batch that is written in ``body``; a :class:`NotationError` says what it may not hold."""
    told = read_object(body)
    batch = shaped(told, Batch)
    # Check every value of a batch, however deep it stands
    waiting: list[tuple[Any, int]] = [(told, 1)]
    count = 0
    while waiting:
        value, depth = waiting.pop()
        count += 1
        if count > MOST_VALUES or depth > _DEEPEST:
            raise NotationError("too-large", m("there is more in it than any game has to say"))
        if isinstance(value, str):
            _check_text(value)
        elif isinstance(value, int | float):
            _check_number(value, LARGEST_NUMBER)
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, dict):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
    _check_line(batch.help, LONGEST_HELP)
    for record in batch.records:
        _check_record(record)
    if batch.table is not None:
        _check_table(batch.table)
    if batch.untold is not None:
        _check_size(batch.untold, LARGEST_UNTOLD)
    return batch


def check_pairing(request: PairingRequest) -> None:
    """Refuse a name for a table that no page could show."""
    _check_line(request.name)


def check_help(words: str) -> None:
    """Refuse a call for help that no hub would take."""
    try:
        _check_line(words, LONGEST_HELP)
    except NotationError as problem:
        raise TableError(problem.code, problem.message) from None


def _check_record(record: Record) -> None:
    _check_size(record, LARGEST_RECORD)
    for text in (record.at, record.kind, record.by):
        _check_line(text)
    for standing in record.results:
        _check_line(standing.name)
    if record.kind == "start":
        shaped(record.data.get("game", ""), Word, "bad-content")
        if record.data.get("duplicate") is not None:
            shaped(record.data["duplicate"], _Duplicate, "bad-content")


def _check_table(state: TableState) -> None:
    for text in (state.game, state.headline, state.status, *(one.name for one in state.seats)):
        _check_line(text)
    _check_size(state.options, LARGEST_OPTIONS)
    _check_size(state.said, LARGEST_SAID)
    if state.view is not None:
        _check_size(state.view, LARGEST_VIEW)
        _check_numbers(state.view)


def _check_line(text: str, longest: int = LONGEST_TEXT) -> None:
    if _LINE.search(text):
        raise NotationError("bad-content", m("a name or sentence has no control characters or line breaks"))
    if len(text) > longest:
        raise NotationError("bad-content", m("a text has up to {longest} characters", longest=longest))


def _check_size(value: object, largest: int) -> None:
    size = len(json_of(value))
    if size > largest:
        raise NotationError(
            "too-large", m("{size} bytes are more than the {largest} that fit", size=size, largest=largest)
        )


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise NotationError("bad-content", m("a text has up to {longest} characters", longest=LONGEST_TEXT))
    if _CONTROLS.search(text):
        raise NotationError("bad-content", m("a text has no control characters"))


def _check_number(number: float, largest: int) -> None:
    if not -largest <= number <= largest:  # no number at all is refused, too
        raise NotationError("bad-content", m("a number is too large"))


def _check_numbers(view: JsonObject) -> None:
    waiting: list[Any] = [view]
    while waiting:
        value = waiting.pop()
        if isinstance(value, int | float):
            _check_number(value, LARGEST_IN_VIEW)
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
