"""A made-up camera over a made-up table on which the boards of a real match lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from lab.railroad_ink.studio.boards import GivenBoard
from lab.railroad_ink.studio.photographs import photograph
from lab.railroad_ink.studio.scenes import SHEET_OUTLINE, Scene, SceneSpec, make_scene
from lab.studio.cameras import transformed
from lab.studio.levels import level_named
from lab.studio.settings import SoftShape
from vision.register.rectify import Image

# How the panel lamps are mirrored in the studio boards: mm from the middle, mm across, share of white.
_LAMP_AWAY, _LAMP_SIZE, _LAMP_BRIGHTNESS = 40.0, 13.0, 0.8


class StudioCamera:
    """A :class:`vision.cameras.sources.Camera` for demonstrations and tests.

    Between two frames only the noise differs, as with a camera on a stand. It has two lamps as well
    (:meth:`lit`), so it stands in for the panel when the double exposure is tried.
    """

    has_two_lamps = True

    def __init__(
        self,
        boards: Callable[[], Sequence[GivenBoard]] = tuple,
        seed: int = 1,
        level: str = "table",
        megapixels: float | None = None,
    ) -> None:
        self._boards, self._seed, self._level = boards, seed, level_named(level)
        self._megapixels = megapixels
        self._frames = 0
        self._lamp = 0  # -1 is the left one

    def take(self) -> Image:
        """The boards as they are now."""
        self._frames += 1
        return self.frame(self._frames)

    def frame(self, number: int) -> Image:
        """The boards as they are now; ``number`` says which noise lies on them."""
        wish = SceneSpec(boards=tuple(self._boards()), megapixels=self._megapixels)
        scene = make_scene(self._seed, self._level, wish)
        frame = replace(_lit(scene, self._lamp), seed=self._seed + number)
        return photograph(frame)[:, :, ::-1].copy()

    @contextmanager
    def lit(self, *, left: bool = False, right: bool = False) -> Iterator[None]:
        """A context in which light comes from one side."""
        self._lamp = right - left
        try:
            yield
        finally:
            self._lamp = 0

    def close(self) -> None:
        """Do nothing: no device is held."""


def _lit(scene: Scene, lamp: int) -> Scene:
    """The same table with one of two lamps lit, which is also mirrored in the boards, on its own side."""
    if not lamp:
        return scene
    middle = np.mean(
        [transformed(sheet.to_table, SHEET_OUTLINE).mean(axis=0) for sheet in scene.sheets], axis=0
    )
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    mirrored = SoftShape(
        middle + np.array([lamp * _LAMP_AWAY, 0.0]) + ring * _LAMP_SIZE, 3.0, _LAMP_BRIGHTNESS
    )
    light = replace(scene.light, reflections=[*scene.light.reflections, mirrored])
    return replace(scene, light=light)
