"""Clocks and limits of a hub: the order is the log's, and nothing made up costs the others anything."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.club.keys import new_key, public_key, signature
from companion.club.messages import Batch, Record, Standing, pairing_text, record_hash
from companion.club.outbox import Outbox
from companion.service.service import Service
from companion.table.events import FIRST_HASH
from hub.intake.api import PAIRINGS, PAIRINGS_TOGETHER
from hub.standings import Line, standings
from tests.hub.houses import Night, needs_signing, sent_all
from tests.hub.test_attacks import resigned
from tests.hub.test_evening import over, signed_in
from tests.hub.test_outbox import count, the_box
from tests.hub.test_poison import posted
from tests.web.houses import begin
from web.access.guards import HEADERS
from web.access.limits import Allowance
from web.access.people import kept_pin

pytestmark = needs_signing


@pytest.fixture
def organiser(night: Night) -> FlaskClient:
    night.house.put_setting("organiser-pin", kept_pin("481206"))
    return signed_in(night, "481206")


def joining(night: Night, address: str) -> int:
    """Somebody joins with a box that was just made up; the answer's status."""
    key = new_key()
    box = public_key(key)
    told = {
        "code": night.code,
        "box": box,
        "name": "x",
        "signature": signature(key, pairing_text(night.code, box)),
    }
    place = {"REMOTE_ADDR": address}
    return night.client.post("/api/v1/boxes", json=told, environ_base=place).status_code


def test_boxes_do_not_join_by_the_hundred(night: Night) -> None:
    from_one = [joining(night, "10.0.0.1") for _ in range(60)]
    assert from_one.count(201) == PAIRINGS[0][0]
    from_many = [joining(night, f"10.1.{number}.1") for number in range(60)]
    assert from_one.count(201) + from_many.count(201) <= PAIRINGS_TOGETHER[0][0]
    assert set(from_one + from_many) == {201, 429}


def test_a_wrong_code_takes_no_place_of_a_box_that_joins(night: Night) -> None:
    for number in range(50):
        wish = {"code": "AAAAAAAA", "box": "0" * 64, "name": "x", "signature": "0" * 128}
        night.client.post("/api/v1/boxes", json=wish, environ_base={"REMOTE_ADDR": f"10.2.{number}.1"})
    assert joining(night, "10.0.0.1") == 201


def test_boxes_that_only_joined_are_sent_away_together(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient
) -> None:
    count(house, outbox)
    sent_all(outbox)
    for _ in range(5):
        assert joining(night, "10.0.0.1") == 201
    assert organiser.post("/api/v1/organiser/idle", json={}).status_code == 200
    night.house.state.refresh()
    assert [box.number for box in night.house.state.tables()] == [1]


PIECES = "/api/v1/pieces?page=tables"


def test_a_kept_answer_is_given_under_our_names_only_and_with_every_header(
    night: Night, house: Service, outbox: Outbox
) -> None:
    count(house, outbox)
    sent_all(outbox)
    night.house.state.refresh()
    for address in (PIECES, "/api/v1/tables"):
        for _ in range(2):  # made, and kept
            answer = night.client.get(address)
            assert answer.status_code == 200
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
            foreign = night.client.get(address, headers={"Host": "evil.example"})
            assert foreign.status_code == 421
            assert b"tables" not in foreign.data


@pytest.mark.parametrize(
    "query",
    ["page=tables&match=x1", "page=screen&match=1", "page=standings&match=77", "page=standings&match=x",
     "page=table&match=99", "page=table&match=", "page=round&match=5", "page=nothing"],
)  # fmt: skip
def test_what_no_page_has_is_refused_and_keeps_no_answer(
    night: Night, house: Service, outbox: Outbox, query: str
) -> None:
    count(house, outbox)
    sent_all(outbox)
    night.house.state.refresh()
    night.client.get(PIECES)
    kept = dict(night.house.response_cache._kept)
    assert night.client.get(f"/api/v1/pieces?{query}").status_code == 404
    assert dict(night.house.response_cache._kept) == kept


def test_one_answer_is_kept_once_however_it_is_asked_for(
    night: Night, house: Service, outbox: Outbox
) -> None:
    count(house, outbox)
    sent_all(outbox)
    night.house.state.refresh()
    for number in ("1", "01", "001"):
        assert night.client.get(f"/api/v1/pieces?page=table&match={number}").status_code == 200
    assert [key[:2] for key in night.house.response_cache._kept] == [("table", "1")]


def test_a_clock_that_went_back_changes_neither_rounds_nor_seasons(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi without a clock starts again two hours ago, in the middle of the evening."""
    pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")
    over(house, "Cleo", "Dora")
    sent_all(outbox)
    organiser.post("/api/v1/organiser/season", json={"name": "Spring"})
    organiser.post("/api/v1/organiser/people", json={"names": ["Ada", "Ben"]})
    organiser.post("/api/v1/organiser/rounds", json={"game": "railroad-ink"})
    organiser.post("/api/v1/organiser/rounds/1/begin", json={})
    back = (datetime.now(UTC) - timedelta(hours=2)).isoformat(timespec="milliseconds")
    monkeypatch.setattr(night.house.ledger, "_clock", lambda: back)
    outbox.send()
    assert outbox.seating is not None
    begin(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    outbox.send()
    assert outbox.seating is None  # it has begun, whatever the clock says
    over(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    page = night.client.get("/standings").text
    assert "Ada" in page
    assert "Cleo" not in page
    assert "Cleo" in night.client.get("/standings?season=0").text


def finished(match: str, seats: int) -> list[Record]:
    """What a box tells of a match that nobody played: so many people at the table."""
    results = [Standing(seat, f"{match} {seat}", seat, seats + 1 - seat) for seat in range(1, seats + 1)]
    start = Record(match, 1, "now", "start", None, "host", {"game": "derailed"}, [], "", FIRST_HASH)
    start = msgspec.structs.replace(start, hash=record_hash(start))
    end = Record(match, 2, "now", "end", None, "host", {}, results, "", start.hash)
    return [start, msgspec.structs.replace(end, hash=record_hash(end))]


def test_the_standings_are_counted_once_for_each_change_of_a_result(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events of matches that are played are no reason, and neither is what a match in doubt tells."""
    counted = list[int]()

    def counting(*given: Any) -> list[Line]:
        counted.append(len(given[0]))
        return standings(*given)

    monkeypatch.setattr("hub.results.standings", counting)
    box = the_box(outbox)
    night.house.ledger.take(box, Batch("c", 1, finished("m1", 4)))
    night.house.ledger.take(box, Batch("c", 2, finished("m2", 4)[1:]))
    for number in range(3, 9):
        night.house.state.refresh()
        for page in ("/standings", "/screen", "/c/ABCDEFGH", "/api/v1/pieces?page=standings"):
            night.client.get(page)
        lie = msgspec.structs.replace(finished("m1", 4)[1], at=f"{number}")  # another end than the stored one
        night.house.ledger.take(box, Batch("c", number, [lie] if number > 5 else [], help=f"{number}"))
    assert counted == [1, 0]  # the match in doubt no longer counts


def test_the_page_of_the_standings_has_an_end(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.pieces._MOST_LINES", 5)
    for number in range(1, 4):
        night.house.ledger.take(the_box(outbox), Batch("c", number, finished(f"m{number}", 4)))
    night.house.state.refresh()
    page = night.client.get("/standings")
    assert page.text.count('scope="row"') == 5
    assert "7 more people" in page.text


def test_a_match_that_never_ends_is_shown_and_not_counted(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.intake.storing.MOST_RECORDS_OF_A_MATCH", 1)
    answer = night.house.ledger.take(the_box(outbox), Batch("c", 1, finished("m1", 4)))
    assert answer.heads["m1"].seq == 1
    assert "more events" in answer.faults["m1"]


def test_no_box_fills_the_database(anywhere: Night, house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = anywhere.wire()
    outbox = anywhere.joined(house, wire, monkeypatch)
    anywhere.house.space = Allowance(100_000, 1000)
    large = {"game": "derailed", "n": ["x" * 3000] * 6}
    answers = []
    for number in range(1, 20):
        start = Record(f"big{number}", 1, "now", "start", None, "host", large, [], "", FIRST_HASH)
        start = msgspec.structs.replace(start, hash=record_hash(start))
        answers.append(posted(wire, *resigned(outbox, Batch(anywhere.house.club.id, number, [start]))))
    assert answers.count("taken") == 6
    assert set(answers) == {"taken", "slow-down"}
    count(house, outbox)
    anywhere.house.space = Allowance(100_000, 1000)  # an hour later
    sent_all(outbox)
    assert anywhere.rows("SELECT count(*) FROM matches") == [(7,)]
