"""A club night through the pages: people, rounds, results, corrections, and who may do what."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.club.desk import ClubDesk
from companion.club.outbox import Outbox
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from hub.people import PINS, made_secrets
from hub.storage.log import entries, log_fault
from tests.hub.houses import Night, needs_signing, put_box, sent_all
from tests.hub.test_outbox import the_box
from tests.web.houses import accepted, begin, play_rounds, play_steps, small_house
from web.access.guards import MOST_ADDRESS
from web.access.people import kept_pin

pytestmark = needs_signing
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen"]


@pytest.fixture
def night(night: Night) -> Night:
    night.house.put_setting(PINS["organiser"], kept_pin("481206"))
    night.house.put_setting(PINS["helper"], kept_pin("730518"))
    return night


def signed_in(night: Night, pin: str) -> FlaskClient:
    client = night.client
    assert client.post("/api/v1/organiser/session", json={"pin": pin}).status_code == 200
    return client


@pytest.fixture
def organiser(night: Night) -> FlaskClient:
    return signed_in(night, "481206")


def seen(night: Night, client: FlaskClient, address: str) -> str:
    night.house.state.refresh()
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.text


def over(house: Service, *players: str) -> str:
    """A match that the host has ended; its name."""
    match = begin(house, *players)
    play_rounds(house, 2)
    accepted(house, Action("end"))
    return match


def test_a_whole_evening(night: Night, house: Service, outbox: Outbox, organiser: FlaskClient) -> None:
    pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")
    assert organiser.post("/api/v1/organiser/people", json={"names": NAMES[:3]}).status_code == 201
    drawn = organiser.post("/api/v1/organiser/rounds", json={"game": "railroad-ink"})
    assert drawn.json is not None
    assert drawn.json["tables"] == {"1": ["Ada", "Ben", "Cleo"]}
    outbox.send()
    assert outbox.seating is None  # drawn, not begun
    assert organiser.post("/api/v1/organiser/rounds/1/begin", json={}).status_code == 200
    outbox.send()
    assert outbox.seating is not None
    assert outbox.seating.players == ["Ada", "Ben", "Cleo"]
    over(house, *outbox.seating.players)
    sent_all(outbox)
    night.house.state.refresh()
    outbox.send()
    assert outbox.seating is None  # it was played
    page = seen(night, night.client, "/standings")
    assert all(name in page for name in NAMES[:3])
    assert "Round 1" in seen(night, night.client, "/")
    assert "Ended early" in seen(night, night.client, "/table/1")
    with night.database.reading() as look:
        assert log_fault(entries(look)) is None


def test_a_correction_has_a_reason_and_is_an_entry_of_its_own(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient
) -> None:
    match = over(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    box = the_box(outbox)
    request = {"box": box, "match": match, "totals": {"2": 99}, "reason": "a village was not counted"}
    assert organiser.post("/api/v1/organiser/corrections", json={**request, "reason": ""}).status_code == 422
    assert (
        organiser.post("/api/v1/organiser/corrections", json={**request, "totals": {"9": 1}}).status_code
        == 422
    )
    assert organiser.post("/api/v1/organiser/corrections", json=request).status_code == 200
    page = seen(night, night.client, "/standings")
    assert "a village was not counted" in page
    assert page.index(">Ben<") < page.index(">Ada<")
    stored = night.rows("SELECT results FROM matches")[0][0]
    assert '"total":99' not in stored  # what the table said stays as it was


def test_every_result_of_a_long_evening_can_be_corrected(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.pieces._NEWEST_RESULTS", 1)
    earlier, later = over(house, "Ada", "Ben"), over(house, "Cleo", "Dora")
    sent_all(outbox)
    newest = seen(night, organiser, "/organise")
    assert "Earlier results (1)" in newest
    assert later in newest
    assert earlier not in newest
    everything = seen(night, organiser, "/organise?results=all")
    assert earlier in everything
    assert "Earlier results" not in everything
    assert 'data-match="all"' in everything  # the page stays fresh as it is
    assert earlier in seen(night, organiser, "/api/v1/pieces?page=organise&match=all")


def test_a_match_can_be_left_out_and_a_broken_one_is(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient
) -> None:
    match = over(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    request = {"box": the_box(outbox), "match": match, "counts": False, "reason": "it was a trial"}
    assert organiser.post("/api/v1/organiser/counts", json=request).status_code == 200
    assert "No match has counted yet" in seen(night, night.client, "/standings")
    assert organiser.post("/api/v1/organiser/counts", json={**request, "counts": True}).status_code == 200
    assert "No match has counted yet" not in seen(night, night.client, "/standings")
    with night.database.writing() as change:
        change.run("UPDATE clock SET version = version + 1")
        change.run("UPDATE matches SET fault = 'event 3 was changed', version = (SELECT version FROM clock)")
    assert organiser.post("/api/v1/organiser/counts", json={**request, "counts": True}).status_code == 200


def test_a_box_is_replaced_in_mid_evening(
    night: Night,
    house: Service,
    outbox: Outbox,
    organiser: FlaskClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over(house, "Ada", "Ben")
    sent_all(outbox)
    with small_house(tmp_path / "spare", seed=4) as spare:
        other = night.joined(spare, night.wire(), monkeypatch)
        night.house.state.refresh()
        assert organiser.post("/api/v1/organiser/replace", json={"table": 1, "by": 2}).status_code == 200
        over(spare, "Ada", "Ben")
        sent_all(other)
        assert other.memberships.now is not None
        assert other.memberships.now.table == 1
        night.house.state.refresh()
        assert [box.key for box in night.house.state.tables()] == [the_box(other)]
        assert seen(night, night.client, "/standings").count('class="results"') == 2  # both tables' matches
    with pytest.raises(Exception, match="replaced or sent away"):
        outbox.send()
    # Repaired, and back: its table is another's by now.
    assert ClubDesk(house.store, outbox).pair("http://hub", night.code, "Mended").table == 2
    night.house.state.refresh()
    assert [box.number for box in night.house.state.tables()] == [1, 2]


def test_seasons_begin_anew(night: Night, house: Service, outbox: Outbox, organiser: FlaskClient) -> None:
    over(house, "Ada", "Ben")
    sent_all(outbox)
    assert organiser.post("/api/v1/organiser/season", json={"name": "Spring"}).status_code == 200
    assert "No match has counted yet" in seen(night, night.client, "/standings")
    assert "Ada" in seen(night, night.client, "/standings?season=0")


def test_counting_otherwise_changes_the_standings(
    night: Night, house: Service, outbox: Outbox, organiser: FlaskClient
) -> None:
    over(house, "Ada", "Ben")
    sent_all(outbox)
    request = {"points": "ratio", "ties": ["total"], "bye": "none"}
    assert organiser.post("/api/v1/organiser/scheme", json=request).status_code == 200
    assert organiser.post("/api/v1/organiser/scheme", json={**request, "points": "luck"}).status_code == 422
    assert night.house.state.evening.scheme.points == "ratio"


def test_people_have_cards_that_lead_to_their_page(night: Night, organiser: FlaskClient) -> None:
    organiser.post("/api/v1/organiser/people", json={"names": ["Ada Lovelace", "ada lovelace", "Ben"]})
    night.house.state.refresh()
    assert list(night.house.state.evening.people) == ["Ada Lovelace", "Ben"]
    assert night.client.get("/print/cards").status_code == 403
    cards = seen(night, organiser, "/print/cards")
    link = cards.partition("QR code: http://localhost")[2].partition("<")[0]
    assert "Ada Lovelace" in seen(night, night.client, link)
    assert night.client.get("/c/AAAAAAAAAAAA").status_code == 404


def test_helpers_correct_and_organisers_decide(night: Night) -> None:
    helper = signed_in(night, "730518")
    assert helper.post("/api/v1/organiser/people", json={"names": ["Ada"]}).status_code == 201
    assert "Draw the next round" not in seen(night, helper, "/organise")
    for path, body in (
        ("rounds", {"game": "spike"}),
        ("rounds/1/begin", {}),
        ("season", {"name": "x"}),
        ("scheme", {}),
        ("replace", {"table": 1}),
        ("code", {}),
        ("helpers", {}),
        ("counts", {"box": "x", "match": "y", "counts": True, "reason": "because"}),
    ):
        assert helper.post(f"/api/v1/organiser/{path}", json=body).status_code == 403
        assert night.client.post(f"/api/v1/organiser/{path}", json=body).status_code == 403
    assert night.client.post("/api/v1/organiser/people", json={"names": ["Eve"]}).status_code == 403
    assert night.client.get("/api/v1/pieces?page=organise").status_code == 403
    assert "PIN" in night.client.get("/organise").text
    assert night.code not in seen(night, helper, "/organise")


def test_what_is_saved_is_told_in_every_language(night: Night, organiser: FlaskClient) -> None:
    german = {"Accept-Language": "de"}
    assert organiser.post("/api/v1/organiser/people", json={"names": ["Ada"]}).status_code == 201
    told = organiser.post(
        "/api/v1/organiser/here", json={"person": "Ada", "here": False}, headers=german
    ).get_json()
    assert told == {"message": "gespeichert"}
    signed = night.app.test_client().post("/api/v1/organiser/session", json={"pin": "481206"}, headers=german)
    assert signed.get_json() == {"message": "willkommen"}


def test_names_that_no_box_would_take_are_one_sentence(night: Night, organiser: FlaskClient) -> None:
    for name in ("Maximilian-Alexander Featherstonehaugh", "Ada\u200bLovelace"):
        answer = organiser.post("/api/v1/organiser/people", json={"names": ["Ben", name]})
        assert answer.status_code == 422
        assert "cannot be a name" in answer.text
    assert not night.house.state.evening.people


def test_tables_stand_in_the_order_of_their_numbers(night: Night, organiser: FlaskClient) -> None:
    pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")
    with night.database.writing() as change:
        for number in range(1, 13):
            put_box(change, f"{number:064x}", number, 20)
        change.run("UPDATE clock SET version = 20")
    night.house.state.refresh()
    people = [f"P{number}" for number in range(24)]
    assert organiser.post("/api/v1/organiser/people", json={"names": people}).status_code == 201
    request = {"game": "railroad-ink", "least": 2, "most": 2}
    assert organiser.post("/api/v1/organiser/rounds", json=request).status_code == 201
    assert list(night.house.state.evening.rounds[-1].tables) == list(range(1, 13))


def test_every_address_that_changes_something_asks_who_it_is(night: Night, organiser: FlaskClient) -> None:
    """Also those that are made after this test."""
    helped = {"people", "here", "corrections"}
    found = {
        rule.rule.replace("<int:number>", "1")
        for rule in night.app.url_map.iter_rules()
        if rule.endpoint.startswith("organising.") and rule.methods and "POST" in rule.methods
    }
    prefix = "/api/v1/organiser/"
    found -= {f"{prefix}session"}
    assert {f"{prefix}{name}" for name in helped} < found
    helper = signed_in(night, "730518")
    for path in sorted(found):
        assert night.client.post(path, json={}).status_code == 403
        allowed = path.removeprefix(prefix) in helped
        assert (helper.post(path, json={}).status_code == 403) is not allowed, path


def test_helpers_who_had_the_pin_before_need_the_new_one(night: Night, organiser: FlaskClient) -> None:
    helper = signed_in(night, "730518")
    request = {"names": ["Ada"]}
    assert helper.post("/api/v1/organiser/people", json=request).status_code == 201
    assert organiser.post("/api/v1/organiser/helpers", json={}).status_code == 200
    assert helper.post("/api/v1/organiser/people", json=request).status_code == 403
    assert organiser.post("/api/v1/organiser/people", json={"names": ["Ben"]}).status_code == 201


def test_pins_are_not_guessed(night: Night) -> None:
    client = night.client
    told = [client.post("/api/v1/organiser/session", json={"pin": str(n)}).status_code for n in range(6)]
    assert told == [403, 403, 403, 429, 429, 429]


def guessed_out(night: Night) -> None:
    """Strangers from many addresses have used up every try that there is for all together."""
    for number in range(70):
        night.client.post(
            "/api/v1/organiser/session",
            json={"pin": "000000"},
            environ_base={"REMOTE_ADDR": f"10.0.{number}.1"},
        )


def test_whoever_was_signed_in_before_is_not_kept_out_by_strangers(night: Night) -> None:
    browsers = {pin: signed_in(night, pin) for pin in ("481206", "730518")}
    for pin, browser in browsers.items():
        assert browser.delete("/api/v1/organiser/session").status_code == 200
        guessed_out(night)
        enter = partial(browser.post, "/api/v1/organiser/session", environ_base={"REMOTE_ADDR": "10.9.9.9"})
        assert enter(json={"pin": "111111"}).status_code == 403  # its own three tries, judged
        assert enter(json={"pin": pin}).status_code == 200
        stranger = night.client.post("/api/v1/organiser/session", json={"pin": pin})
        assert stranger.status_code == 429


def test_the_key_opens_the_page_whatever_strangers_try(night: Night) -> None:
    for role in ("organiser", "helper"):
        with night.database.writing() as change:
            made = made_secrets(change, role)
        guessed_out(night)
        phone = night.client
        assert phone.post("/api/v1/organiser/session", json={"pin": made.pin}).status_code == 429
        typed = made.key.lower().replace("-", " ")
        assert phone.post("/api/v1/organiser/session", json={"pin": typed}).status_code == 200
        assert phone.get("/api/v1/pieces?page=organise").status_code == 200
        wrong = made.key[:-1] + ("A" if made.key[-1] != "A" else "B")
        assert night.client.post("/api/v1/organiser/session", json={"pin": wrong}).status_code == 429


def test_another_site_changes_nothing(night: Night, organiser: FlaskClient) -> None:
    answer = organiser.post(
        "/api/v1/organiser/season", json={"name": "x"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("game", list(GAMES))
def test_one_table_looks_like_its_own_watch_page(
    night: Night, house: Service, outbox: Outbox, game: str
) -> None:
    accepted(house, Action("start", data={"game": game, "players": ["Ada", "Ben"]}))
    play_steps(house, 20)
    sent_all(outbox)
    assert "somebody looks" in seen(night, night.client, "/table/1")
    outbox.send()  # hears that somebody looks
    sent_all(outbox)
    page = seen(night, night.client, "/table/1")
    assert page.count('class="seat"') == 2
    assert "<svg" in page.partition("<main")[2]


def test_who_plays_hides_nothing_in_a_name(night: Night, house: Service, outbox: Outbox) -> None:
    begin(house, "<script>alert(1)", "A & B")
    sent_all(outbox)
    for address in ("/", "/screen", "/table/1", "/standings"):
        assert "<script>alert" not in seen(night, night.client, address)


def test_pages_that_did_not_change_are_not_sent_again(night: Night, house: Service, outbox: Outbox) -> None:
    over(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    first = night.client.get("/api/v1/pieces?page=standings")
    again = night.client.get(
        "/api/v1/pieces?page=standings", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    begin(house, "Cleo", "Dora")
    sent_all(outbox)  # another match begins: the standings stay as they are, the tables do not
    night.house.state.refresh()
    again = night.client.get(
        "/api/v1/pieces?page=standings", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    german = night.client.get("/api/v1/pieces?page=standings", headers={"Accept-Language": "de"})
    assert german.headers["ETag"] != first.headers["ETag"]


def test_programs_are_told_all_tables_and_get_nothing_twice(
    night: Night, house: Service, outbox: Outbox
) -> None:
    begin(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    made, kept = (night.client.get("/api/v1/tables") for _ in range(2))
    assert kept.data == made.data
    before = msgspec.json.decode(kept.data)["tables"][0]
    assert [one["name"] for one in before["seats"]] == ["Ada", "Ben"]
    known = {"If-None-Match": kept.headers["ETag"]}
    assert night.client.get("/api/v1/tables", headers=known).status_code == 304
    play_rounds(house, 1)
    sent_all(outbox)
    night.house.state.refresh()
    later = night.client.get("/api/v1/tables", headers=known)
    assert msgspec.json.decode(later.data)["tables"][0]["seq"] > before["seq"]
    page = night.client.get("/api/v1/pieces?page=programs")
    assert page.status_code == 404


@pytest.mark.parametrize(
    "number", ["1x", "1234x", "123456abc", "\N{SUPERSCRIPT TWO}", "-1", "9" * 1500, "9" * 5000]
)
def test_an_address_with_nonsense_for_a_number_is_no_fault_of_the_hub(night: Night, number: str) -> None:
    long = len(number) > MOST_ADDRESS
    assert night.client.get(f"/table/{number}").status_code == (414 if long else 404)
    assert night.client.get(f"/api/v1/pieces?page=table&match={number}").status_code == (414 if long else 404)
    assert night.client.get(f"/api/v1/pieces?page=standings&match={number}").status_code == (
        414 if long else 404
    )
    assert night.client.get(f"/standings?season={number}").status_code == (414 if long else 200)
