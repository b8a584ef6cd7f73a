"""Chance that repeats."""

from __future__ import annotations

from random import Random

from companion.core.chance import SeededChance


def test_the_same_seed_gives_the_same_numbers_and_says_which_it_was() -> None:
    one, other = SeededChance(7), SeededChance(7)
    numbers = [one.below(6) for _ in range(50)]
    assert numbers == [other.below(6) for _ in range(50)]
    assert set(numbers) == set(range(6))
    assert one.source == {"kind": "seeded", "seed": 7}


def test_a_generator_that_is_handed_in_is_shared() -> None:
    random, same = Random(3), Random(3)
    chance = SeededChance(random)
    assert [chance.below(10), random.randrange(10)] == [same.randrange(10), same.randrange(10)]
    assert chance.source == {"kind": "seeded"}
