"""What a member box, newer, broken or hostile, may put into a batch: nothing that stops the club."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from companion.club.desk import ClubDesk
from companion.club.hub_client import HubError
from companion.club.keys import new_key, public_key, signature
from companion.club.limits import LARGEST_VIEW, read_batch
from companion.club.messages import (
    Batch,
    PairingRequest,
    Receipt,
    Record,
    Standing,
    TableState,
    pairing_text,
    record_hash,
)
from companion.club.outbox import Outbox
from companion.core.errors import NotationError
from companion.core.messages import MESSAGE_ID, with_messages
from companion.service.service import Service
from companion.table.events import canonical
from companion.table.exc import TableError
from hub.intake import storing
from hub.intake.setting_aside import SET_ASIDE
from hub.storage.database import Transaction, UnstorableError
from tests.hub.houses import Night, Wire, needs_signing, sent_all
from tests.hub.test_attacks import refused, resigned
from tests.hub.test_evening import signed_in
from tests.hub.test_outbox import count, the_box
from tests.web.houses import play_rounds
from web.access.people import kept_pin

pytestmark = needs_signing


@pytest.fixture
def night(anywhere: Night) -> Night:
    """A hub on each back end."""
    return anywhere


def first(data: dict[str, Any], **changed: Any) -> Record:
    """The first record of a match that nobody played."""
    told = {"match": "m9", "seq": 1, "at": "now", "kind": "start", "seat": None, "by": "host"}
    record = Record(**{**told, "data": data, "results": [], "journal": "", "prev": "0" * 64, **changed})
    return msgspec.structs.replace(record, hash=record_hash(record))


def shown(**changed: Any) -> TableState:
    """The state of a match."""
    told = {"match": "m9", "seq": 1, "game": "spike", "headline": "h", "status": "s", "seats": []}
    return TableState(**{**told, "finished": False, **changed})


def deep(levels: int) -> Any:
    """So many lists in each other."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


_STANDING = Standing(1, "Ada", 3, 1, "red", "circle")
POISON: dict[str, dict[str, Any]] = {
    "NUL in a call for help": {"help": "a\0b"},
    "a line break in it": {"help": "a\nb"},
    "a long one": {"help": "x" * 200},
    "NUL in the game": {"records": [first({"game": "sp\0ike"})]},
    "a game that is no text": {"records": [first({"game": ["spike"]})]},
    "NUL in the journal": {"records": [first({}, journal="\0")]},
    "NUL deep in an event": {"records": [first({"cells": [{"a": "\0"}]})]},
    "an escape in a key": {"records": [first({"\x1b[2J": 1})]},
    "a duplicate that is a list": {"records": [first({"duplicate": []})]},
    "a duplicate without its seal": {"records": [first({"duplicate": {"commitment": 1}})]},
    "a number of 300 digits": {"records": [first({"n": 2**62})]},
    "a deep event": {"records": [first({"n": deep(60)})]},
    "an event of half a megabyte": {"records": [first({"n": ["x" * 3000] * 150})]},
    "place -7": {"records": [first({}, results=[msgspec.structs.replace(_STANDING, place=-7)])]},
    "a total beyond all": {"records": [first({}, results=[msgspec.structs.replace(_STANDING, total=10**9)])]},
    "a table of twenty-five": {"records": [first({}, results=[_STANDING] * 25)]},
    "as many seats shown": {"table": shown(seats=[_STANDING] * 25)},
    "an event of thirty kilobytes": {"records": [first({"n": ["x" * 3000] * 10})]},
    "a name that turns": {"table": shown(seats=[msgspec.structs.replace(_STANDING, name="A\u202eb")])},
    "a headline that does": {"table": shown(headline="\u2066over")},
    "sentences without end": {"table": shown(said={"headline": {"a": [{}] * 3000}})},
    "seat 0": {"records": [first({}, seat=0)]},
    "a shape in markup": {"table": shown(seats=[msgspec.structs.replace(_STANDING, shape="<b>")])},
    "NUL in a name": {"table": shown(seats=[msgspec.structs.replace(_STANDING, name="A\0")])},
    "NUL in a headline": {"table": shown(headline="\0")},
    "a long view": {"table": shown(view={"x": ["y" * 4000] * (LARGEST_VIEW // 4000 + 1)})},
    "twenty million rounds": {"table": shown(view={"rounds": 20_000_000})},
    "options without end": {"table": shown(options={"x": ["y" * 3000] * 2})},
    "round -1": {"table": shown(round=-1)},
}


def poisonous(club: str, kind: str, number: int) -> Batch:
    """A batch with that in it."""
    return Batch(club, number, **POISON[kind])


@pytest.mark.parametrize("kind", list(POISON))
def test_box_and_hub_refuse_it_alike(kind: str) -> None:
    with pytest.raises(NotationError):
        read_batch(canonical(poisonous("c", kind, 1)))


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "9" * 30, "-" + "9" * 4000])
def test_numbers_that_no_database_holds_are_refused(number: str) -> None:
    body = canonical(Batch("c", 1, [first({"n": 77})])).replace(b"77", number.encode())
    with pytest.raises(NotationError):
        read_batch(body)


def test_poison_is_refused_and_everybody_else_goes_on(
    night: Night, house: Service, outbox: Outbox, wire: Wire
) -> None:
    match = count(house, outbox)
    sent_all(outbox)
    for number, kind in enumerate(POISON, start=1):
        assert refused(wire, *resigned(outbox, poisonous(night.house.club.id, kind, number))) != "fault"
    play_rounds(house, 1)
    sent_all(outbox)
    assert night.rows("SELECT seq FROM matches WHERE match = ?", match) == [
        (house.table.current.version,)  # type: ignore[union-attr]
    ]
    for address in ("/", "/screen", "/standings", "/table/1"):
        assert night.client.get(address).status_code == 200


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\u202eb"])
def test_a_table_is_called_by_nothing_that_a_page_cannot_show(night: Night, wire: Wire, name: str) -> None:
    key = new_key()
    box = public_key(key)
    signed = signature(key, pairing_text(night.code, box))
    with pytest.raises(HubError) as told:
        wire.post("/api/v1/boxes", canonical(PairingRequest(night.code, box, name, signed)))
    assert told.value.code == "bad-content"


def test_many_questions_at_once_are_no_reason_to_wait(night: Night, house: Service, outbox: Outbox) -> None:
    """A thousand matches asked about in each of sixty batches are more than one statement can name."""
    batches = [
        (the_box(outbox), Batch("c", number, asks=[f"m{number}-{one}" for one in range(1000)]))
        for number in range(1, 65)
    ]
    answers = night.house.ledger.take_all(batches)
    assert [one for one in answers if not isinstance(one, Receipt)] == []


def test_the_box_takes_no_call_for_help_that_no_hub_would(house: Service, outbox: Outbox) -> None:
    desk = ClubDesk(house.store, outbox)
    for words in ("a\0b", "a\nb", "x" * 121):
        with pytest.raises(TableError):
            desk.call_for_help(words)
    assert outbox.help == ""
    desk.call_for_help("a marker is dry")


def test_a_database_that_refuses_is_not_away(night: Night) -> None:
    """NUL is no text for PostgreSQL; two equal keys are none for either."""

    def run(statement: str, *values: str) -> None:
        with night.database.writing() as change:
            for _ in range(2):
                change.run(statement, values)

    with pytest.raises(UnstorableError):
        run("INSERT INTO settings (key, value) VALUES ('twice', '')")
    if night.database.name == "PostgreSQL":
        with pytest.raises(UnstorableError):
            run("UPDATE clock SET version = version WHERE ? = ''", "a\0b")
    assert night.rows("SELECT count(*) FROM settings WHERE key = 'twice'") == [(0,)]


def unstorable(monkeypatch: pytest.MonkeyPatch, poisoned: str) -> None:
    """From now on the database refuses every record of that match."""
    store = storing._BatchWriter.write

    def write(writer: Any, version: int) -> None:
        if any(row[1] == poisoned for row in writer._records):
            raise sqlite3.IntegrityError("refused") if poisoned == "m8" else KeyError("a fault of this hub")
        store(writer, version)

    monkeypatch.setattr(storing._BatchWriter, "write", write)


def posted(wire: Wire, body: bytes, headers: dict[str, str]) -> str:
    """What the hub says to a batch."""
    try:
        wire.post("/api/v1/batches", body, headers)
    except HubError as problem:
        return problem.code
    return "taken"


def told_by(night: Night) -> str:
    """The organiser's page."""
    night.house.put_setting("organiser-pin", kept_pin("481206"))
    night.house.state.refresh()
    page = signed_in(night, "481206").get("/organise")
    assert page.status_code == 200
    return page.text


def test_what_cannot_be_stored_is_put_aside_and_the_organiser_sees_it(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = count(house, outbox)
    sent_all(outbox)
    unstorable(monkeypatch, "m9")
    poison = Batch(night.house.club.id, 1, [first({"game": "spike"})])
    for _ in range(3):
        assert posted(wire, *resigned(outbox, poison)) in ("taken", "unstorable")  # the stream takes it first
    play_rounds(house, 1)
    sent_all(outbox)
    version = house.table.current.version  # type: ignore[union-attr]
    assert night.rows("SELECT match, seq FROM matches") == [(match, version)]
    assert night.rows("SELECT match, why FROM set_aside") == [("m9", "KeyError")]
    assert "KeyError" in told_by(night)
    outbox.send()
    assert outbox.faults["m9"] == SET_ASIDE


def test_the_organiser_has_it_taken_again(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        unstorable(broken, "m9")
        poison = Batch(night.house.club.id, 1, [first({"game": "spike"})])
        posted(wire, *resigned(outbox, poison))
    night.house.put_setting("organiser-pin", kept_pin("481206"))
    organiser = signed_in(night, "481206")
    told = {"box": the_box(outbox), "match": "m9"}
    assert organiser.post("/api/v1/organiser/again", json=told).status_code == 200
    assert night.rows("SELECT count(*) FROM set_aside") == [(0,)]
    outbox.send()
    assert "m9" not in outbox.faults
    more = first({"game": "spike"}, match="m7")  # JetStream drops what was just there
    again = Batch(night.house.club.id, 2, [*poison.records, more])
    wire.post("/api/v1/batches", *resigned(outbox, again))
    assert night.rows("SELECT seq FROM matches WHERE match = 'm9'") == [(1,)]


def test_one_in_a_full_transaction_is_found_and_the_rest_is_stored(
    night: Night, house: Service, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = the_box(outbox)
    unstorable(monkeypatch, "m8")
    batches = [(box, Batch("c", n, [first({"game": "spike"}, match=f"m{n}")])) for n in range(1, 20)]
    answers = night.house.ledger.take_all(batches)
    assert [n for n, one in enumerate(answers, start=1) if isinstance(one, Exception)] == [8]
    assert night.rows("SELECT count(*) FROM matches") == [(18,)]


def test_a_box_goes_on_without_what_its_hub_never_takes(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub of another version has other limits: a position too many stops nothing else."""
    describe = outbox._describe
    count(house, outbox)
    sent_all(outbox)

    def huge(match: Any, whole: bool) -> TableState:
        state = describe(match, whole)
        return msgspec.structs.replace(state, view={"x": ["y" * 4000] * 200} if whole else None)

    monkeypatch.setattr(outbox, "_describe", huge)
    night.house.watch(the_box(outbox))
    outbox.send()  # hears that somebody looks
    play_rounds(house, 1)
    sent_all(outbox)
    state = night.rows("SELECT state_seq, view FROM matches")[0]
    assert state == (house.table.current.version, "")  # type: ignore[union-attr]
    play_rounds(house, 1)
    sent_all(outbox)
    assert night.rows("SELECT seq FROM matches") == [
        (house.table.current.version,)  # type: ignore[union-attr]
    ]


def test_a_match_that_its_hub_never_takes_does_not_hold_up_the_next(
    night: Night, house: Service, outbox: Outbox, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = count(house, outbox)
    sent_all(outbox)
    take = wire.post

    def post(path: str, body: bytes, headers: dict[str, str] | None = None) -> bytes:
        if any(one["match"] == bad for one in json.loads(body).get("records", ())):
            raise HubError(422, "bad-content", "not that")
        return take(path, body, headers)

    monkeypatch.setattr(wire, "post", post)
    play_rounds(house, 1)
    sent_all(outbox)
    assert outbox.unsent == {bad: "not that"}
    good = count(house, outbox)
    sent_all(outbox)
    assert night.rows("SELECT seq FROM matches WHERE match = ?", good) == [(1,)]


def test_a_message_in_each_place_of_a_message_is_not_written_out() -> None:
    told: Any = "x" * 1000
    for _ in range(12):
        told = {MESSAGE_ID: "{a}" * 1000, "places": {"a": told}}
    assert with_messages(told) == told


def test_rows_that_an_earlier_hub_took_stop_no_page(night: Night, house: Service, outbox: Outbox) -> None:
    count(house, outbox)
    sent_all(outbox)
    with night.database.writing() as change:
        spoil(change)
    night.house.state.refresh()
    for address in ("/", "/screen", "/standings", "/table/1"):
        assert night.client.get(address).status_code == 200


def spoil(change: Transaction) -> None:
    """What the first hubs would have taken."""
    results: Sequence[Any] = [{"seat": 1, "name": "Ada", "total": 3, "place": -7}]
    change.run("UPDATE clock SET version = version + 1")
    change.run(
        "UPDATE matches SET results = ?, version = (SELECT version FROM clock)", (json.dumps(results),)
    )
