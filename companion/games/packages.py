"""Which games there are, and where each of their faces lies: found without loading any of them.

A game is one folder whose ``__init__.py`` holds a :class:`Package`::

    PACKAGE = Package(
        name="shuttle",
        title="Shuttle",
        rules=f"{__name__}.rules.game:Shuttle",
        paper=f"{__name__}.paper.prints:ShuttleSheets",
        page=f"{__name__}.page.show:ShuttleShow",
        eye=f"{__name__}.eye.reader:ShuttleReader",
        bot=f"{__name__}.bot.player:ShuttleBot",
    )

A face is named as a string, ``module:attribute``, and loaded when somebody asks for it, so that only the
process that reads photographs ever loads a network, and ``stationmaster score`` never loads a page.

Games are found in three places: the folders beside this module, the entry points called
``stationmaster.games`` of whatever is installed, and the folders that the environment variable
``STATIONMASTER_GAMES`` names (a list as in PATH), where every folder with such an ``__init__.py`` is a game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from companion.games.kit.errors import NotationError, RulesDataError
from companion.games.kit.grid import quoted

FOLDERS = "STATIONMASTER_GAMES"
ENTRY_POINTS = "stationmaster.games"


@dataclass(frozen=True)
class Package:
    """One game and its faces; a face that a game does not have is left empty.

    ``rules`` is a :class:`~companion.games.contract.Game`; the protocols of the others are in
    :mod:`companion.games.faces`, for the page in :mod:`web.show.parts` and for the bot in
    :mod:`companion.games.bots`. ``order`` is the game's place where games are listed; equal ones follow the
    alphabet.
    """

    name: str
    title: str
    rules: str
    paper: str = ""
    page: str = ""
    eye: str = ""
    studio: str = ""
    bot: str = ""
    order: int = 100


def loaded(face: str) -> Any:
    """What a face's string names; a class is called to make the one object that stands for the face."""
    return _loaded(face)


@cache
def _loaded(face: str) -> Any:
    module, _, attribute = face.partition(":")
    if not attribute:
        raise RulesDataError("bad-face", f"{face!r} is no face: write module:attribute")
    found = getattr(import_module(module), attribute)
    return found() if isinstance(found, type) else found


@cache
def packages() -> Mapping[str, Package]:
    """Every game by its name, in the order in which they are listed."""
    found: dict[str, Package] = {}
    for package in sorted(_found(), key=lambda one: (one.order, one.title)):
        if package.name in found and found[package.name] != package:
            raise RulesDataError("two-games", f"two games are called {quoted(package.name)}")
        found[package.name] = package
    return found


def find_package(name: str) -> Package:
    """The game called ``name``."""
    known = packages()
    if name not in known:
        message = f"there is no game {quoted(name)}: choose one of {', '.join(known)}"
        raise NotationError("unknown-game", message)
    return known[name]


def _found() -> Iterator[Package]:
    yield from _in_folder(Path(__file__).parent, "companion.games.")
    for entry in entry_points(group=ENTRY_POINTS):
        yield _checked(entry.load(), entry.value)
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        path = Path(folder).resolve()
        if not path.is_dir():
            raise RulesDataError("no-folder", f"{FOLDERS} names {folder}, which is no folder")
        if str(path) not in sys.path:
            sys.path.append(str(path))
        yield from _in_folder(path, "")


def _in_folder(folder: Path, prefix: str) -> Iterator[Package]:
    """The games whose folders lie in this one: those whose ``__init__.py`` has a PACKAGE."""
    for init in sorted(folder.glob("*/__init__.py")):
        module = import_module(prefix + init.parent.name)
        if hasattr(module, "PACKAGE"):
            yield _checked(module.PACKAGE, str(init))


def _checked(package: object, where: str) -> Package:
    if not isinstance(package, Package):
        raise RulesDataError("no-package", f"{where}: PACKAGE is not a companion.games.packages.Package")
    return package
