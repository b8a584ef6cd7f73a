"""Journals: one event a line for people, and one sentence for each way such a file can be broken."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.events import Event, chain_fault
from companion.table.exc import JournalError
from companion.table.journal import (
    agrees,
    complete,
    journal_events,
    journal_path,
    line_of,
    read_journal,
    salvage,
    tells,
)
from companion.table.store import Store
from tests.companion.table.chains import begun, chain, following, stored

EVENTS = chain(count=4)
LINES = [line_of(event) for event in EVENTS]
WHOLE = b"".join(LINES)


def written(path: Path, text: bytes) -> Path:
    path.write_bytes(text)
    return path


def test_every_stored_event_is_a_line_of_canonical_json_with_its_hash(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stored(store, EVENTS)
        path = journal_path(tmp_path, "m1")
        assert path.read_bytes() == WHOLE  # while the store is open: nothing is held back
    assert read_journal(path) == EVENTS
    line = path.read_text(encoding="utf-8").splitlines()[0]
    assert line.startswith(
        '{"actor":{"name":"","role":"host","seat":null},"at":"2026-05-01T19:30:00.000+00:00",'
    )
    assert f'"hash":"{EVENTS[0].hash}"' in line


def test_a_missing_newline_at_the_very_end_does_no_harm(tmp_path: Path) -> None:
    assert read_journal(written(tmp_path / "m1.jsonl", WHOLE.rstrip(b"\n"))) == EVENTS


def test_hashes_are_left_to_those_who_verify() -> None:
    edited = [*EVENTS[:2], msgspec.structs.replace(EVENTS[2], kind="edited"), EVENTS[3]]
    events = journal_events(io.BytesIO(b"".join(map(line_of, edited))), "file")
    assert events == edited
    assert chain_fault(events) == "event 3 was changed after it was stored: its hash does not fit its content"


BROKEN = {
    "empty": (b"", "empty", "m.jsonl is empty"),
    "no JSON": (LINES[0] + b"hello\n" + LINES[1], "not-json", "line 2 of m.jsonl is no event: not JSON"),
    "no UTF-8": (LINES[0] + b'{"a":"\xff"}\n', "not-json", "line 2 of m.jsonl is no event: not UTF-8"),
    "no object": (
        LINES[0] + b"[1]\n",
        "not-an-object",
        "line 2 of m.jsonl is no event: expected a JSON object",
    ),
    "an empty line": (LINES[0] + b"\n" + LINES[1], "empty-line", "line 2 of m.jsonl is empty"),
    "a missing event": (
        LINES[0] + LINES[2],
        "missing-event",
        "line 2 of m.jsonl is event 3, but event 2 belongs there",
    ),
    "a doubled event": (
        LINES[0] + LINES[0],
        "missing-event",
        "line 2 of m.jsonl is event 1, but event 2 belongs there",
    ),
    "no beginning": (
        LINES[1] + LINES[2],
        "missing-event",
        "line 1 of m.jsonl is event 2, but event 1 belongs there",
    ),
    "two matches": (
        LINES[0] + line_of(following(begun("m2"))),
        "two-matches",
        "line 2 of m.jsonl is from another match (m2, not m1)",
    ),
    "an unknown key": (
        LINES[0].replace(b'"kind"', b'"mood":"good","kind"'),
        "bad-shape",
        "line 1 of m.jsonl is no event: 'mood' is not known here",
    ),
    "a missing key": (
        LINES[0].replace(b'"kind":"start",', b""),
        "bad-shape",
        "line 1 of m.jsonl is no event: 'kind' is missing",
    ),
    "a wrong type": (
        LINES[0].replace(b'"seq":1', b'"seq":"1"'),
        "bad-shape",
        "line 1 of m.jsonl is no event: expected a whole number, not a text (in seq)",
    ),
    "a key twice": (LINES[0].replace(b'"seq":1', b'"seq":1,"seq":1'), "duplicate", "'seq' is given twice"),
    "NaN": (LINES[0].replace(b'"seq":1', b'"seq":NaN'), "not-json", "NaN is no number here"),
    "cut off": (WHOLE[:-20], "cut-off", "line 4 of m.jsonl is cut off: the end of the file is missing"),
    "a million characters": (b" " * 2 + b"7" * 1_000_000, "too-long", "the limit is 1,000,000"),
    "nested too deeply": (b"[" * 100_000 + b"\n", "not-json", "nested too deeply"),
}


@pytest.mark.parametrize(("text", "code", "says"), BROKEN.values(), ids=BROKEN)
def test_each_way_to_be_broken_is_one_sentence(tmp_path: Path, text: bytes, code: str, says: str) -> None:
    with pytest.raises(JournalError) as caught:
        read_journal(written(tmp_path / "m.jsonl", text))
    assert caught.value.code == code
    assert says in caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read: No such file"):
        read_journal(tmp_path / "nothing.jsonl")
    with pytest.raises(JournalError, match="cannot be read: Is a directory"):
        read_journal(tmp_path)


# Repairing


def test_a_whole_journal_is_salvaged_whole(tmp_path: Path) -> None:
    found = salvage(written(tmp_path / "m.jsonl", WHOLE))
    assert (found.events, found.lines, found.size, found.fault) == (EVENTS, 4, len(WHOLE), None)


def test_no_journal_has_nothing_to_salvage(tmp_path: Path) -> None:
    assert salvage(tmp_path / "nothing.jsonl").events == []


def test_a_half_written_last_line_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path / "m.jsonl", WHOLE[:-20])
    found = salvage(path)
    assert (found.events, found.lines, found.only_the_end) == (EVENTS[:3], 3, True)
    complete(path, found, EVENTS)
    assert path.read_bytes() == WHOLE


def test_a_whole_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    path = written(tmp_path / "m.jsonl", WHOLE[:-1])
    found = salvage(path)
    assert (found.events, found.lines, found.only_the_end) == (EVENTS, 3, True)
    complete(path, found, EVENTS)
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (b"rubbish\n", "line 3 of m.jsonl is no event"),
        (
            line_of(msgspec.structs.replace(EVENTS[2], kind="edited")),
            "event 3 was changed after it was written",
        ),
        (line_of(following(EVENTS[1], prev="0" * 64)), "event 3 does not follow the one before"),
    ],
)
def test_damage_in_the_middle_ends_what_can_be_trusted(tmp_path: Path, bad: bytes, fault: str) -> None:
    found = salvage(written(tmp_path / "m.jsonl", LINES[0] + LINES[1] + bad + LINES[3]))
    assert found.events == EVENTS[:2]
    assert fault in str(found.fault)
    assert not found.only_the_end


@settings(deadline=None)
@given(st.integers(0, len(WHOLE)))
def test_cut_anywhere_a_journal_is_completed_exactly(
    tmp_path_factory: pytest.TempPathFactory, size: int
) -> None:
    path = written(tmp_path_factory.mktemp("cut") / "m.jsonl", WHOLE[:size])
    assert tells(path, WHOLE) == (size == len(WHOLE))
    found = salvage(path)
    assert found.only_the_end
    assert agrees(found.events, EVENTS)
    complete(path, found, EVENTS)
    assert path.read_bytes() == WHOLE
    assert tells(path, WHOLE)


@settings(deadline=None, max_examples=300)
@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_with_any_byte_changed_only_true_events_are_salvaged(
    tmp_path_factory: pytest.TempPathFactory, place: int, byte: int
) -> None:
    text = bytearray(WHOLE)
    text[place] = byte
    found = salvage(written(tmp_path_factory.mktemp("flip") / "m.jsonl", bytes(text)))
    assert found.events == EVENTS[: len(found.events)]


def test_two_histories_agree_only_when_one_begins_the_other() -> None:
    other: list[Event] = [*EVENTS[:2], following(EVENTS[1], data={"another": "past"})]
    assert agrees(EVENTS, EVENTS[:2])
    assert agrees([], EVENTS)
    assert not agrees(EVENTS, other)
