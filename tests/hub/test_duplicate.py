"""Rounds in which all tables have the same dice: sealed before, the same everywhere, open after."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.club.dice import ClubDice
from companion.club.hub_client import HubError
from companion.club.keys import new_key, public_key, sealed_for, unsealed
from companion.club.messages import Batch, Record, RoundDice, Standing
from companion.club.outbox import Outbox
from companion.club.records import RecordBuilder
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.export.proving import prove_rolls
from companion.service.service import Service
from companion.table.events import Actor, Device, canonical
from companion.table.exc import TableError
from companion.table.replay import verified
from companion.table.table import Accepted, Refused
from hub.people import PINS
from tests.hub.houses import Night, Wire, needs_signing, sent_all
from tests.hub.test_attacks import resigned
from tests.hub.test_outbox import the_box
from tests.hub.test_ruling import chained, judged
from tests.web.houses import HOST, accepted, play_rounds, small_house
from web.access.people import kept_pin
from web.live.club_night import table_state

pytestmark = needs_signing
DICE = ("A", "A", "C", "D")  # of the edition that is played here
NAMES = ["Ada", "Ben", "Cleo", "Dora"]


@dataclass
class At:
    """A table of the evening."""

    house: Service
    outbox: Outbox
    wire: Wire

    def begin(self, number: int = 1) -> str:
        """As the host's page does: the club's round with what the hub said; the match's name."""
        self.outbox.send()
        seating = self.outbox.seating
        assert seating is not None
        self.house.outbox = self.outbox
        told = self.house.club.dice_of(number)
        data = {"game": seating.game, "players": seating.players, "mode": seating.mode}
        request = {**data, "options": seating.options, **({"duplicate": told} if told else {})}
        return accepted(self.house, Action("start", data=request)).event.match

    def rolls(self) -> list[list[str]]:
        match = self.house.table.current
        assert match is not None
        return [event.data["faces"] for event in match.events if event.kind == "roll"]


@pytest.fixture
def tables(night: Night, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[At]]:
    with small_house(tmp_path / "one", 1) as first, small_house(tmp_path / "two", 2) as second:
        made = []
        for house in (first, second):
            wire = night.wire()
            made.append(At(house, night.joined(house, wire, monkeypatch), wire))
        night.house.state.refresh()
        yield made


@pytest.fixture
def organiser(night: Night) -> FlaskClient:
    pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")
    night.house.put_setting(PINS["organiser"], kept_pin("481206"))
    client = night.client
    assert client.post("/api/v1/organiser/session", json={"pin": "481206"}).status_code == 200
    assert client.post("/api/v1/organiser/people", json={"names": NAMES}).status_code == 201
    return client


def drawn(organiser: FlaskClient, word: str = "", **wanted: Any) -> dict[str, Any]:
    request = {"game": "railroad-ink", "least": 2, "most": 2, "duplicate": True, **wanted}
    told = organiser.post("/api/v1/organiser/rounds", json=request)
    assert told.status_code == 201, told.text
    assert organiser.post("/api/v1/organiser/rounds/1/begin", json={"word": word}).status_code == 200
    body: dict[str, Any] = told.json or {}
    return body


def opened(night: Night, organiser: FlaskClient) -> dict[str, Any]:
    night.house.state.refresh()
    assert organiser.post("/api/v1/organiser/rounds/1/open", json={}).status_code == 200
    told: dict[str, Any] = night.client.get("/api/v1/rounds/1").json or {}
    return told


def by_anybody(told: dict[str, Any], club: str) -> list[list[str]]:
    """The rolls as somebody computes them who has only the documentation and a standard library."""
    assert hashlib.sha256(bytes.fromhex(told["seed"])).hexdigest() == told["commitment"]
    mixed = hashlib.sha256(f"{club}\n{told['round']}\n{told['word']}".encode()).hexdigest()[:32]
    game, rolls = GAMES[told["game"]], []
    for n in range(1, 8):
        digest = hmac.digest(bytes.fromhex(told["seed"]), f"{mixed}:{n}".encode(), "sha256")
        numbers = iter([byte % 6 for byte in digest if byte < 252])
        rolls.append([game.die_faces[die][next(numbers)] for die in DICE])
    return rolls


def test_all_tables_have_the_same_dice_and_anybody_can_prove_them(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    seal = drawn(organiser, "seventeen trains", options={"edition": "challenge"})["commitment"]
    one, two = tables
    for table in tables:
        table.begin()
    two.wire.down = True  # the network falls away in the middle of everything
    for table, seed in ((one, 5), (two, 6)):
        play_rounds(table.house, 20, seed=seed)
    sent_all(one.outbox)
    with pytest.raises(HubError):
        two.outbox.send()
    night.house.state.refresh()
    page = night.client.get("/round/1").text
    assert seal in page
    assert "1 of 2 tables have finished" in page
    assert "<svg" not in night.client.get("/table/1").text.partition("<main")[2]  # boards tell dice
    assert "All boards" not in page
    assert night.client.get("/api/v1/rounds/1").json["seed"] == ""  # type: ignore[index]
    two.wire.down = False
    two.outbox._note_trouble(HubError(0, "hub-away", "away"))
    sent_all(two.outbox)
    told = opened(night, organiser)
    assert told["commitment"] == seal
    assert by_anybody(told, night.house.club.id) == told["rolls"]
    assert told["rolls"] == one.rolls() == two.rolls()
    for table in tables:
        sent_all(table.outbox)
        match = table.house.table.current
        assert match is not None
        assert match.events[-1].kind == "reveal"
        proof = prove_rolls(match.events, match.game)
        assert proof is not None
        assert (len(proof.proved), proof.uncovered, proof.waiting, proof.faults) == (7, [], [], [])
        assert verified(list(match.events), GAMES).fault is None
        assert not table.outbox.dice.waiting
    totals = [(board["place"], board["total"]) for board in told["boards"]]
    assert len(totals) == 4
    assert totals == [(1 + sum(other > total for _, other in totals), total) for _, total in totals]
    page = night.client.get("/round/1").text
    assert page.count('class="seat"') == 4
    assert all(name in page for name in NAMES)
    assert page.partition("All boards")[2].count("/round/1?board=") == 4
    night.house.box_player.wait()
    alone = night.client.get("/api/v1/rounds/1").json["box"]  # type: ignore[index]
    assert alone > 40, "more than those who drew at random"
    assert f"<b>{alone}</b>" in night.client.get("/round/1").text.partition("The box, alone")[2]
    link = "/round/1?board=" + page.partition("/round/1?board=")[2].partition('"')[0]
    assert night.client.get(link).text.count('class="seat"') == 5


def test_the_goals_are_drawn_once_for_all(night: Night, tables: list[At], organiser: FlaskClient) -> None:
    goals = drawn(organiser, options={"goals": "draw"})["options"]["goals"]
    assert len(goals) == 3
    for table in tables:
        table.begin()
        match = table.house.table.current
        assert match is not None
        assert match.opening["setup"]["options"]["goals"] == goals


def test_dice_thrown_at_the_table_are_not_those_of_the_round(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    drawn(organiser)
    at = tables[0]
    at.begin()
    faces = ["NS", "NS", "N*", "NES"]
    for actor, data in (
        (HOST, {"faces": faces}),
        (Actor("player", 1), {"faces": faces, "source": {"kind": "club"}}),
        (Actor("device", name="pico"), {"faces": faces, "source": {"kind": "roller", "uid": "pico"}}),
    ):
        device = Device("pico", "a", 1) if actor.role == "device" else None
        answer = at.house.table.submit(Action("roll", None, data), actor, device=device)
        assert isinstance(answer, Refused)
        assert answer.code == "club-dice"
    at.house.store.put_setting("dice-source", "hand")  # whatever the host has chosen for other matches
    match = at.house.table.current
    assert match is not None
    first = at.house.dice.roll(match, Actor("player", 1), "k1")
    again = at.house.dice.roll(match, Actor("player", 1), "k1")
    assert isinstance(first, Accepted)
    assert isinstance(again, Accepted)
    assert first.event == again.event
    assert first.event.data["source"]["kind"] == "club"
    undone = at.house.table.submit(Action("undo"), HOST)
    assert isinstance(undone, Refused)


def test_a_board_with_other_dice_and_a_second_try_do_not_rank(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    drawn(organiser)
    one, two = tables
    one.begin()
    play_rounds(one.house, 20)
    with pytest.raises(TableError, match="begun here already"):
        one.house.club.dice_of(1)
    before = one.house.table.current
    assert before is not None
    accepted(one.house, Action("start", data=_wish_of(before)))  # a box that somebody has changed
    play_rounds(one.house, 20)
    two.begin()
    match = two.house.table.current
    assert match is not None
    lie = {"faces": ["NS", "NS", "N*", "NES"], "source": {"kind": "club"}}
    assert isinstance(two.house.table.submit(Action("roll", None, lie), Actor("service")), Accepted)
    accepted(two.house, Action("end"))
    for table in tables:
        sent_all(table.outbox)
    boards = opened(night, organiser)["boards"]
    assert [board.get("why", "") for board in boards].count("") == 2
    assert [board.get("why", "") for board in boards].count("this table had begun the round before") == 2
    assert [board.get("why", "") for board in boards].count("these are not the dice of the round") == 2
    page = night.client.get("/round/1").text
    assert page.count("Does not rank") == 4


def _wish_of(match: Any) -> dict[str, Any]:
    opening = match.opening
    told = {key: opening[key] for key in ("game", "players", "mode", "duplicate")}
    return {**told, "options": {**opening["setup"]["options"], "goals": "none"}}


def test_boards_that_are_reported_whole_rank_with_the_others(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    drawn(organiser, mode="scorekeeper")
    for table, cells in zip(tables, ({"a2": "ew"}, {"a2": "ew", "b2": "ew"}), strict=True):
        table.begin()
        for _ in range(7):
            match = table.house.table.current
            assert match is not None
            rolled = table.house.dice.roll(match, HOST, None)
            assert isinstance(rolled, Accepted), rolled
        rounds = dict.fromkeys(cells, 1)
        for seat in (1, 2):
            accepted(table.house, Action("report", seat, {"cells": cells, "rounds": rounds, "round": 1}))
            accepted(table.house, Action("done", seat))
        sent_all(table.outbox)
    boards = opened(night, organiser)["boards"]
    assert len(boards) == 4
    assert {board["table"]: board["place"] for board in boards if board["place"]} != {}
    assert tables[0].rolls() == tables[1].rolls()
    assert night.client.get("/round/1").text.count('class="seat"') == 4


def test_only_the_box_itself_opens_its_seal(tmp_path: Path) -> None:
    mine, other = new_key(), new_key()
    seed = "ab" * 32
    sealed = sealed_for(public_key(mine), seed)
    assert unsealed(mine, sealed) == seed
    assert unsealed(other, sealed) is None
    assert unsealed(mine, "00" * 10) is None
    kept = {"club-key": mine}
    dice = ClubDice(kept.get, kept.__setitem__)
    honest = RoundDice(hashlib.sha256(bytes.fromhex(seed)).hexdigest(), "0" * 32, sealed)
    dice.take(honest)
    assert dice.seed(honest.commitment) == seed
    with pytest.raises(TableError, match="committed"):
        dice.take(RoundDice("1" * 64, "0" * 32, sealed))
    with pytest.raises(TableError, match="call the organiser"):
        dice.seed("1" * 64)


def test_dice_stay_sealed_for_a_table_that_still_plays(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    drawn(organiser)
    at = tables[0]
    at.begin()
    play_rounds(at.house, 1)
    opened(night, organiser)
    sent_all(at.outbox)
    match = at.house.table.current
    assert match is not None
    assert all(event.kind != "reveal" for event in match.events)
    accepted(at.house, Action("end"))
    sent_all(at.outbox)
    match = at.house.table.current
    assert match is not None
    assert match.events[-1].kind == "reveal"


def test_only_a_sealed_round_is_opened_and_only_by_the_organiser(
    night: Night, tables: list[At], organiser: FlaskClient
) -> None:
    drawn(organiser, duplicate=False)
    assert night.client.post("/api/v1/organiser/rounds/1/open", json={}).status_code == 403
    assert organiser.post("/api/v1/organiser/rounds/1/open", json={}).status_code == 409
    assert organiser.post("/api/v1/organiser/rounds/9/open", json={}).status_code == 404
    request = {"game": "spike", "duplicate": True}
    assert organiser.post("/api/v1/organiser/rounds", json=request).status_code == 409
    assert night.client.get("/round/7").status_code == 404
    assert night.client.get("/round/x").status_code == 404
    bad = {"game": "railroad-ink", "duplicate": True, "options": {"edition": "purple"}}
    assert organiser.post("/api/v1/organiser/rounds", json=bad).status_code == 422


def test_a_batch_says_nothing_that_an_earlier_hub_does_not_know() -> None:
    assert canonical(Batch("c", 1)) == b'{"club":"c","number":1}'


@dataclass
class _Lie:
    """A board of a club's round that nobody played."""

    table: At
    results: list[Standing]

    def send(self, night: Night) -> None:
        """Begin honestly, and end with these results and without a single roll."""
        self.table.begin()
        match = self.table.house.table.current
        assert match is not None
        start = list(RecordBuilder(match.game).records(match.events))
        end = Record(match.id, len(start) + 1, "now", "end", None, "host", {}, self.results, "0" * 64, "")
        batch = Batch(night.house.club.id, 10**6, chained([*start, end]), table=table_state(match, False))
        self.table.wire.post("/api/v1/batches", *resigned(self.table.outbox, batch))


def test_a_board_without_dice_does_not_rank(night: Night, tables: list[At], organiser: FlaskClient) -> None:
    """The round's commitment at its beginning, thousands of points at its end, and nothing between."""
    drawn(organiser)
    one, two = tables
    one.begin()
    play_rounds(one.house, 20)
    sent_all(one.outbox)
    _Lie(two, [Standing(1, "Cleo", 9999, 1), Standing(2, "Dora", -5, 2)]).send(night)
    boards = opened(night, organiser)["boards"]
    ranked = [board for board in boards if board["place"] is not None]
    assert {board["table"] for board in ranked} == {1}
    why = {board.get("why") for board in boards if board["table"] == 2}
    assert why == {"not all dice of the round were rolled there"}
    judged(night)
    assert the_box(two.outbox) in {
        box for (box,) in night.rows("SELECT box FROM matches WHERE checked = 'wrong'")
    }
