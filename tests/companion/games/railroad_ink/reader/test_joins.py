"""What neighbours tell about a cell: belief propagation over the grid."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest

from companion.games.railroad_ink.reader.joins import told_by_neighbours
from companion.games.railroad_ink.reader.labels import LABELS, label_number, label_text
from companion.games.railroad_ink.reader.likely import BESIDE, LIKELY, side_of
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Cells, Route
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID
from lab.railroad_ink.random_play import random_board
from lab.railroad_ink.studio.boards import scattered_marks

_EMPTY_COUNT = len(LABELS)


def _shares(cells: Cells, sure: float = 0.999) -> np.ndarray:
    """As if every cell were read right and surely."""
    shares = np.full((GRID.size, _EMPTY_COUNT), (1 - sure) / (_EMPTY_COUNT - 1))
    for cell in range(GRID.size):
        mark = cells.get(cell)
        shares[cell, label_number(label_text(mark))] = sure
    return shares


def _between(shares: np.ndarray, cell: int, chances: dict[str, float]) -> None:
    shares[cell] = 1e-9
    for text, p in chances.items():
        shares[cell, label_number(text)] = p


def _best(shares: np.ndarray, cell: int) -> str:
    return label_text(LABELS[int(shares[cell].argmax())])


@pytest.mark.parametrize("seed", range(6))
def test_a_plain_line_is_what_it_goes_on_as(seed: int) -> None:
    cells = random_board(Random(seed), "challenge", 6).cells
    straight = {"NS": "ns", "EW": "ew", "ns": "NS", "ew": "EW"}
    joined = [
        cell
        for cell, mark in cells.items()
        if mark.text in straight
        and any(
            neighbour in cells for d, neighbour in enumerate(GRID.neighbours[cell]) if side_of(mark, d) > 1
        )
        and not any((cell, d) in EXIT_AT for d in range(4))
    ]
    for cell in joined:
        shares = _shares(cells)
        text = cells[cell].text
        facing = [
            side_of(cells.get(neighbour), (d + 2) % 4) > 1
            for d, neighbour in enumerate(GRID.neighbours[cell])
            if side_of(cells[cell], d) > 1
        ]
        if not any(facing):
            continue
        _between(shares, cell, {text: 0.3, straight[text]: 0.7})
        assert _best(told_by_neighbours(shares), cell) == text


def test_what_is_plain_to_see_stays_whether_the_rules_allow_it_or_not() -> None:
    cells = dict(random_board(Random(3), "challenge", 6).cells)
    straight = next(cell for cell, mark in cells.items() if mark.text in {"NS", "ns", "EW", "ew"})
    other = cells[straight].text.swapcase()
    cells[straight] = VOCABULARY[label_number(other)]
    shares = _shares(cells)
    _between(shares, 0 if straight else 1, {"NS": 0.6, "ns": 0.4})  # somebody has to be asked at all
    assert _best(told_by_neighbours(shares), straight) == other


@pytest.mark.parametrize("seed", range(4))
def test_on_a_board_that_follows_no_rules_neighbours_tell_nearly_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = scattered_marks(rng).cells
    shares = _shares(cells)
    drawn = sorted(cells)[:8]
    for cell in drawn:
        shares[cell] = 0.45 * shares[cell] + 0.55 * np.eye(_EMPTY_COUNT)[rng.integers(70)]
    after = told_by_neighbours(shares)
    assert np.abs(np.log(after[drawn] + 1e-6) - np.log(shares[drawn] + 1e-6)).max() < 3
    others = [cell for cell in range(GRID.size) if cell not in drawn]
    assert (after[others].argmax(axis=1) == shares[others].argmax(axis=1)).all()


def test_without_loops_the_marginals_are_exact() -> None:
    """Two unsure cells beside each other, all else known: against adding up every pair."""
    cells = random_board(Random(5), "challenge", 7).cells
    one = next(c for c in sorted(cells) if GRID.neighbours[c][1] in cells and side_of(cells[c], 1) > 1)
    two = GRID.neighbours[one][1]
    shares = _shares(cells, 1 - 1e-12)
    rng = np.random.default_rng(1)
    for cell in (one, two):
        shares[cell] = rng.dirichlet(np.full(_EMPTY_COUNT, 0.1))
        shares[cell, cells[cell].number] += 1
        shares[cell] /= shares[cell].sum()
    after = told_by_neighbours(shares)
    clash, weight = _costs_used(shares)
    pair = np.zeros((_EMPTY_COUNT, _EMPTY_COUNT))
    for m, mark in enumerate(LABELS):
        for n, other in enumerate(LABELS):
            trial: Mapping[int, Route | None] = {**cells, one: mark, two: other}
            cost = sum(_edge_costs(trial, cell, clash, weight) for cell in (one, two))
            shared = _pair_cost(side_of(mark, 1), side_of(other, 3), clash, weight)
            pair[m, n] = max(shares[one, m], 1e-9) * max(shares[two, n], 1e-9) * np.exp(shared - cost)
    pair /= pair.sum()
    assert np.allclose(after[one], pair.sum(axis=1), atol=1e-6)
    assert np.allclose(after[two], pair.sum(axis=0), atol=1e-6)


def _costs_used(shares: np.ndarray) -> tuple[float, float]:
    from companion.games.railroad_ink.reader import joins

    clash = joins._clash_cost(np.maximum(shares, 1e-9))
    return clash, joins._WEIGHT * min(1.0, clash / joins._ENOUGH)


def _pair_cost(one: int, other: int, clash: float, weight: float) -> float:
    return clash if {one, other} == {2, 3} else weight * BESIDE[one][other]


def _edge_costs(cells: Mapping[int, Route | None], cell: int, clash: float, weight: float) -> float:
    found = 0.0
    for direction, neighbour in enumerate(GRID.neighbours[cell]):
        side = side_of(cells.get(cell), direction)
        if neighbour >= 0:
            found += _pair_cost(side, side_of(cells.get(neighbour), (direction + 2) % 4), clash, weight)
        elif (cell, direction) in EXIT_AT:
            kind = 2 + EXIT_AT[cell, direction].type
            clashes = side > 1 and side != kind
            name = ("vacant", "blank", "end", "end")[side]
            found += clash if clashes else weight * LIKELY.exit[name]
    return found


def test_a_board_that_is_sure_everywhere_is_left_alone() -> None:
    shares = _shares(random_board(Random(1), "classic", 7).cells)
    assert told_by_neighbours(shares) is shares
