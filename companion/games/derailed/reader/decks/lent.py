"""Uses the cards that a match has settled as templates for its next photographs.

What was accepted without a doubt, or answered by a tap, and what the match has kept is known to be that card.
The places of later photographs are compared with its picture as with a taught deck's
(:mod:`companion.games.derailed.reader.decks.matching`). But few cards were seen yet, so a likeness tells a
card only from those that were seen, too, and from those that look otherwise anyway.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.classification import Probabilities
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, FACE_CLASSES, FACES_OF
from companion.games.derailed.reader.cards.views import card_views
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.matching import NOTHING, DeckPictures
from companion.games.derailed.reader.readings import CardReading
from companion.games.derailed.reader.ruling import AreaRuling
from companion.games.derailed.rules.cards import parse_face
from vision.register.rectify import Image

_C = CONSTANTS.lent

MOST_LENT = 60  # pictures of a match that are kept: the newest
Shown = Mapping[tuple[str, str], Image]  # by cell and face, how the card that lies there looks


@dataclass(frozen=True, eq=False)
class LentCards:
    """Pictures of cards that were settled, by cell and face, the newest last."""

    views: Shown

    @cached_property
    def rails(self) -> DeckPictures:
        """The rail cards' pictures, prepared for matching."""
        return DeckPictures([(face, view) for (_, face), view in self.views.items()])


def shown_cards(image: Image, sheet: CardReading, ruling: AreaRuling, settled: Collection[str]) -> Shown:
    """The cards of an accepted photograph that are clearly seen in it, or were ``settled`` by somebody."""
    if sheet.quality.pixels_per_mm < _C.fine:
        return {}
    clear = {
        name: face
        for name, face in ruling.cells.items()
        if (place := sheet.cells[name]).cannot_see is None
        and (name in settled or (place.best == face and place.p > _C.surely))
    }
    if not clear:
        return {}
    views = card_views(image, np.array([sheet.cells[name].corners for name in clear], np.float64))
    return {cell: view for cell, view in zip(clear.items(), views, strict=True) if not _is_under_glare(view)}


def _is_under_glare(view: Image) -> bool:
    return float((view.min(axis=2) >= _C.blown).mean()) > _C.glare


def with_shown(before: LentCards | None, shown: Shown, cells: Mapping[str, str]) -> LentCards | None:
    """The lent pictures and those of the shown cards that the match now has in these ``cells``."""
    kept = {(cell, face): view for (cell, face), view in shown.items() if cells.get(cell) == face}
    if not kept:
        return before
    earlier = before.views if before is not None else {}
    views = [(cell, view) for cell, view in earlier.items() if cell not in kept]
    return LentCards(dict([*views, *kept.items()][-MOST_LENT:]))


def weighed_by_likeness(own: Probabilities, alike: NDArray[np.float64]) -> Probabilities:
    """Multiply a place's probabilities by each class's likelihood given its similarity to the lent cards.

    A face not seen yet may look much like a seen one with the same sides, so that similarity is little
    evidence against it.
    """
    left = np.full(len(own), _C.unseen)
    seen = alike > NOTHING
    left[seen] = np.clip(1 - alike[seen], _C.least_left, _C.most_left)
    for number in np.flatnonzero(~seen[FACES_OF]):
        near = _SIBLINGS[number][seen[_SIBLINGS[number]]]
        left[number] = max(_C.unseen_alike, float(left[near].min(initial=_C.unseen)))
    weighed = own * (_C.unseen / left) ** CONSTANTS.matching.independent
    return np.asarray(weighed / weighed.sum())


def _siblings(face: str) -> NDArray[np.int64]:
    """The faces easily confused with one: they continue, or touch, the same sides."""
    alike = [
        other
        for other in FACE_CLASSES
        if other != face and (_LINKED[other] == _LINKED[face] or _TOUCHED[other] == _TOUCHED[face])
    ]
    return np.array([CLASS_NUMBER[other] for other in alike], np.int64)


_LINKED = {face: parse_face(face).linked for face in FACE_CLASSES}
_TOUCHED = {face: frozenset(face.lower()) - {"|"} for face in FACE_CLASSES}
_SIBLINGS = [_siblings(face) for face in FACE_CLASSES]
