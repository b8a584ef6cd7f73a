"""Models the look of the bare table, so that an empty cell is not taken for a covered one.

The network has not seen every table. Around the lanes lies nothing but the table, as a rule: a cell without a
card that looks like most of that is empty. One that does not (a hand, a sleeve, a mug) cannot be seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.classification import ImagePyramid, Probabilities
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, COVERED, EMPTY
from companion.games.derailed.reader.cards.views import card_views
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.lattice import Lattice, Node
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.rectify import Places

_C = CONSTANTS.surface

_SIZE, _INSIDE = (16, 22), -5.0  # pixels of a piece of the table; mm by which it is smaller than a card
_LEAST_SPREAD = np.array([9.0, 4.0, 4.0, 3.0])  # of lightness, both colours, and of the grain


def like_the_table(
    picture: ImagePyramid, lattice: Lattice, lanes: range, nodes: Sequence[Node], taken: Collection[Node]
) -> dict[Node, bool]:
    """For each of these places, True if it looks like the table around the lanes.

    ``taken``: places around where something was found.
    """
    around = [(lane, row) for lane in (lanes.start - 1, lanes.stop) for row in range(ROWS + 2)]
    around += [(lane, row) for row in (-1, ROWS + 2) for lane in lanes]
    quads = [lattice.quad(node) for node in around if node not in taken]
    known = [quad for quad in quads if _is_inside(picture, quad)]
    if len(known) < _C.least_around or not nodes:
        return dict.fromkeys(nodes, False)
    looks = _features(picture, known)
    usual = np.median(looks, axis=0)
    spread = np.maximum(1.48 * np.median(np.abs(looks - usual), axis=0), _LEAST_SPREAD)
    off = np.abs(_features(picture, [lattice.quad(node) for node in nodes]) - usual) / spread
    return {node: bool(alike) for node, alike in zip(nodes, (off < _C.most_off).all(axis=1), strict=True)}


def as_empty(own: Probabilities) -> Probabilities:
    """Move the probability of a covered place to the empty one."""
    own = own.copy()
    own[CLASS_NUMBER[EMPTY]] += own[CLASS_NUMBER[COVERED]]
    own[CLASS_NUMBER[COVERED]] = 0.0
    return own


def _is_inside(picture: ImagePyramid, quad: Places) -> bool:
    height, width = picture.image.shape[:2]
    return bool((quad > 0).all() and (quad < [width, height]).all())


def _features(picture: ImagePyramid, quads: Sequence[Places]) -> NDArray[np.float64]:
    """The features of patches of the table: mean L*a*b* and the deviation of lightness."""
    copy, share = picture.smaller(0.5)
    views = card_views(copy, np.array(quads) * share, _SIZE, _INSIDE)
    looks = []
    for view in views:
        lab = cv2.cvtColor(view, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64)
        looks.append([*lab.mean(axis=0), lab[:, 0].std()])
    return np.array(looks)
