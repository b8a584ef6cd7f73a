"""Commitments, words and seeds in a match, and choosing who begins."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.languages import said
from companion.table.events import Actor
from companion.table.fairplay import Seed, mixed_word, seeds_of
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from tests.companion.table.test_table import GAMES, HOST, STARTING, made, player

ROLLER = Actor("device", name="roller-1")
HASH, SEED = "a" * 64, "b" * 64


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        table = made(store)
        table.submit(STARTING, HOST)
        yield table


def ask(
    table: Table, kind: str, actor: Actor = ROLLER, seat: int | None = None, **data: object
) -> Accepted | Refused:
    return table.submit(Action(kind, seat, data), actor)


def test_a_seed_is_committed_mixed_and_revealed(table: Table) -> None:
    before = table.current
    assert isinstance(ask(table, "commit", uid="roller-1", commitment=HASH), Accepted)
    assert isinstance(ask(table, "word", player(2), 2, word="rain"), Accepted)
    assert isinstance(ask(table, "word", player(1), 1, word="sun"), Accepted)
    assert table.current
    word = hashlib.sha256(b"match-0 1:sun 2:rain").hexdigest()[:32]
    assert mixed_word(table.current.events) == word
    assert isinstance(ask(table, "mix", commitment=HASH, word=word), Accepted)
    assert isinstance(ask(table, "reveal", commitment=HASH, seed=SEED), Accepted)
    assert seeds_of(table.current.events) == [Seed("roller-1", HASH, word, SEED)]
    assert before
    assert table.current.state == before.state
    assert verified(table.current.events, GAMES).fault is None


@pytest.mark.parametrize(
    ("kind", "actor", "data", "code"),
    [
        ("commit", HOST, {"uid": "x", "commitment": HASH}, "device-only"),
        ("reveal", player(1), {"commitment": HASH, "seed": SEED}, "device-only"),
        ("commit", ROLLER, {"uid": "x", "commitment": "short"}, "bad-shape"),
        ("mix", ROLLER, {"commitment": HASH, "word": "w"}, "no-commitment"),
        ("reveal", ROLLER, {"commitment": HASH, "seed": SEED}, "no-commitment"),
        ("mix", ROLLER, {"commitment": HASH}, "bad-shape"),
        ("word", player(1), {"word": "early"}, "too-late"),
        ("word", player(1), {"word": "x" * 41}, "bad-shape"),
        ("word", HOST, {"word": "whose"}, "no-seat"),
    ],
)
def test_what_does_not_fit_is_refused(
    table: Table, kind: str, actor: Actor, data: dict[str, object], code: str
) -> None:
    answer = table.submit(Action(kind, actor.seat, data), actor)
    assert isinstance(answer, Refused)
    assert answer.code == code


def test_after_the_mix_no_word_is_taken(table: Table) -> None:
    ask(table, "commit", uid="roller-1", commitment=HASH)
    assert table.current
    ask(table, "mix", commitment=HASH, word=mixed_word(table.current.events))
    answer = ask(table, "word", player(1), 1, word="late")
    assert isinstance(answer, Refused)
    assert answer.code == "too-late"
    assert said(answer.message, "de").startswith("Wörter kommen zwischen")


def test_the_first_player_is_chosen_by_chance_or_told(table: Table) -> None:
    chosen = ask(table, "first", HOST)
    assert isinstance(chosen, Accepted)
    assert chosen.event.data["seat"] in (1, 2)
    assert chosen.event.data["source"]["kind"] == "seeded"
    told = table.submit(Action("first", None, {"seat": 2, "source": {"kind": "roller"}}), ROLLER)
    assert isinstance(told, Accepted)
    assert told.event.data == {"seat": 2, "source": {"kind": "roller"}}
    assert isinstance(table.submit(Action("first", None, {"seat": 3}), HOST), Refused)
    assert table.current
    assert verified(table.current.events, GAMES).fault is None
