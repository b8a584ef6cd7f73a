"""Whole decks as they lie flat: every face of one hand, cut out as places are, without a scene around it.

A scene shows a dozen cards of a deck; here all of them are learnt from, so that one hand's bridge is seen
beside the same hand's crossing. What lies where no card does is any pattern.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.faces import BACK, CLASS_NUMBER, EMPTY, FACE_CLASSES
from companion.games.derailed.reader.cards.views import card_views
from companion.games.derailed.rules.cards import DECK, card_of
from companion.games.derailed.rules.rulebook import COMPANIES
from lab.derailed.studio.decks import Codes, Deck, card_picture
from lab.derailed.studio.hands import HELD_OUT, take_card_hand
from lab.derailed.training.backgrounds import make_pattern
from lab.derailed.training.material import VIEW_RIM, VIEW_SIZE
from lab.training.files import Arrays, make_files
from vision.register.rectify import Image

Rng = np.random.Generator
_SCALE = 1.6  # pixels per mm in which cards are drawn
_ROOM = 26.0  # mm of table around a card
_NEIGHBOURS, _GAP = 0.7, (0.2, 4.0)  # share of sides with another card, and mm in between
_EMPTY = 4  # places of a deck where nothing lies
_FLATTEST = 0.55  # of a card's height at the least, as it is seen at a slant


def make_flat_decks(folder: Path, first_seed: int, decks: int, workers: int) -> list[Path]:
    """The files of so many decks, made if they are not there."""
    return make_files(folder, range(first_seed, first_seed + decks), flat_deck, workers)


def flat_deck(seed: int) -> Arrays:
    """The deck that belongs to a seed: all its faces, companies, its back, and empty places."""
    rng = np.random.default_rng([seed, 67])
    deck = Deck(take_card_hand(rng, HELD_OUT))
    names = [*FACE_CLASSES, *COMPANIES, BACK, *[EMPTY] * _EMPTY]
    patterns = [make_pattern(rng) for _ in range(4)]
    cards = [_drawn(rng, deck, name) for name in FACE_CLASSES]
    views = [
        _seen(rng, None if name == EMPTY else _drawn(rng, deck, name), cards, patterns[n % len(patterns)])
        for n, name in enumerate(names)
    ]
    return {"views": np.stack(views), "labels": np.array([CLASS_NUMBER[name] for name in names], np.int16)}


def _drawn(rng: Rng, deck: Deck, name: str) -> Codes:
    copies = max(DECK[card_of(name)], 1) if name in FACE_CLASSES else 1
    return card_picture(deck, name, int(rng.integers(copies)), _SCALE, bool(rng.random() < 0.5))


def _seen(rng: Rng, card: Codes | None, others: list[Codes], pattern: Image) -> Image:
    """A place of the table and what lies around it, at some slant, as a camera of some fineness sees it."""
    wide, high = (round(side * _SCALE) for side in PRINTED.card.size)
    room = round(_ROOM * _SCALE)
    table = _table(rng, pattern, (high + 2 * room, wide + 2 * room))
    gap = round(float(rng.uniform(*_GAP)) * _SCALE)
    for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if rng.random() < _NEIGHBOURS:
            at = np.array([room + right * (wide + gap), room + down * (high + gap)])
            _lay(rng, table, others[int(rng.integers(len(others)))], at + rng.integers(-2, 3, 2))
    if card is not None:
        _lay(rng, table, card, np.array([room, room]))
    # Seen at a slant, a card has fewer pixels one way than the other; both ends of it not the same
    fineness = np.exp(rng.uniform(np.log(0.4), 0.0)) * np.array([1.0, rng.uniform(_FLATTEST, 1.0)])
    if rng.random() < 0.5:
        fineness = fineness[::-1]
    size = np.maximum(np.rint(fineness * table.shape[1::-1]), 24).astype(int)
    small = cv2.resize(table, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.9)))
    corners = np.array([(room, room), (room + wide, room), (room + wide, room + high), (room, room + high)])
    quad = (corners * size / table.shape[1::-1]).astype(np.float64)
    return card_views(np.asarray(small, np.uint8), quad[None], VIEW_SIZE, VIEW_RIM)[0]


def _table(rng: Rng, pattern: Image, size: tuple[int, int]) -> Image:
    """A piece of a pattern, turned, larger or smaller."""
    angle, scale = float(rng.uniform(0, 360)), float(np.exp(rng.uniform(-0.7, 0.9)))
    centre = float(rng.uniform(0, size[1])), float(rng.uniform(0, size[0]))
    matrix = cv2.getRotationMatrix2D(centre, angle, scale)
    lain = cv2.warpAffine(pattern, matrix, size[::-1], borderMode=cv2.BORDER_REFLECT)
    return np.asarray(lain, np.uint8)


def _lay(rng: Rng, table: Image, card: Codes, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    """Lay a card with the seam around it, as far as it is on the table."""
    height, width = card.shape[:2]
    left, top = (int(value) for value in at)
    low_x, low_y = max(left, 0), max(top, 0)
    high_x, high_y = min(left + width, table.shape[1]), min(top + height, table.shape[0])
    if low_x >= high_x or low_y >= high_y:
        return
    seam = slice(max(low_y - 1, 0), high_y + 1), slice(max(low_x - 1, 0), high_x + 1)
    table[seam] = cv2.convertScaleAbs(table[seam], alpha=float(rng.uniform(0.45, 0.9)))
    part = card[low_y - top : high_y - top, low_x - left : high_x - left, ::-1]
    table[low_y:high_y, low_x:high_x] = part
