"""Decides which crayon drew a line: a small network scores each crayon seen on the map.

Where one line only is to be seen, its tint says enough. Where others cross it, lie over it or run beside it,
or where it is not sure that there is a line at all, the network sees the surroundings of the edge and, pixel
by pixel, how well that crayon explains what is there, and how well any other one does.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.reader.crayons import Crayons
from vision.nets import scores
from vision.register.rectify import Image

NETWORK = Path(__file__).with_name("crayons.onnx")
CHANNELS = 7
_MIDDLE = slice(6, 18), slice(10, 30)  # rows and columns of a view: where a line along the edge may be
_PRESENT = 0.1  # of what the best crayon explains there: what explains less is not asked about
_OF_THAT_TINT = (
    3.0  # nats: a crayon whose tint is less likely than the likeliest by so much is not asked about
)
_FAINT = 0.03  # probability of a line from which it is asked whose it is
_SURE_LINE = 0.98  # probability of a line from which its tint alone may say whose it is
_WHITE = 170  # code of light of which nothing is missing
_LEVELS = 32  # steps in which shares of light are told apart
_THERE = 0.6  # of the usual strength of a crayon: so much is wax
_KIN = 2.0  # scatters: how far the tint of a pixel may be from its crayon's
_FULL_WAX, _PALEST = (
    0.75,
    2.5,
)  # missing light from which a pixel's tint is as exact; and how much less exact at most
_DEEP = 0.8  # as for lines: how far from the missing light to absorbance tints are taken
_LOWEST = 8  # print as dark as this is not divided by
_SECOND = 0.7  # weight of the second network in whether there is a line at all
_SMOOTHED = 3  # pixels along the edge


@dataclass(frozen=True, eq=False)
class Questions:
    """Lines whose crayon is in question, with the network's inputs for each crayon."""

    lines: NDArray[np.int64]
    crayons: NDArray[np.int64]
    inputs: Image  # (questions, height, width, CHANNELS)


def questions(
    inputs: Image,
    even: Image,
    expected: Image,
    crayons: Crayons,
    line: NDArray[np.float64],
    nats: NDArray[np.float64],
) -> Questions:
    """The questions about lines that are not clear; ``inputs`` are those of the first network.

    Asked about are the crayons that explain what is there pixel by pixel, and those whose tint the whole line
    has by the log-likelihoods ``nats``: pale wax is lost in the noise of single pixels. Where no crayon is
    known there is nothing to ask.
    """
    if not crayons.names:
        nobody = np.zeros(0, np.int64)
        return Questions(nobody, nobody, np.zeros((0, *inputs.shape[1:3], CHANNELS), np.uint8))
    explained = _explained(even, expected, crayons)
    seen = explained[:, :, _MIDDLE[0], _MIDDLE[1]].mean(axis=(2, 3))  # (crayons, n)
    present = seen >= np.maximum(_PRESENT * seen.max(axis=0), 1.0)
    present[seen.argmax(axis=0), np.arange(len(line))] = True
    present |= (nats >= nats.max(axis=1, keepdims=True) - _OF_THAT_TINT).T
    unclear = ((present.sum(axis=0) > 1) | (line < _SURE_LINE)) & (line > _FAINT)
    lines, asked = np.nonzero((present & unclear).T)
    views = np.empty((len(lines), *inputs.shape[1:3], CHANNELS), np.uint8)
    views[..., :4] = inputs[lines, :, :, :4]
    views[..., 4] = explained[asked, lines]
    others = _best_of_others(explained)
    views[..., 5] = others[asked, lines]
    views[..., 6] = _strength(even[lines], expected[lines], crayons.strengths[asked])
    return Questions(lines, asked, views)


def answers(asked: Questions, nats: NDArray[np.float64], line: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of nothing and of every crayon for every line, (n, 1 + crayons).

    ``nats``: log-likelihoods of the lines' tints; ``line``: the probability of a line. Each answer of the
    network is whether one crayon drew the line; at most one did.
    """
    rising = np.exp(nats - nats.max(axis=1, keepdims=True, initial=-1e9))
    found = np.concatenate(
        [1 - line[:, None], line[:, None] * rising / rising.sum(axis=1, keepdims=True)], axis=1
    )
    if len(asked.lines):
        said = scores(NETWORK, asked.inputs).astype(np.float64)
        odds = np.exp(np.clip(said[:, 1] - said[:, 0], -30, 30))
        table = np.zeros((len(line), nats.shape[1]))
        table[asked.lines, asked.crayons] = odds
        about = np.unique(asked.lines)
        whole = table[about].sum(axis=1, keepdims=True)
        there = _pooled(line[about, None], whole / (1 + whole))
        found[about] = np.concatenate([1 - there, there * table[about] / whole], axis=1)
    return found


def _pooled(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Both networks' probabilities of a line, which saw the same: log odds averaged (opinion pool)."""
    odds = [np.log(np.clip(p, 1e-9, 1) / np.clip(1 - p, 1e-9, 1)) for p in (first, second)]
    return np.asarray(1 / (1 + np.exp(-((1 - _SECOND) * odds[0] + _SECOND * odds[1]))), np.float64)


def _shares(even: Image, expected: Image) -> Image:
    """The share of light left in each pixel, smoothed along the edge and encoded."""
    shape = even.shape
    paper = np.maximum(expected.reshape(len(even), -1), _LOWEST)
    flat = cv2.divide(even.reshape(len(even), -1), paper, scale=_WHITE)
    return np.asarray(cv2.blur(flat.reshape(-1, *shape[2:]), (_SMOOTHED, 1)), np.uint8).reshape(shape)


def _explained(even: Image, expected: Image, crayons: Crayons) -> Image:
    """How well each crayon explains each pixel, (crayons, n, height, width); 255 is fully.

    It is looked up by the shares of light that are left, in few steps.
    """
    if not len(even):
        return np.zeros((len(crayons.names), *even.shape[:3]), np.uint8)
    codes = _shares(even, expected) >> 3
    number = (codes[..., 0].astype(np.uint16) << 10) | (codes[..., 1].astype(np.uint16) << 5) | codes[..., 2]
    left = ((np.arange(_LEVELS) + 0.5) * (256 / _LEVELS) / _WHITE).astype(np.float32)
    missing = np.clip(1 - np.stack(np.meshgrid(left, left, left, indexing="ij"), axis=-1), 0, 1).reshape(
        -1, 3
    )
    amount = np.linalg.norm(missing, axis=1)
    deep = missing / (1 - np.float32(_DEEP) * missing)
    deep /= np.maximum(np.linalg.norm(deep, axis=1, keepdims=True), 1e-6)
    squares = np.maximum(2 - 2 * (deep @ crayons.tints.T), 0)  # of the angles, nearly
    # Noise turns the tint of pale wax farther
    pale = np.clip(_FULL_WAX / np.maximum(crayons.strengths, 0.05), 1.0, _PALEST)
    kin = np.exp(-0.5 * squares / (_KIN * crayons.scatter * pale) ** 2)
    there = np.minimum(amount[:, None] / (_THERE * np.maximum(crayons.strengths, 0.05)), 1)
    tables = np.ascontiguousarray((255 * kin * there).T.astype(np.uint8))
    return np.stack([table[number] for table in tables])


def _best_of_others(explained: Image) -> Image:
    """For each crayon, the best explanation by any other crayon."""
    if len(explained) < 2:
        return np.zeros_like(explained)
    first = explained.max(axis=0)
    second = np.partition(explained, -2, axis=0)[-2]
    return np.asarray(np.where(explained == first, second, first), np.uint8)


def _strength(even: Image, expected: Image, usual: NDArray[np.float32]) -> Image:
    """The missing light relative to the crayon's usual amount, which is encoded as 128."""
    if not len(even):
        return np.zeros(even.shape[:3], np.uint8)
    missing = np.clip(1 - _shares(even, expected).astype(np.float32) / _WHITE, 0, 1)
    amount = np.sqrt(np.einsum("nrci,nrci->nrc", missing, missing))
    share = amount / np.maximum(usual, 0.05)[:, None, None]
    return np.asarray(np.minimum(128 * share, 255), np.uint8)
