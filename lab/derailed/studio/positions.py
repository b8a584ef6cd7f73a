"""What lies on a card table: a position of legal play, or any cards anywhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from companion.games.derailed.rules.cards import FACES, card_of, deck_of
from companion.games.derailed.rules.columns import settled
from companion.games.derailed.rules.network import area_of, grid_of
from companion.games.derailed.rules.placement import open_placements
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES
from lab.studio.habits import one_of

_HAND = 4
LANES = tuple(sorted(ARRIVALS_TO_END))


@dataclass(frozen=True)
class Laid:
    """One card that somebody laid."""

    company: str
    cell: str
    face: str


@dataclass(frozen=True)
class CardTable:
    """Both columns, and the cards of every cell from the lowest to the uppermost."""

    starts: tuple[str, ...]
    destinations: tuple[str, ...]
    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    moves: tuple[Laid, ...] = ()

    @property
    def lanes(self) -> int:
        """The number of lanes."""
        return len(self.starts)

    @property
    def grid(self) -> dict[str, str]:
        """The uppermost face of every cell with cards."""
        return {cell: stack[-1] for cell, stack in self.stacks.items()}

    def with_card(self, laid: Laid) -> CardTable:
        """The table after one more card was laid."""
        stack = (*self.stacks.get(laid.cell, ()), laid.face)
        return replace(self, stacks={**self.stacks, laid.cell: stack}, moves=(*self.moves, laid))


def any_columns(rng: np.random.Generator, lanes: int) -> CardTable:
    """A random table with companies at both ends and no card between them yet."""
    letters = sorted(str(one) for one in rng.permutation(list(COMPANIES))[:lanes])
    starts = tuple(letters[n] for n in rng.permutation(lanes))
    destinations, _ = settled(starts, [letters[n] for n in rng.permutation(lanes)])
    return CardTable(starts, destinations)


def played_table(rng: np.random.Generator, lanes: int, cards: int, tunnels: bool = False) -> CardTable:
    """A table after so many cards of random legal play, replacements among them."""
    table = any_columns(rng, lanes)
    for _ in range(cards):
        following = one_more(rng, table, tunnels)
        if following is None:
            return table
        table = following
    return table


def one_more(rng: np.random.Generator, table: CardTable, tunnels: bool = False) -> CardTable | None:
    """The table with one more card, from somebody's hand of four; None if none can be laid."""
    held = _hand(rng, table, tunnels)
    area = area_of(table.lanes, table.grid)
    for lane in rng.permutation(table.lanes):
        open_ = open_placements(area, int(lane), held)
        # People rarely cover a card while there is room beside it.
        free = [place for place in open_ if place[0] not in table.stacks]
        places = free if free and rng.random() < 0.85 else open_
        if places:
            cell, face = one_of(rng, places)
            return table.with_card(Laid(table.starts[int(lane)], cell, face))
    return None


def _hand(rng: np.random.Generator, table: CardTable, tunnels: bool) -> list[str]:
    left = deck_of(tunnels) - Counter(card_of(face) for stack in table.stacks.values() for face in stack)
    cards = list(left.elements())
    return [cards[n] for n in rng.permutation(len(cards))[:_HAND]]


def scattered_table(rng: np.random.Generator, lanes: int) -> CardTable:
    """Any face anywhere, rules or not, so that training sees all equally often."""
    table = any_columns(rng, lanes)
    filled = float(rng.uniform(0.3, 1.0))
    faces = sorted(FACES)
    stacks = {
        name: tuple(one_of(rng, faces) for _ in range(2 if rng.random() < 0.2 else 1))
        for name in grid_of(lanes).names
        if rng.random() < filled
    }
    return replace(table, stacks=stacks)
