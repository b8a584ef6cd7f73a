"""What the marks that are known tell about how this player draws them, for the marks that are new.

As :mod:`.habits` does it for routes: a match knows which signs stand on the board from earlier rounds, and
beside which routes there are none. Where the reader doubts them (cacti that might be palms, rivers that it
takes for roads), it will doubt the new ones in the same way. An exponential tilting of its probabilities,
with a weight for marks as such and one for each sign, the most probable ones (MAP) for the known places under
a Gaussian prior.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.kit.evidence import Look, Looks
from companion.games.railroad_ink.eye.habits import map_weights
from companion.games.railroad_ink.eye.mark_classes import CLASSES_OF, NONE

_SPREAD = 0.8  # nats: standard deviation of each weight before anything is known
_LEAST = 1e-3  # a share that is not undercut: one wiped sign by itself proves very little
_ENOUGH = 3  # known places with a mark, or seen as having one

Shares = NDArray[np.float64]


def with_mark_habits(looks: Looks, expansion: str, known: Mapping[str, str]) -> dict[str, Look]:
    """The looks at all places, as this player's marks in the ``known`` ones (their classes) correct them."""
    if expansion == "canyon":  # of the borders only those with a canyon are known
        return dict(looks)
    names = CLASSES_OF[expansion]
    seen = {place: look for place in known if (look := looks.get(place)) and len(look) > 1}
    telling = [place for place, look in seen.items() if known[place] != NONE or look.get(NONE, 0.0) < 0.5]
    if len(telling) < _ENOUGH:
        return dict(looks)
    truth = np.array([names.index(known[place]) for place in seen])
    shares = np.array([[look.get(name, 0.0) for name in names] for look in seen.values()])
    shares = _LEAST / len(names) + (1 - _LEAST) * shares / shares.sum(axis=1, keepdims=True)
    tilt = np.exp(_habits(names) @ map_weights(shares, truth, _habits(names), _SPREAD))
    factor = dict(zip(names, tilt.tolist(), strict=True))
    return {place: _tilted(look, factor) for place, look in looks.items()}


def _tilted(look: Look, factor: Mapping[str, float]) -> Look:
    if not look or len(look) == 1:
        return look
    found = {name: p * factor[name] for name, p in look.items()}
    total = sum(found.values())
    return dict(sorted(((name, p / total) for name, p in found.items()), key=lambda pair: -pair[1]))


@lru_cache(maxsize=16)
def _habits(names: tuple[str, ...]) -> Shares:
    """By class and habit, whether it is any mark, and which sign: (classes, habits)."""
    signs = list(dict.fromkeys(name.partition(":")[0] for name in names if name != NONE))
    return np.array(
        [[name != NONE, *(name.partition(":")[0] == sign for sign in signs)] for name in names], np.float64
    )
