"""The crayons on a map: learnt from the lines themselves, named afterwards, and which of them drew each line.

Wax takes away a part of each of the three colours of light. How much depends on how hard somebody pressed and
on the grain of the sheet; in which proportion depends on the crayon alone. So a line's *tint* is that
proportion, a direction in three dimensions. No colour is fixed: tints are grouped by mean shift, and the
groups are named at the end, each by another usual name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.against_blank import WHITE
from vision.pieces.colours import name_colours
from vision.pieces.finding import Lab, lab_of
from vision.rectify import Image

Floats = NDArray[np.float32]
_ROWS, _COLUMNS = slice(5, 19), slice(14, 26)  # of a view: around the middle of the edge
_NEAR = 3.3  # pixels beside the edge's middle: deviation of how much the wax there counts
_LOWEST = 8.0  # print as dark as this is not divided by
_STRONG, _FULL = 0.5, 0.92  # the wax that counts: over this share of the strongest, which is that quantile
_DEEP = 0.8  # how far from the missing light to absorbance tints are taken
_SIDE = 3  # pixels over which noise is averaged along the edge
_HALF_COVERED = 0.15  # of the best column of a view: a column with less wax says nothing

_WIDTH = (0.04, 0.09)  # radians: the kernel of mean shift
_APART = 2.2  # widths between two crayons at least
_LEAST, _LEAST_SHARE = 1.5, 0.015  # lines (by probability) that make a crayon
_FAR = 0.3  # radians from all others at which a single line does
_MOST = 7
_ENOUGH = 360  # lines to learn from
_NOTICED = 0.5  # probability of a line from which it helps to learn
_FIRM = 11.0  # how many times likelier a crayon gets for each share of the length it explains better


@dataclass(frozen=True, eq=False)
class Wax:
    """The share of light, (n, rows, columns, 3), that is missing around the middle of some edges."""

    missing: Floats
    weights: Floats  # (n, rows, columns): how much each pixel counts
    tints: Floats  # (n, 3), unit vectors
    strength: Floats  # (n,): of the missing light


@dataclass(frozen=True, eq=False)
class Crayons:
    """The crayons on a map by name, and how far tints of one crayon scatter, in radians.

    ``shades`` are their colours as ``#rrggbb`` on white paper.
    """

    names: tuple[str, ...]
    shades: tuple[str, ...]
    tints: Floats  # (crayons, 3)
    scatter: float

    def shares(self, wax: Wax) -> NDArray[np.float64]:
        """How probable each crayon is for each line, (n, crayons)."""
        if not self.names:
            return np.zeros((len(wax.tints), 0))
        explained = _explained(wax, self)
        angles = _angles(wax.tints, self.tints)
        rising = _FIRM * explained - 0.5 * (angles / (2.5 * self.scatter)) ** 2
        rising = np.exp(rising - rising.max(axis=1, keepdims=True))
        return np.asarray(rising / rising.sum(axis=1, keepdims=True), np.float64)


def wax_on(even: Image, expected: Image) -> Wax:
    """The wax in views of edges: as they are in even light, and as they would be without."""
    blank = np.maximum(expected[:, _ROWS].astype(np.float32), _LOWEST)
    whole = np.clip(1 - even[:, _ROWS].astype(np.float32) / blank, -0.5, 1)
    flat = whole.reshape(-1, *whole.shape[2:])
    smooth = cv2.blur(flat, (_SIDE, 1)) if len(flat) else flat
    missing = np.asarray(smooth, np.float32).reshape(whole.shape)[:, :, _COLUMNS]
    rows = missing.shape[1]
    near = np.exp(-0.5 * ((np.arange(rows) - (rows - 1) / 2) / _NEAR) ** 2).astype(np.float32)
    amount = missing.max(axis=3) * near[:, None]
    full = np.quantile(amount.reshape(len(amount), -1), _FULL, axis=1).astype(np.float32)
    weights = np.asarray(np.maximum(amount - np.float32(_STRONG) * full[:, None, None], 0), np.float32)
    tints, strength = _tints(missing, weights)
    return Wax(missing, weights, tints, strength)


def _tints(missing: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """By view, the median over its columns of the direction of what is missing, and the mean amount."""
    columns = weights.sum(axis=1)
    means = (missing * weights[..., None]).sum(axis=1) / np.maximum(columns, 1e-6)[..., None]
    waxed = columns > _HALF_COVERED * columns.max(axis=1, keepdims=True, initial=1e-6)
    directions = np.where(waxed[..., None], _unit(_deepened(means)), np.nan)
    directions[~waxed.any(axis=1)] = 1.0
    tints = _unit(np.nanmedian(directions, axis=1))
    heavy = np.maximum(columns.sum(axis=1), 1e-6)
    strength = (np.linalg.norm(means, axis=2) * columns).sum(axis=1) / heavy
    return np.asarray(tints, np.float32), np.asarray(strength, np.float32)


def _deepened(missing: Floats) -> Floats:
    """Nearer to absorbance, in which dark crayons differ more."""
    return np.asarray(missing / (1 - _DEEP * missing), np.float32)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)


def _angles(some: Floats, others: Floats) -> NDArray[np.float64]:
    return np.arccos(np.clip(some.astype(np.float64) @ others.T.astype(np.float64), -1, 1))


def _explained(wax: Wax, crayons: Crayons) -> NDArray[np.float64]:
    """By line and crayon, over which share of the length some wax of that crayon lies near the middle."""
    amount = np.linalg.norm(wax.missing, axis=3)
    directions = _unit(_deepened(wax.missing))
    usual = np.maximum(wax.strength, 0.05)[:, None, None]
    counts = np.minimum(amount / (0.7 * usual), 1) * (wax.weights > 0)
    shares = []
    for tint in crayons.tints:
        angle = np.arccos(np.clip(directions @ tint, -1, 1))
        alike = np.exp(-0.5 * (angle / (2 * crayons.scatter)) ** 2) * counts
        shares.append(alike.max(axis=1).mean(axis=1))
    return np.asarray(np.stack(shares, axis=1), np.float64)


# --- learning them ---


def learn_crayons(wax: Wax, lines: NDArray[np.float64], even: Image, names: Sequence[str] = ()) -> Crayons:
    """The crayons of the lines, each of which is one with a probability; ``names`` if only these may be."""
    chosen = np.flatnonzero(lines > _NOTICED)
    chosen = chosen[:: len(chosen) // _ENOUGH + 1]
    if not len(chosen):
        return Crayons((), (), np.zeros((0, 3), np.float32), _WIDTH[0])
    tints, weights = wax.tints[chosen], lines[chosen]
    width = _kernel_width(tints)
    modes = _modes(tints, weights, width)
    nearest = _angles(tints, modes).argmin(axis=1)
    away = _angles(tints, modes).min(axis=1)
    scatter = float(np.clip(np.median(away) * 1.5, 0.03, 0.15))
    pixels = [
        _thickest(even[own], wax.weights[own]) for n in range(len(modes)) for own in [chosen[nearest == n]]
    ]
    names_found = tuple(name_colours([_lab(pixel) for pixel in pixels], names))
    return Crayons(names_found, tuple(map(_shade, pixels)), modes, scatter)


def _kernel_width(tints: Floats) -> float:
    """As wide as the usual distance to the nearest tenth of all lines: noisy pictures blur tints."""
    angles = np.sort(_angles(tints, tints), axis=1)
    near = angles[:, min(len(angles) - 1, max(2, len(angles) // 12))]
    return float(np.clip(1.1 * np.median(near), *_WIDTH))


def _modes(tints: Floats, weights: NDArray[np.float64], width: float) -> Floats:
    """Mean shift on the sphere: where tints crowd. Crowds of few lines count if they are far from others."""
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
    kept = [0]
    least = max(_LEAST, _LEAST_SHARE * float(weights.sum()))
    for n in range(1, len(crowds)):
        apart = float(_angles(crowds[n][None], np.stack([crowds[one] for one in kept])).min())
        if sizes[n] >= least or apart > _FAR:
            kept.append(n)
    return np.stack([crowds[n] for n in kept[:_MOST]])


def _thickest(even: Image, weights: Floats) -> Floats:
    """What colour the wax has where it lies thickest, blue first, a share of white paper."""
    pixels = even[:, _ROWS, _COLUMNS].reshape(-1, 3)
    thick = weights.reshape(-1)
    best = pixels[thick >= np.quantile(thick, 0.9)]
    return np.asarray(np.clip(np.median(best, axis=0) / WHITE, 0, 1), np.float32)


def _lab(pixel: Floats) -> Lab:
    lab = lab_of(pixel[None] * np.float32(WHITE), WHITE)[0]
    return float(lab[0]), float(lab[1]), float(lab[2])


def _shade(pixel: Floats) -> str:
    blue, green, red = np.rint(pixel * 255).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
