"""The photograph from which an action was read, as an event keeps it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from companion.core.jsontext import JsonObject

PhotoHash: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]
PICTURE = "picture"  # the key of an action's data under which it stands


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The photograph's hash, and what people answered where it was unclear; ``""`` is nothing.

    ``parts``: the photographs of other parts of the table that were read with it as one.
    """

    photo: PhotoHash
    settled: dict[str, str] = {}
    parts: tuple[PhotoHash, ...] = ()


def picture_fact(picture: Picture | None) -> JsonObject:
    """The picture as a part of a fact; nothing when there was none."""
    if picture is None:
        return {}
    parts = {"parts": list(picture.parts)} if picture.parts else {}
    return {PICTURE: {"photo": picture.photo, "settled": dict(sorted(picture.settled.items())), **parts}}
