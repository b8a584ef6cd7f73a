"""Which games there are, and where each of their parts lies: found without loading any of them.

A game is one folder whose ``__init__.py`` holds a :class:`Package`::

    PACKAGE = Package(
        name="shuttle",
        title="Shuttle",
        rules=f"{__name__}.rules.game:Shuttle",
        printing=f"{__name__}.printing.prints:ShuttlePrintables",
        ui=f"{__name__}.ui.presenter:ShuttlePresenter",
        reader=f"{__name__}.reader.reader:ShuttleReader",
        bot=f"{__name__}.bot.player:ShuttleBot",
    )

A part is named as a string, ``module:attribute``, and loaded when somebody asks for it, so that only the
process that reads photographs ever loads a network, and ``stationmaster score`` never loads a page.

Games are found in three places: the folders beside this module, the entry points called
``stationmaster.games`` of whatever is installed, and the folders that the environment variable
``STATIONMASTER_GAMES`` names (a list as in PATH), where every folder with such an ``__init__.py`` is a game.
A game that was added and does not load is left out: :func:`left_out` says why, and so does the doctor.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

from companion import games
from companion.core.errors import NotationError, RulesDataError, StationmasterError, quoted

FOLDERS = "STATIONMASTER_GAMES"
ENTRY_POINTS = "stationmaster.games"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Package:
    """One game and its parts; a part that a game does not have is left empty.

    ``rules`` is a :class:`~companion.game.base.Game`, ``bot`` a :class:`~companion.game.base.Bot`;
    the base classes of the others are in :mod:`companion.game.parts`, for the page in
    :mod:`web.ui.parts`. ``order`` is the game's place where games are listed; equal ones follow the
    alphabet. ``bgg`` has the game's number at BoardGameGeek for each edition, the option of that name (a game
    without editions: under the empty name); where it has none, the owner may enter one.
    """

    name: str
    title: str
    rules: str
    printing: str = ""
    ui: str = ""
    reader: str = ""
    studio: str = ""
    bot: str = ""
    order: int = 100
    bgg: Mapping[str, int] = field(default_factory=dict)


def loaded(part: str) -> Any:
    """What a part's string names; a class is called to make the one object that is the part."""
    return _loaded(part)


@cache
def _loaded(part: str) -> Any:
    module, _, attribute = part.partition(":")
    if not attribute:
        raise RulesDataError("bad-part", f"{part!r} is no part: write module:attribute")
    found = getattr(import_module(module), attribute)
    return found() if isinstance(found, type) else found


def packages() -> Mapping[str, Package]:
    """Every game by its name, in the order in which they are listed."""
    return _discovered()[0]


def left_out() -> Sequence[str]:
    """Why games that were added are not among them, a sentence each: the table goes on with the others."""
    return _discovered()[1]


@cache
def _discovered() -> tuple[Mapping[str, Package], Sequence[str]]:
    found = {package.name: package for package in _ours()}
    faults = []
    for where, load in _added():
        try:
            if (brought := load()) is None:
                continue
            package = _checked(brought)
            _check_rules(package)
            if found.setdefault(package.name, package) != package:
                raise RulesDataError("two-games", f"two games are called {quoted(package.name)}")
        except Exception as problem:  # noqa: BLE001 - somebody else's code may do anything
            kind = "" if isinstance(problem, StationmasterError) else f"{type(problem).__name__}: "
            said = f"{kind}{problem}"
            faults.append(f"{where}: {said}")
            _log.warning("A game is left out: %s", faults[-1])
    listed = sorted(found.values(), key=lambda one: (one.order, one.title))
    return {package.name: package for package in listed}, faults


def find_package(name: str) -> Package:
    """The package of the game called ``name``."""
    known = packages()
    if name not in known:
        message = f"there is no game {quoted(name)}: choose one of {', '.join(known)}"
        raise NotationError("unknown-game", message)
    return known[name]


def title_of_kind(kind: str) -> str:
    """The title of the game to which sheets of this kind belong (see ``kit/tag_kinds.toml``), or the kind.

    >>> title_of_kind("something else")
    'something else'
    """
    name, _, _ = kind.partition("/")
    owners = [package for package in packages().values() if f"{name}-".startswith(f"{package.name}-")]
    return max(owners, key=lambda package: len(package.name)).title if owners else kind


def _ours() -> Iterator[Package]:
    for name in _folders_in(Path(games.__file__ or "").parent):
        module = import_module(f"companion.games.{name}")
        if hasattr(module, "PACKAGE"):
            yield module.PACKAGE


def _added() -> Iterator[tuple[str, Callable[[], object]]]:
    """Games that others brought: where each was found, and what loads its package (None: it is no game)."""
    for entry in entry_points(group=ENTRY_POINTS):
        yield entry.value, entry.load
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        path = Path(folder).resolve()
        if not path.is_dir():
            yield FOLDERS, partial(_no_folder, folder)
            continue
        if str(path) not in sys.path:
            sys.path.append(str(path))
        for name in _folders_in(path):
            yield str(path / name), partial(_package_in, path / name)


def _no_folder(folder: str) -> NoReturn:
    raise RulesDataError("no-folder", f"{folder} is no folder")


def _package_in(folder: Path) -> object:
    module = import_module(folder.name)
    if folder / "__init__.py" != Path(module.__file__ or "").resolve():
        raise RulesDataError("taken-name", "another Python module is called so: give the folder another name")
    return getattr(module, "PACKAGE", None)


def _folders_in(folder: Path) -> list[str]:
    return sorted(init.parent.name for init in folder.glob("*/__init__.py"))


def _check_rules(package: Package) -> None:
    from companion.game.base import Game  # it loads msgspec, which the names of our own games do without

    if not isinstance(loaded(package.rules), Game):
        raise RulesDataError("no-game", f"{package.rules} is not a companion.game.base.Game")


def _checked(package: object) -> Package:
    if not isinstance(package, Package):
        raise RulesDataError("no-package", "PACKAGE is not a companion.game.packages.Package")
    return package
