"""What the truth beside a picture is in every game: the camera, and what cannot be seen of something."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.jsontext import JsonObject
from lab.studio.settings import Setting
from lab.studio.strokes import Points

_GLARING = 0.35  # a reflection as bright as this share of white paper drowns what is under it
_TOLD = 0.005  # share of something that is hidden or drowned: less is left out


def picture_truth(setting: Setting, photo: str, level: str, sheets: Sequence[JsonObject]) -> JsonObject:
    """Everything about a picture, as plain data; pixels are continuous from the edge of the first one."""
    camera = setting.camera
    return {
        "photo": photo,
        "width": camera.size[0],
        "height": camera.size[1],
        "level": level,
        "seed": setting.seed,
        "lens": {"centre": camera.centre.tolist(), "focal": camera.focal, "k1": camera.k1},
        "sheets": list(sheets),
    }


def lying_over(setting: Setting) -> list[Points]:
    """The outlines on the table of all that lies over the sheets."""
    return [surface.outline for thing in setting.things if thing.over for surface in thing.surfaces]


def drowned_in(setting: Setting) -> list[Points]:
    """The outlines on the table of reflections that drown what is under them."""
    return [shape.outline for shape in setting.light.reflections if shape.strength > _GLARING]


def unseen_shares(hidden: float, glare: float) -> JsonObject:
    """How much of something is hidden and drowned in glare, as the truth has it."""
    shares = {"hidden": float(hidden), "glare": float(glare)}
    return {what: round(share, 3) for what, share in shares.items() if share > _TOLD}
