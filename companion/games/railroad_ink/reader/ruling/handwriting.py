"""Adapts the probabilities to a player's hand, by the known routes and marks on the board.

The picture shows the earlier routes, too, by the same hand with the same pen, and the match knows what they
are. Where the reader sees them otherwise than they are, it will see the new ones so. The correction is an
exponential tilting of the reader's probabilities: a weight for every habit, the most probable ones (MAP) for
the known slots under a Gaussian prior that they are nil. The problem is convex and is solved by Newton's
method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.labels import LABELS, NOTHING, label_number
from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, NONE
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.rules.boards.routes import Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import EMPTY, Look, Looks

_ENOUGH = 3  # known slots that tell something
# Standard deviation of each weight before anything is known, in nats; and a probability that is not undercut,
# as no slot by itself proves very much (one wiped sign very little).
_ROUTE_SPREAD, _ROUTE_LEAST = 0.6, 1e-4
_MARK_SPREAD, _MARK_LEAST = 0.8, 1e-3
_ITERATIONS = 12
_TINY = 1e-8

Floats = NDArray[np.float64]


def adapted(slots: SlotProbabilities, routes: Cells, marks: Mapping[str, str]) -> SlotProbabilities:
    """The slots reweighted to suit this player's known routes and marks."""
    return replace(
        slots,
        routes=adapted_routes(slots.routes, routes),
        marks=adapted_marks(slots.marks, slots.expansion, marks),
    )


def adapted_routes(looks: Looks, known: Cells) -> dict[str, Look]:
    """The probabilities of routes, reweighted by label to suit the known cells of this board.

    All known cells have routes, so they say nothing about emptiness: its probability stays.
    """
    seen = {cell: look for cell in known if (look := looks.get(GRID.names[cell])) and len(look) > 1}
    if len(seen) < _ENOUGH:
        return dict(looks)
    observed = np.full((len(seen), len(LABELS)), _ROUTE_LEAST / len(LABELS))
    for row, look in enumerate(seen.values()):
        for text, p in look.items():
            observed[row, label_number(text)] += p
    observed[:, NOTHING] = 0.0
    observed /= observed.sum(axis=1, keepdims=True)
    truth = np.array([known[cell].number for cell in seen])
    tilt = np.exp(_route_habits() @ map_weights(observed, truth, _route_habits(), _ROUTE_SPREAD))
    return {
        name: look
        if GRID.cell(name) in known
        else _tilted(look, lambda text: float(tilt[label_number(text)]))
        for name, look in looks.items()
    }


def adapted_marks(looks: Looks, expansion: str, known: Mapping[str, str]) -> dict[str, Look]:
    """The probabilities of marks, reweighted by class to suit the known marks on this board."""
    if expansion in ("", "canyon"):  # of the borders only those with a canyon are known
        return dict(looks)
    names = CLASSES_OF[expansion]
    seen = {place: look for place in known if (look := looks.get(place)) and len(look) > 1}
    telling = [place for place, look in seen.items() if known[place] != NONE or look.get(NONE, 0.0) < 0.5]
    if len(telling) < _ENOUGH:
        return dict(looks)
    observed = np.array([[look.get(name, 0.0) for name in names] for look in seen.values()])
    observed /= observed.sum(axis=1, keepdims=True)
    observed = _MARK_LEAST / len(names) + (1 - _MARK_LEAST) * observed
    truth = np.array([names.index(known[place]) for place in seen])
    tilt = np.exp(_mark_habits(names) @ map_weights(observed, truth, _mark_habits(names), _MARK_SPREAD))
    factors = dict(zip(names, tilt.tolist(), strict=True))
    return {place: _tilted(look, factors.__getitem__, emptiness=True) for place, look in looks.items()}


def _tilted(look: Look, factor: Callable[[str], float], *, emptiness: bool = False) -> Look:
    """The probabilities times their factors, with the same sum; that of emptiness only where it says so."""
    if not look or len(look) == 1:
        return look
    kept = {} if emptiness else {text: p for text, p in look.items() if text == EMPTY}
    tilted = {text: p * factor(text) for text, p in look.items() if text not in kept}
    scale = (sum(look.values()) - sum(kept.values())) / max(sum(tilted.values()), _TINY)
    found = {text: p * scale for text, p in tilted.items()} | kept
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


@cache
def _route_habits() -> Floats:
    """The features of each label, (labels, habits): ends of highways and railways, station, crossing."""
    return np.array([_habits_of(label) for label in LABELS], np.float64)


def _habits_of(label: Route | None) -> tuple[int, int, int, int]:
    if label is None:
        return 0, 0, 0, 0
    return (
        label.highway.bit_count(),
        label.railway.bit_count(),
        int(label.station),
        int(len(label.pieces) > 1),
    )


@lru_cache(maxsize=16)
def _mark_habits(names: tuple[str, ...]) -> Floats:
    """The features of each class, (classes, habits): whether it is any mark, and which sign."""
    signs = list(dict.fromkeys(name.partition(":")[0] for name in names if name != NONE))
    return np.array(
        [[name != NONE, *(name.partition(":")[0] == sign for sign in signs)] for name in names], np.float64
    )


def map_weights(observed: Floats, truth: NDArray[np.intp], habits: Floats, spread: float) -> Floats:
    """The weights of ``habits`` (labels, habits), from what is seen of known slots (slots, labels) and their
    true labels.
    """
    weights = np.zeros(habits.shape[1])
    prior = np.eye(len(weights)) / spread**2
    for _ in range(_ITERATIONS):
        tilted = observed * np.exp(habits @ weights)
        tilted /= tilted.sum(axis=1, keepdims=True)
        expected = tilted @ habits
        gradient = (habits[truth] - expected).sum(axis=0) - prior @ weights
        hessian = np.einsum("cm,mi,mj->ij", tilted, habits, habits) - expected.T @ expected + prior
        step = np.linalg.solve(hessian, gradient)
        weights += np.clip(step, -1, 1)
        if float(np.abs(step).max()) < 1e-4:
            break
    return weights
