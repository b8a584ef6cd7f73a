"""What the network learns from: the views of edges in photographs of the studio, and the truth about each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.contract import Plain
from companion.games.empire_builder.eye.looking import look_at
from companion.games.empire_builder.eye.places import edge_places
from companion.games.empire_builder.eye.reading import ENOUGH
from lab.training import IGNORED
from vision.rectify import Image
from vision.seeing import Search, see

EMPTY, LINE, UNSEEN = range(3)
_SEEN, _HIDDEN = 0.45, 0.6  # share of an edge's slot that is hidden: seen up to here, hidden from here on


@dataclass(frozen=True, eq=False)
class Material:
    """Views as the network sees them, (n, height, width, 4), and what is in each."""

    views: Image
    labels: NDArray[np.int64]

    def part(self, chosen: NDArray[np.int64]) -> Material:
        """Some of it."""
        return Material(self.views[chosen], self.labels[chosen])


def material_of(photo: bytes, truth: Plain) -> Material | None:
    """The views of one photograph; nothing if the map is not found in it."""
    places, slots = edge_places(), truth["sheets"][0]["slots"]
    seen = see(photo, Search([places.sheet], ENOUGH))
    if not seen.sheets:
        return None
    look = look_at(seen.picture.image, seen.sheets[0].placement)
    names = [places.on.edge_names[edge] for edge in places.edges[look.near]]
    labels = np.array([_label(slots.get(name, {})) for name in names], np.int64)
    kept = labels != IGNORED
    return Material(look.inputs[kept], labels[kept])


def _label(slot: Plain) -> int:
    hidden = float(slot.get("hidden", 0)) + float(slot.get("glare", 0))
    if hidden > _SEEN:
        return UNSEEN if hidden >= _HIDDEN else IGNORED
    return LINE if slot.get("mark") else EMPTY


def joined(parts: Sequence[Material]) -> Material:
    """The views of several photographs together."""
    return Material(
        np.concatenate([part.views for part in parts]), np.concatenate([part.labels for part in parts])
    )


def folder_material(folder: Path, numbers: Sequence[str]) -> Material:
    """The views of photographs in a folder, each made once and kept beside it."""
    parts = []
    for number in numbers:
        kept = folder / f"{number}.npz"
        if not kept.exists():
            truth = json.loads((folder / f"{number}.json").read_text())
            made = material_of((folder / f"{number}.jpg").read_bytes(), truth)
            if made is None:
                continue
            np.savez(kept, views=made.views, labels=made.labels)
        stored = np.load(kept)
        parts.append(Material(stored["views"], stored["labels"]))
    return joined(parts)
