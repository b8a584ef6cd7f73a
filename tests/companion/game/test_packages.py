"""Games are found in folders and through entry points; one that does not load is left out with a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from companion.game import packages
from companion.game.packages import ENTRY_POINTS, FOLDERS, Package
from tests.companion.table.toygame import ToyGame

HALMA = Package(name="halma", title="Halma", rules=f"{__name__}:HalmaRules")
RULES_FAIL = Package(name="halma", title="Halma", rules=f"{__name__}:FailingRules")
RULES_ODD = Package(name="halma", title="Halma", rules=f"{__name__}:OURS")
RULES_MISSING = Package(name="halma", title="Halma", rules="halma.rules:Halma")
OURS = ["railroad-ink", "derailed", "spike", "empire-builder"]


class HalmaRules(ToyGame):
    """Rules that load."""

    name = "halma"


class FailingRules:
    def __init__(self) -> None:
        raise ValueError("the rulebook has no page 4")


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are looked for once a process: here once a test."""
    monkeypatch.delenv(FOLDERS, raising=False)
    packages._discovered.cache_clear()
    yield
    packages._discovered.cache_clear()


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


@pytest.mark.parametrize(
    ("attribute", "said"),
    [
        ("OURS", "PACKAGE is not a companion.game.packages.Package"),
        ("RULES_FAIL", "ValueError: the rulebook has no page 4"),
        ("RULES_ODD", f"{__name__}:OURS is not a companion.game.base.Game"),
        ("RULES_MISSING", "ModuleNotFoundError: No module named 'halma'"),
        ("NOTHING", "AttributeError: module "),
    ],
)
def test_an_installed_game_that_does_not_load_is_left_out(
    monkeypatch: pytest.MonkeyPatch, attribute: str, said: str
) -> None:
    installed(monkeypatch, attribute)
    assert list(packages.packages()) == OURS
    (why,) = packages.left_out()
    assert why.startswith(f"{__name__}:{attribute}: {said}")


def in_folder(monkeypatch: pytest.MonkeyPatch, folder: Path, game: str, text: str) -> None:
    (folder / game).mkdir()
    (folder / game / "__init__.py").write_text(text)
    monkeypatch.setenv(FOLDERS, str(folder))
    monkeypatch.syspath_prepend(folder)


def test_of_two_games_of_one_name_the_first_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = f'from companion.game.packages import Package\nPACKAGE = Package("halma", "H", "{HALMA.rules}")\n'
    in_folder(monkeypatch, tmp_path, "another_halma", text)
    installed(monkeypatch, "HALMA")
    assert packages.find_package("halma") is HALMA
    assert packages.left_out() == [f"{tmp_path / 'another_halma'}: two games are called 'halma'"]


def test_a_folder_with_a_game_that_does_not_load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_folder(monkeypatch, tmp_path, "broken_halma", "import of_nothing\n")
    assert list(packages.packages()) == OURS
    assert packages.left_out() == [
        f"{tmp_path / 'broken_halma'}: ModuleNotFoundError: No module named 'of_nothing'"
    ]


def test_a_folder_that_is_called_like_another_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_folder(monkeypatch, tmp_path, "json", "PACKAGE = None\n")
    assert list(packages.packages()) == OURS
    (why,) = packages.left_out()
    assert "another Python module is called so" in why


def test_a_folder_that_is_no_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_folder(monkeypatch, tmp_path, "halma_notes", "")
    assert (list(packages.packages()), list(packages.left_out())) == (OURS, [])


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDERS, str(tmp_path / "nowhere"))
    assert list(packages.packages()) == OURS
    assert packages.left_out() == [f"{FOLDERS}: {tmp_path / 'nowhere'} is no folder"]
