"""Blueprints: named sets of walls. The genuine cards are unknown, so these designs are our own.

Each ``.toml`` file here is one blueprint::

    name = "The River Gate"
    about = "One sentence for the players."
    walls = ["c3-c4", "d3-d4"]
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from companion.core.errors import NotationError, RulesDataError, quoted
from companion.core.messages import m, vocabulary
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.walls import Walls, parse_walls
from companion.games.railroad_ink.rules.rulebook import LAYOUTS, USUAL


class Blueprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card: what it is called, what it does to a board, and where its walls are."""

    name: str
    about: str
    walls: tuple[str, ...]

    @property
    def title(self) -> str:
        """What people read: its name, in their language if it is one of ours."""
        return _TITLES.get(self.name, self.name)


_TITLES = vocabulary("blueprint", "Old Town", "River Gate", "Two Valleys")


def parse_blueprint(text: bytes, source: str) -> Blueprint:
    """A blueprint file's content; ``source`` is named in complaints."""
    try:
        blueprint = msgspec.toml.decode(text, type=Blueprint)
        parse_walls(blueprint.walls, LAYOUTS["epic"])
    except (msgspec.DecodeError, NotationError, ValueError) as problem:
        raise RulesDataError("bad-blueprint", f"{source}: {problem}") from None
    if len(set(blueprint.walls)) != len(blueprint.walls):
        raise RulesDataError("bad-blueprint", m("{source}: a wall is given twice", source=source))
    return blueprint


@cache
def shipped_blueprints() -> dict[str, Blueprint]:
    """The designs that come with the box, by file name without its ending."""
    folder = files(__package__)
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda e: e.name
    )
    return {
        entry.name.removesuffix(".toml"): parse_blueprint(entry.read_bytes(), entry.name) for entry in found
    }


def blueprint_named(walls: Walls, layout: Layout = USUAL) -> str:
    """The shipped blueprint with these walls by its name; empty if none has them."""
    return next((name for name in shipped_blueprints() if blueprint_walls(name, layout) == walls), "")


def blueprint_walls(name: str, layout: Layout = USUAL) -> Walls:
    """The walls of a shipped blueprint; on a larger board they stand in the same places from the top left."""
    shipped = shipped_blueprints()
    if name not in shipped:
        message = m(
            "there is no blueprint {name}: choose one of {shipped}, or list the walls",
            name=quoted(name),
            shipped=", ".join(shipped),
        )
        raise NotationError("unknown-blueprint", message)
    return parse_walls(shipped[name].walls, layout)
