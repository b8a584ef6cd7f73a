"""The parts of every game the box knows, loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.game.base import Game
from companion.game.packages import find_package, loaded, packages

if TYPE_CHECKING:
    from companion.game.parts import Printables, Studio
    from companion.reading.base import Reader


class _Games(Mapping[str, Game[Any]]):
    """The games by name, each loaded when it is first asked for."""

    def __getitem__(self, name: str) -> Game[Any]:
        game: Game[Any] = loaded(packages()[name].rules)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(packages())

    def __len__(self) -> int:
        return len(packages())


GAMES: Mapping[str, Game[Any]] = _Games()


def find_game(name: str) -> Game[Any]:
    """The game called ``name``."""
    find_package(name)
    return GAMES[name]


def games_with_printables() -> list[str]:
    """The games that have something to print, by name."""
    return [package.name for package in packages().values() if package.printing]


def printables_of(name: str) -> Printables:
    """What can be printed for one of them."""
    printables: Printables = loaded(packages()[name].printing)
    return printables


def games_with_eyes() -> list[str]:
    """The games whose boards can be read from photographs, by name."""
    return [package.name for package in packages().values() if package.reader]


def find_reader(name: str) -> Reader[Any, Any, Any]:
    """The eye of a game; only processes that read photographs ask for one, because it loads networks."""
    package = packages().get(name)
    if package is None or not package.reader:
        message = m(
            "photographs of {name} cannot be read: choose {games_with_eyes}",
            name=quoted(name),
            games_with_eyes=" or ".join(games_with_eyes()),
        )
        raise NotationError("not-readable", message)
    reader: Reader[Any, Any, Any] = loaded(package.reader)
    return reader


def find_studio(name: str) -> Studio[Any]:
    """The studio of the game called ``name``: part of the project's sources, not of an installation."""
    part = find_package(name).studio
    if not part:
        having = " or ".join(package.name for package in packages().values() if package.studio)
        raise NotationError(
            "no-studio",
            m("the studio has no sheets of {name}: choose {having}", name=quoted(name), having=having),
        )
    try:
        studio: Studio[Any] = loaded(part)
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "lab":
            raise
        message = m(
            "the studio is not installed: take the project's sources and start them there with make run"
        )
        raise NotationError("no-studio", message) from problem
    return studio
