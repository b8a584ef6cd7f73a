"""The cheapest way to build, held against a plain search."""

from __future__ import annotations

from random import Random

from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.paths import build_costs, cheapest_path, edge_kinds
from tests.companion.games.empire_builder.rules.test_map import spread

BOARD = board()


def test_prices_to_everywhere_are_those_of_a_plain_search() -> None:
    random = Random(5)
    for start in random.sample(range(len(BOARD.places)), 12):
        plain = spread(BOARD, start, steps=False, rivers=True)
        assert build_costs(BOARD, [start]) == [plain.get(place) for place in range(len(BOARD.places))]


def test_a_path_costs_what_its_segments_cost() -> None:
    random = Random(6)
    for _ in range(40):
        start, goal = random.sample(range(len(BOARD.places)), 2)
        path = cheapest_path(BOARD, [start], {goal})
        assert path is not None
        assert (path.mileposts[0], path.mileposts[-1]) == (start, goal)
        price = 0
        for one, other in zip(path.mileposts, path.mileposts[1:], strict=False):
            edge = BOARD.edge_numbers[one, other]
            price += 0 if BOARD.red[edge] else BOARD.price[other] + BOARD.surcharge[edge]
        assert path.price == price


def test_own_track_is_free_and_others_track_is_in_the_way() -> None:
    chicago, omaha = BOARD.cities["Chicago"].middle, BOARD.cities["Omaha"].middle
    best = cheapest_path(BOARD, [chicago], {omaha})
    assert best is not None
    edges = [BOARD.edge_numbers[pair] for pair in zip(best.mileposts, best.mileposts[1:], strict=False)]
    laid = [edge for edge in edges if not BOARD.red[edge]]
    free = cheapest_path(BOARD, [chicago], {omaha}, edge_kinds(BOARD, free=laid))
    assert free is not None
    assert free.price == 0
    around = cheapest_path(BOARD, [chicago], {omaha}, edge_kinds(BOARD, barred=laid))
    assert around is not None
    assert around.price >= best.price
    assert not {
        BOARD.edge_numbers[pair] for pair in zip(around.mileposts, around.mileposts[1:], strict=False)
    } & set(laid)


def test_there_may_be_no_way() -> None:
    goal = BOARD.cities["Miami"].middle
    ring = [edge for _, edge in BOARD.ways[goal]]
    assert cheapest_path(BOARD, [0], {goal}, edge_kinds(BOARD, barred=ring)) is None
    assert build_costs(BOARD, [0], edge_kinds(BOARD, barred=ring))[goal] is None
