"""One photograph of a table with boards, and its truth."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from lab.railroad_ink.studio.photographs import photograph
from lab.railroad_ink.studio.scenes import Scene, SceneSpec, make_scene
from lab.railroad_ink.studio.truths import scene_truth
from lab.studio.darkroom import packed
from lab.studio.levels import level_named


def take_picture(
    seed: int, level: str, photo: str = "photo.jpg", spec: SceneSpec | None = None
) -> tuple[bytes, JsonObject]:
    """One picture as JPEG, and its truth."""
    scene: Scene = make_scene(seed, level_named(level), spec)
    return packed(photograph(scene), scene.sensor.jpeg), scene_truth(scene, photo, level)
