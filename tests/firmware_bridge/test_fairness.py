"""Chi-square against published values, and the firmware's seed arithmetic against ours."""

import hashlib
import hmac
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.dice import Roll, Thrown
from firmware_bridge.fairness import (
    chi_square_tail,
    commitment_of,
    detectable_excess,
    judge,
    noncentral_tail,
    recompute,
    verify_roll,
)
from firmware_bridge.firmware.roller.fair import SeedBytes, Urandom, hmac_sha256, pick

# Critical values as every statistics book prints them: degrees of freedom, value, chance.
CRITICAL = [
    (1, 3.841, 0.05),
    (1, 10.828, 0.001),
    (5, 11.070, 0.05),
    (5, 15.086, 0.01),
    (5, 20.515, 0.001),
    (19, 43.820, 0.001),
    (100, 149.449, 0.001),
]


@pytest.mark.parametrize(("degrees", "value", "chance"), CRITICAL)
def test_the_tail_has_the_published_values(degrees: int, value: float, chance: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(chance, rel=2e-3)


def test_the_tail_is_one_at_zero_and_falls() -> None:
    tails = [chi_square_tail(x / 4, 5) for x in range(400)]
    assert tails[0] == 1.0
    assert all(a > b for a, b in pairwise(tails))


def test_no_bias_means_the_ordinary_tail() -> None:
    assert noncentral_tail(20.515, 5, 0.0) == pytest.approx(0.001, rel=2e-3)


@pytest.mark.parametrize(("excess", "throws"), [(0.2, 3102), (0.1, 12_245), (0.05, 49_049)])
def test_the_excess_that_shows_is_known(excess: float, throws: int) -> None:
    """Figures computed with a statistics library for 80 % power at alpha 0.001."""
    assert detectable_excess(throws, 6) == pytest.approx(excess, rel=0.01)


def test_a_fair_die_passes_and_says_what_that_means() -> None:
    verdict = judge([1680, 1650, 1669, 1671, 1640, 1690])
    assert verdict.passed
    assert verdict.sentence == (
        "10,000 throws of 6 faces: chi-square 1.0, p = 0.959. Nothing speaks against fair dice. "
        "A face coming 11% too often would most probably have shown; a smaller bias may hide, "
        "and counts cannot show whether the next roll could be foreseen."
    )


def test_an_uneven_die_fails_and_says_so() -> None:
    verdict = judge([1900, 1620, 1620, 1620, 1620, 1620])
    assert not verdict.passed
    assert "less than once in a thousand tests" in verdict.sentence


def test_about_one_fair_die_in_a_thousand_fails() -> None:
    chance = random.Random(11)
    failed = 0
    for _ in range(2000):
        counts = [0] * 6
        for face in chance.choices(range(6), k=300):
            counts[face] += 1
        failed += not judge(counts).passed
    assert failed <= 9  # of 2 expected; more than 9 happens once in 20,000 seeds


def test_a_face_is_never_favoured_by_the_remainder() -> None:
    class AllBytes:
        def __init__(self) -> None:
            self.bytes = iter(list(range(256)) * 6)

        def random(self, count: int) -> bytes:
            return bytes(next(self.bytes) for _ in range(count))

    source = Urandom(AllBytes())
    faces = [pick(6, source) for _ in range(252)]
    assert [faces.count(face) for face in range(6)] == [42] * 6


@given(st.binary(max_size=64), st.binary(max_size=300))
def test_the_firmwares_hmac_is_hmac(key: bytes, message: bytes) -> None:
    assert hmac_sha256(key, message) == hmac.digest(key, message, "sha256")


@given(
    st.binary(min_size=32, max_size=32), st.integers(1, 10_000), st.lists(st.integers(2, 256), max_size=60)
)
def test_firmware_and_proof_agree_on_every_roll(seed: bytes, n: int, faces: list[int]) -> None:
    source = SeedBytes(seed, "lantern", n)
    thrown = [pick(count, source) for count in faces]
    assert recompute(seed.hex(), "lantern", n, faces) == tuple(thrown)


def test_the_recipe_is_the_documented_one() -> None:
    """Worked by hand from docs/serial-protocol.md: the first byte below 252, modulo six."""
    seed = bytes(range(32))
    block = hmac.new(seed, b"brass lantern:7", hashlib.sha256).digest()
    assert recompute(seed.hex(), "brass lantern", 7, [6]) == (next(b for b in block if b < 252) % 6,)


def test_a_proof_fails_for_anything_changed() -> None:
    seed = "ab" * 32
    commitment = commitment_of(seed)
    (face,) = recompute(seed, "word", 3, [6])

    def proven(n: int = 3, face: int = face, nonce: str = "word", fair: str | None = commitment[:8]) -> bool:
        roll = Roll("uid", "b0", n, (Thrown("A", 6, face),), fair=fair)
        return verify_roll(roll, seed=seed, nonce=nonce, commitment=commitment)

    assert proven()
    assert not proven(face=(face + 1) % 6)
    assert not proven(fair=None)
    assert not proven(fair="00000000")
    roll = Roll("uid", "b0", 3, (Thrown("A", 6, face),), fair=commitment[:8])
    assert not verify_roll(roll, seed="cd" * 32, nonce="word", commitment=commitment)
    assert [proven(n=n) for n in range(4, 24)].count(True) < 12
