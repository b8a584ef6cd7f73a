"""Places compared with the pictures of a deck: which card it is, and where it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, CLASSES, half_turned
from companion.games.derailed.reader.cards.views import card_views
from companion.games.derailed.reader.decks.matching import NOTHING, DeckPictures
from lab.derailed.studio.decks import Deck, card_picture
from lab.derailed.studio.hands import PEOPLE, hand_of
from vision.register.rectify import Image, Places

SCALE, SIDE = 1.5, 240
CARDS = ("LTRB", "LTR", "LT|rb", "LB|t", "TB", "TB|l", "LR|TB", "LT|RB")
DECK = Deck(hand_of(np.random.default_rng(5), PEOPLE["broad-gauge"]))


def on_a_table(
    card: str, corner: tuple[float, float], turn: float, light: float = 1.0
) -> tuple[Image, Places]:
    """A card on grey with its first corner there, turned by degrees; the picture, and the card's corners."""
    drawn = np.ascontiguousarray(card_picture(DECK, card, 0, SCALE)[:, :, ::-1])
    height, width = drawn.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    matrix[:, 2] += np.array(corner)
    table = np.full((SIDE, SIDE, 3), 110, np.uint8)
    shown = cv2.warpAffine(drawn, matrix, (SIDE, SIDE), table, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    quad = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    there = cv2.transform(quad[None], matrix)[0]
    return np.asarray(np.clip(shown * light, 0, 255), np.uint8), np.asarray(there, np.float64)


@pytest.fixture(scope="module")
def pictures() -> DeckPictures:
    """Every card once, cut out exactly."""
    shown = [(card, on_a_table(card, (60, 50), 0)) for card in CARDS]
    return DeckPictures([(card, card_views(image, quad[None])[0]) for card, (image, quad) in shown])


@pytest.mark.parametrize("card", ["LTRB", "LT|rb", "TB|l", half_turned("LB|t"), half_turned("TB|l")])
@pytest.mark.parametrize(("off", "turn"), [((0, 0), 0), ((6, -4), 2), ((-5, 7), -2.5)])
def test_a_card_is_known_and_placed_wherever_it_lies(
    pictures: DeckPictures, card: str, off: tuple[float, float], turn: float
) -> None:
    _, guess = on_a_table(card, (60, 50), 0)
    image, quad = on_a_table(card, (60 + off[0], 50 + off[1]), turn, 0.5)
    found = pictures.match(image, [guess])
    assert CLASSES[int(found.alike.argmax())] == card
    assert found.alike.max() > 0.85
    assert np.abs(found.quad - quad).max() < 3.5 * SCALE
    assert np.abs(found.quad.mean(axis=0) - quad.mean(axis=0)).max() < 1.2 * SCALE


def test_what_was_not_taught_or_is_no_card_looks_like_nothing(pictures: DeckPictures) -> None:
    image, guess = on_a_table("LTRB", (60, 50), 0)
    bare = np.random.default_rng(1).integers(90, 130, image.shape).astype(np.uint8)
    found = pictures.match(bare, [guess])
    assert found.alike.max() < 0.4
    assert found.alike[CLASS_NUMBER["LTB|r"]] == NOTHING
