"""Whatever is sent, the answer is clear: a reading or one sentence, and never an invented board."""

from functools import lru_cache

import pytest

from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.reader.readings import PhotoReading
from lab.foreign import BOARDLESS, MAKERS, foreign_picture
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from vision.errors import PictureError

ROUNDS = 3


@lru_cache(maxsize=1)
def photos() -> tuple[tuple[bytes, ...], frozenset[int]]:
    taken = [
        take_picture(seed, "table", spec=SceneSpec(sheets=1, megapixels=0.9, table_pixels=128))
        for seed in (3_100_001, 3_100_002)
    ]
    return tuple(data for data, _ in taken), frozenset(
        sheet["seat"] for _, truth in taken for sheet in truth["sheets"]
    )


def read_or_refused(picture: bytes) -> PhotoReading | None:
    """Nothing for a picture that is refused; anything but a refusal fails the test."""
    try:
        return read_photo(picture)
    except PictureError:
        return None


@pytest.mark.parametrize("kind", MAKERS)
def test_a_clear_answer(kind: str) -> None:
    data, seats = photos()
    for turn in range(ROUNDS):
        name, picture = foreign_picture(list(MAKERS).index(kind) + turn * len(MAKERS), data)
        assert name == kind
        reading = read_or_refused(picture)
        if reading is None:
            continue
        assert kind not in BOARDLESS or not reading.sheets
        assert reading.sheets or reading.notes
        assert {sheet.seat for sheet in reading.sheets} <= seats
