"""Random railway areas for the tests."""

from __future__ import annotations

from random import Random

from companion.games.derailed.rules.cards import DECK, FACES, card_of
from companion.games.derailed.rules.network import grid_of

DECK_FACES = sorted(face for face in FACES if card_of(face) in DECK)
OPEN_FACES = ("LTRB", "LTRB", "LTB", "TRB", "LRB", "LTR", "TB", "LT|RB", "LB|TR", "LR|TB", "LB|RB|t")
TUNNEL_FACES = sorted(FACES - set(DECK_FACES))


def random_cells(random: Random, lanes: int, filling: float = 0.8, tunnels: bool = False) -> dict[str, str]:
    """Cards in some of the cells, mostly ones that join much, and perhaps the two tunnel cards."""
    cells = {
        cell: random.choice(OPEN_FACES if random.random() < 0.75 else DECK_FACES)
        for cell in grid_of(lanes).names
        if random.random() < filling
    }
    if tunnels and len(cells) > 1:
        for cell in random.sample(sorted(cells), random.choice((1, 2))):
            cells[cell] = random.choice(TUNNEL_FACES)
    return cells
