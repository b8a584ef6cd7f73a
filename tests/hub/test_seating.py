"""Seatings: everybody once, tables as equal as can be, opponents repeated least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.seating import Plan, seated, sizes

pytest.importorskip("scipy", reason="SciPy (of the hub) is not installed")


def price(tables: list[list[str]], met: Counter[frozenset[str]]) -> int:
    pairs = (frozenset(pair) for table in tables for pair in combinations(table, 2))
    return sum((met[pair] + 1) ** 2 - 1 for pair in pairs)


def remember(plan: Plan, met: Counter[frozenset[str]]) -> None:
    met.update(frozenset(pair) for table in plan.tables for pair in combinations(table, 2))


def partitions(people: list[str], shape: list[int]) -> Iterator[list[list[str]]]:
    """Every way to seat them: the slow, obvious search."""
    if not shape:
        yield []
        return
    for members in combinations(people, shape[0]):
        left = [one for one in people if one not in members]
        for others in partitions(left, shape[1:]):
            yield [list(members), *others]


@pytest.mark.parametrize(("count", "tables"), [(6, 2), (7, 2), (8, 2), (9, 3)])
def test_as_good_as_the_best_of_all_seatings(count: int, tables: int) -> None:
    people = [f"p{number}" for number in range(count)]
    met: Counter[frozenset[str]] = Counter()
    for number in range(4):
        plan = seated(people, tables, (2, 4), met, {}, number)
        shape = [len(table) for table in plan.tables]
        assert price(plan.tables, met) == min(price(other, met) for other in partitions(people, shape))
        remember(plan, met)


@settings(max_examples=40)
@given(
    st.integers(0, 40), st.integers(0, 12), st.integers(2, 6), st.integers(2, 6), st.integers(0, 2**32 - 1)
)
def test_everybody_has_a_table_or_a_bye(people: int, tables: int, one: int, other: int, seed: int) -> None:
    least, most = sorted((one, other))
    names = [f"p{number}" for number in range(people)]
    plan = seated(names, tables, (least, most), Counter(), {}, seed)
    found = [name for table in plan.tables for name in table] + plan.byes
    assert sorted(found) == sorted(names)
    assert len(plan.tables) <= tables
    assert all(least <= len(table) <= most for table in plan.tables)
    assert len({len(table) for table in plan.tables}) <= 2
    wanted = max((min(people, n * most) for n in range(1, tables + 1) if people >= n * least), default=0)
    assert len(names) - len(plan.byes) == wanted == sum(sizes(people, tables, least, most))


def test_byes_go_round() -> None:
    names, byes, met = [f"p{number}" for number in range(5)], Counter[str](), Counter[frozenset[str]]()
    for number in range(10):
        plan = seated(names, 1, (2, 4), met, byes, number)
        byes.update(plan.byes)
        remember(plan, met)
    assert set(byes.values()) == {2}


def test_two_hundred_people_meet_nobody_twice_in_four_rounds() -> None:
    names, met = [f"p{number}" for number in range(200)], Counter[frozenset[str]]()
    for number in range(4):
        plan = seated(names, 50, (4, 4), met, {}, number)
        assert price(plan.tables, met) == 0
        remember(plan, met)


def test_the_same_seed_draws_the_same() -> None:
    names = [f"p{number}" for number in range(12)]
    assert seated(names, 3, (2, 4), {}, {}, 5) == seated(names, 3, (2, 4), {}, {}, 5)
