"""Fits the weights of ``vision.taught.presence``: ``python -m lab.taught.training.presence [--boards 8]``.

Logistic regression on made-up boards that neither the network nor any bench has seen; it prints the weights.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.bench import say
from lab.taught.studio.scenes import Match, Scene, make_scene
from lab.taught.training.material import hidden_shares
from vision.decoding import decoded
from vision.find.seeing import Search, see
from vision.pieces.trained import trained_looks
from vision.register.rectify import straightened
from vision.taught.boards import teach_segments
from vision.taught.presence import evidence
from vision.taught.reading import SegmentReader

FIRST = 910_000
_SHOTS = 2  # of each board
_VISIBLE, _SEEN = 0.2, 0.6
_PULL, _STEPS = 0.01, 40  # towards no weight at all; of Newton's method


def main() -> None:
    """Make pictures, fit the weights and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.boards)
    with ProcessPoolExecutor(options.threads, get_context("spawn")) as pool:
        parts = [part for several in pool.map(_examples, seeds) for part in several]
    found, pieces = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    weights = fitted(found, pieces)
    right = ((np.column_stack([np.ones(len(found)), found]) @ weights > 0) == pieces).mean()
    say(f"{right:.4%} of {len(found)} segments; weights {np.round(weights, 3).tolist()}")


def _examples(seed: int) -> list[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    cv2.setNumThreads(1)
    scene = make_scene(seed, _SHOTS)
    corners = [(float(x), float(y)) for x, y in scene.corners]
    taught = teach_segments("board", decoded(scene.blank.jpeg, 1).image, corners, scene.board)
    reader = SegmentReader(taught)
    return [part for match in scene.matches if (part := _of_match(scene, match, reader)) is not None]


def _of_match(
    scene: Scene, match: Match, reader: SegmentReader
) -> tuple[NDArray[np.float64], NDArray[np.bool_]] | None:
    """The evidence for each segment that is seen, and whether there is a piece; nothing without the board."""
    seen = see(match.shot.jpeg, Search((), 0.75 * reader.board.scale, [(reader.taught, reader.sheet)]))
    if not seen.sheets:
        return None
    placement = seen.sheets[0].placement
    picture = straightened(seen.picture.image, placement, reader.sheet, reader.board.scale)
    looks = trained_looks(picture, reader.board, placement, seen.picture.size)
    place = {name: n for n, name in enumerate(reader.board.quads)}
    members = [np.array([place[name] for name in names]) for names in scene.plan.groups.values()]
    found = evidence(looks, looks.unseen <= _SEEN, members)
    if found is None:
        return None
    visible = hidden_shares(match, np.array(list(scene.plan.slots.values()))) < _VISIBLE
    pieces = np.array([name in match.marks for name in scene.plan.slots])
    return found[visible], pieces[visible]


def fitted(found: NDArray[np.float64], pieces: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of a logistic regression with a ridge, the first that of 1."""
    spread = np.concatenate([[1.0], found.std(axis=0) + 1e-6])
    scaled = np.column_stack([np.ones(len(found)), found]) / spread
    weights = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (likely - pieces) / len(pieces) + _PULL * weights
        bend = (scaled * (likely * (1 - likely))[:, None]).T @ scaled / len(pieces)
        weights -= np.linalg.solve(bend + _PULL * np.eye(len(weights)), slope)
    return np.asarray(weights / spread, np.float64)


if __name__ == "__main__":
    main()
