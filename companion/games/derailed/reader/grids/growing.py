"""Grows grids from card to card, for tables with too few recognised stations.

Cards side by side are a place apart. From the likeliest card on, neighbours get the places next to it; the
lattice that fits them (a homography) takes in what lies farther away. Which of its rows are the columns of
stations is told by the stations that were seen, and by where rail cards leave room for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.grid import Detections, Grid
from companion.games.derailed.reader.grids.lattice import Lattice, Node, fitted_to, moved
from companion.games.derailed.reader.grids.likelihood import DetectedEvidence, log_likelihood
from companion.games.derailed.reader.grids.refinement import likeliest
from companion.games.derailed.reader.grids.station_rows import grid_steps
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from vision.register.rectify import Places

_C = CONSTANTS.growing


def grown_grids(detections: Detections) -> Iterator[Grid]:
    """Grids grown from the most likely cards, each with its most likely windows of rows."""
    cards = detections.cards
    if len(cards) < _C.least:
        return
    neighbours = _near(grid_steps(cards)).sum(axis=1).tolist()
    left = set(range(len(cards)))
    for _ in range(_C.seeds):
        if len(left) < _C.least:
            return
        seed = max(left, key=lambda n: (neighbours[n], cards[n].likely))
        turned = [_turned(card, cards[seed]) for card in cards]
        steps = grid_steps([card for card in turned if card is not None])
        numbers = [n for n, card in enumerate(turned) if card is not None]
        placed = _placed(steps, _near(steps), numbers.index(seed))
        nodes = {node: cards[numbers[n]] for n, node in placed.items()}
        left -= {numbers[n] for n in placed} | {seed}
        lattice = _grown(nodes, [cards[n] for n in numbers])
        if lattice is not None:
            least = DetectedEvidence(cards).without_grid + _C.least_likely
            yield from likeliest(_windows(lattice, cards), cards, _C.windows, least)


def _turned(card: DetectedCard, like: DetectedCard) -> DetectedCard | None:
    """The card with its sides in another card's directions, down or to the right; None if it lies across."""
    long = like.long if like.long.sum() > 0 else -like.long
    short = like.short if _cross(like.short, long) > 0 else -like.short
    if abs(card.long @ long) < np.cos(np.radians(_C.alike)) * np.hypot(*card.long) * np.hypot(*long):
        return None
    own = card.long if card.long @ long > 0 else -card.long
    across = card.short if card.short @ short > 0 else -card.short
    return DetectedCard(card.middle, across, own, card.likely, card.station, card.exact)


def _cross(one: Places, other: Places) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _near(steps: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mask (n, n) of pairs of cards one place apart, along or across the lanes."""
    whole = np.rint(steps)
    near = (np.abs(whole).sum(axis=-1) == 1) & (np.abs(steps - whole).max(axis=-1) < _C.off)
    return np.asarray(near & near.T, np.bool_)


def _placed(steps: NDArray[np.float64], near: NDArray[np.bool_], seed: int) -> dict[int, Node]:
    """Assign nodes to a card and to all connected to it by neighbours, no node twice."""
    placed: dict[int, Node] = {seed: (0, 0)}
    taken = {(0, 0)}
    waiting = [seed]
    while waiting:
        one = waiting.pop(0)
        for other in np.flatnonzero(near[one]).tolist():
            across, down = np.rint(steps[one, other]).astype(int).tolist()
            node = (placed[one][0] + across, placed[one][1] + down)
            if other not in placed and node not in taken:
                placed[other] = node
                taken.add(node)
                waiting.append(other)
    return placed


def _grown(nodes: dict[Node, DetectedCard], cards: Sequence[DetectedCard]) -> Lattice | None:
    """Fit a lattice to these cards and extend it to all that fit; None where they do not span one."""
    middles = np.array([card.middle for card in cards])
    for _ in range(_C.rounds):
        lanes, rows = {lane for lane, _ in nodes}, {row for _, row in nodes}
        if len(nodes) < _C.least or min(len(lanes), len(rows)) < 2:
            return None
        lattice = fitted_to(nodes)
        if lattice is None:
            return None
        at = lattice.places(middles)
        whole = np.rint(at)
        off = np.abs(at - whole).max(axis=1)
        nodes = {}
        for n in np.argsort(off).tolist():
            node = (int(whole[n, 0]), int(whole[n, 1]))
            inside = max(abs(node[0]), abs(node[1])) <= 2 * max(ARRIVALS_TO_END)
            if off[n] < _C.fit and inside and node not in nodes:
                nodes[node] = cards[n]
    return lattice


def _windows(lattice: Lattice, cards: Sequence[DetectedCard]) -> list[Grid]:
    """The most likely windows of rows, from the starts on, that may be those of a table."""
    rows = [row for _, row in lattice.cards]
    evidence = DetectedEvidence(cards)
    found = []
    for first in range(min(rows) - ROWS - 1, max(rows) + 1):
        inside = [node for node in lattice.cards if first <= node[1] <= first + ROWS + 1]
        lanes = [lane for lane, _ in inside]
        ends = any(row in (first, first + ROWS + 1) for _, row in inside)
        if ends and max(lanes) - min(lanes) < max(ARRIVALS_TO_END):
            grid = Grid(moved(lattice, min(lanes), first), max(lanes) - min(lanes) + 1)
            found.append((log_likelihood(grid, evidence), first, grid))
    return [grid for _, _, grid in sorted(found, key=lambda one: one[:2], reverse=True)[: _C.windows]]
