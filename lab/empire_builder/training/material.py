"""What the networks learn from: photographs of the studio as the eye sees them, and what is on each edge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.games.empire_builder.reader import posts
from companion.games.empire_builder.reader.edges import NETWORK, Lines, lines_of, said_of
from companion.games.empire_builder.reader.looking import GLANCE, MapLook, glances_of, look_at
from companion.games.empire_builder.reader.places import edge_places, map_seen
from companion.games.empire_builder.reader.reading import ENOUGH
from companion.reading.evidence import EMPTY as EMPTY_MARK
from lab.training import IGNORED
from vision.find.seeing import Search, see
from vision.pieces.against_blank import compared
from vision.register.print_drift import print_drift
from vision.register.rectify import Image, Placement

Kind: TypeAlias = Literal["glance", "edges", "crayons", "posts"]
EMPTY, LINE, UNSEEN = range(3)
_SEEN, _HIDDEN = 0.45, 0.6  # share of an edge's slot that is hidden: seen up to here, hidden from here on
_NAMED = 0.6  # share of the photographs in which the colours of the crayons are known
_GLANCED = 1500  # empty edges of one photograph
_MOST_QUESTIONS = 450  # of one photograph
_BEFORE: dict[Kind, tuple[Path, ...]] = {
    "glance": (),
    "edges": (GLANCE,),
    "crayons": (GLANCE, NETWORK),
    "posts": (),
}
_PLAIN = 0.3  # of a line that is hidden: less, and it helps to say which crayon is which


@dataclass(frozen=True, eq=False)
class Material:
    """Views as a network sees them, (n, height, width, channels), and what is in each."""

    views: Image
    labels: NDArray[np.int64]

    def part(self, chosen: NDArray[np.int64]) -> Material:
        """The views with these indices, and their labels."""
        return Material(self.views[chosen], self.labels[chosen])


def glance_material(
    image: Image, placement: Placement, sheet: JsonObject, rng: np.random.Generator
) -> Material:
    """What the smallest network sees of a map: may there be a line, or something that hides it?"""
    places = edge_places()
    straight = map_seen(image, placement, places.sheet)
    shift = print_drift(straight, places.tiles).at(places.middles)
    glances = glances_of(compared(straight, places.blank), places, shift)
    labels = np.array([_label(slot) for slot in _slots(np.arange(len(places.edges)), sheet)], np.int64)
    empty, other = np.flatnonzero(labels == EMPTY), np.flatnonzero(labels > EMPTY)
    chosen = np.concatenate([rng.permutation(empty)[:_GLANCED], other])
    return Material(glances.inputs[chosen], labels[chosen])


def edge_material(look: MapLook, sheet: JsonObject) -> Material:
    """What the first network sees of a map: is there a line, nothing, or can it not be seen?"""
    labels = np.array([_label(slot) for slot in _slots(look.near, sheet)], np.int64)
    return Material(look.inputs, labels).part(np.flatnonzero(labels != IGNORED))


def _slots(near: NDArray[np.int64], sheet: JsonObject) -> list[JsonObject]:
    places = edge_places()
    return [sheet["slots"].get(places.on.edge_names[edge], {}) for edge in places.edges[near]]


def _label(slot: JsonObject) -> int:
    hidden = _hidden(slot)
    if hidden > _SEEN:
        return UNSEEN if hidden >= _HIDDEN else IGNORED
    return LINE if slot.get("mark") else EMPTY


def _hidden(slot: JsonObject) -> float:
    return float(slot.get("hidden", 0)) + float(slot.get("glare", 0))


def post_material(look: MapLook, sheet: JsonObject) -> Material:
    """What stands on the mileposts that something lies around; what else lies there is nothing."""
    near, views = posts.post_views(look)
    slots = [sheet["slots"].get(edge_places().on.names[post], {}) for post in near]
    labels = np.array([posts.KINDS.index(slot.get("mark", EMPTY_MARK)) for slot in slots], np.int64)
    return Material(views, labels)


def crayon_material(look: MapLook, sheet: JsonObject, rng: np.random.Generator) -> Material:
    """What the second network is asked about a map: did this crayon draw this line?"""
    inputs = look.inputs
    names = list(sheet["players"]) if rng.random() < _NAMED else ()
    lines = lines_of(look, inputs, said_of(inputs), names)
    labels = _answers(lines, _slots(look.near[lines.chosen], sheet))
    known = np.flatnonzero(labels != IGNORED)
    chosen = rng.permutation(known)[:_MOST_QUESTIONS]
    return Material(lines.asked.inputs[chosen], labels[chosen])


def _answers(lines: Lines, slots: Sequence[JsonObject]) -> NDArray[np.int64]:
    """The answer to every question; none where the edge is hidden or no lines are that crayon's."""
    stands = _crayons(lines, slots)
    labels = np.full(len(lines.asked.lines), IGNORED, np.int64)
    for n, (line, crayon) in enumerate(zip(lines.asked.lines, lines.asked.crayons, strict=True)):
        mark = slots[line].get("mark", "")
        if _hidden(slots[line]) <= _SEEN and (not mark or (mark in stands.values() and crayon in stands)):
            labels[n] = int(bool(mark) and stands[crayon] == mark)
    return labels


def _crayons(lines: Lines, slots: Sequence[JsonObject]) -> dict[int, str]:
    """The true colour of every crayon that was learnt: that of most lines that look most like it."""
    nearest = lines.by_tint.argmax(axis=1) if lines.crayons.names else np.zeros(0, np.int64)
    marks: dict[int, list[str]] = {}
    for crayon, slot in zip(nearest.tolist(), slots, strict=False):
        if slot.get("mark") and _hidden(slot) < _PLAIN:
            marks.setdefault(crayon, []).append(slot["mark"])
    return {crayon: max(sorted(set(own)), key=own.count) for crayon, own in marks.items()}


def folder_material(folder: Path, numbers: Sequence[str], kind: Kind) -> Material:
    """The views of photographs in a folder, each made once and kept beside it."""
    parts = [np.load(kept) for number in numbers if (kept := kept_at(folder, number, kind)).exists()]
    return Material(
        np.concatenate([part["views"] for part in parts]), np.concatenate([part["labels"] for part in parts])
    )


def kept_at(folder: Path, number: str, kind: Kind) -> Path:
    """Where the material of a photograph is kept; what a network sees depends on those before it."""
    known = "".join(f"-{sha256(before.read_bytes()).hexdigest()[:8]}" for before in _BEFORE[kind])
    return folder / f"{number}.{kind}{known}.npz"


def make_material(folder: Path, numbers: Sequence[str], kind: Kind, workers: int) -> None:
    """Make the views of photographs that have none yet."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(_make_one, folder, kind), numbers))


def _make_one(folder: Path, kind: Kind, number: str) -> None:
    kept = kept_at(folder, number, kind)
    if kept.exists():
        return
    cv2.setNumThreads(1)
    sheet = json.loads((folder / f"{number}.json").read_text())["sheets"][0]
    seen = see((folder / f"{number}.jpg").read_bytes(), Search([edge_places().sheet], ENOUGH))
    if not seen.sheets:
        return
    image, placement = seen.picture.image, seen.sheets[0].placement
    rng = np.random.default_rng(int(number))
    made = {
        "glance": lambda: glance_material(image, placement, sheet, rng),
        "edges": lambda: edge_material(look_at(image, placement, edge_places()), sheet),
        "posts": lambda: post_material(look_at(image, placement, edge_places()), sheet),
        "crayons": lambda: crayon_material(look_at(image, placement, edge_places()), sheet, rng),
    }[kind]()
    np.savez(kept, views=made.views, labels=made.labels)
