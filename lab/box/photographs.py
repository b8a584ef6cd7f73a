"""Photographs of twelve megapixels: from a phone to the score, and what the reader itself does."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2

from companion.game.base import Action, Game, MatchRequest, Refusal
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.service.photos.queries import MatchContext, Photo, PhotoQuery
from companion.service.photos.reading_boards import read_boards
from companion.service.photos.worker import Worker
from companion.table.chance import SystemChance
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client
from lab.box.players import seat, the_host
from lab.box.rolls import spread
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.camera import StudioCamera

MEGAPIXELS = 12.0
FACES = ["NS", "ne", "N*", "NS|ew"]
DRAWN = {"b1": "NS", "f1": "N*", "b2": "NS|ew", "d1": "ne"}
_SEATS = 4
_MATCH = "/api/v1/matches/current"


def studio_photograph(seats: int = 1) -> bytes:
    """Boards with their first round on them, on somebody's table."""
    cells = read_cells(DRAWN)
    marks = SheetMarks("challenge", cells, dict.fromkeys(cells, 1))
    boards = [GivenBoard(seat, marks, seat) for seat in range(1, seats + 1)]
    picture = StudioCamera(lambda: boards, megapixels=MEGAPIXELS).take()
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return bytes(packed)


def report(count: int) -> Iterator[str]:
    """Measure and yield the lines of the report."""
    photo = studio_photograph()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as box:
        with closing(_seated(box)) as player:
            first, *later = [_sent(player, photo) for _ in range(count + 1)]
        weights = box.resident()
    size = f"{MEGAPIXELS:.0f} megapixels, {len(photo) / 2**20:.1f} MB"
    yield f"{count} photographs ({size}), from the phone to the score on it: {spread(later)}"
    yield f"the very first, while the reader was perhaps still loading: {first:.0f} ms"
    yield f"resident afterwards: {', '.join(f'{name} {mb:.0f} MB' for name, mb in weights.items())}"
    yield from _reader_report(count)


def _reader_report(count: int) -> Iterator[str]:
    """What is done in the reader's process, without the way to it and back."""
    game: Game[Any] = GAMES["railroad-ink"]
    data = game.setup(MatchRequest(_SEATS, options={"goals": "none"}), SystemChance())
    if isinstance(data, Refusal):
        raise RuntimeError(data.message)
    state = game.apply(game.start(data), Action("roll", data={"faces": FACES}))
    own, table = studio_photograph(), studio_photograph(_SEATS)
    with tempfile.TemporaryDirectory() as folder:
        match = MatchContext(game.name, state)
        read = read_boards(Worker(), match, (own,), 1)
        kept = Path(folder) / f"{read.digest}.jpg"
        kept.write_bytes(read.cleaned or b"")
        tasks: dict[str, tuple[Photo, int | None, PhotoQuery]] = {
            "a posted photograph": (own, 1, PhotoQuery()),
            "one doubtful cell answered": (kept, 1, PhotoQuery({"b1": "NS"})),
            f"the whole table, {_SEATS} boards": (table, None, PhotoQuery()),
        }
        took: dict[str, list[float]] = {name: [] for name in tasks}
        for _ in range(count):
            worker = Worker()  # one that has seen nothing yet
            for name, (photo, seat, query) in tasks.items():
                began = time.perf_counter()
                done = read_boards(worker, match, (photo,), seat, query)
                took[name].append(1000 * (time.perf_counter() - began))
                if any(board.outcome != "accepted" for board in done.boards.values()):
                    raise RuntimeError(f"{name}: {done.boards}")
    yield from (f"in the reader, {name}: {spread(times)}" for name, times in took.items())


def _seated(box: BoxProcess) -> Client:
    with closing(the_host(box.port, box.pin)) as host:
        begun = host.post("/api/v1/matches", {"game": "railroad-ink", "players": [""]})
    player = seat(box.port, begun["join_code"], 1)
    player.post(f"{_MATCH}/actions", {"kind": "roll", "data": {"faces": FACES}})
    return player


def _sent(player: Client, photo: bytes) -> float:
    """Milliseconds until the new score has come; then it is taken back, for the next one."""
    began = time.perf_counter()
    told: dict[str, Any] = player.send(f"{_MATCH}/photos", photo, "image/jpeg")
    player.told("/api/v1/pieces?page=play")
    took = 1000 * (time.perf_counter() - began)
    if told["outcome"] != "accepted":
        raise RuntimeError(f"the studio's photograph was not read: {told['says']} {told['ruling']}")
    player.post(f"{_MATCH}/actions", {"kind": "undo", "data": {"seq": told["done"]["seq"]}})
    return took
