"""What lies on every segment: a network's verdicts weighed with all that one picture shows."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.against_blank import Compared
from vision.pieces.trained import COLOURS, TrainedLooks
from vision.taught.posterior import MARKS, posterior

RED, GREEN, ORANGE, WHITE = (MARKS.index(name) for name in ("red", "green", "orange", "white"))
PAINTS = {
    RED: (45.0, 60.0, 40.0),
    GREEN: (50.0, -45.0, 30.0),
    ORANGE: (60.0, 45.0, 60.0),
    WHITE: (95.0, 0, 0),
}


def verdict(mark: int, p: float = 0.97, second: int = 0, rest: float = 0.0) -> np.ndarray:
    """A network's probabilities: ``p`` for a mark, ``rest`` for a second one, little for all others."""
    shares = np.full(len(MARKS), (1 - p - rest) / (len(MARKS) - 1))
    shares[mark] += p - shares[mark]
    shares[second] += rest
    return np.asarray(shares / shares.sum())


def looks(shares: Sequence[np.ndarray], unseen: Sequence[float] = ()) -> TrainedLooks:
    """What is seen of segments on one print: pieces in their paint, and the others as empty as they look."""
    found = np.array(shares)
    best = found.argmax(axis=1)
    colours = np.array([PAINTS.get(int(mark), (70.0, 5.0, 10.0)) for mark in best])
    prints = np.tile([[70.0, 5.0, 10.0]], (len(found), 1))
    rng = np.random.default_rng(5)
    differences = np.column_stack([colours - prints, np.where(best > 0, 0.8, 0.05)])
    differences += rng.normal(0, 0.3, differences.shape) * [1, 1, 1, 0.01]
    unused = Compared(
        np.zeros((1, 1, 3), np.uint8), np.eye(3, 7, dtype=np.float32), np.zeros((1, 1), bool), 1, 0
    )
    hidden = np.array(unseen) if len(unseen) else np.zeros(len(found))
    return TrainedLooks(found, hidden, colours, colours, prints, differences, unused)


def read(
    shares: Sequence[np.ndarray], groups: Sequence[Sequence[int]] = (), colours: Sequence[str] = ()
) -> np.ndarray:
    members = [np.array(group) for group in groups]
    found = posterior(looks(shares), np.ones(len(shares), bool), members, colours)
    return np.asarray(found)


def test_rows_add_up_and_name_no_colour_that_nobody_has() -> None:
    shares = [verdict(0)] * 12 + [verdict(RED)] * 3 + [verdict(ORANGE, 0.6, RED, 0.3)] * 3
    found = read(shares, colours=("red", "green"))
    assert found.sum(axis=1) == pytest.approx(1)
    others = [n for n, name in enumerate(MARKS) if name not in ("", "red", "green")]
    assert found[:, others].max() == 0
    assert found[12:].argmax(axis=1).tolist() == [RED] * 6


def test_red_pieces_in_warm_light_are_orange_until_somebody_says_that_there_is_none() -> None:
    shares = [verdict(0)] * 20 + [verdict(ORANGE, 0.7, RED, 0.25)] * 4
    assert read(shares)[20:].argmax(axis=1).tolist() == [ORANGE] * 4
    assert read(shares, colours=("red", "green", "blue"))[20:].argmax(axis=1).tolist() == [RED] * 4


def test_an_empty_lane_beside_pieces_stays_empty() -> None:
    """Colours that are on the table do not speak for a colour where the network sees nothing."""
    shares = [verdict(GREEN)] * 20 + [verdict(0, 0.71, RED, 0.26)] * 3 + [verdict(RED)] * 8
    found = read(shares, colours=("red", "green", "blue", "yellow", "black"))
    assert found[20:23].argmax(axis=1).tolist() == [0, 0, 0]


def test_a_piece_that_is_there_has_a_colour_however_unsure() -> None:
    many = np.full(len(MARKS), 0.7 / len(COLOURS))
    many[0] = 0.3
    found = read([verdict(0)] * 15 + [many / many.sum()] * 2 + [verdict(WHITE)] * 3)
    there = found[15:17]
    assert (found[:15].argmax(axis=1) == 0).all()
    assert ((there[:, 0] > 0.5) | (there.argmax(axis=1) > 0)).all()


def test_where_routes_are_taken_as_a_whole_one_unsure_segment_follows_its_route() -> None:
    shares = [verdict(n % 3 and RED) for n in range(24) for _ in range(4)]
    shares[5] = verdict(0, 0.5, RED, 0.45)  # of a red route
    groups = [range(4 * n, 4 * n + 4) for n in range(24)]
    assert read(shares, groups, ("red", "green"))[5].argmax() == RED


def test_where_routes_are_mixed_segments_stand_for_themselves() -> None:
    shares = [verdict((0, RED, GREEN, 0)[n % 4]) for n in range(96)]
    shares[5] = verdict(0, 0.8, RED, 0.15)
    groups = [range(4 * n, 4 * n + 4) for n in range(24)]
    found = read(shares, groups, ("red", "green"))
    assert found[5].argmax() == 0
    assert found[6].argmax() == GREEN


def test_what_is_partly_hidden_keeps_its_mark_and_becomes_doubtful() -> None:
    shares = [verdict(0)] * 15 + [verdict(RED)] * 2
    unseen = [0.0] * 16 + [0.8]
    found = posterior(looks(shares, unseen), np.ones(17, bool), [])
    assert found[15, RED] > 0.9 > found[16, RED]
    assert found[16].argmax() == RED


@given(st.lists(st.sampled_from([0, RED, GREEN]), min_size=8, max_size=40), st.integers(1, 4))
def test_a_sure_and_right_verdict_is_never_turned(marks: list[int], size: int) -> None:
    shares = [verdict(mark, 0.97) for mark in marks]
    groups = [range(n, min(n + size, len(marks))) for n in range(0, len(marks), size)]
    found = read(shares, groups, ("red", "green", "blue"))
    assert found.argmax(axis=1).tolist() == marks
