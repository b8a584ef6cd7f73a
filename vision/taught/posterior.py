"""The probabilities of what lies on every segment, from all that one picture shows.

A network looks at one segment at a time and was trained on boards that are fuller than most, with every
colour on them. So its verdict becomes a likelihood, by the shares of its training, and is weighed with what
is known of this board: most segments are empty, only some colours are played with, pieces of one paint have
one name, and where every route in the picture is taken as a whole, a route's segments speak for each other.
Nothing of that turns a verdict of which the network is sure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.reading.evidence import EMPTY
from vision.pieces.trained import COLOURS, TrainedLooks
from vision.taught.naming import named_together
from vision.taught.presence import USUAL_EMPTY, presence

Floats = NDArray[np.float64]
MARKS = (EMPTY, *COLOURS)
_EMPTY = 0.75  # share of empty segments on a board in the middle of a match
_OTHERS = 1e-4  # of a colour that the network does not think of
_SURE = 0.9  # of a segment that tells whether groups are taken as a whole
_MOST_SHIFT = 2.5  # nats by which the rest of the picture moves a segment: a sure one stays as it is
_MIXED, _WHOLE = 0.85, 0.95  # share of groups of one mark, below which and above which groups are (not) whole
_LEAST = 1e-3  # nothing that a segment says counts as surer when it speaks for its group
_FEW = 2.0  # groups that are thought mixed before any is seen


def posterior(
    looks: TrainedLooks,
    seen: NDArray[np.bool_],
    groups: Sequence[NDArray[np.int64]],
    colours: Collection[str] = (),
) -> Floats:
    """The probabilities of :data:`MARKS` for every segment, (segments, 12), each row adding up to 1.

    ``colours`` are those of the pieces people have; without any it may be every one. A segment that is not
    ``seen`` says nothing to others.
    """
    playing = np.array([not colours or name in colours for name in COLOURS])
    piece = _of_a_piece(looks, seen, groups, playing)
    # Which colour, if it is a piece: first by itself, then with all pieces of the same paint
    named = np.where(playing, looks.shares[:, 1:] + _OTHERS, 0.0)
    named *= (piece / named.sum(axis=1))[:, None]
    found = np.concatenate([1 - piece[:, None], named], axis=1)
    allowed = np.concatenate([[True], playing])
    names = tuple(name for name, there in zip(COLOURS, playing, strict=True) if there)
    found[:, allowed] = named_together(
        found[:, allowed], seen & (piece > 0.5), (looks.even_colours, looks.own_colours), names
    )
    # A piece that is probably there has its likeliest colour, however unsure that is
    there = np.flatnonzero((found[:, 0] < 0.5) & (found[:, 0] >= found[:, 1:].max(axis=1)))
    for n, best in zip(there, 1 + found[there, 1:].argmax(axis=1), strict=True):
        wanted = 1.01 * found[n, 0]
        others = 1 - found[n, 0] - found[n, best]
        found[n, 1:] *= (1 - found[n, 0] - wanted) / max(others, 1e-12)
        found[n, best] = wanted
    # A segment that is partly hidden is as doubtful as it is hidden
    clear = 1 - np.clip(looks.unseen, 0.0, 0.99)[:, None]
    found = np.where(allowed, np.maximum(found, 1e-9) ** clear, 0.0)
    return _with_groups(found / found.sum(axis=1, keepdims=True), seen, groups, allowed)


def _of_a_piece(
    looks: TrainedLooks,
    seen: NDArray[np.bool_],
    groups: Sequence[NDArray[np.int64]],
    playing: NDArray[np.bool_],
) -> Floats:
    """The probability that a piece lies on a segment, (segments,)."""
    share_of_colours = (1 - USUAL_EMPTY) * playing.mean()  # of the network's training
    empty = looks.shares[:, 0] * _EMPTY / USUAL_EMPTY
    of_colours = looks.shares[:, 1:][:, playing].sum(axis=1) * (1 - _EMPTY) / share_of_colours
    own = _nats(of_colours / (empty + of_colours))
    beside = presence(looks, seen, groups)
    if beside is not None:
        own = own + np.clip((beside - own) / 2, -_MOST_SHIFT, _MOST_SHIFT)
    return np.asarray(1 / (1 + np.exp(-own)), np.float64)


def _nats(p: Floats) -> Floats:
    p = np.clip(p, 1e-5, 1 - 1e-5)
    return np.asarray(np.log(p / (1 - p)), np.float64)


def _with_groups(
    found: Floats, seen: NDArray[np.bool_], groups: Sequence[NDArray[np.int64]], allowed: NDArray[np.bool_]
) -> Floats:
    """Let the segments of a group speak for each other, as far as groups of this picture are of one mark."""
    best, sure = found.argmax(axis=1), seen & (found.max(axis=1) > _SURE)
    telling = [best[members[sure[members]]] for members in groups if sure[members].sum() > 1]
    whole = sum(len(set(marks.tolist())) == 1 for marks in telling) / (len(telling) + _FEW)
    weight = float(np.clip((whole - _MIXED) / (_WHOLE - _MIXED), 0.0, 1.0))
    if not weight:
        return found
    result = found.copy()
    for members in groups:
        heard = members[seen[members]]
        if not len(heard):
            continue
        together = np.log(found[heard][:, allowed] + _LEAST).mean(axis=0)
        shift = 2 * weight * np.clip(together - together.max(), -_MOST_SHIFT / 2, 0.0)
        likely = found[members][:, allowed] * np.exp(shift)
        result[np.ix_(members, np.flatnonzero(allowed))] = likely / likely.sum(axis=1, keepdims=True)
    return result
