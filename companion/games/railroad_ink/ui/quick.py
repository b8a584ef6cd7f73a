"""An empty board to enter a finished one on."""

from __future__ import annotations

from companion.core.messages import m, table_text
from companion.games.railroad_ink.rules.blueprints import shipped_blueprints
from companion.games.railroad_ink.rules.boards.routes import SHAPES
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.rulebook import EDITION_WORDS, GOAL_RACE, LAYOUTS
from companion.games.railroad_ink.rules.scoring.goals import GOALS
from companion.games.railroad_ink.ui import art
from companion.games.railroad_ink.ui.marking import ADDRESS
from web.ui.parts import Controls

# Of a cell: the side, its words, its line.
_BORDERS = (
    ("top", m("wall on top"), "M0 0h100"),
    ("right", m("wall on the right"), "M100 0v100"),
    ("bottom", m("wall at the bottom"), "M0 100h100"),
    ("left", m("wall on the left"), "M0 0v100"),
)

_SIZES = {"usual": m("usual, 7 x 7"), "giant": m("giant, 9 x 9"), "epic": m("epic, 11 x 11")}


def quick_board() -> Controls:
    """What the quick score page needs."""
    empty = {
        "boards": {"1": {"cells": {}, "rounds": {}}},
        "options": {"edition": "challenge", "blueprint": []},
    }
    told = {
        "board": art.board(empty, 1, m("The board to be scored")),
        "shapes": [(shape, art.face(shape, SHAPE_NAMES[shape]), SHAPE_NAMES[shape]) for shape in SHAPES],
        "editions": EDITION_WORDS,
        "sizes": [(size, _SIZES[size]) for size in LAYOUTS],
        "expansions": [(name, table_text(table.title)) for name, table in TABLES.items()],
        "blueprints": [(card.title, " ".join(card.walls)) for card in shipped_blueprints().values()],
        "borders": _BORDERS,
        "pieces": ADDRESS,
        "goals": [(code, goal.text) for code, goal in GOALS.items()],
        "points": sorted({0, *GOAL_RACE.values}, reverse=True),
        "goal_count": GOAL_RACE.drawn,
        "rounds": max(layout.rounds for layout in LAYOUTS.values()),
    }
    return Controls("railroad-ink/quick.html", told)
