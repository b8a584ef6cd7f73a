"""Detects cards in a picture by their outlines, on any surface and in any orientation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.views import evened
from companion.games.derailed.reader.constants import CONSTANTS
from vision.nets import scores
from vision.register.rectify import Image, Matrix, Places

_C = CONSTANTS.detection

MODEL = Path(__file__).with_name("find.onnx")
LONGEST = 512  # pixels of the longer side of the picture in which cards are found
_MULTIPLE = 32  # of which the sides of the network's picture are
_STRIDE = 8


@dataclass(frozen=True, eq=False)
class DetectedCard:
    """A card detection in pixels: its centre and the vectors of half its short and half its long side.

    A card turned by 180 degrees looks the same, so the sign of both half sides is arbitrary.
    """

    middle: Places
    short: Places
    long: Places
    likely: float
    station: float = 0.0  # P(it is a station), if it is a card
    exact: Places | None = None  # its corners, where more is known of them than both half sides tell

    @property
    def quad(self) -> Places:
        """The card's corners, clockwise in the picture, (4, 2)."""
        if self.exact is not None:
            return self.exact
        turned = 1.0 if self.short[0] * self.long[1] - self.short[1] * self.long[0] > 0 else -1.0
        across = self.short * turned
        corners: Places = self.middle + np.array(
            [-across - self.long, across - self.long, across + self.long, self.long - across]
        )
        return corners


def card_through(card: DetectedCard, matrix: Matrix) -> DetectedCard:
    """Map a card by the homography from one picture of the table to another."""
    middle, *ends = through(
        matrix,
        np.stack(
            [
                card.middle,
                card.middle - card.short,
                card.middle + card.short,
                card.middle - card.long,
                card.middle + card.long,
            ]
        ),
    )
    quad = through(matrix, card.quad)
    short, long = (ends[1] - ends[0]) / 2, (ends[3] - ends[2]) / 2
    return DetectedCard(middle, short, long, card.likely, card.station, quad)


def through(matrix: Matrix, points: Places) -> Places:
    """Map points by a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]
    depth = np.where(np.abs(mapped[:, 2:]) < 1e-9, 1e-9, mapped[:, 2:])
    result: Places = (mapped[:, :2] / depth).reshape(np.shape(points))
    return result


def detect_cards(image: Image, longest: int = LONGEST) -> list[DetectedCard]:
    """Detect all cards in a picture (BGR), most likely first.

    The network sees a copy whose longer side has so many pixels.
    """
    height, width = image.shape[:2]
    share = longest / max(height, width)
    size = (max(1, round(width * share)), max(1, round(height * share)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR)
    right, below = -size[0] % _MULTIPLE, -size[1] % _MULTIPLE
    even = evened(np.asarray(small, np.uint8)[None])[0]
    padded = cv2.copyMakeBorder(even, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(110, 110, 110))
    said = scores(MODEL, np.asarray(padded, np.uint8)[None])[0]
    back = np.array([width / size[0], height / size[1]])
    return [_scaled(card, back) for card in _without_doubles(_peaks(said))]


def _scaled(card: DetectedCard, back: Places) -> DetectedCard:
    return DetectedCard(card.middle * back, card.short * back, card.long * back, card.likely, card.station)


def _peaks(said: NDArray[np.float32]) -> list[DetectedCard]:
    likely = 1 / (1 + np.exp(-said[0].astype(np.float64)))
    highest = cv2.dilate(likely, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((likely >= highest) & (likely > _C.likely))
    order = np.argsort(-likely[rows, columns], kind="stable")[: _C.most]
    found = [_card(said, int(rows[n]), int(columns[n]), float(likely[rows[n], columns[n]])) for n in order]
    return [card for card in found if _is_card_like(card)]


def _card(said: NDArray[np.float32], row: int, column: int, likely: float) -> DetectedCard:
    numbers = said[1:, row, column].astype(np.float64)
    middle = (np.array([column + 0.5, row + 0.5]) + numbers[:2]) * _STRIDE
    station = float(1 / (1 + np.exp(-numbers[6])))
    return DetectedCard(middle, _half(numbers[2:4]) * _STRIDE, _half(numbers[4:6]) * _STRIDE, likely, station)


def _half(doubled: Places) -> Places:
    """A half side from the network's output, in which its angle is doubled."""
    length, angle = float(np.hypot(*doubled)), float(np.arctan2(doubled[1], doubled[0])) / 2
    return length * np.array([np.cos(angle), np.sin(angle)])


def _is_card_like(card: DetectedCard) -> bool:
    short, long = float(np.hypot(*card.short)), float(np.hypot(*card.long))
    square = abs(card.short @ card.long) / max(short * long, 1e-6)
    return bool(short > 4 and _C.least_oblong < long / short < _C.most_oblong and square < 0.5)


def _without_doubles(cards: list[DetectedCard]) -> list[DetectedCard]:
    """Non-maximum suppression: drop cards overlapping a likelier one by more than half."""
    kept: list[DetectedCard] = []
    for card in cards:
        near = (np.hypot(*(card.middle - other.middle)) < 0.9 * np.hypot(*other.short) for other in kept)
        if not any(near):
            kept.append(card)
    return kept
