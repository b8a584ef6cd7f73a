"""What the routes that are known tell about how this player draws, for the routes that are new.

The picture shows the earlier routes, too, by the same hand with the same pen, and the match knows what they
are. Where the reader sees them otherwise than they are, it will see the new ones so. The correction is an
exponential tilting of the reader's probabilities: a weight for every habit in :data:`_HABITS`, the most
probable ones (MAP) for the known cells under a Gaussian prior that they are nil. The problem is convex and is
solved by Newton's method. All known cells are drawn in, so they tell which route, never whether there is one:
what a cell has of emptiness stays.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.games.kit.evidence import EMPTY, Look, Looks
from companion.games.railroad_ink.eye.costs import MARKS, NOTHING, mark_number
from companion.games.railroad_ink.rules.routes import Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID

_HABITS = ("highway ends", "railway ends", "station", "crossing")
_SPREAD = 0.6  # nats: standard deviation of each weight before anything is known
_LEAST = 1e-4  # a share that is not undercut: no cell by itself proves very much
_ROUNDS = 12
_ENOUGH = 3  # known routes

Shares = NDArray[np.float64]


def with_habits(looks: Looks, known: Cells) -> dict[str, Look]:
    """The looks at cells about which nothing is known, as this player's known routes correct them."""
    seen = {cell: look for cell in known if (look := looks.get(GRID.names[cell])) and len(look) > 1}
    if len(seen) < _ENOUGH:
        return dict(looks)
    truth = np.array([known[cell].number for cell in seen])
    weights = map_weights(np.array([_numbered(look) for look in seen.values()]), truth, _habits(), _SPREAD)
    tilt = np.exp(_habits() @ weights)
    return {
        name: _tilted(look, tilt) if GRID.cell(name) not in known else look for name, look in looks.items()
    }


def _tilted(look: Look, tilt: Shares) -> Look:
    if not look or len(look) == 1:
        return look
    drawn = {text: p * float(tilt[mark_number(text)]) for text, p in look.items() if text != EMPTY}
    kept = sum(p for text, p in look.items() if text != EMPTY) / max(sum(drawn.values()), _LEAST**2)
    found = {text: p * kept for text, p in drawn.items()}
    if EMPTY in look:
        found[EMPTY] = look[EMPTY]
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _numbered(look: Look) -> Shares:
    shares = np.full(len(MARKS), _LEAST / len(MARKS))
    for text, p in (look or {}).items():
        shares[mark_number(text)] += p
    shares[NOTHING] = 0.0
    return np.asarray(shares / shares.sum(), np.float64)


@cache
def _habits() -> Shares:
    """By mark and habit, how much of it the mark has."""
    return np.array([_habits_of(mark) for mark in MARKS], np.float64)


def _habits_of(mark: Route | None) -> tuple[int, ...]:
    if mark is None:
        return (0,) * len(_HABITS)
    return (
        mark.highway.bit_count(),
        mark.railway.bit_count(),
        int(mark.station),
        int(len(mark.pieces) > 1),
    )


def map_weights(shares: Shares, truth: NDArray[np.intp], habits: Shares, spread: float) -> Shares:
    """The weights of ``habits`` (marks, habits), from known cells' shares (cells, marks) and true marks."""
    weights = np.zeros(habits.shape[1])
    prior = np.eye(len(weights)) / spread**2
    for _ in range(_ROUNDS):
        tilted = shares * np.exp(habits @ weights)
        tilted /= tilted.sum(axis=1, keepdims=True)
        expected = tilted @ habits
        slope = (habits[truth] - expected).sum(axis=0) - prior @ weights
        spread = np.einsum("cm,mi,mj->ij", tilted, habits, habits) - expected.T @ expected + prior
        step = np.linalg.solve(spread, slope)
        weights += np.clip(step, -1, 1)
        if float(np.abs(step).max()) < 1e-4:
            break
    return weights
