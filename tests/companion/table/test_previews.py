"""Looking ahead: the same answer as doing it, and nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Refusal
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.previews import previewed
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(4))
        data: JsonObject = {"game": "derailed", "players": ["Asha", "Bo"]}
        assert isinstance(table.submit(Action("start", data=data), Actor("host")), Accepted)
        yield table


def match_of(table: Table) -> Match:
    assert table.current is not None
    return table.current


def test_a_preview_is_what_doing_it_brings_and_does_nothing(table: Table) -> None:
    before = match_of(table)
    for action in before.game.legal(before.state, 1):
        after = previewed(before, action, Actor("player", 1))
        assert isinstance(after, Match)
        assert match_of(table) is before
        assert isinstance(table.submit(action, Actor("player", 1)), Accepted)
        assert match_of(table).state == after.state
        assert isinstance(table.submit(Action("undo"), Actor("player", 1)), Accepted)
        before = match_of(table)


@pytest.mark.parametrize(
    ("seat", "kind", "data"),
    [
        (2, "place", {"cell": "a1", "card": "TB"}),
        (1, "place", {"cell": "z9", "card": "TB"}),
        (1, "place", {"cell": "a1"}),
        (1, "fly", {}),
        (1, "pass", {}),
    ],
)
def test_a_refusal_is_the_same_as_that_of_doing_it(
    table: Table, seat: int, kind: str, data: JsonObject
) -> None:
    action, actor = Action(kind, None, data), Actor("player", seat)
    foreseen, done = previewed(match_of(table), action, actor), table.submit(action, actor)
    assert isinstance(foreseen, Refusal)
    assert isinstance(done, Refused)
    assert (foreseen.code, foreseen.message, foreseen.detail) == (done.code, done.message, done.detail)


def test_what_chance_or_the_deck_decides_is_never_shown_beforehand(table: Table) -> None:
    player = Actor("player", 1)
    placing = match_of(table).game.legal(match_of(table).state, 1)[0]
    assert isinstance(table.submit(placing, player), Accepted)
    for kind, actor in (("take", player), ("undo", player), ("start", Actor("host"))):
        answer = previewed(match_of(table), Action(kind), actor)
        assert isinstance(answer, Refusal)
        assert answer.code == "not-before", kind
    assert isinstance(previewed(match_of(table), Action("take"), Actor("watcher")), Refusal)


def test_a_shuffle_still_to_be_made_is_not_shown(tmp_path: Path) -> None:
    with Store(tmp_path / "ink") as store:
        table = Table(store, GAMES, chance=SeededChance(4))
        data: JsonObject = {"game": "railroad-ink", "players": ["Asha"]}
        assert isinstance(table.submit(Action("start", data=data), Actor("host")), Accepted)
        answer = previewed(match_of(table), Action("roll"), Actor("player", 1))
        assert isinstance(answer, Refusal)
        assert answer.code == "not-before"
