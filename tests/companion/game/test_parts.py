"""Readers do what they say; a studio may be missing, as no installation has the laboratory."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from companion.core.errors import NotationError
from companion.game import packages
from companion.game.registry import find_reader, find_studio, games_with_eyes
from companion.game.teaching import games_with_decks, segmented_printables
from companion.reading.base import Reader

SAID_BY = {
    "finds_positions": "positions",
    "learns_boards": "teach",
    "learns_decks": "teach_deck",
    "remembers": "references",
}


@pytest.mark.parametrize("name", games_with_eyes())
@pytest.mark.parametrize("attribute", SAID_BY)
def test_a_reader_does_what_it_says_that_it_does(name: str, attribute: str) -> None:
    reader, method = find_reader(name), SAID_BY[attribute]
    assert (getattr(type(reader), method) is not getattr(Reader, method)) == getattr(reader, attribute)


def test_only_what_is_described_as_segments_is_taught_so_and_only_decks_with_an_order() -> None:
    assert {name: len(sheets.segments("")[1]) > 0 for name, sheets in segmented_printables().items()} == {
        "spike": True
    }
    assert {
        name: [sheets.deck_photographs(edition) > 1 for edition in sheets.editions]
        for name, sheets in games_with_decks().items()
    } == {"derailed": [True] * 5}


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
        patched.setattr("companion.game.registry.find_package", lambda name: bare)
        assert_no_studio()
    with pytest.raises(NotationError, match="there is no game 'chess'"):
        find_studio("chess")


def assert_no_studio() -> None:
    with pytest.raises(NotationError, match="the studio has no sheets of 'spike': choose railroad-ink or"):
        find_studio("spike")
