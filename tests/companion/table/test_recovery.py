"""Opening a folder after anything at all: damage, loss, half-written files, and what the owner is told."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.table.backup import automatic_backup
from companion.table.checking import check_database
from companion.table.events import chain_fault, sealed
from companion.table.exc import BusyError, DamagedError, ForeignError, NewerVersionError
from companion.table.folder import ASIDE, BACKUPS, DATABASE, JOURNAL, SECOND_COPY
from companion.table.journal import journal_path, line_of
from companion.table.recovery import open_store
from companion.table.second_copy import read_second_copy
from companion.table.store import Answer, Store
from tests.companion.table.chains import begun, chain, edit, filled, following, stored, told

NOW = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
PLAYED = {"m1": chain("m1", 40), "m2": chain("m2", 7)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table with two matches, a seat and a setting."""
    with Store(tmp_path / "table") as store:
        for events in PLAYED.values():
            filled(store, events)
        store.put_token("m1", 1, "secret")
        store.put_setting("language", "en")
    return store.folder


@pytest.fixture
def backed_up(folder: Path) -> Path:
    """The same, with a backup from when match m1 had 20 events and m2 was not begun."""
    earlier = folder.parent / "earlier"
    with Store(earlier) as store:
        filled(store, PLAYED["m1"][:20])
        store.put_token("m1", 1, "secret")
        store.append(PLAYED["m1"][20], Answer("player:1", "key", "digest", "m1", 21))
        made = automatic_backup(store, NOW)
    (folder / BACKUPS).mkdir()
    made.rename(folder / BACKUPS / made.name)
    return folder


def reopened(folder: Path) -> tuple[dict[str, Any], list[str]]:
    """What the table knows after a start, and what it said; a second start must have nothing to say."""
    store, notes = open_store(folder, NOW)
    with store:
        found = dict(told(store))
        for events in found.values():
            assert chain_fault(events) is None
            assert journal_path(folder, events[0].match).read_bytes() == b"".join(map(line_of, events))
    again, nothing = open_store(folder, NOW)
    with again:
        assert told(again) == found
        assert nothing == []
    return found, notes


def test_a_new_folder_is_an_empty_table(tmp_path: Path) -> None:
    assert reopened(tmp_path / "new" / "table") == ({}, [])


def test_a_database_that_was_killed_before_it_had_tables_is_a_new_table(tmp_path: Path) -> None:
    (tmp_path / DATABASE).touch()
    assert reopened(tmp_path) == ({}, [])


def test_a_healthy_folder_opens_without_a_word(folder: Path) -> None:
    assert reopened(folder) == (PLAYED, [])
    assert not (folder / ASIDE).exists()


def test_the_folder_stays_locked_while_open_and_is_free_after_a_failure(folder: Path) -> None:
    store, _ = open_store(folder, NOW)
    with pytest.raises(BusyError):
        open_store(folder, NOW)
    store.close()
    edit(folder, "PRAGMA user_version = 9")
    with pytest.raises(NewerVersionError):
        open_store(folder, NOW)
    edit(folder, "PRAGMA user_version = 1")
    assert reopened(folder) == (PLAYED, [])


def test_a_foreign_database_is_not_taken_for_damage(tmp_path: Path) -> None:
    edit(tmp_path, "CREATE TABLE recipes (name)")
    with pytest.raises(ForeignError, match="another program's database"):
        open_store(tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


# A damaged database


def rubbish(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)


def truncated(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def cut_to_a_stump(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(100)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def deleted(path: Path) -> None:
    path.unlink()


def edited(path: Path) -> None:
    edit(path.parent, "UPDATE events SET data = '{\"n\":777}' WHERE seq = 5")


def shortened(path: Path) -> None:
    edit(path.parent, "DELETE FROM events WHERE seq = 5")


def renamed_table(path: Path) -> None:
    edit(path.parent, "ALTER TABLE events RENAME TO history")


def unmarked(path: Path) -> None:
    edit(path.parent, "PRAGMA application_id = 7")


def relabelled(path: Path) -> None:
    edit(path.parent, "UPDATE matches SET game = 'chess'")


def unreadable(path: Path) -> None:
    edit(path.parent, "UPDATE events SET actor = 'somebody' WHERE seq = 2")


def orphaned(path: Path) -> None:
    edit(path.parent, "DELETE FROM matches WHERE id = 'm2'")


DAMAGES = [
    rubbish, truncated, cut_to_a_stump, emptied, deleted, edited, shortened, renamed_table, unmarked,
    relabelled, unreadable, orphaned,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_from_backup_and_journals_everything_comes_back(backed_up: Path, damage: Any) -> None:
    damage(backed_up / DATABASE)
    left = (backed_up / DATABASE).read_bytes() if damage is not deleted else None
    found, notes = reopened(backed_up)
    assert found == PLAYED
    text = "\n".join(notes)
    assert "The backup stationmaster-20260501-220000.zip was brought back" in text
    assert "Match m1: events brought back from its journal: 19." in notes
    assert "Match m2: events brought back from its journal: 7." in notes
    if left is not None:  # nothing is deleted
        assert str(backed_up / ASIDE / "20260501-220000") in text
        assert (backed_up / ASIDE / "20260501-220000" / DATABASE).read_bytes() == left
    with Store(backed_up) as store:
        assert store.seat_of_token("m1", "secret") == 1
        assert store.answer("player:1", "key") is not None


@pytest.mark.parametrize("damage", DAMAGES)
def test_from_journals_alone_every_match_comes_back(folder: Path, damage: Any) -> None:
    damage(folder / DATABASE)
    (folder / SECOND_COPY).unlink()
    found, notes = reopened(folder)
    assert found == PLAYED
    assert any("seats need new QR codes" in note for note in notes)


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_any_backup_phones_keep_their_seats_and_the_host_the_pin(folder: Path, damage: Any) -> None:
    damage(folder / DATABASE)
    found, notes = reopened(folder)
    assert found == PLAYED
    assert any("phones keep their seats" in note for note in notes)
    with Store(folder) as store:
        assert store.seat_of_token("m1", "secret") == 1
        assert store.setting("language") == "en"
        assert [match.id for match in store.matches()] == ["m1", "m2"]


@pytest.mark.parametrize("place", range(0, 400, 37))
def test_a_second_copy_that_was_changed_is_not_believed(folder: Path, place: int) -> None:
    path = folder / SECOND_COPY
    text = bytearray(path.read_bytes())
    text[place % len(text)] ^= 4
    path.write_bytes(text)
    assert read_second_copy(folder) is None
    rubbish(folder / DATABASE)
    found, notes = reopened(folder)
    assert found == PLAYED
    assert any("not there or damaged" in note for note in notes)


def test_seats_taken_after_the_backup_are_kept(backed_up: Path) -> None:
    with Store(backed_up) as store:
        store.put_token("m2", 1, "later")
    rubbish(backed_up / DATABASE)
    reopened(backed_up)
    with Store(backed_up) as store:
        assert store.seat_of_token("m2", "later") == 1


def test_matches_come_back_in_the_order_in_which_they_were_begun(tmp_path: Path) -> None:
    """Whatever their names, and whatever the clock said when they were begun."""
    names = ["m9", "m1", "m5"]
    with Store(tmp_path) as store:
        for days, name in enumerate(names):
            first = begun(name)
            at = f"2026-05-{20 - days:02}T19:30:00.000+00:00"  # the clock jumps back before each
            filled(store, [sealed(msgspec.structs.replace(first, at=at, hash=""))])
        store.put_setting("language", "en")
        assert [match.id for match in store.matches()] == names
    rubbish(tmp_path / DATABASE)
    reopened(tmp_path)
    with Store(tmp_path) as store:
        assert [match.id for match in store.matches()] == names


@pytest.mark.parametrize("table", ["answers", "snapshots", "seats", "settings", "matches"])
def test_a_table_that_is_gone_is_noticed_and_repaired(folder: Path, table: str) -> None:
    edit(folder, "PRAGMA foreign_keys = OFF")
    edit(folder, f"DROP TABLE {table}")
    found, notes = reopened(folder)
    assert found == PLAYED
    assert f"'{table}' is gone" in notes[0]
    with Store(folder) as store:
        assert store.seat_of_token("m1", "secret") == 1


def test_an_index_or_a_column_that_is_gone_and_a_trigger_of_somebody_elses_are_noticed(folder: Path) -> None:
    for statement, says in (
        ("DROP INDEX one_event_a_device_fact", "one_event_a_device_fact"),
        ("ALTER TABLE settings ADD COLUMN extra TEXT", "'settings' was changed"),
        ("CREATE TRIGGER mine AFTER INSERT ON events BEGIN DELETE FROM seats; END", "somebody else's"),
    ):
        edit(folder, statement)
        with pytest.raises(DamagedError, match=says):
            check_database(folder / DATABASE)
        assert reopened(folder)[0] == PLAYED


def test_every_flipped_bit_of_a_journal_is_noticed_and_set_right(folder: Path) -> None:
    path = journal_path(folder, "m1")
    whole = path.read_bytes()
    chance = random.Random(1)
    for _ in range(30):
        place, bit = chance.randrange(len(whole)), chance.randrange(8)
        text = bytearray(whole)
        text[place] ^= 1 << bit
        path.write_bytes(text)
        store, notes = open_store(folder, NOW)
        store.close()
        assert path.read_bytes() == whole, f"bit {bit} of byte {place}"
        if place < len(whole) - 1:  # a last line without its end is only half written
            assert notes, f"bit {bit} of byte {place} was set right without a word"


def test_text_of_the_schema_that_cannot_be_read_is_damage_and_not_a_traceback(folder: Path) -> None:
    """Any flipped bit in the database's own tables is noticed: also one that makes no text of any kind."""
    path = folder / DATABASE
    whole = path.read_bytes()
    start = whole.index(b"CREATE TABLE matches")
    for place in range(start, start + 60, 7):
        for bit in (0x80, 0x01, 0x20):
            text = bytearray(whole)
            text[place] ^= bit
            path.write_bytes(text)
            with pytest.raises(DamagedError):
                check_database(path)
    text[start + 9] = 0xFF
    path.write_bytes(text)
    assert reopened(folder)[0] == PLAYED


def test_from_a_backup_alone_what_it_had_comes_back(backed_up: Path) -> None:
    rubbish(backed_up / DATABASE)
    for path in (backed_up / JOURNAL).iterdir():
        path.unlink()
    found, _ = reopened(backed_up)
    assert found == {"m1": PLAYED["m1"][:21]}


def test_with_nothing_left_the_table_begins_anew_and_says_so(tmp_path: Path) -> None:
    rubbish(tmp_path / DATABASE)
    found, notes = reopened(tmp_path)
    assert found == {}
    assert "is damaged (file is not a database); the file was moved to" in notes[0]
    assert "There was no good backup" in notes[1]


def test_a_damaged_backup_is_passed_over_for_an_older_one(backed_up: Path) -> None:
    newer = backed_up / BACKUPS / "stationmaster-20260502-220000.zip"
    newer.write_bytes(b"PK rubbish")
    rubbish(backed_up / DATABASE)
    found, notes = reopened(backed_up)
    assert found == PLAYED
    assert any(note.startswith(f"The backup {newer.name} was passed over: ") for note in notes)


def test_a_database_beside_its_lost_log_is_completed_from_the_journals(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        filled(store, PLAYED["m1"])
        without_its_log = store.path.read_bytes()
    (tmp_path / DATABASE).write_bytes(without_its_log)
    found, notes = reopened(tmp_path)
    assert found == {"m1": PLAYED["m1"]}
    assert "There was no database, only journals" in notes[0]
    assert notes[-1] == "Match m1: events brought back from its journal: 40."


def test_a_log_lost_later_costs_only_what_the_journals_give_back(folder: Path) -> None:
    more = [following(PLAYED["m2"][-1])]
    more.append(following(more[0]))
    before = (folder / DATABASE).read_bytes()
    with Store(folder) as store:
        stored(store, more)
    (folder / DATABASE).write_bytes(before)
    found, notes = reopened(folder)
    assert found == {**PLAYED, "m2": [*PLAYED["m2"], *more]}
    assert notes == ["Match m2: events brought back from its journal: 2."]


@pytest.mark.parametrize("seed", range(40))
def test_with_pages_flipped_at_random_the_table_opens_and_every_match_is_whole(
    folder: Path, seed: int
) -> None:
    chance = random.Random(seed)
    path = folder / DATABASE
    content = bytearray(path.read_bytes())
    page = chance.randrange(1, len(content) // 4096) * 4096  # the first page says whose file this is
    for _ in range(chance.choice([1, 20, 2000])):
        content[page + chance.randrange(4096)] = chance.randrange(256)
    path.write_bytes(content)
    found, _ = reopened(folder)
    assert found == PLAYED


def test_with_any_byte_of_its_header_changed_a_database_is_used_repaired_or_left_alone(folder: Path) -> None:
    path, copy = folder / DATABASE, folder / SECOND_COPY
    whole, the_rest = path.read_bytes(), copy.read_bytes()
    outcomes = set()
    for offset in range(100):
        copy.write_bytes(the_rest)  # a repair before has changed settings
        path.write_bytes(whole[:offset] + bytes([whole[offset] ^ 0xFF]) + whole[offset + 1 :])
        try:
            store, notes = open_store(folder, NOW)
        except NewerVersionError:  # that is what the byte says: nothing is touched
            assert path.read_bytes()[100:] == whole[100:]
            outcomes.add("left alone")
            continue
        with store:
            assert told(store) == PLAYED
        outcomes.add("repaired" if notes else "used")
    assert outcomes == {"used", "repaired", "left alone"}


# Journals ahead, behind and astray


def test_a_journal_behind_is_completed_without_a_word(folder: Path) -> None:
    path = journal_path(folder, "m1")
    path.write_bytes(b"".join(map(line_of, PLAYED["m1"][:10])))
    journal_path(folder, "m2").unlink()
    assert reopened(folder) == (PLAYED, [])


def test_a_half_written_line_is_cut_without_a_word(folder: Path) -> None:
    path = journal_path(folder, "m1")
    path.write_bytes(path.read_bytes()[:-30])
    assert reopened(folder) == (PLAYED, [])


def test_a_journal_ahead_gives_the_database_what_it_lost(folder: Path) -> None:
    more = following(PLAYED["m2"][-1])
    with journal_path(folder, "m2").open("ab") as file:
        file.write(line_of(more))
    found, notes = reopened(folder)
    assert found["m2"] == [*PLAYED["m2"], more]
    assert notes == ["Match m2: events brought back from its journal: 1."]


def test_a_journal_of_an_unknown_match_is_taken_in(folder: Path) -> None:
    journal_path(folder, "m3").write_bytes(b"".join(map(line_of, chain("m3", 4))))
    found, notes = reopened(folder)
    assert found["m3"] == chain("m3", 4)
    assert notes == ["Match m3: events brought back from its journal: 4."]


def test_a_journal_damaged_in_the_middle_is_moved_aside_and_written_anew(folder: Path) -> None:
    path = journal_path(folder, "m1")
    lines = path.read_bytes().splitlines(keepends=True)
    bad = b"".join([*lines[:5], b"rubbish\n", *lines[6:]])[:-30]
    path.write_bytes(bad)
    found, notes = reopened(folder)
    assert found == PLAYED
    assert notes[0].startswith(f"The journal m1.jsonl was moved to {folder / ASIDE}")
    assert (folder / ASIDE / "20260501-220000" / "m1.jsonl").read_bytes() == bad


def test_a_journal_with_another_story_is_moved_aside_and_the_database_kept(folder: Path) -> None:
    other = [*PLAYED["m1"][:30]]
    while len(other) < 45:
        other.append(following(other[-1], data={"another": "story"}))
    journal_path(folder, "m1").write_bytes(b"".join(map(line_of, other)))
    found, notes = reopened(folder)
    assert found == PLAYED
    assert "it differs from the database, which was kept" in notes[0]


@pytest.mark.parametrize("name", ["m9", "not a match"])
def test_a_journal_under_a_wrong_name_is_moved_aside(folder: Path, name: str) -> None:
    (folder / JOURNAL / f"{name}.jsonl").write_bytes(b"".join(map(line_of, chain("m8", 3))))
    found, notes = reopened(folder)
    assert found == PLAYED
    assert notes[0].startswith(f"The journal {name}.jsonl was moved to")
    assert (folder / ASIDE / "20260501-220000" / f"{name}.jsonl").exists()


def test_a_journal_whose_events_cannot_be_stored_is_moved_aside(folder: Path) -> None:
    stolen = [begun("m5"), following(begun("m5"), device=PLAYED["m1"][2].device)]
    journal_path(folder, "m5").write_bytes(b"".join(map(line_of, stolen)))
    found, notes = reopened(folder)
    assert found == PLAYED
    assert "this roll is already event 3 of match m1" in notes[0]


def test_damaged_twice_what_is_certain_survives_and_the_rest_is_kept_aside(folder: Path) -> None:
    rubbish(folder / DATABASE)
    changed = msgspec.structs.replace(PLAYED["m1"][10], kind="changed")
    path = journal_path(folder, "m1")
    bad = b"".join(map(line_of, [*PLAYED["m1"][:10], changed, *PLAYED["m1"][11:]]))
    path.write_bytes(bad)
    found, notes = reopened(folder)
    assert found == {"m1": PLAYED["m1"][:10], "m2": PLAYED["m2"]}
    assert any("event 11 was changed after it was written" in note for note in notes)
    assert any(kept.read_bytes() == bad for kept in (folder / ASIDE).rglob("m1.jsonl"))


# A damaged log


def cut_off(log: Path, chance: random.Random) -> None:
    """The end of it is missing."""
    log.write_bytes(log.read_bytes()[: chance.randrange(log.stat().st_size)])


def with_flipped_bits(log: Path, chance: random.Random) -> None:
    text = bytearray(log.read_bytes())
    for _ in range(chance.randint(1, 8)):
        text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    log.write_bytes(text)


def with_empty_pages(log: Path, chance: random.Random) -> None:
    text = bytearray(log.read_bytes())
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text)) // 4096 * 4096
        text[at : at + 4096] = bytes(len(text[at : at + 4096]))
    log.write_bytes(text)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a power cut leaves it: seats were taken between events, the database's log is in use."""
    folder = tmp_path_factory.mktemp("killed")
    with Store(folder / "table") as store:
        for seat, event in enumerate(chain("m1", 6), start=1):
            store.append(event, finished=seat == 6)
            store.put_token("m1", seat, f"secret {seat}")
        for event in chain("m2", 9):
            store.append(event)
        store.put_setting("host-pin", "salt:digest")
        shutil.copytree(folder / "table", folder / "cut")
    return folder / "cut"


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("injury", [cut_off, with_flipped_bits, with_empty_pages])
def test_a_damaged_log_takes_no_seat(
    killed: Path, tmp_path: Path, injury: Callable[[Path, random.Random], None], seed: int
) -> None:
    folder = tmp_path / "table"
    shutil.copytree(killed, folder)
    injury(folder / f"{DATABASE}-wal", random.Random(seed))
    store, _ = open_store(folder, NOW)
    with store:
        assert [store.seat_of_token("m1", f"secret {seat}") for seat in range(1, 7)] == [1, 2, 3, 4, 5, 6]
        assert store.setting("host-pin") == "salt:digest"
        assert dict(told(store)) == {"m1": chain("m1", 6), "m2": chain("m2", 9)}
    again, notes = open_store(folder, NOW)
    again.close()
    assert notes == [], "a second start is quiet"


def test_a_seat_that_was_the_last_thing_before_the_power_cut_comes_back(folder: Path) -> None:
    """No event is missing then: the second copy itself knows that it is newer."""
    before = (folder / DATABASE).read_bytes()
    with Store(folder) as store:
        store.put_token("m2", 1, "later")
        store.put_setting("language", "de")
    (folder / DATABASE).write_bytes(before)
    store, notes = open_store(folder, NOW)
    with store:
        assert (store.seat_of_token("m2", "later"), store.setting("language")) == (1, "de")
    assert notes == [f"The newest seats and settings came back from {SECOND_COPY}: phones keep their seats."]


def test_a_second_copy_that_is_behind_takes_nothing_back(folder: Path) -> None:
    """The power went between the database's change and its copy; a journal lost its end at the same time."""
    older = (folder / SECOND_COPY).read_bytes()
    with Store(folder) as store:
        store.put_setting("language", "de")
    (folder / SECOND_COPY).write_bytes(older)
    with journal_path(folder, "m2").open("ab") as file:
        file.write(line_of(following(PLAYED["m2"][-1])))
    store, notes = open_store(folder, NOW)
    with store:
        assert store.setting("language") == "de"
    assert notes == ["Match m2: events brought back from its journal: 1."]
