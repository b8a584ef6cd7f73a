"""Material to learn from: pictures of the studio made small, where every card lies, and every place cut out.

A picture is a file of its own; one that is there already is not made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.faces import BACK, CLASS_NUMBER, COVERED, EMPTY
from companion.games.derailed.reader.cards.views import card_views
from companion.games.derailed.rules.cards import FACES
from companion.games.derailed.rules.rulebook import COMPANIES
from lab.derailed.studio.hands import HELD_OUT
from lab.derailed.studio.output import CARD_OUTLINE, card_darkroom, hidden_share
from lab.derailed.studio.scenes import (
    HELD_OUT_SURFACES,
    ODDITIES,
    CardScene,
    CardSpec,
    PlacedCard,
    make_card_scene,
    slot_card,
)
from lab.studio.cameras import transformed
from lab.studio.darkroom import packed, whole_picture
from lab.studio.habits import one_of
from lab.studio.levels import level_named
from lab.studio.tables import KINDS
from lab.training.files import Arrays, make_files
from vision.register.rectify import Image

LONGEST = 640  # pixels of the longer side of a picture that is kept
VIEW_SIZE, VIEW_RIM = (84, 108), 16.0  # bigger than what is read, so that views can be moved and turned
_LEVELS, _LEVEL_SHARES = ("clean", "table", "hard"), (0.15, 0.45, 0.4)
_MEGAPIXELS = (0.4, 2.0)
_ON_MAT = 0.35  # share of pictures with our mat
_STEEPLY, _STEEP = 0.45, (20.0, 56.0)  # share of pictures taken at such tilts, in degrees, not the level's
# What cards lie on; half of the pictures take what is usual in the studio.
SURFACES = (*[""] * 7, *(kind for kind in KINDS if kind not in HELD_OUT_SURFACES))
_SEEN, _UNSEEN = 0.4, 0.6  # shares of a card that are hidden: up to here it is read, from here nobody could


@dataclass(frozen=True)
class MaterialPicture:
    """One picture to learn from.

    ``cards``: by card, the corners in pixels of ``small``, clockwise, how much of it is hidden, and 1 for a
    station, 0 for anything else;
    ``views`` and ``labels``: every place cut out, and what is there.
    """

    small: Image
    cards: NDArray[np.float32]  # (n, 10)
    views: Image
    labels: NDArray[np.int16]


def make_material(folder: Path, first_seed: int, pictures: int, workers: int) -> list[Path]:
    """The files of so many pictures, made if they are not there."""
    return make_files(folder, range(first_seed, first_seed + pictures), _made, workers)


def _made(seed: int) -> Arrays:
    made = material_picture(seed)
    return {"small": made.small, "cards": made.cards, "views": made.views, "labels": made.labels}


def load_material(paths: Iterable[Path]) -> Iterator[MaterialPicture]:
    """The pictures one by one."""
    for path in paths:
        with np.load(path) as kept:
            yield MaterialPicture(kept["small"], kept["cards"], kept["views"], kept["labels"])


def load_views(paths: Iterable[Path]) -> tuple[Image, NDArray[np.int16]]:
    """All places of these files, of pictures or of flat decks, and what is there."""
    views, labels = [], []
    for path in paths:
        with np.load(path) as kept:
            views.append(kept["views"])
            labels.append(kept["labels"])
    return np.concatenate(views), np.concatenate(labels)


def material_picture(seed: int) -> MaterialPicture:
    """The picture that belongs to a seed."""
    rng = np.random.default_rng([seed, 66])
    name = str(rng.choice(_LEVELS, p=_LEVEL_SHARES))
    spec = CardSpec(
        mat=bool(rng.random() < _ON_MAT),
        tilt=_STEEP if rng.random() < _STEEPLY else None,
        surface=one_of(rng, SURFACES),
        turned=True,
        without=HELD_OUT,
        scattered=bool(rng.random() < 0.6),
        odd=one_of(rng, ODDITIES) if rng.random() < 0.3 else None,
        megapixels=float(np.exp(rng.uniform(*np.log(_MEGAPIXELS)))),
        table_pixels=256,
    )
    scene = make_card_scene(seed, name, level_named(name), spec)
    codes = packed(whole_picture(card_darkroom(scene)), scene.sensor.jpeg)
    image = np.asarray(cv2.imdecode(np.frombuffer(codes, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    share = LONGEST / max(image.shape[:2])
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    views, labels = _views(scene, image)
    rows = [
        [*(_corners(scene, card) * share).ravel(), hidden_share(scene, card), float(card.card in COMPANIES)]
        for card in scene.placed
        if card.top
    ]
    return MaterialPicture(
        np.asarray(small, np.uint8), np.array(rows, np.float32).reshape(-1, 10), views, labels
    )


def _corners(scene: CardScene, card: PlacedCard) -> NDArray[np.float64]:
    return scene.camera.project(transformed(card.to_table, CARD_OUTLINE))


def _views(scene: CardScene, image: Image) -> tuple[Image, NDArray[np.int16]]:
    """Every uppermost card, and every place without one."""
    named = _named(scene)
    scale = max(
        scene.camera.scale_at(transformed(card.to_table, CARD_OUTLINE).mean(axis=0)) for card, _ in named
    )
    share = min(1.0, 1.6 / scale)
    if share < 0.8:
        image = np.asarray(
            cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
        )
    else:
        share = 1.0
    quads = np.array([_corners(scene, card) * share for card, _ in named])
    labels = np.array([CLASS_NUMBER[label] for _, label in named], np.int16)
    return card_views(image, quads, VIEW_SIZE, VIEW_RIM), labels


def _named(scene: CardScene) -> list[tuple[PlacedCard, str]]:
    named = [(card, label) for card in scene.placed if (label := _look(scene, card)) is not None]
    taken = {card.place for card in scene.placed if card.place}
    slots = [slot_card(scene, name) for name in scene.slots if name not in taken]
    for slot in slots:
        hidden = hidden_share(scene, slot)
        if hidden < 0.12 or hidden > 0.35:
            named.append((slot, EMPTY if hidden < 0.12 else COVERED))
    return named


def _look(scene: CardScene, card: PlacedCard) -> str | None:
    """The label of a card for the reader; None where nobody could say."""
    hidden = hidden_share(scene, card)
    if not card.top or _SEEN < hidden < _UNSEEN:
        return None
    if hidden >= _UNSEEN:
        return COVERED if card.place else None
    if card.card in FACES:
        return card.card
    return card.card if card.card in COMPANIES else BACK
