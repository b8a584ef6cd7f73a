"""Reads the line on every edge: the network's classes, the crayons, and what cannot be seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.empire_builder.reader.crayons import Crayons, continued, learn_crayons, wax_on
from companion.games.empire_builder.reader.gaps import bridged, loose_doubted
from companion.games.empire_builder.reader.looking import MapLook
from companion.games.empire_builder.reader.places import EdgePlaces
from companion.games.empire_builder.reader.whose import Questions, answers, questions
from companion.reading.evidence import EMPTY, SlotReading
from companion.reading.probabilities import LabelProbabilities
from vision.nets import scores, shares
from vision.pieces.views import cut_out
from vision.register.rectify import Image, Placement

NETWORK = Path(__file__).with_name("edges.onnx")
GLARE, COVERED, OUTSIDE = "glare", "covered", m("outside the picture")
CLEAR = 1e-3  # probability of a line below which an edge is surely empty, and left out
_HIDDEN = 0.5  # probability of not being seen
_SURELY_HIDDEN = 0.95  # whatever it looks like
_OF_THAT_TINT, _PRESSED = -0.7, (0.7, 1.4)  # nats for a crayon by its tint, and the share of its usual wax
_BRIGHT = 1.25  # times the light that was expected: what hides an edge is a reflection
_DROWNED = 0.3  # share of an edge's corridor
_LEAST_STRENGTH = 0.02  # of a crayon's wax, a share of the light
# How much of a crayon's usual wax, and how probable a line with so little of it is at most.
_PALE, _PALE_AT_MOST = (0.25, 0.42, 0.5), (0.02, 0.2, 1.0)
# So many pixels of an edge without wax, and somebody began and left it: of 9,032 lines 3 have
# such a gap. And how probable a line is then at most: nothing is the first answer, and people are asked.
_STOPPED, _STOPPED_AT_MOST = 3, 0.3
_UNTOLD = 1e-5  # probability of a crayon below which it is not named
_MAYBE = 0.008  # probability of a line from which its crayon is looked for


@dataclass(frozen=True)
class ReadEdges:
    """The edges that are not surely empty, by name, and the crayons on the map."""

    slots: dict[str, SlotReading]
    crayons: Crayons


@dataclass(frozen=True, eq=False)
class Lines:
    """The edges that may have a line, the crayons seen on them, and the questions put to the second network.

    ``chosen`` are places in the look's views, ``line`` the probabilities of a line there.
    """

    chosen: NDArray[np.int64]
    line: NDArray[np.float64]
    crayons: Crayons
    by_tint: NDArray[np.float64]
    asked: Questions
    pressed: NDArray[np.float64]  # how much wax each crayon would have left, 1 is as much as usual
    stopped: NDArray[np.bool_]  # lines that somebody began and left


def read_edges(
    look: MapLook,
    outside: NDArray[np.bool_],
    names: Sequence[str] = (),
    posts: Collection[int] = (),
) -> ReadEdges:
    """Read every edge; ``outside``: edges beyond the picture; ``names``: the colours, if known.

    On the mileposts ``posts`` something stands that has colours of its own.
    """
    places, inputs = look.places, look.inputs
    said = said_of(inputs)
    lines = lines_of(look, inputs, said, names, posts)
    own = look.near[lines.chosen]
    marks = smears_doubted(answers(lines.asked, lines.by_tint, lines.line), lines.pressed)
    if lines.crayons.names:
        marks[:, 1:] = continued(marks[:, 1:], places.ends[own])
    reasons = _unseen(look, _hidden(said, lines), outside, places)
    marks[lines.stopped] = _at_most(marks[lines.stopped], _STOPPED_AT_MOST)
    closed = {*reasons, *own[lines.stopped].tolist()}
    found = bridged(dict(zip(own.tolist(), marks, strict=True)), places, closed)
    found = loose_doubted(found, places, reasons)
    colours, names_of = lines.crayons.names, places.on.edge_names
    nothing = np.array([1.0] + [0.0] * len(colours))
    told = [n for n in sorted({*found, *reasons}) if n in reasons or found[n][0] <= 1 - CLEAR]
    slots = LabelProbabilities(
        tuple(names_of[places.edges[n]] for n in told),
        (EMPTY, *colours),
        np.array([found.get(n, nothing) for n in told]).reshape(-1, 1 + len(colours)),
        tuple(reasons.get(n) for n in told),
    )
    return ReadEdges(slots.slots(_UNTOLD), lines.crayons)


def said_of(inputs: Image) -> NDArray[np.float64]:
    """The probabilities of nothing, a line and an obstruction in every view, (n, 3)."""
    return shares(scores(NETWORK, inputs)) if len(inputs) else np.zeros((0, 3))


def lines_of(
    look: MapLook,
    inputs: Image,
    said: NDArray[np.float64],
    names: Sequence[str] = (),
    posts: Collection[int] = (),
) -> Lines:
    """The lines, by what the first network ``said`` of the look's ``inputs``, and their crayons."""
    line = said[:, 1] / np.maximum(said[:, 0] + said[:, 1], 1e-9)
    chosen = np.flatnonzero(line > _MAYBE)
    line, even, expected = line[chosen], look.even[chosen], look.expected[chosen]
    wax = wax_on(even, expected)
    plain = said[chosen, 2] < _HIDDEN
    plain &= ~np.isin(look.places.ends[look.near[chosen]], list(posts)).any(axis=1)
    crayons = learn_crayons(wax, np.where(plain, line, 0.0), even, names)
    by_tint = crayons.by_tint(wax)
    asked = questions(inputs[chosen], even, expected, crayons, line, by_tint)
    pressed = wax.strength[:, None] / np.maximum(crayons.strengths, _LEAST_STRENGTH)
    stopped = wax.bare >= _STOPPED
    return Lines(chosen, line, crayons, by_tint, asked, np.asarray(pressed, np.float64), stopped)


def smears_doubted(marks: NDArray[np.float64], pressed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower the probability of lines with far less wax than their crayon's others: perhaps rubbed out.

    ``marks`` are the probabilities of nothing and of every crayon, ``pressed`` the shares of the usual wax.
    """
    if not pressed.size:
        return marks
    own = marks[:, 1:].argmax(axis=1)
    return _at_most(marks, np.interp(pressed[np.arange(len(marks)), own], _PALE, _PALE_AT_MOST))


def _at_most(marks: NDArray[np.float64], most: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Limit the probability of a line, whichever crayon drew it."""
    lines = marks[:, 1:] * np.minimum(1, most / np.maximum(1 - marks[:, 0], 1e-9))[:, None]
    return np.concatenate([1 - lines.sum(axis=1, keepdims=True), lines], axis=1)


def _hidden(said: NDArray[np.float64], lines: Lines) -> NDArray[np.bool_]:
    """Mask of views whose edge is hidden, except those full of broad lines of a known crayon."""
    hidden = np.asarray(said[:, 2] > _HIDDEN, np.bool_)
    if lines.pressed.size:
        own = np.arange(len(lines.chosen)), lines.by_tint.argmax(axis=1)
        waxed = (lines.line > _HIDDEN) & (lines.by_tint[own] > _OF_THAT_TINT)
        waxed &= (lines.pressed[own] > _PRESSED[0]) & (lines.pressed[own] < _PRESSED[1])
        hidden[lines.chosen] &= ~(waxed & (said[lines.chosen, 2] < _SURELY_HIDDEN))
    return hidden


def _unseen(
    look: MapLook, hidden: NDArray[np.bool_], outside: NDArray[np.bool_], places: EdgePlaces
) -> dict[int, str]:
    """By index in the arrays, why an edge cannot be seen."""
    reasons: dict[int, str] = {}
    for n in look.near[hidden].tolist():
        reasons[n] = GLARE if look.light[n].mean() > _BRIGHT else COVERED
    if look.compared.drowned.any():
        mask = look.compared.drowned.astype(np.uint8) * 255
        drowned = cut_out(mask, places.corridor).mean(axis=(1, 2)) > _DROWNED * 255
        reasons |= dict.fromkeys(np.flatnonzero(drowned).tolist(), GLARE)
    return reasons | dict.fromkeys(np.flatnonzero(outside).tolist(), OUTSIDE)


def edges_outside(placement: Placement, size: tuple[int, int], places: EdgePlaces) -> NDArray[np.bool_]:
    """Mask of the edges that do not lie wholly inside a picture of this size."""
    pixels = placement.pixels(places.spots[places.ends])
    out = (pixels < 1) | (pixels > np.asarray(size, np.float64) - 1)
    return np.asarray(out.any(axis=(1, 2)), np.bool_)
