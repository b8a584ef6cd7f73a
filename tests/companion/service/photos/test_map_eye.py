"""Maps in the reader's process: halves that are joined, a turn or everything, what a page lays over them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.records import replaced
from companion.game.base import MatchRequest, NoChance, Refusal
from companion.game.registry import GAMES, find_reader, find_studio
from companion.games.empire_builder.reader import edges
from companion.games.spike.rules.match.state import State
from companion.reading.joining import OUTSIDE
from companion.reading.types import BoardReading, ReadHints, Scope
from companion.service.photos.from_above import shown_parts
from companion.service.photos.queries import MatchContext, Photo, PhotoQuery, PhotoRead
from companion.service.photos.reading_boards import read_boards
from companion.service.photos.shelf import PhotoShelf
from companion.service.photos.worker import Worker
from companion.table.chance import SeededChance
from companion.table.exc import TableError
from tests.companion.games.spike.reader.boards import TO_TULSA, position
from vision.register.rectify import Image


@lru_cache(maxsize=4)
def picture(laid: tuple[str, ...]) -> Image:
    """The studio's photograph of the board with this track of seat 1."""
    packed = find_studio("spike").picture(position({1: laid, 2: ()}), 1)
    return np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


@pytest.fixture
def halves(tmp_path: Path) -> list[Path]:
    """Two photographs, one of each half of what is in the picture."""
    image = picture(TO_TULSA)
    width, worker, shelf = image.shape[1], Worker(), PhotoShelf(tmp_path)
    paths = []
    for half in (image[:, : int(0.58 * width)], image[:, int(0.42 * width) :]):
        read = seen(worker, position({1: (), 2: ()}), jpeg(half))
        assert read.cleaned is not None
        shelf.keep(read.digest, read.cleaned)
        path = shelf.find(read.digest)
        assert path is not None
        paths.append(path)
    return paths


def seen(
    worker: Worker,
    state: State,
    *photos: Photo,
    scope: Scope = "",
    players: tuple[tuple[str, int], ...] = (),
) -> PhotoRead:
    return read_boards(worker, MatchContext("spike", state, players), photos, 1, PhotoQuery(scope=scope))


def board(read: PhotoRead) -> BoardReading:
    return read.boards[1]


def test_two_halves_are_one_board(halves: list[Path]) -> None:
    worker, state = Worker(), position({1: (), 2: ()})
    left = board(seen(worker, state, halves[0]))
    assert left.shown.missing
    both = board(seen(worker, state, *halves))
    assert both.shown.missing == ""
    assert [bool(words) for words in both.shown.parts] == [True, True]
    assert both.action is not None
    assert set(both.action.data["path"]) == set(TO_TULSA)
    assert both.action.data["picture"] == {
        "photo": halves[1].stem,
        "settled": {},
        "parts": [halves[0].stem],
    }
    fact = GAMES["spike"].decide(state, both.action, NoChance())
    assert not isinstance(fact, Refusal)
    assert fact.data["picture"]["parts"] == [halves[0].stem]
    assert both.overlay is not None
    assert {slot.look for slot in both.overlay.slots.values()} == {"new"}
    assert both.picture is not None


def test_what_no_photograph_shows_is_hatched(halves: list[Path]) -> None:
    """And one that shows all of it is as it was."""
    read = board(seen(Worker(), position({1: (), 2: ()}), halves[0]))
    assert read.picture is not None
    above = np.asarray(cv2.imdecode(np.frombuffer(read.picture, np.uint8), cv2.IMREAD_COLOR), np.float64)
    grey = (np.ptp(above, axis=2) < 6) & (above[:, :, 0] > 175) & (above[:, :, 0] < 220)
    assert 0.2 < grey.mean() < 0.7
    assert read.size == (above.shape[1], above.shape[0])


def test_a_second_picture_of_something_else_adds_nothing(halves: list[Path]) -> None:
    foreign = np.full((700, 900, 3), 128, np.uint8)
    read = board(seen(Worker(), position({1: (), 2: ()}), halves[0], jpeg(foreign)))
    assert (read.ruling, read.overlay) == (None, None)
    assert read.says


def test_boards_that_lie_apart_are_read_one_by_one(halves: list[Path]) -> None:
    game = GAMES["derailed"]
    data = game.setup(MatchRequest(2, options={"deal": "table"}), SeededChance(1))
    assert not isinstance(data, Refusal)
    state = game.start(data)
    photo = find_studio("derailed").picture(state, 1)
    with pytest.raises(TableError, match="one by one"):
        read_boards(Worker(), MatchContext("derailed", state), (halves[0], photo), 1)


@pytest.fixture(scope="module")
def worker() -> Worker:
    return Worker()


def asked(worker: Worker, state: State, photo: bytes, scope: Scope = "") -> BoardReading:
    return board(seen(worker, state, photo, scope=scope))


def test_the_whole_board_is_compared_with_the_match(worker: Worker) -> None:
    photo = jpeg(picture(TO_TULSA))
    new = asked(worker, position({1: (), 2: ()}), photo, "whole")
    assert f"not in the match yet: {len(TO_TULSA)} tracks of seat 1" in new.says
    assert new.action is not None  # one build of whose turn it is
    same = asked(worker, position({1: TO_TULSA, 2: ()}), photo, "whole")
    assert (same.action, same.says) == (None, ("the board lies as it is in the match",))
    others = asked(worker, position({1: (), 2: TO_TULSA}), photo, "whole")
    assert others.action is None


def test_pieces_are_of_whoever_chose_their_colour(worker: Worker) -> None:
    """The studio lays seat 1's in red; here it is seat 2 that chose red."""
    state = replaced(position({1: (), 2: ()}), mode="scorekeeper", waiting=(1, 2))
    photo, chosen = jpeg(picture(TO_TULSA)), (("violet", 1), ("red", 2))
    read = board(seen(worker, state, photo, players=chosen))
    assert read.action is not None, read
    assert read.action.data["tracks"] == {"1": [], "2": sorted(TO_TULSA)}
    asking = board(seen(worker, state, photo, players=(("violet", 1), ("blue", 2))))
    assert asking.ruling is not None
    assert list(asking.ruling.questions) == ["colour:red"]
    assert asking.overlay is not None
    assert asking.overlay.slots["colour:red"].says == "the red pieces"


def test_what_has_vanished_is_told_and_shown(worker: Worker) -> None:
    gone = asked(worker, position({1: TO_TULSA, 2: ()}), jpeg(picture(())), "whole")
    assert gone.overlay is not None
    looks = {name: slot.look for name, slot in gone.overlay.slots.items()}
    assert looks == dict.fromkeys(TO_TULSA, "gone")
    assert any("no longer on the board" in sentence for sentence in gone.says)
    assert gone.action is None


def test_what_each_photograph_adds_is_said() -> None:
    left, right = np.zeros((80, 120), np.bool_), np.zeros((80, 120), np.bool_)
    left[:, :70], right[:, 50:] = True, True
    assert shown_parts([left], missing=True).missing == "the right half"
    both = shown_parts([left, right], missing=True)
    assert (both.parts, both.missing) == (("the left half", "the right half"), "")
    assert shown_parts([left], missing=False).missing == ""


def test_readers_say_alike_what_is_outside(halves: list[Path]) -> None:
    reader = find_reader("spike")
    reading = reader.read(halves[0].read_bytes(), ReadHints())
    assert OUTSIDE in {slot.cannot_see for slot in reading.sheets[0].slots.values()}
    assert edges.OUTSIDE == OUTSIDE
