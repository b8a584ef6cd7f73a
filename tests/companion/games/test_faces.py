"""Faces: eyes are what the house asks for; a studio may be missing, as no installation has the laboratory."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from companion.games import packages
from companion.games.derailed.eye.reader import DerailedReader
from companion.games.derailed.eye.readings import CardReading
from companion.games.derailed.rules.state import State as CardsState
from companion.games.faces import Reader, Scoring, Teachable, find_reader, find_studio, games_with_eyes
from companion.games.kit.errors import NotationError
from companion.games.railroad_ink.eye.reader import RailroadInkReader
from companion.games.railroad_ink.eye.readings import SheetReading
from companion.games.railroad_ink.rules.state import State as BoardsState


def test_readers_are_what_the_house_asks_for() -> None:
    """The types are checked by mypy, what readers can do beyond them here."""
    boards: Reader[BoardsState, SheetReading] = RailroadInkReader()
    cards: Reader[CardsState, CardReading] = DerailedReader()
    assert [isinstance(boards, face) for face in (Scoring, Teachable)] == [True, True]
    assert [isinstance(cards, face) for face in (Scoring, Teachable)] == [True, False]
    assert [type(find_reader(game)) for game in games_with_eyes()[:2]] == [type(boards), type(cards)]


def test_a_game_without_an_eye_is_one_sentence() -> None:
    with pytest.raises(NotationError, match="cannot be read: choose railroad-ink"):
        find_reader("chess")


@pytest.fixture
def without_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installation: no module of the laboratory can be imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "lab"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    monkeypatch.setattr(packages, "_loaded", packages._loaded.__wrapped__)


class _Missing:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "lab":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize("game", [name for name, package in packages.packages().items() if package.studio])
def test_every_studio_that_is_named_is_there(game: str) -> None:
    studio = find_studio(game)
    assert callable(studio.write)
    assert callable(studio.picture)


@pytest.mark.usefixtures("without_lab")
def test_without_the_laboratory_it_is_said_where_the_studio_is() -> None:
    with pytest.raises(NotationError, match="the studio is not installed: take the project's sources"):
        find_studio("railroad-ink")


def test_a_game_without_a_studio(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(packages.find_package("spike"), studio="")
    with monkeypatch.context() as patched:
        patched.setattr("companion.games.faces.find_package", lambda name: bare)
        assert_no_studio()
    with pytest.raises(NotationError, match="there is no game 'chess'"):
        find_studio("chess")


def assert_no_studio() -> None:
    with pytest.raises(NotationError, match="the studio has no sheets of 'spike': choose railroad-ink or"):
        find_studio("spike")
