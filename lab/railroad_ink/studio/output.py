"""Photographs with their truth beside them, written to a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from companion.games.contract import Plain
from companion.games.derailed.paper.printed import PRINTED as CARDS
from companion.games.railroad_ink.paper.printed import PRINTED
from lab.derailed.studio.output import take_card_picture
from lab.railroad_ink.studio.photographs import packed, photograph
from lab.railroad_ink.studio.scenes import Scene, Wish, make_scene
from lab.railroad_ink.studio.truths import scene_truth
from lab.studio.levels import level_named
from vision.errors import StudioError


def picture_seed(seed: int, number: int) -> int:
    """The seed of one picture of a series."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> 1)


def take_picture(
    seed: int, level: str, photo: str = "photo.jpg", wish: Wish | None = None
) -> tuple[bytes, Plain]:
    """One picture as JPEG, and its truth."""
    scene: Scene = make_scene(seed, level_named(level), wish)
    return packed(photograph(scene), scene.sensor.jpeg), scene_truth(scene, photo, level)


# What takes a picture of a game's table: a seed, a level and a name in, the JPEG and the truth out.
_TAKING: dict[str, Callable[[int, str, str], tuple[bytes, Plain]]] = {
    PRINTED.name: take_picture,
    CARDS.name: take_card_picture,
}


def write_studio(
    game: str, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None] | None = None
) -> list[Path]:
    """Write ``count`` photographs ``LEVEL-SEED-NUMBER.jpg``, each with a ``.json`` beside it; their paths.

    ``tell`` hears of each as soon as it is written.
    """
    if game not in _TAKING:
        raise StudioError(f"the studio has no sheets of {game!r}: choose {' or '.join(_TAKING)}")
    if count < 1:
        raise StudioError(f"{count} photographs cannot be taken: choose 1 or more")
    level_named(level)
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(count):
        path = out / f"{level}-{seed}-{number:05d}.jpg"
        paths.append(_write_one(path, _TAKING[game](picture_seed(seed, number), level, path.name)))
        if tell is not None:
            tell(paths[-1])
    return paths


def _write_one(path: Path, taken: tuple[bytes, Plain]) -> Path:
    data, truth = taken
    path.write_bytes(data)
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n")
    return path
