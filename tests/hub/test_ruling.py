"""Totals are what the rules say: matches are played again at the hub, and what cannot be is marked."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec
import pytest

from companion.club.messages import Batch, Record, TableState, Untold, record_hash
from companion.club.outbox import Outbox
from companion.club.records import RecordBuilder, _without_traces, untold
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from hub.foreign.checking import ResultChecker
from hub.foreign.confined import Confined
from hub.foreign.ruling import Ruling, RulingRequest, ruling_on
from hub.results import WRONG
from tests.hub.houses import Night, needs_signing, sent_all
from tests.hub.test_attacks import resigned
from tests.hub.test_outbox import the_box
from tests.web.houses import accepted, begin, play_rounds, play_steps
from web.live.club_night import table_state

pytestmark = needs_signing
CLAIMED = "as its table says"
HIDING = [name for name, game in GAMES.items() if not game.duplicable]


def judged(night: Night) -> None:
    """What the hub's thread does a moment later."""
    night.house.state.refresh()
    ResultChecker(night.house, ruling_on, threading.Event()).look()
    night.house.state.refresh()


def over(house: Service, game: str, *, steps: int = 400) -> tuple[list[Record], TableState]:
    """A match to its end, or ended."""
    accepted(house, Action("start", data={"game": game, "players": ["Ada", "Ben"]}))
    play_steps(house, steps)
    match = house.table.current
    assert match is not None
    if not match.finished:
        accepted(house, Action("end"))
        match = house.table.current
        assert match is not None
    return list(RecordBuilder(match.game).records(match.events)), table_state(match, False)


@pytest.mark.parametrize("game", list(GAMES))
def test_the_rules_are_asked_where_records_tell_everything(house: Service, game: str) -> None:
    records, state = over(house, game, steps=60)
    found = ruling_on(RulingRequest(records, state.options, True))
    assert found == ("checked" if GAMES[game].duplicable else "claimed")


def test_undone_and_corrected_events_are_followed(house: Service) -> None:
    begin(house, "Ada", "Ben")
    play_rounds(house, 2)
    play_steps(house, 2)
    accepted(house, Action("undo"))
    play_steps(house, 400)
    match = house.table.current
    assert match is not None
    assert match.finished
    records = list(RecordBuilder(match.game).records(match.events))
    options = table_state(match, False).options
    assert ruling_on(RulingRequest(records, options, True)) == "checked"


def chained(records: list[Record]) -> list[Record]:
    """Records with their hashes made anew: a box that was changed signs whatever it says."""
    made, prev = [], "0" * 64
    for told in records:
        record = msgspec.structs.replace(told, prev=prev, hash="")
        made.append(msgspec.structs.replace(record, hash=record_hash(record)))
        prev = made[-1].hash
    return made


def lying(records: list[Record]) -> list[Record]:
    """The first seat claims more."""
    claimed = [msgspec.structs.replace(one, total=one.total + 1000) for one in records[-1].results]
    return chained([*records[:-1], msgspec.structs.replace(records[-1], results=claimed)])


def test_a_total_that_the_rules_do_not_make_does_not_count(
    night: Night, house: Service, outbox: Outbox
) -> None:
    begin(house, "Ada", "Ben")
    play_rounds(house, 20)
    match = house.table.current
    assert match is not None
    honest = list(RecordBuilder(match.game).records(match.events))
    state = table_state(match, False)
    wire = night.wire()
    wire.post("/api/v1/batches", *resigned(outbox, Batch(night.house.club.id, 1, lying(honest), table=state)))
    judged(night)
    page = night.client.get("/standings").text
    assert WRONG in page
    assert "No match has counted yet" in page


def test_honest_totals_count_and_others_are_marked(night: Night, house: Service, outbox: Outbox) -> None:
    begin(house, "Ada", "Ben")
    play_rounds(house, 20)
    sent_all(outbox)
    night.house.state.refresh()
    assert CLAIMED in night.client.get("/standings").text  # until the rules were asked
    judged(night)
    page = night.client.get("/standings").text
    assert CLAIMED not in page
    assert "No match has counted yet" not in page
    over(house, HIDING[0], steps=20)
    sent_all(outbox)
    judged(night)
    assert CLAIMED in night.client.get("/standings").text  # its box was not asked yet
    assert rulings(night) == ["checked", "claimed"]


def rulings(night: Night) -> list[str]:
    """What the rules said to each match, in their order."""
    return [row[0] for row in night.rows("SELECT checked FROM matches ORDER BY nth")]


@pytest.mark.parametrize("game", HIDING)
def test_a_box_is_asked_what_its_records_left_out(
    anywhere: Night, house: Service, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Once it is over: then the hub plays it again, whatever it hid."""
    outbox = anywhere.joined(house, anywhere.wire(), monkeypatch)
    over(house, game, steps=60)
    sent_all(outbox)
    judged(anywhere)
    assert rulings(anywhere) == ["claimed"]
    outbox.send()  # it hears that it is asked
    outbox.send()
    judged(anywhere)
    assert rulings(anywhere) == ["checked"]
    assert CLAIMED not in anywhere.client.get("/standings").text
    assert not outbox.send()
    assert outbox._wanted == ""


@pytest.mark.parametrize("game", HIDING)
def test_what_a_box_tells_has_to_fit_its_records(house: Service, game: str) -> None:
    records, _ = over(house, game, steps=60)
    match = house.table.current
    assert match is not None
    told = untold(match.events, match.game)

    def ruling(records: list[Record], told: dict[str, JsonObject]) -> Ruling:
        return ruling_on(RulingRequest(records, {}, False, told))

    assert ruling(records, told) == "checked"
    assert ruling(lying(records), told) == "wrong"
    assert ruling(records, {**told, "2": {"made": "up"}}) == "unclear"
    assert ruling(records, {"1": told["1"]}) in ("unclear", "checked")  # a game may hide its setup only
    assert ruling(records, {"1": {**told["1"], "setup": {}}}) == "unclear"
    assert ruling([records[0], *records[2:]], told) != "checked"


def test_nothing_is_told_of_a_match_that_is_played_or_does_not_count(
    night: Night, house: Service, outbox: Outbox
) -> None:
    accepted(house, Action("start", data={"game": HIDING[0], "players": ["Ada", "Ben"]}))
    sent_all(outbox)
    membership = outbox.memberships.now
    assert membership is not None
    for match in ("m1", "m2", ""):
        outbox._wanted = match
        assert outbox._untold(membership) is None


def test_pictures_and_devices_are_in_nothing_that_is_told() -> None:
    faces: JsonObject = {"faces": ["a"], "source": {"kind": "roller", "serial": "12"}}
    data = {"seq": 2, "data": {**faces, "picture": "ab"}, "picture": "cd"}
    assert _without_traces(data) == {"seq": 2, "data": {"faces": ["a"]}}


def test_a_hub_that_has_much_to_judge_asks_later(night: Night, house: Service, outbox: Outbox) -> None:
    box = the_box(outbox)
    night.house.state.claims[box] = dict.fromkeys(f"m{number}" for number in range(50))
    for number in range(50):
        night.house.hear(box, Untold(f"m{number}", {"1": {}}))
        night.house.hear(box, Untold(f"x{number}", {"1": {}}))
    assert len(night.house.untold) == 10
    assert night.house.wanted_of(box) == ""
    night.house.untold.popitem()
    assert night.house.wanted_of(box) == "m9"


def test_the_confined_process_says_the_same(house: Service, confined: Confined) -> None:
    begin(house, "Ada", "Ben")
    play_rounds(house, 20)
    match = house.table.current
    assert match is not None
    records = list(RecordBuilder(match.game).records(match.events))
    options = table_state(match, False).options
    assert confined.rule(RulingRequest(records, options, True)) == "checked"
    assert confined.rule(RulingRequest(lying(records), options, True)) == "wrong"


@pytest.fixture(scope="module")
def confined() -> Iterator[Confined]:
    made = Confined()
    yield made
    made.stop()
