"""One board for all: what is new there is the move of whoever's turn it is, or is proposed to them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.reading.watched import WatchedBoard
from companion.service.photos.queries import MatchContext, Shot
from companion.service.watching.looks import TableLook, WatchedPhoto, WatchedQuery
from companion.table.table import Accepted
from tests.companion.service.watching.filmed import FilmedTable, ToldEye
from tests.web.houses import accepted, small_house, with_eye


class SharedEye(ToldEye):
    """On the one sheet lies what an action in JSON says, until it is in the match; then nothing is new."""

    proposes = False

    def follow(self, context: MatchContext, shot: Shot, at: float) -> TableLook:
        return replace(super().follow(context, shot, at), shared=True)

    def read_watched(self, match: MatchContext, photo: Path, asked: WatchedQuery) -> WatchedPhoto:
        (told,) = asked.seats.values()
        laid = json.loads(photo.read_bytes())[1].get("laid", "")
        seat = told.state.turn
        action = Action(**json.loads(laid)) if laid else None
        if action is None or action.seat != seat:
            return WatchedPhoto({seat: WatchedBoard("idle")}, self.proposes)
        data = {**action.data, "picture": {"photo": photo.stem, "settled": {}}}
        return WatchedPhoto(
            {seat: WatchedBoard("complete", Action(action.kind, seat, data))}, self.proposes, b"small"
        )


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
