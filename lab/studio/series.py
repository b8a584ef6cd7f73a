"""A series of photographs with their truth beside them, written to a folder."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from companion.core.jsontext import JsonObject
from companion.game.parts import Studio
from lab.studio.levels import level_named
from vision.errors import StudioError

S = TypeVar("S")
# Takes one picture: its seed, the level and the file's name in; the JPEG and the truth out.
Take = Callable[[int, str, str], tuple[bytes, JsonObject]]


def picture_seed(seed: int, number: int) -> int:
    """The seed of one picture of a series."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> 1)


def write_series(
    take: Take, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None] | None = None
) -> list[Path]:
    """Write ``count`` photographs ``LEVEL-SEED-NUMBER.jpg``, each with a ``.json`` beside it; their paths.

    ``tell`` hears of each as soon as it is written.
    """
    if count < 1:
        raise StudioError(f"{count} photographs cannot be taken: choose 1 or more")
    level_named(level)
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(count):
        path = out / f"{level}-{seed}-{number:05d}.jpg"
        data, truth = take(picture_seed(seed, number), level, path.name)
        path.write_bytes(data)
        path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n")
        paths.append(path)
        if tell is not None:
            tell(path)
    return paths


class PictureStudio(Studio[S]):
    """A studio that takes one picture at a time; ``S`` is the state of the game's rules."""

    @abstractmethod
    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """One picture of something made up as JPEG, and its truth."""

    def write(
        self, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None]
    ) -> Sequence[Path]:
        """A series of such pictures, each with its truth as JSON beside it."""
        return write_series(self.take, out, count, seed, level, tell)
