"""The page on which the host taps the walls of a blueprint card on a board."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.core.messages import m
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.games.railroad_ink.ui import art
from web.access.people import person
from web.pages.owners import kept_options
from web.site import site
from web.ui.speaking import Markup

GAME = "railroad-ink"
ADDRESS = f"/host/walls/{GAME}"

walls = Blueprint("railroad_ink_walls", __name__)


@walls.get(ADDRESS)
def tap_walls() -> str:
    """The host's page: an empty board, and the walls that are kept."""
    if not person().host:
        return render_template("host_pin.html")
    game = site().service.games[GAME]
    empty = {
        "boards": {"1": {"cells": {}, "rounds": {}}},
        "options": {"edition": "challenge", "blueprint": []},
    }
    # A button on every border between two cells, with the line of the wall that it stands for
    boxes = art.cell_boxes()
    found = []
    for name, (x, y, width, height) in boxes.items():
        number = GRID.cell(name)
        for side, (x1, y1, x2, y2) in {
            1: (x + width, y, x + width, y + height),
            2: (x, y + height, x + width, y + height),
        }.items():
            neighbour = GRID.neighbours[number][side]
            if neighbour >= 0:
                found.append(_border(f"{name}-{GRID.names[neighbour]}", (x1, y1, x2, y2)))
    return render_template(
        "railroad-ink/walls.html",
        game=game,
        kept=kept_options(site().service.store, game)["walls"],
        sprite=art.sprite(),
        board=art.board(empty, 1, m("The board; its walls are below it as text")),
        borders=Markup("").join(found),
        view=art.view_box(),
    )


def _border(wall: str, line: tuple[float, float, float, float]) -> Markup:
    """Each has the diamond to the middles of its two cells: whatever is tapped, the nearest is meant."""
    x1, y1, x2, y2 = line
    middle, across = ((x1 + x2) / 2, (y1 + y2) / 2), ((y2 - y1) / 2, (x2 - x1) / 2)
    one, other = ((middle[0] + sign * across[0], middle[1] + sign * across[1]) for sign in (-1, 1))
    return Markup(
        '<g data-wall="{}" role="checkbox" tabindex="0" aria-checked="false" aria-label="{}">'
        '<polygon points="{},{} {},{} {},{} {},{}"/><path d="M{} {}L{} {}"/></g>'
    ).format(wall, _between(wall), x1, y1, *one, x2, y2, *other, *line)


def _between(wall: str) -> str:
    one, other = wall.split("-")
    return m("wall between {one} and {other}", one=one, other=other)
