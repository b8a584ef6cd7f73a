import numpy as np
import pytest

from tests.vision.pieces.boards import PAINTS, small_board, with_pieces
from vision.pieces.against_blank import compared
from vision.pieces.colours import learn_colours, name_colours, slot_readings
from vision.pieces.finding import lab_of, look_for_pieces


def some_pieces(seed: int, count: int = 24) -> dict[str, str]:
    rng = np.random.default_rng(seed)
    return {
        str(name): str(rng.choice(list(PAINTS)))
        for name in rng.choice(list(small_board().quads), count, replace=False)
    }


def test_light_and_tone_are_taken_out() -> None:
    board = small_board()
    whole = compared(with_pieces(board, some_pieces(1)), board.blank)
    differs = np.abs(whole.even.astype(float) - whole.expected(board.blank).astype(float)).max(axis=2)
    assert np.median(differs) < 8
    assert (differs > 40).mean() > 0.005  # the pieces


def test_pieces_and_their_colours_are_seen() -> None:
    board, pieces = small_board(), some_pieces(2)
    seen = look_for_pieces(with_pieces(board, pieces), board)
    palette = learn_colours(list(seen.looks.values()))
    readings = slot_readings(seen.looks, palette)
    assert set(palette.colours) == set(pieces.values())
    assert {name: reading.best for name, reading in readings.items() if reading.best} == pieces
    for reading in readings.values():
        assert sum(reading.probabilities.values()) == pytest.approx(1, abs=1e-3)


def test_an_empty_board_is_empty() -> None:
    board = small_board()
    seen = look_for_pieces(with_pieces(board, {}), board)
    readings = slot_readings(seen.looks, learn_colours(list(seen.looks.values())))
    assert not any(reading.best for reading in readings.values())


def test_what_is_not_in_the_picture_is_not_empty() -> None:
    board = small_board()
    picture = with_pieces(board, {})
    outside = np.zeros(picture.shape[:2], np.bool_)
    outside[:, : picture.shape[1] // 3] = True
    picture[outside] = 0
    looks = look_for_pieces(picture, board, outside=outside).looks
    assert looks["a1"].cannot_see == "outside the picture"
    assert looks["a9"].cannot_see is None


def test_two_colours_never_get_one_name() -> None:
    codes = np.array([[170, 90, 40], [220, 170, 110]], np.uint8)  # two blues
    names = name_colours([(float(light), float(a), float(b)) for light, a, b in lab_of(codes, 255)])
    assert "blue" in names
    assert len(set(names)) == 2
