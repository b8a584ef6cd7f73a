"""Whose line is on which edge: the network's word on every view, the crayons, and what cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.eye.crayons import Crayons, learn_crayons, wax_on
from companion.games.empire_builder.eye.looking import MapLook
from companion.games.empire_builder.eye.places import EdgePlaces, edge_places
from companion.games.kit.evidence import EMPTY, SlotReading
from vision.nets import scores, shares
from vision.pieces.views import cut_out
from vision.rectify import Placement

NETWORK = Path(__file__).with_name("edges.onnx")
GLARE, COVERED, OUTSIDE = "glare", "covered", "outside the picture"
CLEAR = 1e-3  # probability of a line below which an edge is surely empty, and left out
_HIDDEN = 0.5  # probability of not being seen
_BRIGHT = 1.25  # times the light that was expected: what hides an edge is a reflection
_DROWNED = 0.3  # share of an edge's corridor
_MAYBE = 0.02  # probability of a line from which its crayon is looked for


@dataclass(frozen=True)
class ReadEdges:
    """The edges that are not surely empty, by name, and the crayons on the map."""

    slots: dict[str, SlotReading]
    crayons: Crayons


def read_edges(look: MapLook, outside: NDArray[np.bool_], names: Sequence[str] = ()) -> ReadEdges:
    """What is on every edge; ``outside``: those beyond the picture; ``names``: the colours, if known."""
    places = edge_places()
    said = shares(scores(NETWORK, look.inputs)) if len(look.near) else np.zeros((0, 3))
    line = said[:, 1] / np.maximum(said[:, 0] + said[:, 1], 1e-9)
    chosen = np.flatnonzero(line > _MAYBE)
    wax = wax_on(look.even[chosen], look.expected[chosen])
    sure = np.where(said[chosen, 2] < _HIDDEN, line[chosen], 0.0)
    crayons = learn_crayons(wax, sure, look.even[chosen], names)
    colours = crayons.shares(wax, places.ends[look.near[chosen]], sure)
    reasons = _unseen(look, said, outside, places)
    slots: dict[str, SlotReading] = {}
    marks = {int(look.near[n]): (float(line[n]), colours[k]) for k, n in enumerate(chosen)}
    edge_names = places.on.edge_names
    for n in sorted({*marks, *reasons}):
        p, own = marks.get(n, (CLEAR / 2, None))
        if p >= CLEAR or n in reasons:
            slots[edge_names[places.edges[n]]] = _slot(p, own, crayons.names, reasons.get(n))
    return ReadEdges(slots, crayons)


def _slot(
    line: float, colours: NDArray[np.float64] | None, names: Sequence[str], unseen: str | None
) -> SlotReading:
    marks = {EMPTY: 1.0 - line}
    if colours is not None:
        marks |= {name: line * float(share) for name, share in zip(names, colours, strict=True)}
    ordered = sorted(marks.items(), key=lambda one: -one[1])
    return SlotReading({mark: p for mark, p in ordered if p > 1e-6 or mark == EMPTY}, unseen)


def _unseen(
    look: MapLook, said: NDArray[np.float64], outside: NDArray[np.bool_], places: EdgePlaces
) -> dict[int, str]:
    """By place in the arrays why an edge cannot be seen."""
    reasons: dict[int, str] = {}
    hidden = look.near[said[:, 2] > _HIDDEN]
    for n in hidden.tolist():
        reasons[n] = GLARE if look.light[n].mean() > _BRIGHT else COVERED
    if look.compared.drowned.any():
        mask = look.compared.drowned.astype(np.uint8) * 255
        drowned = cut_out(mask, places.corridor).mean(axis=(1, 2)) > _DROWNED * 255
        reasons |= dict.fromkeys(np.flatnonzero(drowned).tolist(), GLARE)
    return reasons | dict.fromkeys(np.flatnonzero(outside).tolist(), OUTSIDE)


def edges_outside(placement: Placement, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which edges do not lie wholly in a picture of this size."""
    places = edge_places()
    pixels = placement.pixels(places.spots[places.ends])
    out = (pixels < 1) | (pixels > np.asarray(size, np.float64) - 1)
    return np.asarray(out.any(axis=(1, 2)), np.bool_)
