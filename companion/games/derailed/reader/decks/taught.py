"""A deck taught by its owner: pictures of its cards, and a correction of the network's last layer.

The network knows hands in general; a deck drawn as no other is known card by card. What was photographed is
varied (moved, turned, blurred, in other light), and a correction of the network's scores is fitted to it:
multinomial logistic regression on the features of the last hidden layer, with weight decay, so that what no
taught card tells stays as it was. Where a card lies and which picture it looks like is found besides, by
template matching (:mod:`companion.games.derailed.reader.decks.matching`).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, CLASSES, FACES_OF, half_turned
from companion.games.derailed.reader.cards.views import HEIGHT, MODEL, WIDTH, evened
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.matching import NOTHING, DeckPictures
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.rulebook import COMPANIES
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.nets import layers, shares
from vision.register.rectify import Image

_C = CONSTANTS.taught

_FEATURES, _SCORES = "onnx_node!/score/score.3/Relu", "scores"  # layers of the network
_VARIED = 4  # views made of each taught card, beside the view itself
_TURNED, _SIZED, _MOVED = 0.02, 0.02, 1.0  # deviations: radians, share, pixels of a view
_STEPS, _RATE, _DECAY, _SURELY = 140, 0.02, 1e-3, 0.97  # of the fit; P of a taught card that is aimed at
Card = tuple[str, Image]  # a rail card or a company's letter, and how it looks


class _KeptCard(msgspec.Struct, frozen=True):
    mark: str
    view: str  # JPEG, base64


class TaughtDeck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as stored: the cards cut out of each photograph, and the trained correction.

    ``network``: the network that ``weights`` (16-bit floats, base64) correct; for another network they are
    trained anew.
    """

    deck: str
    photographs: dict[int, tuple[_KeptCard, ...]]
    network: str = ""
    weights: str = ""


@dataclass(frozen=True, eq=False)
class DeckModel:
    """A taught deck ready to read with: a correction of the network's scores, and pictures of the cards."""

    name: str
    weights: NDArray[np.float32]  # (features + 1, classes)
    rails: DeckPictures  # of rail cards: stations are told by the network, and by their colours

    def shares(self, views: Image) -> NDArray[np.float64]:
        """The probability of every class for views as the network sees them."""
        return shares(self._scores(views))

    def shares_of_matches(self, views: Image, alike: NDArray[np.float64]) -> NDArray[np.float64]:
        """The class probabilities for views compared with the deck's pictures; ``alike`` is the correlation.

        A picture explains a share of what is seen; what it leaves counts as noise of unknown strength.
        """
        left = np.where(alike == NOTHING, _C.untaught, np.clip(1 - alike, _C.least_left, 1))
        scores = np.float32(_C.calmer) * self._scores(views)
        scores[:, FACES_OF] -= (CONSTANTS.matching.independent * np.log(left / _C.usual))[:, FACES_OF]
        return shares(scores)

    def _scores(self, views: Image) -> NDArray[np.float32]:
        features, said = layers(MODEL, views, (_FEATURES, _SCORES))
        return np.asarray(said + _with_one(features) @ self.weights, np.float32)


# --- the file ---


def with_photograph(path: Path, number: int, cards: Sequence[Card]) -> TaughtDeck:
    """Add the cards of one more photograph to a deck's file, or to a new deck, which is returned unsaved."""
    before = load_deck(path).photographs if path.exists() else {}
    kept = tuple(_KeptCard(mark, _packed(view)) for mark, view in cards)
    photographs = {**before, number: kept}
    shown = [(card.mark, _unpacked(card.view)) for one in photographs.values() for card in one]
    weights = base64.b64encode(_learnt(shown).astype(np.float16).tobytes()).decode()
    return TaughtDeck(path.name.partition(".")[0], photographs, _network(), weights)


def save_deck(deck: TaughtDeck, path: Path) -> None:
    """Write a deck to its file."""
    path.write_bytes(json_of(deck))


def load_deck(path: Path) -> TaughtDeck:
    """A taught deck from its file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TaughtDeck)
    except (OSError, msgspec.DecodeError) as error:
        raise PlacementError(m("{path} is not a taught deck: teach it again", path=path)) from error


def known_deck(path: Path) -> DeckModel:
    """Load the deck of a file, ready to read with."""
    try:
        return _known(path, path.stat().st_mtime_ns)
    except OSError:
        raise PlacementError(m("{path} is not a taught deck: teach it again", path=path)) from None


@lru_cache(maxsize=4)
def _known(path: Path, changed: int) -> DeckModel:  # noqa: ARG001 - a file taught anew is read anew
    deck = load_deck(path)
    try:
        cards = [(card.mark, _unpacked(card.view)) for one in deck.photographs.values() for card in one]
        kept = np.frombuffer(base64.b64decode(deck.weights), np.float16).astype(np.float32)
        weights = kept.reshape(-1, len(CLASSES)) if deck.network == _network() else _learnt(cards)
    except (ValueError, KeyError) as problem:
        raise PlacementError(m("{path} is damaged: teach the deck again", path=path)) from problem
    rails = DeckPictures([(mark, view) for mark, view in cards if mark not in COMPANIES])
    return DeckModel(deck.deck, weights, rails)


@lru_cache(maxsize=1)
def _network() -> str:
    return sha256(MODEL.read_bytes()).hexdigest()[:16]


def _packed(view: Image) -> str:
    return base64.b64encode(cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, 94])[1].tobytes()).decode()


def _unpacked(view: str) -> Image:
    image = decoded(base64.b64decode(view), 1).image
    if image.shape != (HEIGHT, WIDTH, 3):
        raise ValueError("no view of a card")
    return image


# --- learning ---


def _learnt(cards: Sequence[Card]) -> NDArray[np.float32]:
    """Train the correction of the network's last layer, (features + 1, classes)."""
    views, classes = _varied(cards)
    features, said = layers(MODEL, views, (_FEATURES, _SCORES))
    given = _with_one(features)
    scale = np.float32(1 / np.sqrt((given**2).sum(axis=1).mean()))
    given = np.asarray(given * scale, np.float32)
    aim = np.full(said.shape, (1 - _SURELY) / (len(CLASSES) - 1), np.float32)
    aim[np.arange(len(classes)), classes] = _SURELY
    weights = np.zeros((given.shape[1], len(CLASSES)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):  # Adam on all views at once
        away = shares(said + given @ weights).astype(np.float32) - aim
        slope = (given.T @ away / len(classes) + _DECAY * weights).astype(np.float32)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return np.asarray(weights * scale, np.float32)


def _varied(cards: Sequence[Card]) -> tuple[Image, NDArray[np.int64]]:
    """Augmented views of the cards, either way up, and their classes."""
    rng = np.random.default_rng(1)
    views, classes = [], []
    for mark, view in cards:
        face = mark if mark in COMPANIES else parse_face(mark).text
        for name, seen in ((face, view), (half_turned(face), np.ascontiguousarray(view[::-1, ::-1]))):
            views += [seen, *(_weathered(rng, seen) for _ in range(_VARIED))]
            classes += [CLASS_NUMBER[name]] * (_VARIED + 1)
    return evened(np.stack(views)), np.array(classes, np.int64)


def _weathered(rng: np.random.Generator, view: Image) -> Image:
    """Augment a view: shifted and rotated a little, blurred, in other light."""
    angle, size = rng.normal(0, _TURNED), 1 + rng.normal(0, _SIZED, 2)
    c, s = np.cos(angle), np.sin(angle)
    linear = np.array([[c, -s], [s, c]]) * size
    middle = np.array([WIDTH, HEIGHT]) / 2 - 0.5
    offset = middle - linear @ middle + np.clip(rng.normal(0, _MOVED, 2), -4, 4)
    whole = np.concatenate([linear, offset[:, None]], axis=1)
    seen = cv2.warpAffine(
        view, whole, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if rng.random() < 0.5:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.3)))
    light = seen.astype(np.float32) * np.exp(rng.normal(0, 0.08, 3)).astype(np.float32)
    light += rng.normal(0, rng.uniform(0, 8), light.shape).astype(np.float32)
    return np.clip(light, 0, 255).astype(np.uint8)


def _with_one(features: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate([features, np.ones((len(features), 1), np.float32)], axis=1)
