"""Photographs of card tables with their truth beside them."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import PRINTED, mat_size
from companion.sheets.printing.png import MM_PER_INCH, picture
from lab.derailed.studio.decks import card_picture, card_rim
from lab.derailed.studio.scenes import CardScene, CardSpec, PlacedCard, make_card_scene
from lab.studio.cameras import inverse, transformed
from lab.studio.darkroom import Codes, Darkroom, LaidPrint, drawing_scale, packed, rim_of, whole_picture
from lab.studio.levels import level_named
from lab.studio.settings import outline_of
from lab.studio.strokes import Points
from lab.studio.truth import drowned_in, lying_over, picture_truth, unseen_shares

CARD_OUTLINE = outline_of(PRINTED.card.size)
_SEAM = (0.3, 0.8)  # how dark, and how wide in mm, is the seam around a card
_FINENESS = 1.0  # pixels per mm in which hidden shares are counted


def take_card_picture(
    seed: int, level: str, photo: str = "photo.jpg", spec: CardSpec | None = None
) -> tuple[bytes, JsonObject]:
    """One picture as JPEG, and its truth."""
    scene = make_card_scene(seed, level, level_named(level), spec)
    return packed(whole_picture(card_darkroom(scene)), scene.sensor.jpeg), card_truth(scene, photo)


def card_darkroom(scene: CardScene) -> Darkroom:
    """The darkroom with the mat and all cards, the lowest first."""
    prints = [] if scene.mat is None else [_mat(scene, scene.mat)]
    return Darkroom(scene, prints + [_card(scene, card) for card in scene.placed])


def _mat(scene: CardScene, lanes: int) -> LaidPrint:
    outline = outline_of(mat_size(lanes))
    scale = drawing_scale(_scale(scene, transformed(scene.to_table, outline)))
    return LaidPrint(_mat_picture(lanes, scale), scale, scene.to_table, rim_of(outline), (0.2, 1.5))


@lru_cache(maxsize=12)
def _mat_picture(lanes: int, scale: float) -> Codes:
    return np.asarray(picture(mat_drawing(f"lanes-{lanes}"), scale * MM_PER_INCH))


def _scale(scene: CardScene, corners: Points) -> float:
    return max(scene.camera.scale_at(corner) for corner in corners)


def _card(scene: CardScene, card: PlacedCard) -> LaidPrint:
    scale = drawing_scale(_scale(scene, transformed(card.to_table, CARD_OUTLINE)))
    raster = card_picture(scene.deck, card.card, card.copy, scale, card.turned)
    return LaidPrint(raster, scale, card.to_table, card_rim(scene.deck.radius), _SEAM)


# --- the truth ---


def card_truth(scene: CardScene, photo: str) -> JsonObject:
    """Everything about a picture, as plain data."""
    sheet = {
        "sheet": PRINTED.name,
        "mat": scene.mat,
        "lanes": scene.cards.lanes,
        "hand": scene.deck.name,
        "starts": list(scene.cards.starts),
        "destinations": list(scene.cards.destinations),
        "places": {card.place: _told(scene, card) for card in _uppermost(scene) if not card.odd},
        "odd": [
            {"what": card.odd, **_told(scene, card), "place": card.place} for card in scene.placed if card.odd
        ],
        "moves": [[laid.company, laid.cell, laid.face] for laid in scene.cards.moves],
    }
    return picture_truth(scene, photo, scene.level, [sheet])


def _uppermost(scene: CardScene) -> list[PlacedCard]:
    return [card for card in scene.placed if card.top and card.place]


def _told(scene: CardScene, card: PlacedCard) -> JsonObject:
    corners = scene.camera.project(transformed(card.to_table, CARD_OUTLINE))
    unseen = unseen_shares(hidden_share(scene, card), glare_share(scene, card))
    return {"card": card.card, "corners": np.round(corners, 2).tolist(), **unseen}


def hidden_share(scene: CardScene, card: PlacedCard) -> float:
    """How much of a card lies under something, under a later card, or outside the picture."""
    places = [id(other) for other in scene.placed]
    above = scene.placed[places.index(id(card)) + 1 :] if id(card) in places else []
    outlines = [transformed(other.to_table, CARD_OUTLINE) for other in above]
    return max(_covered(card, outlines + lying_over(scene)), _outside(scene, card))


def glare_share(scene: CardScene, card: PlacedCard) -> float:
    """How much of a card is drowned in reflections."""
    return _covered(card, drowned_in(scene))


def _covered(card: PlacedCard, outlines: list[Points]) -> float:
    width, height = (round(side * _FINENESS) for side in PRINTED.card.size)
    canvas: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    back = inverse(card.to_table)
    for outline in outlines:
        places = transformed(back, outline) * _FINENESS
        if (places.max(axis=0) > 0).all() and (places.min(axis=0) < [width, height]).all():
            cv2.fillPoly(canvas, [np.rint(np.clip(places, -(2**14), 2**14)).astype(np.int32)], 1)
    return float(canvas.mean())


def _outside(scene: CardScene, card: PlacedCard) -> float:
    steps = (np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2) + 0.5) / 6
    pixels = scene.camera.project(transformed(card.to_table, steps * PRINTED.card.size))
    return float(((pixels < 0) | (pixels > np.asarray(scene.camera.size))).any(axis=-1).mean())
