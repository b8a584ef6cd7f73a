"""Teaching says at once whether a print will be found again."""

import base64

import cv2
import numpy as np
import pytest

from companion.sheets.drawing import Drawing, rectangle
from companion.sheets.sheet import Sheet
from vision.find.seeing import Search, see, why_nothing
from vision.taught.boards import TaughtBoard
from vision.taught.trial import trial

AREA = rectangle((20.0, 20.0), (200.0, 200.0))
SHEET = Sheet(
    "grid", "", 1, (240.0, 240.0), {}, {}, AREA, lambda: Drawing((240.0, 240.0), ()), stickers=(48, 49)
)


def board_of(busy: bool) -> TaughtBoard:
    """A grid on white paper, or on a map full of blots and lines."""
    rng = np.random.default_rng(3)
    paper = np.full((472, 472, 3), 240, np.uint8)
    if busy:
        for _ in range(900):
            middle = [int(value) for value in rng.integers(0, 472, 2)]
            cv2.circle(paper, middle, int(rng.integers(2, 9)), rng.integers(0, 255, 3).tolist(), -1)
    for n in range(8):
        at = 36 + n * 57
        cv2.line(paper, (36, at), (435, at), (120, 120, 120), 1)
        cv2.line(paper, (at, 36), (at, 435), (120, 120, 120), 1)
    _, packed = cv2.imencode(".jpg", paper)
    return TaughtBoard("mine", 1, "", base64.b64encode(packed.tobytes()).decode(), {}, 2.0, 18.0)


@pytest.mark.parametrize("busy", [True, False])
def test_a_plain_print_is_told_from_a_busy_one(busy: bool) -> None:
    says = trial(board_of(busy), SHEET).says
    assert bool(says) == (not busy)
    assert busy or "stickers" in says


def test_a_board_with_stickers_needs_no_trial() -> None:
    corner = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    with_stickers = TaughtBoard("mine", 1, "", "", {48: corner, 49: corner})
    assert trial(with_stickers, SHEET).says == ""


def test_nobody_asks_for_tags_that_a_taught_board_does_not_have() -> None:
    board = board_of(busy=True)
    seen = see(np.full((300, 400, 3), 90, np.uint8), Search((), 1.0, [(board, SHEET)]))
    assert seen.sheets == ()
    assert "corner tag" not in why_nothing(seen, [], [board])
    assert "The board mine was not found" in why_nothing(seen, [], [board])
