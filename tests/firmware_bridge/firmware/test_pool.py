"""The whitened pool: what comes out is fair, however the source leans."""

from collections import Counter
from random import Random

from firmware_bridge.firmware.roller.fair import Pool, Urandom, pick


class LeaningBoard:
    """An oscillator whose bits are mostly ones and hang together, as a raw one's do; and its pool."""

    def __init__(self, seed: int) -> None:
        self.chance, self.bit, self.moment = Random(seed), 0, 0
        self.pool = Pool(self.raw, self.now)

    def raw(self, count: int) -> bytes:
        return bytes(sum(self.next_bit() << place for place in range(8)) for _ in range(count))

    def next_bit(self) -> int:
        stays = 0.8 if self.bit else 0.6
        if self.chance.random() > stays:
            self.bit ^= 1
        return self.bit

    def now(self) -> int:
        self.moment += self.chance.randrange(50)
        return self.moment

    def random(self, count: int) -> bytes:
        return self.pool.take(count)


def chi_squared(throws: list[int], faces: int) -> float:
    expected = len(throws) / faces
    return sum((count - expected) ** 2 / expected for count in Counter(throws).values())


def test_faces_are_fair_from_a_source_that_is_not() -> None:
    board = LeaningBoard(5)
    raw = [byte % 6 for byte in board.raw(6000) if byte < 252]
    assert chi_squared(raw, 6) > 100, "the source itself leans"
    source = Urandom(board)
    assert (
        chi_squared([pick(6, source) for _ in range(6000)], 6) < 20.5
    )  # p = 0.001 with 5 degrees of freedom


def test_bytes_come_in_any_portions_and_never_twice() -> None:
    board = LeaningBoard(7)
    assert [len(board.random(count)) for count in (0, 1, 31, 33, 200)] == [0, 1, 31, 33, 200]
    taken = [board.random(8) for _ in range(2000)]
    assert len(set(taken)) == 2000


def test_the_same_source_at_another_moment_gives_other_bytes() -> None:
    first, second = (Pool(bytes, iter(range(start, start + 99)).__next__) for start in (0, 50))
    assert first.take(32) != second.take(32)
