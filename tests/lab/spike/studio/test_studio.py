"""SPIKE's studio: the truth beside the picture, and the demonstration's camera."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.jsontext import JsonObject
from companion.game.registry import find_studio
from companion.games.spike.rules.boards.difference import builds_of
from companion.games.spike.rules.boards.position import read_position
from companion.games.spike.rules.moves.builds import ground_of
from lab.spike.studio.studio import BoardSpec, take_board
from lab.studio.tabletop import project_truth

SMALL = BoardSpec(megapixels=1.0)


def shot(seed: int) -> tuple[np.ndarray, JsonObject]:
    data, truth = take_board(seed, "clean", wish=SMALL)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image, truth


def test_the_picture_shows_a_piece_where_the_truth_has_one() -> None:
    image, truth = shot(11)
    (sheet,) = truth["sheets"]
    built = {name for names in sheet["tracks"].values() for name in names}
    assert built
    for name in built:
        assert sheet["slots"][name]["mark"]
    corners = project_truth(truth, sheet, np.array([[0.0, 0.0], [500.0, 560.0]]))
    assert (corners > 0).all()
    assert (corners < image.shape[1::-1]).all()


def test_the_last_builds_are_told_apart_and_legal() -> None:
    _, truth = shot(12)
    (sheet,) = truth["sheets"]
    turn = str(sheet["turn"])
    assert sorted(sheet["before"][turn] + sheet["last"]) == sorted(sheet["tracks"][turn])
    state = read_position(
        {"tracks": sheet["before"], "segments": "shared" if sheet["shared"] else "exclusive"}
    )
    assert isinstance(builds_of(ground_of(state, sheet["turn"]), sheet["last"]), list)


def test_the_same_state_looks_the_same_but_for_noise() -> None:
    state = read_position({"tracks": {"1": ["topeka-i2", "i1-i2"], "2": []}})
    studio = find_studio("spike")
    one, other = (cv2.imdecode(np.frombuffer(studio.picture(state, n), np.uint8), 1) for n in (1, 2))
    assert one is not None
    assert other is not None
    assert np.median(cv2.absdiff(one, other)) < 12
