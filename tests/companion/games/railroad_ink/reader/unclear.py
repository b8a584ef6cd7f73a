"""Unclear pictures made up from known boards: what a reader would say who sees every cell through noise.

A mark is described by what each side shows, which sides are joined, and whether there is a station;
noise is added to that, and the probabilities are exactly what follows from it. Marks that look alike are
confused with each other, and 80 % means right in 80 of 100 cases.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection
from functools import cache
from itertools import combinations
from random import Random
from time import process_time

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.labels import LABELS, label_text
from companion.games.railroad_ink.rules.boards.board import Rules
from companion.games.railroad_ink.rules.boards.routes import Cells, Route
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from companion.reading.evidence import Look
from lab.railroad_ink.random_play import random_turns

from .ruling.rulings import rule_board, rule_turn

Features = NDArray[np.float64]


@cache
def _features() -> Features:
    return np.array([_described(mark) for mark in LABELS])


def _described(mark: Route | None) -> list[float]:
    """What each side shows, which sides are joined, a station, and whether there is anything at all."""
    if mark is None:
        return [0.0] * 16
    sides = [float(ends >> side & 1) for ends in mark.ends for side in range(4)]
    masks = [piece.highway | piece.railway for piece in mark.pieces]
    joined = [float(any(mask >> a & mask >> b & 1 for mask in masks)) for a, b in combinations(range(4), 2)]
    return [*sides, *joined, float(mark.station), 1.0]


def looks_of(cells: Cells, random: Random, noise: float, unseen: Collection[int] = ()) -> dict[str, Look]:
    """What a reader says about the cells of a board."""
    return {
        name: None if cell in unseen else look_of(cells.get(cell), random, noise)
        for cell, name in enumerate(GRID.names)
    }


def look_of(mark: Route | None, random: Random, noise: float) -> dict[str, float]:
    """What a reader says about one cell."""
    features = _features()
    true = features[LABELS.index(mark)]
    picture = true + np.array([random.gauss(0, noise) for _ in true])
    distances = ((features - picture) ** 2).sum(axis=1) / (2 * noise**2)
    weights = np.exp(distances.min() - distances)
    shares = weights / weights.sum()
    return {label_text(mark): float(p) for mark, p in zip(LABELS, shares, strict=True) if p > 1e-7}


def picture_alone(looks: dict[str, Look]) -> Cells:
    """The best mark of every cell, whatever the rules say."""
    best = {GRID.cell(name): max(look, key=look.__getitem__) for name, look in looks.items() if look}
    by_text = {label_text(mark): mark for mark in LABELS}
    return {cell: mark for cell, text in best.items() if (mark := by_text[text]) is not None}


# --- by hand: python -m tests.companion.games.railroad_ink.reader.unclear 0.3 1400 ---


def count_rulings(noise: float, turns: int, *, with_dice: bool, seed: int = 77) -> Counter[str]:
    """How many boards come out exactly right, and how many are wrong without having been asked about."""
    random, counts = Random(seed), Counter[str]()
    while counts["boards"] < turns:
        rules = Rules(EDITION["classic" if random.random() < 0.25 else "challenge"])
        for board, roll, after in random_turns(random, rules):
            truth = after.cells()
            looks = looks_of(truth, random, noise)
            start = process_time()
            ruling = rule_turn(looks, rules, board, roll) if with_dice else rule_board(looks, rules.edition)
            counts["microseconds"] += round(1e6 * (process_time() - start))
            seen = picture_alone(looks)
            wrong = {cell for cell in range(GRID.size) if ruling.cells.get(cell) != truth.get(cell)}
            counts["cells right alone"] += sum(seen.get(n) == truth.get(n) for n in range(GRID.size))
            counts["boards right alone"] += seen == truth
            counts["boards right"] += not wrong
            counts[ruling.outcome] += 1
            counts["questions"] += len(ruling.doubtful) if ruling.outcome == "ask" else 0
            counts["wrong and not flagged"] += ruling.outcome != "refused" and not wrong <= set(
                ruling.doubtful
            )
            counts["boards"] += 1
    return counts


if __name__ == "__main__":
    for dice in (True, False):
        found = count_rulings(float(sys.argv[1]), int(sys.argv[2]), with_dice=dice)
        print("with dice and history:" if dice else "without:", dict(found))
