"""Cuts the places of a grid out of a picture and classifies them with the reading network."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.faces import CLASSES
from companion.games.derailed.reader.cards.views import HEIGHT, MODEL, WIDTH, card_views, evened
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.taught import DeckModel
from companion.games.derailed.reader.grids.lattice import CARD_SHARE, UNIT, Lattice, Node
from vision.nets import scores, shares
from vision.register.rectify import Image, Places

_C = CONSTANTS.classification

_CARD_MM = float(np.sqrt(PRINTED.card.size[0] * PRINTED.card.size[1]))
_SAME = 8.0  # places whose corners agree to this part of a pixel are one
Probabilities = NDArray[np.float64]


def pixels_per_mm(quad: Places) -> float:
    """The scale of a picture in pixels per mm, from the corners of a card."""
    return float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))) / _CARD_MM


class ImagePyramid:
    """A picture and cached smaller copies of it, from which places are cut out repeatedly.

    ``deck``: the taught deck in the picture, once it is known. Class probabilities are cached for each deck.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self.deck: DeckModel | None = None
        self._smaller: dict[int, Image] = {}
        self._known: dict[DeckModel | None, dict[bytes, Probabilities]] = {}

    @property
    def known(self) -> dict[bytes, Probabilities]:
        """The class probabilities of the places already compared with the deck."""
        return self._known.setdefault(self.deck, {})

    def smaller(self, share: float) -> tuple[Image, float]:
        """The copy nearest to this scale, never an enlarged one, and its exact scale."""
        step = max(0, round(-2 * float(np.log2(share))))
        if step == 0:
            return self.image, 1.0
        exactly = 2 ** (-step / 2)
        if step not in self._smaller:
            # Halving is much quicker than anything else, so every other copy is half of an earlier one.
            base, factor = (self.smaller(2 * exactly)[0], 0.5) if step > 1 else (self.image, exactly)
            copy = cv2.resize(base, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            self._smaller[step] = np.asarray(copy, np.uint8)
        copy = self._smaller[step]
        return copy, copy.shape[1] / self.image.shape[1]

    def fine_enough(self, scale: float, comfortable: float | None = None) -> tuple[Image, float]:
        """The copy for places of so many pixels per mm: reduced to about ``comfortable`` if finer."""
        return self.smaller((comfortable or _C.comfortable) / scale if scale > _C.too_fine else 1.0)


def class_probabilities(picture: ImagePyramid, quads: Sequence[Places]) -> Probabilities:
    """The probability of every class in each place, (n, classes).

    Places at a finer scale than the network needs are cut out of a smaller copy; under tilt, the far ones are
    cut out of the picture itself.
    """
    if not quads:
        return np.zeros((0, len(CLASSES)))
    names = [np.rint(quad * _SAME).astype(np.int32).tobytes() for quad in quads]
    new = {name: quad for name, quad in zip(names, quads, strict=True) if name not in picture.known}
    if new:
        views = place_views(picture, list(new.values()))
        found = shares(scores(MODEL, views)) if picture.deck is None else picture.deck.shares(views)
        picture.known.update(zip(new, found, strict=True))
    return np.array([picture.known[name] for name in names])


def place_views(picture: ImagePyramid, quads: Sequence[Places]) -> Image:
    """The network's input for each place."""
    scales = np.array([pixels_per_mm(quad) for quad in quads])
    views = np.empty((len(quads), HEIGHT, WIDTH, 3), np.uint8)
    fine = scales > _C.too_fine
    for numbers in (np.flatnonzero(fine), np.flatnonzero(~fine)):
        if len(numbers):
            copy, share = picture.fine_enough(float(np.median(scales[numbers])))
            views[numbers] = card_views(copy, np.array([quads[n] for n in numbers.tolist()]) * share)
    return evened(views)


def strong_colours(picture: ImagePyramid, quads: Sequence[Places]) -> NDArray[np.float64]:
    """The colour of each place as a and b of CIELAB, by its most colourful pixels, (n, 2)."""
    copy, share = picture.smaller(0.5)
    views = evened(card_views(copy, np.array(quads) * share, (WIDTH // 2, HEIGHT // 2), 0.0))
    found = []
    for view in views:
        lab = cv2.cvtColor(view, cv2.COLOR_BGR2LAB).reshape(-1, 3)[:, 1:].astype(np.float64) - 128
        chroma = np.hypot(lab[:, 0], lab[:, 1])
        found.append(lab[chroma >= np.percentile(chroma, _C.colourful)].mean(axis=0))
    return np.array(found)


def as_found(lattice: Lattice, node: Node) -> Places:
    """The corners of the card detected in a place, or else of the place itself.

    Centre and direction are the detection's. The size is the lattice's, estimated from all cards: a single
    outline may be too small by a third, which would cut off a dead end on the long side.
    """
    if node not in lattice.cards:
        return lattice.quad(node)
    card = lattice.cards[node]
    middle, one, other = lattice.places(
        np.stack([card.middle, card.middle + card.long, card.middle - card.long])
    )
    x, y = (one - other) * PRINTED.mat.cell
    c, s = np.array([abs(y), -x if y > 0 else x]) / np.hypot(x, y)
    corners = UNIT * CARD_SHARE * PRINTED.mat.cell @ np.array([[c, s], [-s, c]])
    return lattice.pixels(middle + corners / PRINTED.mat.cell)
