"""Detects pawns and load chips: a small network classifies the mileposts with something around them.

Lines leave most of a ring around a milepost free. A pawn covers a small one, a chip, whose middle is often
light, a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.reader.edges import COVERED
from companion.games.empire_builder.reader.looking import MapLook, coded
from companion.games.empire_builder.reader.places import (
    EdgePlaces,
    map_pixels,
    ring_pixels,
    view_pixels,
)
from companion.reading.evidence import EMPTY, SlotReading
from companion.reading.probabilities import LabelProbabilities
from vision.nets import scores, shares
from vision.pieces.against_blank import WHITE, most
from vision.pieces.views import cut_out
from vision.register.rectify import Image

NETWORK = Path(__file__).with_name("posts.onnx")
KINDS = (EMPTY, "pawn", "chip")  # the network's classes; whatever else may lie there is none of ours
_PAWN = 2  # so many of the rings does a pawn cover
_INKED = 16.0  # of WHITE: a sample that differs so much may be covered
_COVERED = 0.85  # of the samples
_TOLD = 0.02  # probability of a pawn or a chip from which a milepost is told
_UPRIGHT = 0  # all mileposts are looked at with the same of the lattice's headings


def read_posts(look: MapLook) -> dict[str, SlotReading]:
    """What stands on each milepost, by name, without those surely free."""
    near, inputs = post_views(look)
    said = shares(scores(NETWORK, inputs)) if len(near) else np.zeros((0, len(KINDS)))
    told = 1 - said[:, 0] >= _TOLD
    names = tuple(look.places.on.names[post] for post in near[told].tolist())
    return LabelProbabilities(names, KINDS, said[told], (None,) * len(names)).slots(least=1e-6)


def taken_posts(posts: Mapping[str, SlotReading], places: EdgePlaces) -> list[int]:
    """The mileposts on which something stands."""
    return [places.posts[name] for name, slot in posts.items() if slot.best != EMPTY]


def without_leaning(
    slots: Mapping[str, SlotReading], posts: Mapping[str, SlotReading], places: EdgePlaces
) -> dict[str, SlotReading]:
    """Mark edges as unseen where a pawn leaning over them is more probable than a line.

    A pawn of its player's colour leans over an edge beside it. A line that leads from a pawn to a milepost
    with no city and no more track of its colour is hardly ever built.
    """
    found, on = dict(slots), places.on
    for post in taken_posts(posts, places):
        for there, edge in on.ways[post]:
            name = on.edge_names[edge]
            slot = slots.get(name)
            if slot is None or slot.best == EMPTY or on.city_at[there] is not None:
                continue
            others = (slots.get(on.edge_names[other]) for _, other in on.ways[there] if other != edge)
            if not any(other is not None and other.best == slot.best for other in others):
                found[name] = replace(slot, cannot_see=COVERED)
    return found


def post_views(look: MapLook) -> tuple[NDArray[np.int64], Image]:
    """The mileposts around which something lies, and what the network sees of each."""
    places = look.places
    spots = map_pixels(places.spots)
    middles = spots + look.drift.at(spots)
    seen = cut_out(look.compared.even, middles[:, None, None] + ring_pixels())
    blank = look.compared.expected(places.blank_around_posts)
    differs = most(np.abs(seen.astype(np.int16) - blank))
    enough = max(_INKED, 2 * look.compared.misfit * WHITE)
    covered = (differs > enough).mean(axis=2)  # by milepost and ring
    most_covered = np.maximum(covered[:, :_PAWN].mean(axis=1), covered[:, _PAWN:].max(axis=1))
    near = np.flatnonzero(most_covered >= _COVERED)
    heading = np.full(len(near), _UPRIGHT)
    views = cut_out(look.compared.even, view_pixels(middles[near], heading))
    bare = look.compared.expected(cut_out(places.blank, view_pixels(spots[near], heading)))
    return near, coded(views, bare, np.ones(len(near), np.float32))
