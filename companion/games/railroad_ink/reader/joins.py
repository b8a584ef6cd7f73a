"""Corrects each cell by its neighbours: a highway goes on as a highway, a railway as a railway.

A Markov random field over the grid, its marginals by loopy belief propagation (sum-product): every cell with
the reader's shares of its marks, every edge with the costs of ``likely.toml``, exits with theirs. How much
it costs that a highway meets a railway is learnt from the board itself (empirical Bayes): where such ends
meet as often as not, as on a board that follows no rules, the neighbours tell nothing. A drawing that is
plain to see stays what it is, whether the rules allow it or not; the rules have their own say later.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.labels import LABELS
from companion.games.railroad_ink.reader.likely import AT_EXIT, BESIDE, HIGHWAY_END, RAILWAY_END, side_of
from companion.games.railroad_ink.rules.rulebook import EXITS, GRID
from companion.sheets.grid import DIRECTIONS, opposite

Shares = NDArray[np.float64]

_SURE = 0.99  # where every mark is surer than this, nothing is asked of the neighbours
_ALIKE, _CLASHING = 3.0, 0.3  # joins that are taken as seen before any: of one type, and of two
_WEIGHT = 0.5  # of the other costs: the reader has looked at the neighbours, too
_ENOUGH = 2.0  # nats: boards on which a clash costs less than this follow the rules less than half
_ROUNDS = 6
_LEAST = 1e-9

_SIDES = np.array([[side_of(mark, direction) for direction in DIRECTIONS] for mark in LABELS])
_SHOWN = (_SIDES[:, :, None] == np.arange(4)).astype(np.float64)  # (marks, directions, sides)
# By direction, the cells that have a neighbour there, and that neighbour.
_CELLS = [np.flatnonzero(np.array(GRID.neighbours)[:, direction] >= 0) for direction in DIRECTIONS]
_BESIDE = [np.array(GRID.neighbours)[cells, d] for d, cells in zip(DIRECTIONS, _CELLS, strict=True)]
_COSTS, _EXIT_COSTS = np.array(BESIDE), np.array(AT_EXIT)


def told_by_neighbours(shares: Shares) -> Shares:
    """Update the mark probabilities of a board's cells, (cells, marks), by belief propagation."""
    if float(shares.max(axis=1).min()) >= _SURE:
        return shares
    shares = np.maximum(shares, _LEAST)
    clash = _clash_cost(shares)
    weight = _WEIGHT * min(1.0, clash / _ENOUGH)
    factors = _factors(_EXIT_COSTS, clash, weight)
    found = np.ones((GRID.size, len(DIRECTIONS), 4))
    for exit_ in EXITS:
        found[exit_.cell, exit_.direction] = factors[exit_.type]
    join, exits = _factors(_COSTS, clash, weight), found
    arriving = exits.copy()
    for _ in range(_ROUNDS):
        arriving = exits * _sent(_belief(shares, arriving), arriving, join)
    belief = _belief(shares, arriving)
    return np.asarray(belief / belief.sum(axis=1, keepdims=True), np.float64)


def _belief(shares: Shares, arriving: Shares) -> Shares:
    """By cell and mark, its probability times the messages, (cells, directions, sides), from its sides."""
    belief = shares
    for direction in DIRECTIONS:
        belief = belief * arriving[:, direction, _SIDES[:, direction]]
    return belief


def _sent(belief: Shares, arriving: Shares, join: Shares) -> Shares:
    """The messages from the neighbours to each cell, each excluding what came from that cell."""
    own = np.einsum("cm,mds->cds", belief, _SHOWN) / arriving
    told = (own / own.sum(axis=2, keepdims=True)) @ join
    told /= told.mean(axis=2, keepdims=True)
    found = np.ones_like(arriving)
    for direction in DIRECTIONS:
        found[_BESIDE[direction], opposite(direction)] = told[_CELLS[direction], direction]
    return found


def _clash_cost(shares: Shares) -> float:
    """How much rarer joins of two types are than joins of one on this board, in nats, at least 0."""
    sides = np.einsum("cm,mds->cds", shares, _SHOWN)
    ends = sides[:, :, [HIGHWAY_END, RAILWAY_END]]
    alike, clashing = _ALIKE, _CLASHING
    for direction in DIRECTIONS[:2]:
        one, other = ends[_CELLS[direction], direction], ends[_BESIDE[direction], opposite(direction)]
        alike += float((one * other).sum())
        clashing += float((one * other[:, ::-1]).sum())
    for exit_ in EXITS:
        alike += float(ends[exit_.cell, exit_.direction, exit_.type])
        clashing += float(ends[exit_.cell, exit_.direction, 1 - exit_.type])
    return max(0.0, float(np.log(alike / clashing)))


def _factors(costs: Shares, clash: float, weight: float) -> Shares:
    """Convert costs to factors; joins that the rules forbid cost ``clash``."""
    return np.where(np.isinf(costs), np.exp(-clash), np.exp(-weight * np.where(np.isinf(costs), 0, costs)))
