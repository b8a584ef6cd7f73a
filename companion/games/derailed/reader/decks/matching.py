"""Template matching of a place with the cards of a taught deck, wherever in the place the card lies.

A taught deck is known picture by picture, so a card is read by template matching: normalised correlation of
the place, moved and turned step by step, with every picture either way up; first with all of them in small,
then more finely with the likeliest. What comes out is where the card lies, and how much it looks like each
class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, CLASSES, half_turned
from companion.games.derailed.reader.cards.views import HEIGHT, RIM, WIDTH, card_views
from companion.games.derailed.reader.constants import CONSTANTS
from vision.register.rectify import Image, Places

_C = CONSTANTS.matching

_COARSE = (WIDTH // 2, HEIGHT // 2)  # pixels of a place that is compared with everything
_RIM_OUT = 3  # coarse pixels left out around a picture: a little more than what is no card
_FAR = 5  # coarse pixels by which a card may lie beside its place
_PIXEL = 2 * (PRINTED.card.size[0] + 2 * RIM) / WIDTH  # mm of a coarse pixel
_FINE_ROOM = 2  # pixels
_TURNS = (-3.0, -1.5, 0.0, 1.5, 3.0)  # degrees
NOTHING = -1.0  # similarity with a class of which no picture was taught

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Match:
    """Where a card lies, and its correlation with each class: 1 for the same picture, about 0 for another."""

    quad: Places
    alike: NDArray[np.float64]


class DeckPictures:
    """The pictures of a taught deck, prepared for matching."""

    def __init__(self, cards: Sequence[tuple[str, Image]]) -> None:
        shown = [
            one
            for name, view in cards
            for one in ((name, view), (half_turned(name), np.ascontiguousarray(view[::-1, ::-1])))
        ]
        self.classes = np.array([CLASS_NUMBER[name] for name, _ in shown], np.int64)
        self._coarse = _units(np.stack([_inner(_blurred(view, _COARSE), _RIM_OUT) for _, view in shown]))
        fine = np.stack([_inner(_blurred(view, (WIDTH, HEIGHT)), 2 * _RIM_OUT) for _, view in shown])
        self._fine = _units(fine)

    def match(self, image: Image, quads: Sequence[Places]) -> Match:
        """Match the content of a place, guessed to lie in one of ``quads``, with all cards."""
        starts = [self._coarsely(image, quad) for quad in quads]
        best = max(starts, key=lambda start: float(start.alike.max()))
        return self._finely(card_views(image, best.quad[None])[0], best.quad, best.alike)

    def _coarsely(self, image: Image, quad: Places) -> _Start:
        more = _FAR - _RIM_OUT
        size = WIDTH + 4 * more, HEIGHT + 4 * more
        view = card_views(image, quad[None], size, RIM + more * _PIXEL)[0]
        alike = _correlations(_blurred(view, (size[0] // 2, size[1] // 2)), _FAR, _FAR, self._coarse)
        alike = 1 - (1 - alike) * _farther_leaves_more()[:, None]
        at, _ = divmod(int(alike.argmax()), alike.shape[1])
        shift = _off(at, _FAR) * 2
        return _Start(_moved_quad(quad, shift, 0.0), alike.max(axis=0))

    def _finely(self, view: Image, quad: Places, roughly: Vectors) -> Match:
        some = self._candidates(roughly)
        best, found = -np.inf, (np.zeros(2), 0.0)
        alike = np.full(len(some), NOTHING)
        for turn, seen in _turned_views(view):
            shown = _correlations(seen, _FINE_ROOM, 2 * _RIM_OUT, self._fine[some])
            alike = np.maximum(alike, shown.max(axis=0))
            if shown.max() > best:
                best, at = float(shown.max()), int(shown.max(axis=1).argmax())
                found = _off(at, _FINE_ROOM), turn
        by_class = np.full(len(CLASSES), NOTHING)
        np.maximum.at(by_class, self.classes[some], alike)
        return Match(_moved_quad(quad, *found), by_class)

    def _candidates(self, roughly: Vectors) -> NDArray[np.int64]:
        order = np.argsort(-roughly, kind="stable")
        _, first = np.unique(self.classes[order], return_index=True)
        likeliest = order[np.sort(first)[: _C.candidate_classes]]
        return np.unique(np.concatenate([order[: _C.candidates], likeliest]))


@dataclass(frozen=True)
class _Start:
    """An initial position of a card, and its correlation there with each picture."""

    quad: Places
    alike: Vectors


def _blurred(view: Image, size: tuple[int, int]) -> Vectors:
    seen = view if size == (WIDTH, HEIGHT) else cv2.resize(view, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(seen.astype(np.float32), (0, 0), _C.blur), np.float32)


def _inner(view: Vectors, rim: int) -> Vectors:
    return view[rim:-rim, rim:-rim]


def _correlations(view: Vectors, room: int, rim: int, pictures: Vectors) -> Vectors:
    """Correlations, (windows, pictures), of a view's inner part with pictures of unit length and zero mean.

    The windows are all offsets up to ``room`` pixels, row by row.
    """
    view = view[rim - room : len(view) - rim + room, rim - room : view.shape[1] - rim + room]
    view = np.ascontiguousarray(view - view.mean(axis=(0, 1), dtype=np.float32))
    high, wide = view.shape[0] - 2 * room, view.shape[1] - 2 * room
    tables = cv2.integral2(view, sdepth=cv2.CV_64F)
    sums, squares = (_over_windows(np.asarray(table, np.float64), high, wide) for table in tables)
    length = np.sqrt(np.maximum((squares - sums**2 / (high * wide)).sum(axis=-1).ravel(), 1e-6))
    windows = np.moveaxis(sliding_window_view(view, (high, wide), axis=(0, 1)), 2, -1)
    # Pictures have no mean, so that the windows keep theirs.
    shown = windows.reshape(len(length), -1) @ pictures.T
    return np.asarray(shown / length[:, None], np.float32)


def _over_windows(table: NDArray[np.float64], high: int, wide: int) -> NDArray[np.float64]:
    """The sums over all windows, by a summed-area table."""
    return table[high:, wide:] - table[:-high, wide:] - table[high:, :-wide] + table[:-high, :-wide]


def _off(window: int, room: int) -> NDArray[np.float64]:
    """The offset of a window in pixels, each way up to ``room``."""
    down, across = divmod(window, 2 * room + 1)
    return np.array([across - room, down - room], np.float64)


@lru_cache(maxsize=1)
def _farther_leaves_more() -> Vectors:
    """The penalty factor of each coarse window, since straight track looks alike anywhere along itself."""
    off = np.array([_off(window, _FAR) for window in range((2 * _FAR + 1) ** 2)]) * _PIXEL
    nats = (off**2).sum(axis=1) / (2 * _C.usual_off**2)
    return np.asarray(np.exp(nats / _C.independent), np.float32)


def _units(windows: Vectors) -> Vectors:
    """Views as vectors of length 1, with the mean of their colours subtracted."""
    flat = (windows - windows.mean(axis=(1, 2), keepdims=True)).reshape(len(windows), -1)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _turned_views(shown: Image) -> Iterator[tuple[float, Vectors]]:
    middle = (WIDTH - 1) / 2, (HEIGHT - 1) / 2
    seen = _blurred(shown, (WIDTH, HEIGHT))
    for turn in _TURNS:
        matrix = cv2.getRotationMatrix2D(middle, turn, 1.0)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        view = cv2.warpAffine(seen, matrix, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        yield turn, np.asarray(view, np.float32)


def _moved_quad(quad: Places, shift: NDArray[np.float64], turn: float) -> Places:
    """A card's corners shifted by pixels of its view and rotated by degrees, clockwise, on the table."""
    wide, high = PRINTED.card.size
    card = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    to_picture = cv2.getPerspectiveTransform(card.astype(np.float32), quad.astype(np.float32))
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    middle = card.mean(axis=0)
    mm = shift * [(wide + 2 * RIM) / WIDTH, (high + 2 * RIM) / HEIGHT]
    there = (card - middle + mm) @ np.array([[c, -s], [s, c]]) + middle
    return np.asarray(cv2.perspectiveTransform(there[None], to_picture.astype(np.float64))[0], np.float64)
