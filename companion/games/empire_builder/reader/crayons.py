"""Learns the crayons on a map from its lines, names them, and assigns every line to one.

Wax takes away a part of each of the three colours of light. How much depends on how hard somebody pressed and
on the grain of the sheet; in which proportion depends on the crayon alone. So a line's *tint* is that
proportion, a direction in three dimensions. No colour is fixed: tints are grouped by mean shift, and the
groups are named at the end, each by another usual name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.against_blank import WHITE, most
from vision.pieces.colours import COLOUR_NAMES, name_shares, named_colours
from vision.pieces.finding import Lab, lab_of
from vision.register.rectify import Image

Floats = NDArray[np.float32]
CRAYON_NAMES = tuple(name for name in COLOUR_NAMES if name not in ("white", "grey", "natural"))
_ROWS, _COLUMNS = slice(3, 21), slice(11, 29)  # of a view: around the edge, from milepost to milepost
_MIDDLE = slice(3, 15)  # of these columns: where lines from the mileposts seldom reach
# Rows beside an edge's middle, and columns between its mileposts, in which a line has wax without a break; a
# column with less than this share of what the waxed ones have is bare.
_ALONG_ROWS, _BETWEEN, _BARE, _MOST_WAXED = slice(4, 14), slice(2, 16), 0.3, 0.9
_NEAR = 3.3  # pixels beside the edge's middle: deviation of how much the wax there counts
_LOWEST = 8.0  # print as dark as this is not divided by
_STRONG, _FULL = 0.5, 0.92  # the wax that counts: over this share of the strongest, which is that quantile
_DEEP = 0.8  # how far from the missing light to absorbance tints are taken
_SIDE = 3  # pixels over which noise is averaged along the edge
_HALF_COVERED = 0.15  # of the best column of a view: a column with less wax says nothing

_WIDTH = (0.04, 0.09)  # radians: the kernel of mean shift
_APART = 2.2  # widths between two crayons at least
_LEAST, _LEAST_SHARE = 1.5, 0.015  # lines (by probability) that make a crayon
_FAR = 0.3  # radians from all others at which two lines do
_MOST = 7
_ENOUGH = 280  # lines to learn from
_NOTICED = 0.5  # probability of a line from which it helps to learn
_LEAST_SEEN = 0.3  # lines without which a crayon stays where it is
_FULL_LAYER = 0.8  # of the light of that colour that a full layer takes most of
# Where people draw with more crayons than are found: shares of the kernel's width, and how many lines each
# crayon must have drawn then. Very fine kernels split what one crayon drew, too.
_FINER = ((0.8, 1), (0.65, 1), (0.5, 20), (0.42, 20))
_SETTLING = 4  # rounds in which crayons move to the middle of their lines

_STRANGEST = 6.0  # deviations of a tint: farther from a crayon than this is no worse
_CONTINUED = 1.8  # nats for a crayon with which a line goes on at one end
_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class Wax:
    """The share of light, (n, rows, columns, 3), that is missing around the middle of some edges."""

    missing: Floats
    weights: Floats  # (n, rows, columns): how much each pixel counts
    tints: Floats  # (n, 3), unit vectors
    strength: Floats  # (n,): of the missing light
    bare: NDArray[
        np.int64
    ]  # (n,): the longest stretch of columns without wax between the mileposts, in pixels


@dataclass(frozen=True, eq=False)
class Crayons:
    """The crayons on a map by name, and the scatter of tints of one crayon, in radians.

    ``shades``: their colours as ``#rrggbb`` on white paper; ``also``: the probabilities of other names;
    ``by_looks``: that of the own name by the colour alone, whatever people said.
    """

    names: tuple[str, ...]
    shades: tuple[str, ...]
    tints: Floats  # (crayons, 3)
    strengths: Floats  # (crayons,): of the light that is usually missing
    scatter: float
    also: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    by_looks: Mapping[str, float] = field(default_factory=dict)

    def by_tint(self, wax: Wax) -> NDArray[np.float64]:
        """The log-likelihood of each crayon for each line by the line's own tint, in nats, (n, crayons)."""
        away = np.minimum(_angles(wax.tints, self.tints) / (1.5 * self.scatter), _STRANGEST)
        return np.asarray(-0.5 * away**2, np.float64)


def wax_on(even: Image, expected: Image) -> Wax:
    """The wax in views of edges: the share of light missing from the even views."""
    blank = np.maximum(expected[:, _ROWS].astype(np.float32), _LOWEST)
    whole = np.clip(1 - even[:, _ROWS].astype(np.float32) / blank, -0.5, 1)
    flat = whole.reshape(-1, *whole.shape[2:])
    smooth = cv2.blur(flat, (_SIDE, 1)) if len(flat) else flat
    missing = np.asarray(smooth, np.float32).reshape(whole.shape)[:, :, _COLUMNS]
    rows = missing.shape[1]
    near = np.exp(-0.5 * ((np.arange(rows) - (rows - 1) / 2) / _NEAR) ** 2).astype(np.float32)
    amount = most(missing) * near[:, None]
    amounts = amount.reshape(len(amount), -1)
    place = round(_FULL * (amounts.shape[1] - 1))
    full = np.partition(amounts, place, axis=1)[:, place]
    weights = np.asarray(np.maximum(amount - np.float32(_STRONG) * full[:, None, None], 0), np.float32)
    tints, strength = _tints(missing[:, :, _MIDDLE], weights[:, :, _MIDDLE])
    return Wax(missing, weights, tints, strength, _longest_bare(most(missing)))


def _longest_bare(amount: Floats) -> NDArray[np.int64]:
    """The longest stretch of columns that have far less wax along the edge than its others, by view."""
    near = amount[:, _ALONG_ROWS, _BETWEEN].max(axis=1)
    without = near < _BARE * np.quantile(near, _MOST_WAXED, axis=1, keepdims=True)
    longest, stretch = np.zeros((2, len(near)), np.int64)
    for column in without.T:
        stretch = np.where(column, stretch + 1, 0)
        longest = np.maximum(longest, stretch)
    return longest


def _tints(missing: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The tint of each view, a unit vector (median over its columns), and the mean amount of wax."""
    columns = weights.sum(axis=1)
    means = (missing * weights[..., None]).sum(axis=1) / np.maximum(columns, 1e-6)[..., None]
    waxed = columns > _HALF_COVERED * columns.max(axis=1, keepdims=True, initial=1e-6)
    # Transform shares of light towards absorbance, in which dark crayons differ more
    directions = np.where(
        waxed[..., None], _unit(np.asarray(means / (1 - _DEEP * means), np.float32)), np.nan
    )
    directions[~waxed.any(axis=1)] = 1.0
    tints = _unit(np.nanmedian(directions, axis=1))
    heavy = np.maximum(columns.sum(axis=1), 1e-6)
    strength = (np.linalg.norm(means, axis=2) * columns).sum(axis=1) / heavy
    return np.asarray(tints, np.float32), np.asarray(strength, np.float32)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)


def _angles(some: Floats, others: Floats) -> Floats:
    """The chords between unit vectors, which are nearly the angles where those are small."""
    return np.asarray(np.sqrt(np.maximum(2 - 2 * (some @ others.T), 0)), np.float32)


def continued(marks: NDArray[np.float64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """Update the crayons' probabilities: where lines end, they mostly go on in the same colour.

    ``marks``: the probabilities by line and crayon; ``ends``: the mileposts that each line joins. The
    probability of a line as such does not change.
    """
    line = marks.sum(axis=1, keepdims=True)
    nats = np.log(np.maximum(marks, 1e-9))
    shares = _softmax(nats)
    for _ in range(_ROUNDS):
        sure = shares * line
        around = np.zeros((int(ends.max(initial=0)) + 1, shares.shape[1]))
        for side in (0, 1):
            np.add.at(around, ends[:, side], sure)
        support = sum(np.clip(around[ends[:, side]] - sure, 0, 1) for side in (0, 1))
        shares = _softmax(nats + _CONTINUED * support)
    return np.asarray(line * shares, np.float64)


def _softmax(nats: NDArray[np.float64]) -> NDArray[np.float64]:
    rising = np.exp(nats - nats.max(axis=1, keepdims=True))
    return np.asarray(rising / rising.sum(axis=1, keepdims=True), np.float64)


# --- learning them ---


def learn_crayons(wax: Wax, lines: NDArray[np.float64], even: Image, names: Sequence[str] = ()) -> Crayons:
    """Cluster lines, weighted by probability, into crayons by tint; only those in ``names``, if given."""
    chosen = np.flatnonzero(lines > _NOTICED)
    chosen = chosen[:: len(chosen) // _ENOUGH + 1]
    if not len(chosen):
        return Crayons((), (), np.zeros((0, 3), np.float32), np.zeros(0, np.float32), _WIDTH[0])
    tints, weights = wax.tints[chosen], lines[chosen]
    # The width of the kernel: the usual angle to the nearest tenth of all lines, so that noise widens
    # it
    angles = np.sort(_angles(tints, tints), axis=1)
    near = angles[:, min(len(angles) - 1, max(2, len(angles) // 12))]
    width = float(np.clip(1.1 * np.median(near), *_WIDTH))
    modes = _modes(tints, weights, width, len(names) or _MOST)
    for share, least in _FINER if len(modes) < len(names) else ():
        finer = _modes(tints, weights, share * width, len(names))
        drawn = np.bincount(_angles(tints, finer).argmin(axis=1), minlength=len(finer))
        modes = finer if len(finer) == len(names) and drawn.min() >= least else modes
    modes = _settled(tints, weights, modes)
    away = _angles(tints, modes)
    nearest, away = away.argmin(axis=1), away.min(axis=1)
    scatter = float(np.clip(np.median(away) * 1.5, 0.03, 0.15))
    pixels = [
        _thickest(even[own], wax.weights[own]) for n in range(len(modes)) for own in [chosen[nearest == n]]
    ]
    counts = [float(weights[nearest == n].sum()) for n in range(len(modes))]
    layers = [_lab(_full_layer(pixel)) for pixel in pixels]
    named = named_colours(layers, CRAYON_NAMES, counts, names)
    strengths = [np.median(wax.strength[chosen[nearest == n]]) for n in range(len(modes))]
    shades = tuple(map(_shade, pixels))
    called = tuple(name for name, _ in named)
    by_looks = name_shares(dict(zip(called, layers, strict=True)), CRAYON_NAMES)
    return Crayons(called, shades, modes, np.asarray(strengths, np.float32), scatter, dict(named), by_looks)


def _settled(tints: Floats, weights: NDArray[np.float64], modes: Floats) -> Floats:
    """Refine crayons as the means of the lines nearest to them (Lloyd's algorithm), dropping empty ones."""
    for _ in range(_SETTLING):
        angles = _angles(tints, modes)
        nearest, width = angles.argmin(axis=1), float(np.median(angles.min(axis=1))) + 0.02
        trust = weights * np.exp(-0.5 * (angles.min(axis=1) / (2 * width)) ** 2)
        sums = np.stack(
            [(trust[nearest == n, None] * tints[nearest == n]).sum(axis=0) for n in range(len(modes))]
        )
        modes = np.where(
            np.linalg.norm(sums, axis=1, keepdims=True) > _LEAST_SEEN, _unit(sums), modes
        ).astype(np.float32)
    taken = np.bincount(_angles(tints, modes).argmin(axis=1), minlength=len(modes)) > 0
    return np.asarray(modes[taken], np.float32)


def _modes(tints: Floats, weights: NDArray[np.float64], width: float, most: int) -> Floats:
    """The modes of the tints by mean shift on the sphere; small ones count if far from the others."""
    here = tints.copy()
    for _ in range(12):
        kernel = np.exp(-0.5 * (_angles(here, tints) / width) ** 2) * weights
        here = _unit(np.asarray(kernel @ tints, np.float32))
    crowds: list[NDArray[np.float32]] = []
    sizes: list[float] = []
    density = (np.exp(-0.5 * (_angles(here, tints) / width) ** 2) * weights).sum(axis=1)
    for n in np.argsort(-density):
        angles = [float(_angles(here[n : n + 1], crowd[None])[0, 0]) for crowd in crowds]
        if angles and min(angles) < _APART * width:
            sizes[int(np.argmin(angles))] += weights[n]
        else:
            crowds.append(here[n])
            sizes.append(float(weights[n]))
    order = sorted(range(len(crowds)), key=lambda n: -sizes[n])
    kept = order[:1]
    for n in order[1:]:
        apart = float(_angles(crowds[n][None], np.stack([crowds[one] for one in kept])).min())
        enough = _LEAST if apart > _FAR else max(_LEAST, _LEAST_SHARE * float(weights.sum()))
        if sizes[n] >= enough and len(kept) < most:
            kept.append(n)
    return np.stack([crowds[n] for n in kept])


def _thickest(even: Image, weights: Floats) -> Floats:
    """The colour of the wax where it is thickest, in BGR order, relative to white paper."""
    pixels = even[:, _ROWS, _COLUMNS].reshape(-1, 3)
    thick = weights.reshape(-1)
    best = pixels[thick >= np.quantile(thick, 0.9)]
    return np.asarray(np.clip(np.median(best, axis=0) / WHITE, 0, 1), np.float32)


def _full_layer(pixel: Floats) -> Floats:
    """The colour of a layer that hides the paper; light strokes let it show through their grain.

    Full layers of nearly every crayon take most of one of the three colours of light.
    """
    missing = 1 - pixel
    return np.asarray(1 - missing * max(1.0, _FULL_LAYER / max(float(missing.max()), 0.05)), np.float32)


def _lab(pixel: Floats) -> Lab:
    lab = lab_of(pixel[None] * np.float32(WHITE), WHITE)[0]
    return float(lab[0]), float(lab[1]), float(lab[2])


def _shade(pixel: Floats) -> str:
    blue, green, red = np.rint(pixel * 255).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
