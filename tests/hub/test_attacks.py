"""Attacks on a hub: strangers, lies, replays, other clubs' keys, floods; on every back end there is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.club.hub_client import HubError
from companion.club.keys import new_key, public_key, signature
from companion.club.messages import Batch, Record, batch_text, link_fault, record_hash
from companion.club.outbox import Outbox
from companion.service.service import Service
from companion.table.events import canonical
from hub.intake.api import BATCHES
from hub.intake.ledger import stored_records
from hub.storage.database import next_version
from tests.hub.houses import Night, Wire, body_of, embedded, needs_signing, put_box, sent_all
from tests.hub.test_outbox import count, the_box
from tests.web.houses import play_rounds, small_house

pytestmark = needs_signing


@pytest.fixture
def night(anywhere: Night) -> Night:
    """A hub on each back end."""
    return anywhere


def resigned(outbox: Outbox, batch: Batch, club: str | None = None) -> tuple[bytes, dict[str, str]]:
    body = canonical(batch)
    key = outbox._store.setting("club-key") or ""
    text = batch_text(club or batch.club, body)
    return body, {"Stationmaster-Box": public_key(key), "Stationmaster-Signature": signature(key, text)}


def refused(wire: Wire, body: bytes, headers: dict[str, str]) -> str:
    with pytest.raises(HubError) as told:
        wire.post("/api/v1/batches", body, headers)
    return told.value.code


def test_a_stranger_s_box_is_refused(night: Night, wire: Wire) -> None:
    key = new_key()
    body = canonical(Batch(night.house.club.id, 1))
    told = {
        "Stationmaster-Box": public_key(key),
        "Stationmaster-Signature": signature(key, batch_text(night.house.club.id, body)),
    }
    assert refused(wire, body, told) == "unknown-box"


def test_nobody_is_paired_without_the_code(night: Night, house: Service, wire: Wire) -> None:
    key = new_key()
    wish = {"code": "AAAAAAAA", "box": public_key(key), "name": "Mine", "signature": "0" * 128}
    for wanted in ("bad-code", "bad-code", "bad-code", "slow-down"):
        with pytest.raises(HubError) as told:
            wire.post("/api/v1/boxes", body_of(wish))
        assert told.value.code == wanted


def test_the_code_alone_pairs_nobody_else_s_key(night: Night, wire: Wire) -> None:
    wish = {"code": night.code, "box": public_key(new_key()), "name": "Mine", "signature": "0" * 128}
    with pytest.raises(HubError) as told:
        wire.post("/api/v1/boxes", body_of(wish))
    assert told.value.code == "bad-signature"


def test_an_altered_batch_is_refused(night: Night, house: Service, outbox: Outbox, wire: Wire) -> None:
    count(house, outbox)
    sent_all(outbox)
    body, headers = wire.sent[-1]
    changed = body.replace(b"North", b"South")
    assert changed != body
    assert refused(wire, changed, headers) == "bad-signature"
    assert refused(wire, body, {**headers, "Stationmaster-Signature": "zz"}) == "bad-signature"


def test_a_replayed_batch_counts_once_and_shows_nothing_old(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    count(house, outbox)
    outbox.call_for_help("help")
    sent_all(outbox)
    old = list(wire.sent)
    outbox.call_for_help("")
    play_rounds(house, 1)
    sent_all(outbox)
    before = night.rows("SELECT seq, hash, fault, state, results FROM matches")
    for body, headers in old[1:]:
        wire.post("/api/v1/batches", body, headers)
    assert night.rows("SELECT seq, hash, fault, state, results FROM matches") == before
    assert night.rows("SELECT help FROM boxes") == [("",)]


def test_another_club_s_batch_is_refused(
    night: Night, house: Service, outbox: Outbox, wire: Wire, tmp_path: Path
) -> None:
    """The same box belongs to two clubs: what it signed for one is worth nothing at the other."""
    other = embedded(tmp_path / "other")
    elsewhere = other.wire()
    key = house.store.setting("club-key") or ""
    with other.database.writing() as change:
        put_box(change, public_key(key), 1, next_version(change))
    count(house, outbox)
    sent_all(outbox)
    body, headers = wire.sent[-1]
    assert refused(elsewhere, body, headers) == "bad-signature"
    body, headers = resigned(outbox, Batch(night.house.club.id, 9), club=other.house.club.id)
    assert refused(elsewhere, body, headers) == "other-club"
    other.database.close()


def test_a_rewritten_past_is_shown_and_not_counted(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    """Even the box itself cannot tell another story than it told before."""
    match = count(house, outbox)
    play_rounds(house, 1)
    sent_all(outbox)
    with night.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    lie = msgspec.structs.replace(stored[2], data={"faces": ["better"]})
    lie = msgspec.structs.replace(lie, hash=record_hash(lie))
    body, headers = resigned(outbox, Batch(night.house.club.id, 1, [lie]))
    wire.post("/api/v1/batches", body, headers)
    assert "came twice" in night.rows("SELECT fault FROM matches")[0][0]
    outbox.send()
    assert match in outbox.faults
    with night.database.reading() as look:
        assert stored_records(look, the_box(outbox), match) == stored


def test_a_record_that_does_not_continue_is_not_stored(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    match = count(house, outbox)
    sent_all(outbox)
    head = outbox._heads[match]
    foreign = Record(match, head.seq + 1, "now", "roll", None, "player", {}, [], "", "f" * 64)
    foreign = msgspec.structs.replace(foreign, hash=record_hash(foreign))
    assert link_fault(head, foreign) is not None
    body, headers = resigned(outbox, Batch(night.house.club.id, 1, [foreign]))
    wire.post("/api/v1/batches", body, headers)
    assert "does not follow" in night.rows("SELECT fault FROM matches")[0][0]
    assert night.rows("SELECT count(*) FROM records WHERE match = ?", match) == [(head.seq,)]


def test_a_gap_is_filled_and_no_fault(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.intake.stream._TURNS", 2)
    match = count(house, outbox)
    sent_all(outbox)
    head = outbox._heads[match]
    later = Record(match, head.seq + 5, "now", "roll", None, "player", {}, [], "", "f" * 64)
    body, headers = resigned(outbox, Batch(night.house.club.id, 1, [later]))
    wire.post("/api/v1/batches", body, headers)
    assert night.rows("SELECT fault, seq FROM matches") == [("", head.seq)]


def test_a_flood_is_slowed_down_and_the_others_go_on(
    night: Night, house: Service, outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    count(house, outbox)
    outbox.send()
    told = []
    for number in range(80):
        body, headers = resigned(outbox, Batch(night.house.club.id, number))
        try:
            wire.post("/api/v1/batches", body, headers)
            told.append("taken")
        except HubError as problem:
            told.append(problem.code)
    assert told.count("slow-down") >= 20
    with small_house(tmp_path / "another", seed=9) as neighbour:
        other = night.joined(neighbour, night.wire(), monkeypatch)
        match = count(neighbour, other)
        sent_all(other)
        assert night.rows("SELECT seq FROM matches WHERE match = ? AND box = ?", match, the_box(other)) == [
            (1,)
        ]


def test_strangers_are_slowed_down_by_address(night: Night, wire: Wire) -> None:
    key = public_key(new_key())
    headers = {"Stationmaster-Box": key, "Stationmaster-Signature": "0" * 128}
    told = [refused(wire, b"{}", headers) for _ in range(25)]
    assert told[0] == "unknown-box"
    assert told[-1] == "slow-down"


def test_too_much_at_once_is_refused_unread(night: Night) -> None:
    answer = night.client.post("/api/v1/batches", data=b"x" * 1_200_000)
    assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"club": 1}', b'{"club": "x", "number": -1}', b"\xff"])
def test_nonsense_that_is_signed_is_one_sentence(
    night: Night, outbox: Outbox, wire: Wire, body: bytes
) -> None:
    key = outbox._store.setting("club-key") or ""
    told = {
        "Stationmaster-Box": public_key(key),
        "Stationmaster-Signature": signature(key, batch_text(night.house.club.id, body)),
    }
    assert refused(wire, body, told) not in ("fault", "strange")


def test_a_flood_is_refused_before_it_costs_anything(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(house, outbox)
    sent_all(outbox)
    for _ in range(BATCHES[0][0]):
        night.house.limiter.count("batch", f"box {the_box(outbox)}", BATCHES)
    assert refused(wire, *resigned(outbox, Batch(night.house.club.id, 1))) == "slow-down"
    monkeypatch.setattr(night.house.ledger, "checked", None)  # no signature is looked at any more
    assert refused(wire, *resigned(outbox, Batch(night.house.club.id, 2))) == "slow-down"


def test_nobody_speaks_for_another_box_of_the_club(
    night: Night, house: Service, outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    """A box that belongs here signs for itself only, and what it says of others' matches is its own word."""
    match = count(house, outbox)
    play_rounds(house, 1)
    sent_all(outbox)
    before = night.rows("SELECT seq, hash, fault, state FROM matches WHERE match = ?", match)
    with night.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    with small_house(tmp_path / "another", seed=9) as neighbour:
        other = night.joined(neighbour, wire, monkeypatch)
        body, headers = resigned(other, Batch(night.house.club.id, 1, help="not my words"))
        forged = {**headers, "Stationmaster-Box": the_box(outbox)}
        assert refused(wire, body, forged) == "bad-signature"
        lie = msgspec.structs.replace(stored[0], data={"game": "spike", "players": ["Eve"]})
        lie = msgspec.structs.replace(lie, hash=record_hash(lie))
        wire.post("/api/v1/batches", *resigned(other, Batch(night.house.club.id, 9**15, [lie])))
        asked = "SELECT seq, hash, fault, state FROM matches WHERE match = ? AND box = ?"
        assert night.rows(asked, match, the_box(outbox)) == before
        assert night.rows(asked, match, the_box(other))[0][0] == 1


def test_a_box_that_was_sent_away_says_nothing_more(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    count(house, outbox)
    sent_all(outbox)
    with night.database.writing() as change:
        change.run("UPDATE boxes SET left_at = 'now', version = ?", (next_version(change),))
    night.house.state.refresh()
    before = night.rows("SELECT count(*) FROM records")
    play_rounds(house, 1)
    with pytest.raises(HubError) as told:
        sent_all(outbox)
    assert told.value.code == "left"
    assert night.rows("SELECT count(*) FROM records") == before
