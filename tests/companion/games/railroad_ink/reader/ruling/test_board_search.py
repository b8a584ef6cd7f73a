"""The lattice against trying every board: the best one, and every cell's shares."""

from __future__ import annotations

from itertools import product
from math import exp, inf
from random import Random

import pytest

from companion.games.railroad_ink.reader.labels import LABELS, NOTHING, label_number
from companion.games.railroad_ink.reader.likely import AT_EXIT, BESIDE, side_of
from companion.games.railroad_ink.reader.ruling.board_search import Patience, best_board
from companion.games.railroad_ink.reader.ruling.likelihood import nll_of, route_nlls
from companion.games.railroad_ink.rules.boards.facing import meeting
from companion.games.railroad_ink.rules.boards.placement import unreached
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Cells
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID
from companion.reading.evidence import Looks
from companion.sheets.grid import DIRECTIONS, opposite
from lab.railroad_ink.random_play import random_board

from ..unclear import looks_of


def slow_cost(cells: Cells, walls: Walls) -> float:
    """What a whole board nlls beside the picture: infinite when it is none."""
    if meeting(cells, walls) is not None or unreached(cells, walls):
        return inf
    total = 0.0
    for cell, direction in product(range(GRID.size), DIRECTIONS):
        side = side_of(cells.get(cell), direction)
        neighbour = GRID.neighbours[cell][direction]
        if neighbour > cell and (cell, direction) not in walls:
            total += BESIDE[side][side_of(cells.get(neighbour), opposite(direction))]
        elif (cell, direction) in EXIT_AT:
            total += AT_EXIT[EXIT_AT[cell, direction].type][side]
    return total


def some_doubts(random: Random, cells: Cells, count: int) -> Looks:
    """A board on which only so many cells are unclear, each between three marks."""
    looks: dict[str, dict[str, float]] = {
        name: {cells[cell].text if cell in cells else "": 1.0} for cell, name in enumerate(GRID.names)
    }
    for name in random.sample(GRID.names, count):
        others = random.sample(["", *(route.text for route in VOCABULARY)], 2)
        looks[name] = {text: random.uniform(0.1, 1) for text in {*looks[name], *others}}
    return looks


def every_board(looks: Looks) -> list[Cells]:
    options = [
        [(cell, label_number(text)) for text in looks[name] or ()] for cell, name in enumerate(GRID.names)
    ]
    return [
        {cell: mark for cell, number in chosen if (mark := LABELS[number]) is not None}
        for chosen in product(*options)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_the_best_board_is_the_best_of_all(seed: int) -> None:
    random = Random(seed)
    walls = parse_walls(["c3-d3", "b1-b2", "e5-e6"]) if seed % 3 == 0 else NO_WALLS
    looks = some_doubts(random, random_board(random, rounds=2 + seed % 6, walls=walls).cells, 5)
    nlls = route_nlls(looks)
    totals = [
        (
            slow_cost(cells, walls) + sum(nll_of(own, cells.get(cell)) for cell, own in enumerate(nlls)),
            cells,
        )
        for cells in every_board(looks)
    ]
    least, best = min(totals, key=lambda pair: pair[0])
    found = best_board(nlls, walls)
    assert found is not None
    assert found.cells == best
    weight = sum(exp(least - total) for total, _ in totals)
    for cell in range(GRID.size):
        for number, share in found.shares[cell].items():
            slow = sum(exp(least - total) for total, cells in totals if cells.get(cell) == LABELS[number])
            assert share == pytest.approx(
                slow / weight, abs=2e-3
            )  # what the reader may be fooled by, is left out


def test_what_hangs_on_no_exit_is_not_found() -> None:
    ring = {"c3": "ES", "d3": "SW", "d4": "NW", "c4": "NE"}
    looks = {name: {"": 0.4, ring.get(name, ""): 0.6} for name in GRID.names}
    found = best_board(route_nlls(looks), NO_WALLS)
    assert found is not None
    assert found.cells == {}


def test_nothing_within_reach_is_nothing() -> None:
    looks = {name: {"d4": {"NS": 1.0}}.get(name, {"": 1.0}) for name in GRID.names}
    found = best_board(route_nlls(looks), NO_WALLS)
    assert found is None


def test_a_snake_that_reaches_its_exit_only_at_the_end_is_found() -> None:
    texts = {"b5": "ES", "c5": "EW", "d5": "NW", "d4": "SW", "c4": "EW", "b4": "ES", "b6": "NS", "b7": "NS"}
    del texts["b4"]
    looks = {name: {texts.get(name, ""): 0.97, "": 0.03} for name in GRID.names}
    found = best_board(route_nlls(looks), NO_WALLS)
    assert found is not None
    assert found.cells == read_cells(texts)


def test_two_arms_that_meet_below_hang_together() -> None:
    texts = {"c2": "ES", "d2": "SW", "c3": "NS", "d3": "NS", "c4": "NES", "d4": "NW", "c5": "NW", "b5": "ES"}
    texts |= {"b6": "NS", "b7": "NS"}
    looks = {name: {texts.get(name, ""): 0.97, "": 0.03} for name in GRID.names}
    found = best_board(route_nlls(looks), NO_WALLS)
    assert found is not None
    assert found.cells == read_cells(texts)


def test_an_unseen_cell_takes_what_joins_its_neighbours() -> None:
    looks: dict[str, dict[str, float] | None] = {name: {"": 1.0} for name in GRID.names}
    looks |= {"b1": {"NS": 1.0}, "b3": {"NS": 1.0}, "b2": None}
    found = best_board(route_nlls(looks), NO_WALLS)
    assert found is not None
    assert found.cells[GRID.cell("b2")].text == "NS"
    assert found.shares[GRID.cell("b2")].get(NOTHING, 0.0) == 0.0, "nothing could have led to b3"


def test_an_unclear_board_is_a_legal_one() -> None:
    random = Random(4)
    for _ in range(20):
        cells = random_board(random).cells
        found = best_board(route_nlls(looks_of(cells, random, 0.3, random.sample(range(49), 2))), NO_WALLS)
        assert found is not None
        assert slow_cost(found.cells, NO_WALLS) < inf
        for shares in found.shares.values():
            assert sum(shares.values()) == pytest.approx(1, abs=1e-6)


def misread(random: Random, sure: float) -> Looks:
    """A picture that was read wrongly everywhere, with six special routes and more."""
    texts = ["", *(route.text for route in VOCABULARY)]
    specials = ["NESW", "nesw", "NEsw*", "NeSw*", "NESw*", "Nesw*"]
    looks: dict[str, dict[str, float]] = {}
    for name in GRID.names:
        seen = random.choice(specials if random.random() < 0.3 else texts)
        looks[name] = {seen: sure} | dict.fromkeys(random.sample(texts, 12), (1 - sure) / 12)
    return looks


@pytest.mark.parametrize("sure", [0.05, 0.4, 0.7])
def test_patience_is_counted_and_what_it_leaves_open_is_said(sure: float) -> None:
    """However unclear a picture: never more steps than allowed, and no board that was not searched for."""
    for seed in range(2):
        looks, patience = misread(Random(seed), sure), Patience(20_000)
        found = best_board(route_nlls(looks), NO_WALLS, patience=patience)
        assert patience.left > -100, "the search ends where patience does"
        assert found is None or not patience.lost


def test_patience_does_not_change_what_is_found() -> None:
    random = Random(9)
    for _ in range(5):
        looks = some_doubts(random, random_board(random).cells, 5)
        patience = Patience(10**9)
        free = best_board(route_nlls(looks), NO_WALLS, patience=patience)
        exact = best_board(route_nlls(looks), NO_WALLS, patience=Patience(10**9 - patience.left))
        assert exact == free
        assert best_board(route_nlls(looks), NO_WALLS, patience=Patience(10**9 - patience.left - 1)) is None
