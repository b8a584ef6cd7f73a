"""Both columns of stations at once: what their cards show alone, and beside each other."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from companion.games.derailed.reader.grids.columns import Column, compared, likeliest_columns
from companion.games.derailed.rules.rulebook import COMPANIES

# As a and b of CIELAB, in the order of the colour circle.
RED, ORANGE, YELLOW, GREEN = (68.0, 48.0), (45.0, 65.0), (5.0, 78.0), (-55.0, 40.0)
Columns = tuple[tuple[str, ...], tuple[str, ...]]


def looked_at(columns: Columns, shares: tuple[Column, Column], *shown: list[tuple[float, float]]) -> Columns:
    starts, destinations = (np.array(colours) for colours in shown)
    return compared(columns, shares, (starts, destinations))


def test_columns_are_permutations_of_the_same_companies() -> None:
    unsure = [{"B": 0.6, "C": 0.4}, {"B": 0.9, "C": 0.1}]
    assert likeliest_columns(unsure, [{"B": 0.9}, {"C": 0.9}]) == (("C", "B"), ("B", "C"))


def test_no_other_way_to_fill_both_columns_is_likelier() -> None:
    rng = np.random.default_rng(5)
    for lanes in (2, 3, 4) * 3:
        sides = [
            [dict(zip(COMPANIES, rng.dirichlet(np.full(8, 0.3)).tolist(), strict=True)) for _ in range(lanes)]
            for _ in range(2)
        ]

        def likelihood(column: Column, letters: tuple[str, ...]) -> float:
            return float(np.prod([max(own[one], 1e-6) for own, one in zip(column, letters, strict=True)]))

        best: dict[frozenset[str], list[float]] = {}
        for letters in permutations(COMPANIES, lanes):
            known = best.setdefault(frozenset(letters), [0.0, 0.0])
            for n in (0, 1):
                known[n] = max(known[n], likelihood(sides[n], letters))
        starts, destinations = likeliest_columns(sides[0], sides[1])
        assert set(starts) == set(destinations)
        told = likelihood(sides[0], starts) * likelihood(sides[1], destinations)
        assert np.isclose(told, max(one * other for one, other in best.values()))


def test_both_cards_of_a_company_are_alike() -> None:
    sure = [{"A": 0.95, "D": 0.05}, {"D": 0.95, "A": 0.05}]
    unsure = [{"A": 0.6, "D": 0.4}, {"D": 0.6, "A": 0.4}]
    wrong, right = (("A", "D"), ("A", "D")), (("A", "D"), ("D", "A"))
    assert looked_at(wrong, (sure, unsure), [RED, GREEN], [GREEN, RED]) == right
    assert looked_at(right, (sure, unsure), [RED, GREEN], [GREEN, RED]) == right


def test_orange_is_redder_than_yellow_in_any_light() -> None:
    unsure = [{"B": 0.5, "C": 0.5}, {"B": 0.5, "C": 0.5}]
    wrong, right = (("C", "B"), ("C", "B")), (("B", "C"), ("B", "C"))
    for shift in (0, -25):  # green light
        shown = [(ORANGE[0] + shift, ORANGE[1]), (YELLOW[0] + shift, YELLOW[1])]
        assert looked_at(wrong, (unsure, unsure), shown, shown) == right
        assert looked_at(right, (unsure, unsure), shown, shown) == right


def test_what_is_plain_stays_in_odd_colours() -> None:
    plain = [{"A": 0.999, "B": 0.001}, {"B": 0.999, "A": 0.001}]
    columns = (("A", "B"), ("A", "B"))
    assert looked_at(columns, (plain, plain), [RED, ORANGE], [ORANGE, RED]) == columns


def test_a_match_knows_its_companies() -> None:
    """An orange station that looks yellow: nobody plays yellow."""
    starts = [{"C": 0.98, "B": 0.02}, {"A": 1.0}, {"D": 1.0}]
    destinations = [{"D": 1.0}, {"C": 0.9, "B": 0.1}, {"A": 1.0}]
    assert likeliest_columns(starts, destinations) == (("C", "A", "D"), ("D", "C", "A"))
    assert likeliest_columns(starts, destinations, ("A", "B", "D")) == (("B", "A", "D"), ("D", "B", "A"))
