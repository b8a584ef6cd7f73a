"""Every recorded match, replayed strictly; and what becomes of one that somebody has altered."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game.registry import GAMES
from companion.table.events import Event, sealed
from companion.table.exc import JournalError
from companion.table.journal import read_journal
from companion.table.replay import replayed, verified
from tests.golden.record import RECORDINGS, Recording, record

HERE = Path(__file__).parent
JOURNALS = sorted(HERE.glob("*/*.jsonl"))


def outcomes(journal: Path) -> Any:
    return json.loads((journal.parent / "scores.json").read_text())[journal.stem]


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_match_is_replayed_strictly(journal: Path) -> None:
    events = read_journal(journal)
    assert verified(events, GAMES).fault is None
    match = replayed(events, GAMES)
    assert match.finished
    scores = match.game.score(match.state)
    assert [
        {key: row[key] for key in wanted} for row, wanted in zip(scores, outcomes(journal), strict=True)
    ] == (outcomes(journal))


@pytest.mark.parametrize(
    ("game", "wanted"), [("railroad-ink", {1, 2, 4}), ("derailed", {2, 3, 4, 5, 6}), ("spike", {2, 3, 4})]
)
def test_every_number_of_players_has_its_recorded_match(game: str, wanted: set[int]) -> None:
    journals = (HERE / game).glob("*.jsonl")
    assert {len(read_journal(journal)[0].data["players"]) for journal in journals} >= wanted


def test_recorded_matches_of_spike_hold_what_random_play_hardly_comes_to() -> None:
    kinds = Counter(
        event.kind for journal in (HERE / "spike").glob("*.jsonl") for event in read_journal(journal)
    )
    assert kinds["deliver"] >= 10
    assert kinds["upgrade"] >= 10
    assert kinds["dump"] >= 1
    assert kinds["report"] >= 2
    ended = replayed(read_journal(HERE / "spike" / "two-nothing-left.jsonl"), GAMES)
    assert ended.state.last_turns == 0  # not by the third time card
    assert ended.state.options.deal == "table"


@pytest.mark.parametrize("recording", RECORDINGS[:2], ids=lambda recording: recording.name)
def test_the_same_seeds_record_the_same_match(recording: Recording, tmp_path: Path) -> None:
    journal, _ = record(recording, tmp_path)
    assert journal.read_bytes() == (HERE / recording.game / f"{recording.name}.jsonl").read_bytes()


# --- altered records ---


def solo() -> list[Event]:
    return read_journal(HERE / "railroad-ink" / "solo.jsonl")


def resealed(events: list[Event]) -> list[Event]:
    """The chain made whole again, as somebody would who knows how."""
    whole: list[Event] = []
    for seq, event in enumerate(events, start=1):
        prev = whole[-1].hash if whole else "0" * 64
        whole.append(sealed(msgspec.structs.replace(event, seq=seq, prev=prev)))
    return whole


def test_a_changed_event_breaks_the_chain() -> None:
    events = solo()
    events[5] = msgspec.structs.replace(events[5], at="2026-01-01T00:00:00.000+00:00")
    fault = verified(events, GAMES).fault
    assert fault is not None
    assert "event 6 was changed" in fault


def test_a_better_roll_with_a_new_chain_is_found_by_the_rules() -> None:
    events = solo()
    events[1] = msgspec.structs.replace(
        events[1], data={**events[1].data, "faces": ["NES", "NES", "NES", "NES"]}
    )
    verdict = verified(resealed(events), GAMES)
    assert verdict.at == 2
    assert verdict.fault is not None
    assert "cannot show" in verdict.fault


@pytest.mark.parametrize("left_out", range(1, 12))
def test_no_event_can_be_left_out(left_out: int) -> None:
    events = solo()
    del events[left_out]
    assert verified(events, GAMES).fault is not None


def test_a_move_for_another_seat_is_found() -> None:
    events = read_journal(HERE / "railroad-ink" / "two.jsonl")
    place = next(index for index, event in enumerate(events) if event.kind == "draw")
    events[place] = msgspec.structs.replace(events[place], seat=3 - (events[place].seat or 0))
    assert verified(resealed(events), GAMES).at == place + 1


def test_senseless_events_are_one_clear_sentence() -> None:
    events = solo()
    events[3] = msgspec.structs.replace(events[3], data={})
    with pytest.raises(JournalError, match="make no sense together"):
        replayed(events, GAMES)
    assert verified(resealed(events), GAMES).at == 4
