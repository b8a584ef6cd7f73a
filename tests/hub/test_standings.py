"""Points, shares, tie-breaks, byes and ratings, with small evenings counted by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.rating import RatingBook, can_rate
from hub.standings import Outcome, Scheme, points_of, scheme_fault, standings, tables


def outcome(*seats: tuple[str, int, int | None], match: str = "m") -> Outcome:
    return Outcome(match, "toy", "2026-01-01", seats)


FIRST = outcome(("Ada", 30, 1), ("Ben", 20, 2), ("Cleo", 10, 3))
SECOND = outcome(("Ben", 25, 1), ("Cleo", 25, 1), ("Ada", 0, 3))


def test_places_bring_points_and_shared_places_share_them() -> None:
    assert points_of(FIRST, Scheme()) == {"Ada": 4, "Ben": 2, "Cleo": 1}
    assert points_of(SECOND, Scheme()) == {"Ben": 3, "Cleo": 3, "Ada": 1}


def test_the_share_of_the_points() -> None:
    assert points_of(FIRST, Scheme("ratio")) == {
        "Ada": 50,
        "Ben": pytest.approx(100 / 3),
        "Cleo": pytest.approx(50 / 3),
    }
    assert points_of(outcome(("Ada", 0, 1), ("Ben", 0, 1)), Scheme("ratio")) == {"Ada": 50, "Ben": 50}
    assert sum(points_of(outcome(("Ada", -5, 2), ("Ben", 3, 1)), Scheme("ratio")).values()) == 100


def test_ties_are_broken_in_the_organiser_s_order() -> None:
    lines = standings([FIRST, SECOND], Scheme())
    assert [(line.person, line.points, line.place) for line in lines] == [
        ("Ben", 5, 1),  # one win, as Ada, and a larger share
        ("Ada", 5, 2),
        ("Cleo", 4, 3),
    ]
    assert standings([FIRST, SECOND], Scheme(ties=("total",)))[0].person == "Ben"
    even = standings([FIRST, SECOND], Scheme(ties=("wins",)))
    assert [line.place for line in even] == [1, 1, 3]


def test_who_does_not_rank_gets_nothing() -> None:
    lines = standings([outcome(("Ada", 10, 1), ("Ben", 40, None), ("Cleo", 5, 2))], Scheme())
    assert {line.person: line.points for line in lines} == {"Ada": 3, "Cleo": 1}


@pytest.mark.parametrize(("bye", "points"), [("mean", 8), ("none", 4), ("win", 8)])
def test_a_bye_counts_as_the_organiser_chose(bye: str, points: float) -> None:
    lines = standings([FIRST], Scheme(bye=bye), {"Ada": 1})
    assert next(line.points for line in lines if line.person == "Ada") == points


def test_choices_that_are_none_are_one_sentence() -> None:
    assert scheme_fault(Scheme()) is None
    for wrong in (
        Scheme("luck"),
        Scheme(ties=("height",)),
        Scheme(ties=("wins", "wins")),
        Scheme(bye="gift"),
    ):
        assert " " in (scheme_fault(wrong) or "")


def test_every_table_of_points_falls() -> None:
    for table in tables()["points"].values():
        for size, points in table.items():
            if size != "says":
                assert len(points) == int(size)
                assert points == sorted(points, reverse=True)


people = st.lists(st.sampled_from("ABCDEF"), min_size=2, max_size=6, unique=True)


@given(
    st.lists(st.tuples(people, st.randoms(use_true_random=False)), max_size=12),
    st.sampled_from(["league", "beaten", "ratio"]),
)
def test_points_are_neither_lost_nor_made(evening: list[tuple[list[str], object]], points: str) -> None:
    """However places are shared, a table's points are those of its size."""
    outcomes = []
    for number, (names, chance) in enumerate(evening):
        totals = [chance.randrange(5) for _ in names]  # type: ignore[attr-defined]
        seats = [
            (name, total, 1 + sum(other > total for other in totals))
            for name, total in zip(names, totals, strict=True)
        ]
        outcomes.append(outcome(*seats, match=str(number)))
    lines = standings(outcomes, Scheme(points))
    table = tables()["points"][points]
    whole = sum(100 if points == "ratio" else sum(table[str(len(names))]) for names, _ in evening)
    assert sum(line.points for line in lines) == pytest.approx(whole)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


@pytest.mark.skipif(not can_rate(), reason="OpenSkill (of the hub) is not installed")
def test_ratings_grow_surer_and_follow_the_wins() -> None:
    evening = [outcome(("Ada", 3, 1), ("Ben", 2, 2), ("Cleo", 1, 3), match=str(n)) for n in range(10)]
    once, often = RatingBook().after(evening[:1]), RatingBook().after(evening)
    assert often["Ada"].mean > often["Ben"].mean > often["Cleo"].mean
    assert often["Ada"].spread < once["Ada"].spread


@pytest.mark.skipif(not can_rate(), reason="OpenSkill (of the hub) is not installed")
def test_a_match_that_ends_late_is_rated_where_it_began() -> None:
    """Whatever came in between, the book says what rating everything anew says."""
    chance = random.Random(5)
    evening = []
    for number in range(150):
        names = chance.sample(["Ada", "Ben", "Cleo", "Dora", "Emil"], 3)
        evening.append(outcome(*((name, 9 - at, at + 1) for at, name in enumerate(names)), match=str(number)))
    book = RatingBook()
    for missing in (set[int](), {3}, {70, 140}, {149}, {0}):
        there = [one for number, one in enumerate(evening) if number not in missing]
        assert book.after(there) == RatingBook().after(there)
