"""The reader's own process: what comes in from a phone, and what can go wrong there."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from companion.core.messages import Message, m
from companion.game.base import Action
from companion.game.registry import GAMES, find_studio
from companion.games.railroad_ink.reader.boards import SHEET_OUTLINE, grid_corners
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.reading.types import BoardReading, ReadHints
from companion.service.photos import pictures
from companion.service.photos.camera_process import CameraProcess, Failed, LampRequest, ShotRequest
from companion.service.photos.eye import PATIENCE, Eye
from companion.service.photos.plain import StrangeAnswerError, packed, unpacked
from companion.service.photos.queries import NO_QUERY, MatchContext, Photo, PhotoQuery, PhotoRead, Shot
from companion.service.photos.reading_boards import read_boards, read_watched
from companion.service.photos.scoring import look, score_boards
from companion.service.photos.shelf import PhotoShelf
from companion.service.photos.teaching import teach_board
from companion.service.photos.worker import KEPT_READINGS, Worker
from companion.service.watching.following import follow, resting_photo, settled, unfollowed
from companion.service.watching.looks import WatchedQuery, WatchedSeat
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.folder import PHOTOS, TAUGHT
from companion.table.match import Match
from companion.table.store import Store
from companion.table.table import Accepted, Table
from tests.companion.service.photos import calls
from vision.errors import PlacementError

HOST = Actor("host")
FACES = ["NS", "ne", "N*", "NS|ew"]
DRAWN = {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Match]:
    """A match in whose first round the dice lie and nothing is drawn yet."""
    with Store(tmp_path_factory.mktemp("table")) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        start = {"game": "railroad-ink", "players": ["", ""], "options": {"goals": "none"}}
        for action in (Action("start", data=start), Action("roll", data={"faces": FACES})):
            assert isinstance(table.submit(action, HOST), Accepted)
        assert table.current is not None
        yield table.current


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's, of which the reader sees what was photographed and taught."""
    made = tmp_path_factory.mktemp("folder")
    (made / PHOTOS).mkdir()
    return made


@pytest.fixture(scope="module")
def eye(folder: Path) -> Iterator[Eye]:
    made = Eye(folder)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def photo(match: Match) -> bytes:
    """The studio's picture of the table after seat 1 has drawn."""
    state = match.state
    for cell, route in DRAWN.items():
        fact = Action("draw", 1, {"cell": cell, "route": route, "from": "die"})
        state = match.game.apply(state, fact)
    return find_studio("railroad-ink").picture(state, 1)


def context(match: Match, taught: tuple[Path, ...] = ()) -> MatchContext:
    return MatchContext(match.game.name, match.state, taught=taught)


def read(
    eye: Eye, match: Match, *photos: Photo, seat: int = 1, taught: tuple[Path, ...] = (), **more: Any
) -> BoardReading:
    return eye.call(read_boards, context(match, taught), photos, seat, PhotoQuery(**more)).boards[seat]


def test_a_photograph_becomes_the_turn_that_was_drawn(eye: Eye, match: Match, photo: bytes) -> None:
    board = read(eye, match, photo)
    assert board.outcome == "accepted", board
    assert board.ruling is not None
    assert board.ruling.labels == DRAWN
    assert board.action is not None
    assert board.action.kind == "turn"
    assert board.picture is not None
    assert Image.open(BytesIO(board.picture)).size == (796, 796)


def test_a_watched_board_is_followed_photographed_at_rest_and_ruled_on(
    eye: Eye, match: Match, photo: bytes, folder: Path
) -> None:
    """All that the service asks of the reader's process while a camera watches, as plain data."""
    asked = replace(context(match), match="m1")
    for number in range(6):
        look = eye.call(follow, asked, Shot("phone", 1, sent=photo), 100 + 0.5 * number, plays=False)
    board = next(one for one in look.boards if one.key[2] == 1)
    assert (look.table, look.shared, board.state, board.ready) == ("seen", False, "resting", True)
    rested = eye.call(resting_photo, board.key)
    kept = folder / PHOTOS / f"{rested.digest}.jpg"
    kept.write_bytes(rested.cleaned)
    query = WatchedQuery({1: WatchedSeat(match.state)}, rested.hidden, small=True)
    watched = eye.call(read_watched, asked, kept, query)
    assert watched.boards[1].meaning == "complete"
    assert watched.boards[1].action is not None
    assert {move["cell"]: move["route"] for move in watched.boards[1].action.data["moves"]} == DRAWN
    assert Image.open(BytesIO(watched.small)).size == (480, 480)
    eye.call(settled, board.key, rested.at)
    look = eye.call(follow, asked, Shot("phone", 1, sent=photo), 103.0, plays=False)
    assert not next(one for one in look.boards if one.key[2] == 1).due
    silent = eye.call(follow, asked, Shot("phone", 1), 103.5, plays=False)
    assert (silent.table, "sends no pictures" in silent.says) == ("silent", True)
    eye.call(unfollowed, plays=False)


def test_two_photographs_of_parts_of_a_board_are_read_as_one(
    eye: Eye, match: Match, photo: bytes, folder: Path
) -> None:
    image = np.asarray(cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    (own,) = (one for one in RailroadInkReader().read(image, ReadHints()).sheets if one.seat == 1)
    left, right = (int(bound) for bound in np.quantile([x for x, _ in own.corners_px], [0, 1]))
    cut = {"left": left + int(0.6 * (right - left)), "right": left + int(0.4 * (right - left))}
    halves = {"left": image[:, : cut["left"]], "right": image[:, cut["right"] :]}
    kept = {side: folder / PHOTOS / f"{n:064}.jpg" for n, side in enumerate(halves)}
    for side, half in halves.items():
        cv2.imwrite(str(kept[side]), half)
    alone = {side: read(eye, match, path) for side, path in kept.items()}
    assert all(one.action is None and one.shown.missing for one in alone.values())
    assert alone["left"].says[0].startswith("not all of the board is in the picture, ")
    both = read(eye, match, kept["left"], kept["right"])
    assert both.action is not None
    assert both.ruling is not None
    assert both.ruling.labels == DRAWN
    assert both.shown.missing == ""


def test_nothing_is_kept_of_a_photograph_but_what_it_shows(eye: Eye, match: Match, photo: bytes) -> None:
    secret = b"somebody's kitchen"
    exif = Image.Exif()
    exif[0x010E] = secret.decode()
    dressed = BytesIO()
    Image.open(BytesIO(photo)).save(dressed, "JPEG", quality=90, exif=exif, comment=secret)
    assert secret in dressed.getvalue()
    cleaned = eye.call(
        read_boards, context(match), (dressed.getvalue() + b"<?php trailing",), 1, NO_QUERY
    ).cleaned
    assert cleaned is not None
    assert secret not in cleaned
    assert b"php" not in cleaned
    assert not Image.open(BytesIO(cleaned)).getexif()


def test_the_other_seats_board_is_not_mine(eye: Eye, match: Match, photo: bytes) -> None:
    assert read(eye, match, photo, seat=2).action is None


def test_finished_boards_are_scored_without_a_match(eye: Eye, photo: bytes) -> None:
    scored = eye.call(score_boards, photo, "", plays=False)
    mine = next(board for board in scored.boards if board.seat == 1)
    assert (scored.game, mine.position["cells"]["b1"]) == ("railroad-ink", "NS")
    with pytest.raises(TableError, match="cannot be read"):
        eye.call(score_boards, photo, "chess", plays=False)
    with pytest.raises(TableError, match="railroad-ink has no expansion 'chess'"):
        eye.call(score_boards, photo, "", ReadHints(expansion="chess"), plays=False)


@pytest.mark.parametrize("rubbish", [b"", b"\xff\xd8\xff", b"GIF89a" + bytes(50), bytes(3000), b"<svg/>"])
def test_what_is_no_picture_is_one_sentence(eye: Eye, match: Match, rubbish: bytes) -> None:
    with pytest.raises(TableError) as refused:
        read(eye, match, rubbish)
    assert refused.value.code == "bad-photo"
    assert refused.value.message


def test_a_picture_of_absurd_size_is_refused_by_its_header(eye: Eye, match: Match) -> None:
    bomb = BytesIO()
    Image.new("L", (1, 1)).save(bomb, "PNG")
    header = bytearray(bomb.getvalue())
    header[16:24] = (60_000).to_bytes(4, "big") * 2
    with pytest.raises(TableError):
        read(eye, match, bytes(header))


def test_marked_corners_find_a_board_and_teaching_finds_it_again(
    eye: Eye, match: Match, photo: bytes, folder: Path
) -> None:
    """A board without corner tags: they are painted over."""
    picture = Image.open(BytesIO(photo))
    width, height = picture.size
    blank, reach = ImageDraw.Draw(picture), 0.055 * max(picture.size)
    view = RailroadInkReader().view(RailroadInkReader().read(photo, ReadHints(quick=True)))
    by_seat = {sheet.seat: tuple((x * width, y * height) for x, y in sheet.corners) for sheet in view.sheets}
    for x, y in (corner for corners in by_seat.values() for corner in corners):
        blank.ellipse((x - reach, y - reach, x + reach, y + reach), fill="white")
    packed = BytesIO()
    picture.save(packed, "JPEG", quality=92)
    assert read(eye, match, packed.getvalue()).ruling is None
    grid = _on_photo(by_seat[1])
    marked = read(eye, match, packed.getvalue(), corners=grid)
    assert marked.ruling is not None
    assert marked.ruling.labels == DRAWN
    kept = folder / PHOTOS / f"{'a' * 64}.jpg"
    kept.write_bytes(packed.getvalue())
    name = eye.call(teach_board, context(match), kept, 1, grid, folder / TAUGHT).name
    assert name == "challenge-aaaaaaaa"
    again = read(eye, match, packed.getvalue(), taught=(folder / TAUGHT / f"{name}.json",))
    assert again.ruling is not None
    assert again.ruling.labels == DRAWN


def _on_photo(corners: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Where the grid's corners are, when these are the sheet's."""
    to_photo = cv2.getPerspectiveTransform(SHEET_OUTLINE.astype(np.float32), np.array(corners, np.float32))
    grid = cv2.perspectiveTransform(grid_corners()[None], to_photo)[0]
    return tuple((float(x), float(y)) for x, y in grid)


def test_corners_that_make_no_board_are_one_sentence(eye: Eye, match: Match, photo: bytes) -> None:
    with pytest.raises(TableError) as refused:
        read(eye, match, photo, corners=((0, 0), (1, 1), (2, 2), (3, 3)))
    assert "corners" in refused.value.message


def test_a_reader_that_dies_is_started_again(match: Match, photo: bytes) -> None:
    eye = Eye()
    eye.start(match.game.name)
    assert eye._process._process is not None
    os.kill(eye._process._process.pid or 0, signal.SIGKILL)
    eye._process._process.join()
    assert read(eye, match, photo).action
    eye.stop()
    eye.stop()


@pytest.mark.parametrize("broken", [calls.dies, calls.has_a_fault])
def test_whatever_a_call_does_there_the_next_one_is_answered(
    eye: Eye, broken: Callable[[Worker], None]
) -> None:
    before = eye.call(calls.process_and_readings, "a")
    assert before[0] != os.getpid()
    assert eye.call(calls.process_and_readings, "b") == (*before[:2], "b"), "one process, one memory"
    with pytest.raises(TableError, match="the reader failed at that picture: take another one"):
        eye.call(broken)
    assert eye.call(calls.process_and_readings, "c")[0] != before[0]


def test_what_goes_wrong_in_a_call_is_one_sentence_and_costs_no_process(eye: Eye) -> None:
    before = eye.call(calls.process_and_readings, "")
    with pytest.raises(TableError, match="too much memory") as greedy:
        eye.call(calls.needs_too_much_memory)
    with pytest.raises(TableError, match="no board") as refused:
        eye.call(calls.refuses, "no board")
    assert (greedy.value.code, refused.value.code) == ("bad-photo", "not-this")
    assert eye.call(calls.process_and_readings, "") == before


def test_what_is_wrong_with_a_picture_is_said_in_every_language(eye: Eye) -> None:
    with pytest.raises(TableError) as refused:
        eye.call(calls.sees_no_picture)
    assert isinstance(refused.value.message, Message)


def test_a_reader_that_takes_too_long_is_ended(match: Match, photo: bytes) -> None:
    eye = Eye(patience=0.001)
    with pytest.raises(TableError) as late:
        read(eye, match, photo)
    assert "too long" in late.value.message
    assert eye._process._process is None


def test_an_unknown_camera_is_one_sentence(eye: Eye, match: Match) -> None:
    with pytest.raises(TableError):
        read(eye, match, Shot("usb:none", 1))


# --- what is done once, seen from within the process ---


@dataclass
class Work:
    """How often pictures were decoded, packed, hashed and read."""

    worker: Worker
    counts: Counter[str]

    def read(self, match: Match, photo: Photo, seat: int | None = 1, **more: Any) -> PhotoRead:
        """Counted from nothing."""
        self.counts.clear()
        return read_boards(self.worker, context(match), (photo,), seat, PhotoQuery(**more))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counts: Counter[str] = Counter()

    def counted(place: Any, name: str) -> None:
        real = getattr(place, name)

        def call(*arguments: Any, **more: Any) -> Any:
            counts[name] += 1
            return real(*arguments, **more)

        monkeypatch.setattr(place, name, call)

    counted(cv2, "imdecode")
    counted(cv2, "imencode")
    counted(pictures, "sha256")
    counted(RailroadInkReader, "read")
    return Work(Worker(), counts)


def test_a_posted_photograph_is_decoded_hashed_and_read_once(work: Work, match: Match, photo: bytes) -> None:
    done = work.read(match, photo)
    assert done.boards[1].outcome == "accepted"
    assert work.counts == {"imdecode": 1, "sha256": 1, "read": 1, "imencode": 2}


def test_a_photograph_of_the_whole_table_is_read_once_for_every_board(
    work: Work, match: Match, photo: bytes
) -> None:
    done = work.read(match, photo, seat=None)
    assert [done.boards[seat].outcome for seat in (1, 2)] == ["accepted", "refused"]
    assert work.counts == {"imdecode": 1, "sha256": 1, "read": 1, "imencode": 1}


def test_settling_a_doubt_rules_again_and_neither_reads_nor_decodes(
    work: Work, match: Match, photo: bytes, tmp_path: Path
) -> None:
    first = work.read(match, photo)
    kept = tmp_path / f"{first.digest}.jpg"
    assert first.cleaned is not None
    kept.write_bytes(first.cleaned)
    settled = work.read(match, kept, answers={"d1": "ne"})
    assert settled.cleaned is None
    assert settled.boards[1].action is not None
    assert settled.boards[1].action.data["picture"] == {"photo": first.digest, "settled": {"d1": "ne"}}
    assert settled.boards[1].picture == first.boards[1].picture
    assert not work.counts


def test_a_photograph_that_was_forgotten_is_read_again(
    work: Work, match: Match, photo: bytes, tmp_path: Path
) -> None:
    kept = tmp_path / f"{'b' * 64}.jpg"
    kept.write_bytes(photo)
    for _ in range(2):
        assert work.read(match, kept, answers={"d1": "ne"}).boards[1].outcome == "accepted"
    assert not work.counts
    corners = tuple((100.0 * n, 5000.0 - 900.0 * n * n) for n in range(4))
    for n in range(KEPT_READINGS):
        other = tmp_path / f"{n:064d}.jpg"
        other.write_bytes(photo)
        work.read(match, other)
    work.read(match, kept, answers={"d1": "ne"})
    assert work.counts["read"] == 1
    with pytest.raises(PlacementError):
        work.read(match, kept, corners=corners)


def test_camera_help_asks_the_games_own_reader(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        start = Action("start", data={"game": "derailed", "players": ["", ""]})
        assert isinstance(table.submit(start, HOST), Accepted)
        assert table.current is not None
        state = table.current.state
    worker = Worker()
    strays = 0
    for picture in (1, 2):
        seen = look(worker, MatchContext("derailed", state), Shot("studio", picture))
        assert [sheet.name for sheet in seen.view.sheets] == ["The card table, 2 lanes"]
        assert [sheet.measured is not None for sheet in seen.view.sheets] == [True], "how well it is seen"
        strays += len(seen.view.notes)
    assert strays <= 1, "the mat's own print is seldom taken for a card"


@pytest.mark.parametrize(("game", "said"), [("derailed", "cannot be taught"), ("spike", "cannot be taught")])
def test_boards_that_cannot_be_taught_are_one_sentence(
    eye: Eye, match: Match, tmp_path: Path, game: str, said: str
) -> None:
    square = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    with pytest.raises(TableError, match=said):
        eye.call(teach_board, MatchContext(game, match.state), tmp_path / "photo.jpg", 1, square, tmp_path)


def test_pictures_are_compared_that_one_camera_took_in_one_way() -> None:
    usual = Shot("usb", 1)
    assert usual.source == Shot("usb", 2, lamps=True).source
    others = (
        Shot("picamera", 1),
        Shot("usb", 1, 90),
        Shot("usb", 1, focus="near"),
        Shot("usb", 1, crop=(0, 0, 1, 0.5)),
    )
    assert len({usual.source, *(one.source for one in others)}) == 5


def test_the_shelf_finds_photographs_by_their_hash_only(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    digest = sha256(b"picture").hexdigest()
    shelf.keep(digest, b"picture")
    shelf.keep(digest, b"picture")
    path = shelf.find(digest)
    assert path is not None
    assert path.read_bytes() == b"picture"
    for name in ("../secret", "secret", "", digest.upper(), digest + "/", "../photos/" + digest):
        assert shelf.find(name) is None
        with pytest.raises(ValueError, match="no digest"):
            shelf.keep(name, b"picture")
    shelf.forget(digest)
    assert shelf.find(digest) is None
    shelf.forget(digest)


def test_what_is_not_promised_is_no_answer(eye: Eye) -> None:
    with pytest.raises(TableError, match="the reader failed"):
        eye.call(calls.strange)


def test_only_plain_data_comes_out_of_the_reader_s_process(eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pickle would run in the service whatever a decoder that was taken over wants to have run."""

    def unpickled(*_: object) -> None:
        raise AssertionError("an answer is unpickled")

    monkeypatch.setattr("multiprocessing.connection._ForkingPickler.loads", unpickled)
    assert eye.call(calls.process_and_readings, "x")[2] == "x"
    with pytest.raises(TableError):
        eye.call(calls.refuses, "no")


def test_messages_and_numbers_are_the_same_again() -> None:
    failed = Failed("x", m("{n} of {name}", n=3, name="Ada"))
    again = unpacked(packed(failed), Failed)
    assert again == failed
    assert again.message.id == "{n} of {name}"
    assert unpacked(packed({1: np.float32(0.5), 2: np.int64(7)}), dict[int, float]) == {1: 0.5, 2: 7}
    for rubbish in (b"", b"\xc1", packed({"code": 1, "message": []}), packed("x" * 10)[:-3]):
        with pytest.raises(StrangeAnswerError):
            unpacked(rubbish, Failed)


def test_the_reader_s_process_has_few_rights(tmp_path: Path) -> None:
    if ctypes.CDLL(None).syscall(444, None, 0, 1) < 6:
        pytest.skip("this kernel has no Landlock of version 6 (Linux 6.12)")
    memory = Path(f"/dev/shm/stationmaster-{os.getpid()}")
    secrets = [tmp_path / name for name in ("stationmaster.db", "box-key", "settings.toml")]
    photo, board = tmp_path / PHOTOS / "one.jpg", tmp_path / TAUGHT / "board.json"
    photo.parent.mkdir()
    for path in (*secrets, photo):
        path.write_text("x")
    confined = Eye(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as somebody, NamedTemporaryFile() as demonstration:
        try:
            for elsewhere in (*secrets, memory, photo, Path(demonstration.name)):
                assert not confined.call(calls.writes, str(elsewhere))
            assert not memory.exists()
            assert confined.call(calls.writes, str(board))
            for kind in ("symlink", "mkfifo", "mkdir"):
                assert not confined.call(calls.makes, kind, str(board.with_suffix(f".{kind}"))), kind
            for own in (photo, board):
                assert confined.call(calls.reads, str(own))
            others = ("/etc/passwd", f"/proc/{os.getpid()}/environ", str(Path.home()), demonstration.name)
            for foreign in (*map(str, secrets), *others):
                assert not confined.call(calls.reads, foreign), foreign
            assert not confined.call(calls.signals, os.getpid())
            assert not confined.call(calls.listens)
            assert not confined.call(calls.connects, somebody.getsockname())
            assert not confined.call(calls.starts)
        finally:
            confined.stop()


@pytest.fixture
def box_camera(tmp_path: Path) -> Callable[[], Shot]:
    """A camera that shows the pictures of a folder; one more each time."""
    numbers = count(1)

    def shot() -> Shot:
        cv2.imwrite(str(tmp_path / f"{next(numbers)}.png"), np.full((120, 160, 3), 90, np.uint8))
        return Shot(str(tmp_path), 1)

    return shot


def test_pictures_of_the_box_s_camera_come_from_a_process_of_its_own(
    eye: Eye, box_camera: Callable[[], Shot]
) -> None:
    assert eye.call(calls.glances, box_camera()) == (120, 160, 3)
    assert eye.camera._process.pipe is not None
    assert eye.call(calls.frames, box_camera()) == ((120, 160), (120, 160, 3))
    for shot in (Shot("/nowhere", 1), Shot("http://127.0.0.1:9/", 1)):
        with pytest.raises(TableError) as told:
            eye.call(calls.glances, shot)
        assert "reader failed" not in told.value.message
    assert eye.call(calls.glances, box_camera()) == (120, 160, 3)


def test_a_reader_that_was_taken_over_gets_no_other_camera_s_pictures(
    eye: Eye, box_camera: Callable[[], Shot]
) -> None:
    with pytest.raises(TableError, match="the reader failed"):
        eye.call(calls.glances_elsewhere, box_camera(), "http://127.0.0.1:9/")


def test_a_camera_that_hangs_takes_nobody_along(
    eye: Eye, box_camera: Callable[[], Shot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process ends, the reader's stays, and the next picture is tried anew."""
    reader = eye.call(calls.process_and_readings, "")[0]
    eye.camera.stop()
    with monkeypatch.context() as broken:
        broken.setattr("companion.service.photos.eye_camera.work", calls.hangs)
        broken.setattr("companion.service.photos.eye._HANDS_ON", PATIENCE - 0.2)
        with pytest.raises(TableError, match="took too long"):
            eye.call(calls.glances, box_camera())
    assert eye.camera._process.pipe is None
    assert eye.call(calls.process_and_readings, "")[0] == reader
    assert eye.call(calls.glances, box_camera()) == (120, 160, 3)


def test_the_panel_is_lit_for_a_picture_and_dark_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, lit = CameraProcess(), list[LampRequest]()
    monkeypatch.setattr("companion.service.photos.eye_camera.work", calls.lights_and_dies)
    camera.light = lit.append
    told = camera.take(ShotRequest("still", Shot("usb", 1)), monotonic() + 20.0)
    assert told.startswith(b"f")
    assert lit == [LampRequest(True, False), LampRequest(False, False)]
    camera.stop()


def test_pictures_that_a_phone_sends_are_unpacked_where_nothing_can_be_reached(tmp_path: Path) -> None:
    """A phone on a stand is a camera; what it sends goes through the same decoders as any phone's."""
    eye = Eye(tmp_path)
    try:
        done, jpeg = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))
        assert done
        assert eye.call(calls.glances, Shot("phone", 1, sent=bytes(jpeg))) == (120, 160, 3)
        assert eye.call(calls.follows, Shot("phone", 1, sent=bytes(jpeg)))[1] == (120, 160, 3)
        with pytest.raises(TableError, match="take or send it again"):
            eye.call(calls.glances, Shot("phone", 2, sent=b"\xff\xd8 no picture"))
        assert eye.camera._process.pipe is None
    finally:
        eye.stop()
