"""Boxes and their hub: everything arrives once and in order; strangers are refused."""

from __future__ import annotations

import threading

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.hub_client import HubClient, HubError
from companion.club.keys import public_key
from companion.club.messages import Head, TableState
from companion.club.outbox import Outbox
from companion.club.records import RecordBuilder
from companion.core.jsontext import json_of
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from companion.table.exc import TableError
from hub.intake.ledger import chain_fault, stored_records
from tests.hub.houses import Night, Wire, body_of, embedded, needs_signing, sent_all
from tests.web.houses import accepted, begin, play_rounds, play_steps, small_house

pytestmark = needs_signing


def count(house: Service, outbox: Outbox) -> str:
    """A match that counts; its name."""
    match = begin(house)
    outbox.memberships.count(match, True)
    return match


def the_box(outbox: Outbox) -> str:
    return public_key(outbox._store.setting("club-key") or "")


def test_a_whole_match_arrives_in_order_and_verifies(night: Night, house: Service, outbox: Outbox) -> None:
    match = count(house, outbox)
    play_rounds(house, 3)
    sent_all(outbox)
    with night.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    assert [one.seq for one in stored] == list(range(1, house.table.current.version + 1))  # type: ignore[union-attr]
    assert chain_fault(stored) is None
    assert outbox.waiting == 0
    assert not outbox.faults


def test_only_counted_matches_are_told(night: Night, house: Service, outbox: Outbox) -> None:
    outbox.memberships.change(every=False)
    begin(house)
    play_rounds(house, 1)
    sent_all(outbox)
    assert night.rows("SELECT count(*) FROM records") == [(0,)]
    assert night.rows("SELECT match FROM boxes") == [("",)]


def test_matches_that_begin_count_by_themselves_where_the_host_wants_that(
    night: Night, house: Service, outbox: Outbox
) -> None:
    match = begin(house)
    sent_all(outbox)
    assert night.rows("SELECT match, seq FROM matches") == [(match, 1)]


def test_a_match_whose_box_was_killed_when_it_had_just_begun_counts(
    night: Night, house: Service, outbox: Outbox
) -> None:
    """Nobody had looked for new matches yet; whoever starts next does."""
    sent_all(outbox)
    uncounted = begin(house)
    sent_all(outbox)
    outbox.memberships.count(uncounted, False)
    begun = begin(house)
    again = Outbox(
        house.store, house.table, GAMES, outbox._describe, threading.Event(), connect=outbox._connect
    )
    again.send()
    assert again.memberships.now is not None
    assert again.memberships.now.matches == (begun,)
    again.memberships.change(every=False)
    begin(house)
    again.send()
    again.memberships.change(every=True)
    again.send()
    assert again.memberships.now.matches == (begun,)


def test_a_night_without_network_costs_nothing(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    match = count(house, outbox)
    wire.down = True
    play_rounds(house, 4)
    with pytest.raises(HubError):
        outbox.send()
    wire.down = False
    assert outbox.waiting > 10
    sent_all(outbox)
    assert night.rows("SELECT seq FROM matches WHERE match = ?", match) == [
        (house.table.current.version,)  # type: ignore[union-attr]
    ]


def test_answers_that_get_lost_double_nothing(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    match = count(house, outbox)
    outbox.send()
    play_rounds(house, 2)
    wire.lost = True
    with pytest.raises(HubError):
        outbox.send()
    wire.lost = False
    outbox._note_trouble(HubError(0, "hub-away", "away"))
    sent_all(outbox)
    version = house.table.current.version  # type: ignore[union-attr]
    assert night.rows("SELECT count(*) FROM records WHERE match = ?", match) == [(version,)]


def test_a_hub_put_back_to_a_backup_gets_the_rest_again(night: Night, house: Service, outbox: Outbox) -> None:
    match = count(house, outbox)
    play_rounds(house, 2)
    sent_all(outbox)
    third = night.rows("SELECT hash FROM records WHERE seq = 3")[0][0]
    with night.database.writing() as change:
        change.run("DELETE FROM records WHERE seq > 3")
        change.run("UPDATE matches SET seq = 3, hash = ?", (third,))
    play_rounds(house, 1)
    sent_all(outbox)
    with night.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    assert len(stored) == house.table.current.version  # type: ignore[union-attr]
    assert chain_fault(stored) is None


@pytest.mark.parametrize("game", list(GAMES))
def test_hidden_hands_photographs_and_devices_stay_at_home(house: Service, game: str) -> None:
    """What is told of a match never depends on what a watcher cannot see."""
    accepted(house, Action("start", data={"game": game, "players": ["Ada", "Ben", "Cleo"]}))
    play_steps(house, 40)
    match = house.table.current
    assert match is not None
    told = list(RecordBuilder(match.game).records(match.events))
    text = body_of(told)
    assert b'"setup"' not in text
    assert b'"picture"' not in text
    assert b'"source"' not in text
    assert not match.finished
    assert all(not one.journal for one in told)  # an event's hash would give away a hidden card
    for event in match.events:
        assert event.hash.encode() not in text
    hands = getattr(match.state, "hands", None)
    if hands is not None:
        drawn = [one for one in told if one.kind.startswith("draw")]
        assert all("card" not in one.data and "cards" not in one.data for one in drawn)


def test_the_end_brings_results_and_the_journal(night: Night, house: Service, outbox: Outbox) -> None:
    match = count(house, outbox)
    play_rounds(house, 20)
    over = house.table.current
    assert over is not None
    assert over.finished
    sent_all(outbox)
    results, journal = night.rows("SELECT results, journal FROM matches WHERE match = ?", match)[0]
    assert journal == over.events[-1].hash
    assert {row["seat"]: row["total"] for row in msgspec.json.decode(results)} == {
        row["seat"]: row["total"] for row in over.game.score(over.state)
    }
    assert night.rows("SELECT view_seq FROM matches") == [(over.version,)]  # the boards, for comparing


def test_help_is_shown_until_it_is_taken_back(night: Night, house: Service, outbox: Outbox) -> None:
    count(house, outbox)
    outbox.call_for_help("a question of the rules")
    outbox.send()
    assert night.rows("SELECT help FROM boxes") == [("a question of the rules",)]
    outbox.call_for_help("")
    outbox.send()
    assert night.rows("SELECT help FROM boxes") == [("",)]


def test_a_batch_that_says_nothing_new_changes_no_page(night: Night, house: Service, outbox: Outbox) -> None:
    count(house, outbox)
    sent_all(outbox)
    outbox.send()
    before = night.rows("SELECT version FROM clock")
    outbox.send()
    assert night.rows("SELECT version FROM clock") == before


@pytest.mark.parametrize(
    "typed", ["192.168.1.5:8090", "http://192.168.1.5:8090/", "hub.lan", "https://a.b/c"]
)
def test_an_address_may_be_typed_as_it_is_read_aloud(typed: str) -> None:
    assert HubClient(typed).address == (typed if "://" in typed else f"http://{typed}").rstrip("/")


def test_an_address_that_is_none_is_one_sentence(house: Service) -> None:
    from companion.club.desk import ClubDesk

    for address in ("", "club", "ftp://x", "http://", "http://a:b"):
        with pytest.raises(TableError, match="written as"):
            ClubDesk(house.store).pair(address, "CODE", "name")


# --- properties ---


@settings(max_examples=8)
@given(st.lists(st.sampled_from(["play", "send", "lose", "down", "forget", "again"]), max_size=25))
def test_whatever_happens_on_the_way_everything_arrives_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("night")
    night = embedded(folder / "hub")
    with pytest.MonkeyPatch.context() as patch, small_house(folder / "box") as house:
        wire = night.wire()
        outbox = night.joined(house, wire, patch)
        match = count(house, outbox)
        for step in steps:
            wire.down, wire.lost = step == "down", step == "lose"
            if step == "play":
                play_steps(house, 3)
            elif step == "forget":  # the box was started anew
                outbox._heads.clear()
                outbox._held.clear()
                outbox._builders.clear()
                outbox._done.clear()
            elif step == "again" and wire.sent:
                body, headers = wire.sent[len(wire.sent) // 2]
                if "Stationmaster-Box" in headers:
                    wire.post("/api/v1/batches", body, headers)
            else:
                try:
                    outbox.send()
                except HubError as problem:
                    outbox._note_trouble(problem)
        wire.down = wire.lost = False
        sent_all(outbox)
        with night.database.reading() as look:
            stored = stored_records(look, the_box(outbox), match)
        played = house.table.current
        assert played is not None
        wanted = list(RecordBuilder(played.game).records(played.events))
        assert stored == wanted
        assert night.rows("SELECT seq, hash, fault FROM matches") == [(len(wanted), wanted[-1].hash, "")]
        assert chain_fault(stored) is None
    night.database.close()


def test_the_first_head_is_nothing() -> None:
    assert Head() == Head(0, "0" * 64)


def german(night: Night, path: str = "/") -> str:
    night.house.state.refresh()
    return night.client.get(path, headers={"Accept-Language": "de"}).get_data(as_text=True)


def test_how_a_match_stands_is_told_in_every_language(night: Night, house: Service, outbox: Outbox) -> None:
    count(house, outbox)
    sent_all(outbox)
    play_steps(house, 1)
    sent_all(outbox)
    assert "Runde 1 von 7" in german(night)
    german(night, "/table/1")  # somebody looks: the whole position comes
    sent_all(outbox)
    ((state, view),) = night.rows("SELECT state, view FROM matches")
    told = msgspec.json.decode(state, type=TableState)
    assert told.headline == "Round 1 of 7"
    assert "message_id" in view
    assert "Runde 1 von 7" in german(night, "/table/1")


def test_a_hub_that_takes_no_messages_gets_english(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    wire = night.wire()
    monkeypatch.setattr(outbox, "_connect", lambda _: wire)
    post = wire.post

    def without(path: str, body: bytes, headers: dict[str, str]) -> bytes:
        sent.append(body)
        receipt = msgspec.json.decode(post(path, body, headers))
        return json_of({key: value for key, value in receipt.items() if key != "messages"})

    monkeypatch.setattr(wire, "post", without)
    count(house, outbox)
    sent_all(outbox)
    play_steps(house, 1)
    sent_all(outbox)
    german(night, "/table/1")
    sent_all(outbox)
    assert any(b'"view":{' in body for body in sent)
    assert not any(b"message_id" in body or b'"said"' in body for body in sent)
