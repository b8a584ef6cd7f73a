"""Fairness of dice: a statistical test of throws, and verification of committed seeds.

A self-test compares counts with what equal chances would give (chi-square). Commit and reveal: the roller
shows SHA-256 of a secret seed, the players add a word, every roll follows from seed, word and roll number,
and the seed is opened at the end, so that anybody can compute all rolls again with `recompute`.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from firmware_bridge.dice import Roll

ALPHA = 0.001  # a fair die fails one self-test in a thousand


@dataclass(frozen=True)
class FairnessTest:
    """Counts of a self-test and what they say."""

    counts: tuple[int, ...]
    chi_square: float
    p_value: float

    @property
    def passed(self) -> bool:
        """True if equal chances are not rejected at alpha 0.001."""
        return self.p_value >= ALPHA

    @property
    def sentence(self) -> str:
        """The verdict for the owner, with what it can and cannot show."""
        throws, faces = sum(self.counts), len(self.counts)
        found = (
            f"{throws:,} throws of {faces} faces: chi-square {self.chi_square:.1f}, p = {self.p_value:.3g}. "
        )
        if not self.passed:
            return found + (
                "That is too uneven for chance: a fair die gives this less than once in a thousand tests. "
                "Test again; if it fails again, do not use this roller."
            )
        excess = detectable_excess(throws, faces)
        return found + (
            f"Nothing speaks against fair dice. A face coming {excess:.0%} too often would most probably "
            "have shown; a smaller bias may hide, and counts cannot show whether the next roll could be "
            "foreseen."
        )


def judge(counts: Sequence[int]) -> FairnessTest:
    """The chi-square verdict on how often each face came."""
    statistic = chi_square(counts)
    return FairnessTest(tuple(counts), statistic, chi_square_tail(statistic, len(counts) - 1))


def chi_square(counts: Sequence[int]) -> float:
    """The chi-square statistic of counts against equal chances.

    >>> chi_square([10, 10, 10])
    0.0
    """
    expected = sum(counts) / len(counts)
    if not expected:
        return 0.0
    return sum((count - expected) ** 2 for count in counts) / expected


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability of a chi-square value at least this large.

    >>> round(chi_square_tail(20.515, 5), 6)
    0.001
    """
    return _upper_gamma(degrees / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - front * _series(a, x) if x < a + 1 else front * _continued_fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1.0 / a
    k = a
    while term > total * 1e-16:
        k += 1
        term *= x / k
        total += term
    return total


def _continued_fraction(a: float, x: float) -> float:
    """Q(a, x) by Lentz's continued fraction; converges quickly for x > a + 1."""
    b = x + 1 - a
    c, d = math.inf, 1 / b
    value = d
    for k in range(1, 1000):
        step = -k * (k - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def detectable_excess(throws: int, faces: int) -> float:
    """The excess of one face (0.1 = 10 % too often) that the test finds four times in five.

    >>> round(detectable_excess(12_245, 6), 3)
    0.1
    """
    needed = _needed_noncentrality(faces - 1)
    # One of k faces at (1 + e) / k, the others sharing the rest: noncentrality = throws * e * e / (k - 1).
    return math.sqrt(needed * (faces - 1) / throws)


def _needed_noncentrality(degrees: int) -> float:
    """The smallest noncentrality at which the test at alpha has a power of 80 %."""
    highest = 200.0 + 4 * degrees
    critical = _zero_of(lambda x: chi_square_tail(x, degrees) - ALPHA, highest)
    return _zero_of(lambda x: 0.8 - noncentral_tail(critical, degrees, x), highest)


def noncentral_tail(statistic: float, degrees: int, noncentrality: float) -> float:
    """The tail probability of the noncentral chi-square distribution: a Poisson mix of tails."""
    weight = math.exp(-noncentrality / 2)
    total = 0.0
    for k in range(int(noncentrality / 2 + 12 * math.sqrt(noncentrality + 1)) + 20):
        total += weight * chi_square_tail(statistic, degrees + 2 * k)
        weight *= noncentrality / 2 / (k + 1)
    return total


def _zero_of(falling: Callable[[float], float], high: float) -> float:
    low = 0.0
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high


def commitment_of(seed: str) -> str:
    """The commitment to a seed, shown before the first roll; seed and hash are hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def recompute(seed: str, nonce: str, n: int, faces: Sequence[int]) -> tuple[int, ...]:
    """The faces that roll number `n` must show for dice with these numbers of faces."""
    next_face = faces_of_roll(seed, nonce, n)
    return tuple(next_face(count) for count in faces)


def faces_of_roll(seed: str, nonce: str, n: int) -> Callable[[int], int]:
    """What gives the faces of roll number `n` die by die, when told how many faces (up to 256) a die has."""
    stream = _bytes_of_roll(bytes.fromhex(seed), nonce, n)
    return lambda count: _unbiased(stream, count)


def verify_roll(roll: Roll, *, seed: str, nonce: str, commitment: str) -> bool:
    """True if this roll follows from the committed seed and the players' word."""
    if commitment_of(seed) != commitment or roll.fair is None or not commitment.startswith(roll.fair):
        return False
    faces = recompute(seed, nonce, roll.n, [die.faces for die in roll.dice])
    return faces == tuple(die.face for die in roll.dice)


def _bytes_of_roll(seed: bytes, nonce: str, n: int) -> Iterator[int]:
    label, block = f"{nonce}:{n}", 0
    while True:
        message = label if block == 0 else f"{label}:{block}"
        yield from hmac.digest(seed, message.encode(), "sha256")
        block += 1


def _unbiased(stream: Iterator[int], faces: int) -> int:
    limit = 256 - 256 % faces
    return next(byte for byte in stream if byte < limit) % faces
