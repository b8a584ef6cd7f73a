"""Games are found in folders and through entry points; what makes no sense there is one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from companion.games import packages
from companion.games.kit.errors import RulesDataError
from companion.games.packages import ENTRY_POINTS, FOLDERS, Package

HALMA = Package(name="halma", title="Halma", rules="halma.rules:Halma")
OURS = ["railroad-ink", "derailed", "spike", "empire-builder"]


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are looked for once a process: here once a test."""
    monkeypatch.delenv(FOLDERS, raising=False)
    packages.packages.cache_clear()
    yield
    packages.packages.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, attribute: str) -> None:
    """As if a package of somebody's named ``attribute`` of this module as its game."""
    entry = EntryPoint("game", f"{__name__}:{attribute}", ENTRY_POINTS)
    monkeypatch.setattr(packages, "entry_points", lambda group: [entry] if group == ENTRY_POINTS else [])


def test_ours_are_listed_in_their_order() -> None:
    assert list(packages.packages()) == OURS


def test_an_installed_package_brings_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "HALMA")
    assert list(packages.packages()) == [*OURS, "halma"]
    assert packages.find_package("halma") is HALMA


def test_an_entry_point_that_names_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "OURS")
    with pytest.raises(RulesDataError, match="OURS: PACKAGE is not a companion"):
        packages.packages()


def test_two_games_of_one_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "another_halma").mkdir()
    text = 'from companion.games.packages import Package\nPACKAGE = Package("halma", "Halma", "other:H")\n'
    (tmp_path / "another_halma" / "__init__.py").write_text(text)
    monkeypatch.setenv(FOLDERS, str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    installed(monkeypatch, "HALMA")
    with pytest.raises(RulesDataError, match="two games are called 'halma'"):
        packages.packages()


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDERS, str(tmp_path / "nowhere"))
    with pytest.raises(RulesDataError, match="which is no folder"):
        packages.packages()
