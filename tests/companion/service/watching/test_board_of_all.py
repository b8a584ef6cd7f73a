"""One board for all: what is new there is the move of whoever's turn it is, or is proposed to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.game.base import Action, NoChance, Refusal
from companion.game.registry import GAMES
from companion.reading.watched import WatchedBoard
from companion.service.photos.queries import MatchContext, Shot
from companion.service.watching.looks import TableLook, WatchedPhoto, WatchedQuery
from companion.service.watching.news import SeatNews
from companion.table.events import Actor
from companion.table.table import Accepted, Refused
from tests.companion.service.watching.filmed import FilmedTable, ToldEye
from tests.web.houses import accepted, small_house, with_eye


class SharedEye(ToldEye):
    """On the one sheet lies what actions in JSON say; those that are in the match are not new any more."""

    proposes = False

    def follow(self, context: MatchContext, shot: Shot, at: float) -> TableLook:
        return replace(super().follow(context, shot, at), shared=True)

    def read_watched(self, match: MatchContext, photo: Path, asked: WatchedQuery) -> WatchedPhoto:
        (told,) = asked.seats.values()
        laid = [Action(**json.loads(one)) for one in json.loads(photo.read_bytes())[1].values()]
        seat, game = told.state.turn, GAMES[match.game]
        new = [one for one in laid if not is_there(told.state, one)]
        if not new or (not self.proposes and new[0].seat != seat):
            return WatchedPhoto({seat: WatchedBoard("idle")}, self.proposes)
        if len(new) > 1 or isinstance(game.decide(told.state, new[0], NoChance()), Refusal):
            return WatchedPhoto({seat: WatchedBoard("against", says=("more lies there",))}, self.proposes)
        data = {**new[0].data, "picture": {"photo": photo.stem, "settled": {}}}
        return WatchedPhoto(
            {seat: WatchedBoard("complete", Action(new[0].kind, seat, data))}, self.proposes, b"small"
        )


def is_there(state: Any, laid: Action) -> bool:
    """Return True if track that was laid is in the match."""
    if "path" not in laid.data:
        return False
    return set(laid.data["path"]) <= set(state.players[laid.seat].tracks)


@pytest.mark.parametrize(
    ("game", "kind", "proposes"), [("derailed", "place", False), ("spike", "build", True)]
)
def test_what_is_laid_is_the_move_or_is_proposed(
    tmp_path: Path, game: str, kind: str, proposes: bool
) -> None:
    with small_house(tmp_path) as house:
        start = {"game": game, "players": ["Anna", "Ben", "Cleo"]}
        accepted(house, Action("start", data=start))
        table = FilmedTable(house)
        table.eye = SharedEye()
        table.eye.proposes = proposes
        with_eye(house, table.eye)  # type: ignore[arg-type]
        for _ in range(30):  # until something can be laid
            state = table.match.state
            found = [one for one in table.match.game.legal(state, state.turn) if one.kind == kind]
            if found:
                break
            other = table.match.game.legal(state, state.turn)[0]
            accepted(house, other)
        laid, before = found[0], table.match.version
        written = json.dumps({"kind": laid.kind, "seat": laid.seat, "data": laid.data})
        table.filmed({1: {"laid": written}}, 8)
        if proposes:
            told = table.news(laid.seat or 0)
            assert told is not None
            assert (told.state, table.match.version) == ("proposed", before)
            assert table.watch.agree(table.match, laid.seat or 0, "0" * 64) is None
            assert isinstance(table.watch.agree(table.match, laid.seat or 0, told.photo), Accepted)
            assert table.watch.agree(table.match, laid.seat or 0, told.photo) is None
        assert table.match.version == before + 1
        entered = table.match.events[-1]
        assert (entered.kind, entered.seat) == (kind, laid.seat)
        assert entered.actor.role == ("player" if proposes else "device")
        table.filmed({1: {"laid": written}}, 8)
        assert table.match.version == before + 1, "it is not entered twice"


@pytest.fixture
def proposed(tmp_path: Path) -> Iterator[tuple[FilmedTable, str, SeatNews]]:
    """A table of SPIKE whose camera has proposed a build; what lies there, and to whom it is proposed."""
    with small_house(tmp_path) as house:
        accepted(house, Action("start", data={"game": "spike", "players": ["Anna", "Ben", "Cleo"]}))
        table = FilmedTable(house)
        table.eye = SharedEye()
        table.eye.proposes = True
        with_eye(house, table.eye)  # type: ignore[arg-type]
        laid = told_build(table)
        table.filmed({1: {"first": laid}}, 8)
        news = table.news(json.loads(laid)["seat"])
        assert news is not None
        assert news.state == "proposed"
        yield table, laid, news


def told_build(table: FilmedTable) -> str:
    """A build of whose turn it is; others draw cards until one is possible."""
    while True:
        legal = table.match.game.legal(table.match.state, table.match.state.turn)
        build = next((one for one in legal if one.kind == "build"), None)
        if build is not None:
            return json.dumps({"kind": build.kind, "seat": build.seat, "data": build.data})
        accepted(table.house, legal[0])


def kinds(table: FilmedTable) -> list[tuple[str, int | None, str]]:
    return [(one.kind, one.seat, one.actor.role) for one in table.match.events[-2:]]


def test_the_next_players_tap_confirms_what_was_proposed(proposed: tuple[FilmedTable, str, SeatNews]) -> None:
    table, laid, news = proposed
    house, match, before = table.house, table.match, table.match.version
    following = next(seat for seat in (*match.players, *match.players) if seat == news.seat % 3 + 1)
    takes = Action("draw", following, {"from": "deck"})
    # Who may not say it confirms nothing, and an own build is no other's
    assert isinstance(house.moved(match, takes, Actor("watcher"), None), Refused)
    assert isinstance(house.moved(match, takes, Actor("player", news.seat), None), Refused)
    assert isinstance(
        house.moved(match, Action("build", news.seat, {"path": []}), Actor("host"), None), Refused
    )
    assert table.match.version == before
    assert isinstance(house.moved(match, takes, Actor("player", following), None), Accepted)
    assert kinds(table) == [("build", news.seat, "device"), ("draw", following, "player")]
    assert table.watch.agree(table.match, news.seat, news.photo) is None
    table.filmed({1: {"first": laid}}, 8)
    assert table.match.version == before + 2


def test_the_next_players_track_confirms_what_was_proposed(
    proposed: tuple[FilmedTable, str, SeatNews],
) -> None:
    table, laid, news = proposed
    match = table.match
    fact = match.game.decide(match.state, Action(**json.loads(laid)), NoChance())
    assert not isinstance(fact, Refusal)
    after = match.game.apply(match.state, fact)
    build = next(one for one in match.game.legal(after, after.turn) if one.kind == "build")
    second = json.dumps({"kind": "build", "seat": build.seat, "data": build.data})
    table.filmed({1: {"first": laid, "second": second}}, 8)
    assert kinds(table)[-1] == ("build", news.seat, "device")
    told = table.news(build.seat or 0)
    assert told is not None
    assert told.state == "proposed"
    photo = table.match.events[-1].data["picture"]["photo"]
    assert table.house.photos.find(photo) is not None, "the picture that it was read from is kept"
