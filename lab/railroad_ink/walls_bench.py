"""How surely photographs tell blueprint cards: ``python -m lab.railroad_ink.walls_bench [--cards 60]``.

Boards with printed walls are measured by ``python -m lab.railroad_ink.reading_bench --walls``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.railroad_ink.printing.cards import card_sheet, large_card
from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.rules.boards.walls import Walls, parse_walls
from companion.sheets.drawing import Drawing
from lab.railroad_ink.reading_bench import FIRST_SEED, some_walls
from lab.reading_bench import Columns, tell_tables
from lab.studio.darkroom import packed
from lab.studio.levels import LEVELS
from lab.studio.tabletop import MarkedSheet, lay_table, photograph

_QUALITY = 88
# A phone held over a card alone, and one so far away that the card is as small as among boards.
_MEGAPIXELS = (0.25, 0.5, 1.5)


@dataclass(frozen=True)
class Card:
    """A photographed card: at which level, how large, and what became of it."""

    level: str
    megapixels: float
    told: bool
    right: bool


def card_picture(walls: Walls, seed: int, level: str, megapixels: float) -> bytes:
    """A card on somebody's table. It is rendered as large as a board: only pixels a box matter."""
    sheet = card_sheet()
    look = Drawing(sheet.size, large_card(walls, "Blueprint", "").shapes)
    table = lay_table([MarkedSheet(sheet, {}, look)], seed, level, megapixels)
    return packed(photograph(table), _QUALITY)


def judged(number: int, level: str) -> Card:
    """Photograph a card and read it."""
    walls, megapixels = some_walls(number), _MEGAPIXELS[number % len(_MEGAPIXELS)]
    sheets = read_photo(card_picture(walls, FIRST_SEED + number, level, megapixels)).sheets
    told = len(sheets) == 1 and sheets[0].is_card and sheets[0].walls is not None
    return Card(level, megapixels, told, told and parse_walls(sheets[0].walls or ()) == walls)


_COLUMNS: Columns[Card] = {
    "told": lambda cards: (sum(card.told for card in cards), len(cards)),
    "right": lambda cards: (sum(card.right for card in cards), len(cards)),
    "wrong": lambda cards: (sum(card.told and not card.right for card in cards), len(cards)),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Photograph and read the cards, and print the tables."""
    parser = argparse.ArgumentParser(prog="walls_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=60, help="of each level")
    cards = parser.parse_args(arguments).cards
    found = [judged(number, level) for level in LEVELS for number in range(cards)]
    tell_tables(
        "cards",
        _COLUMNS,
        {
            "level": lambda card: card.level,
            "level, megapixels": lambda card: f"{card.level}, {card.megapixels}",
        },
        found,
    )


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
