"""A table under a watching camera, without pixels: what lies there is told, and a reader rules on it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from companion.game.registry import find_reader
from companion.games.railroad_ink.reader.readings import CellReading, SheetQuality, SheetReading
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.answer import SeatQuery
from companion.reading.evidence import PhotoReading
from companion.service.photos.queries import MatchContext, Shot
from companion.service.photos.reading_boards import without_hidden
from companion.service.service import Service
from companion.service.watching.looks import (
    BoardLook,
    RestingPhoto,
    SheetName,
    TableLook,
    TableState,
    WatchedPhoto,
    WatchedQuery,
)
from companion.service.watching.news import SeatNews
from companion.service.watching.table_watch import TableWatch
from companion.table.exc import TableError
from companion.table.match import Match
from tests.web.houses import with_eye

Boards: TypeAlias = Mapping[int, Mapping[str, str]]
STEP = 0.5  # seconds between two frames
AT_REST = 5  # frames after which what was drawn has been read twice
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
QUALITY = SheetQuality("tags", 3.0, 0.8, 1.0, 0.8, 0.0)
_CLEAR = 0.9999  # of a route that is drawn clearly


class ToldEye:
    """The reader's process, told what lies on the table; ``fails`` is raised instead of an answer.

    ``hidden``: slots that something covers; ``tagged``: whether boards tell whose they are.
    """

    def __init__(self) -> None:
        self.table: TableState = "seen"
        self.boards: Boards = {}
        self.fails: TableError | None = None
        self.hidden: tuple[str, ...] = ()
        self.tagged = True
        self.calls: list[str] = []
        self._before: dict[SheetName, Any] = {}
        self._frames: dict[SheetName, int] = {}
        self._settled: dict[SheetName, Any] = {}

    def call(self, function: Callable[..., Any], *given: Any, plays: bool = True) -> Any:
        self.calls.append(function.__name__)
        if self.fails is not None:
            raise self.fails
        return getattr(self, function.__name__)(*given)

    def follow(self, context: MatchContext, shot: Shot, at: float) -> TableLook:
        """A board is busy in the frame in which it changes, rests in the next, and is then photographed."""
        self.at = at
        if not shot.sent:
            return TableLook("silent", says="the phone sends no pictures")
        if self.table != "seen":
            return TableLook(
                self.table, tuple(BoardLook(key, "busy", False, False, CORNERS) for key in self._before)
            )
        looks = []
        for seat, cells in self.boards.items():
            key: SheetName = ("board", "challenge", seat if self.tagged else -seat)
            changed = self._before.get(key) != cells
            self._frames[key] = 0 if changed else self._frames[key] + 1
            self._before[key] = dict(cells)
            due = self._settled.get(key) != cells and not changed
            looks.append(
                BoardLook(key, "busy" if changed else "resting", due, due and self._frames[key] > 1, CORNERS)
            )
        return TableLook("seen", tuple(looks))

    def resting_photo(self, key: SheetName) -> RestingPhoto:
        self._frames[key] = 0
        content = json.dumps([abs(key[2]), self.boards[abs(key[2])], self.at]).encode()
        return RestingPhoto(sha256(content).hexdigest(), content, self.at, self.hidden)

    def settled(self, key: SheetName, at: float) -> None:
        self._settled[key] = dict(self.boards[abs(key[2])])

    def unfollowed(self) -> None:
        self._before, self._settled = {}, {}

    def read_watched(self, match: MatchContext, photo: Path, asked: WatchedQuery) -> WatchedPhoto:
        seat, cells, _ = json.loads(photo.read_bytes())
        slots = {name: CellReading(_marks(cells.get(name, ""))) for name in GRID.names}
        quality = QUALITY if self.tagged else replace(QUALITY, found_by="sight")
        sheet = SheetReading("board", "challenge", seat, CORNERS, slots, quality)
        reading = without_hidden(PhotoReading(100, 100, (sheet,)), asked.hidden)
        reader = find_reader(match.game)
        boards = {
            one: reader.watched(SeatQuery(reading, told.state, one, told.answers, photo.stem))
            for one, told in asked.seats.items()
        }
        return WatchedPhoto(boards, reader.proposes, b"small" if asked.small else b"")

    def stop(self) -> None:
        pass


def _marks(told: str) -> dict[str, float]:
    """The routes in a cell: one, or several that look alike, as ``ne ns``."""
    routes = told.split() or [""]
    return {route: _CLEAR / len(routes) for route in routes} | ({"": 1 - _CLEAR} if told else {})


class FilmedTable:
    """The camera's service, and a clock that only the frames move."""

    def __init__(self, house: Service, **wishes: Any) -> None:
        house.settings.change({"camera": {"name": "phone", "watch": True, **wishes}})
        self.house, self.eye, self.now = house, ToldEye(), 100.0
        with_eye(house, self.eye)  # type: ignore[arg-type]
        house.camera.sent._clock = lambda: self.now
        self.told = 0
        self.watch = self.started()

    def started(self) -> TableWatch:
        """The camera's thread, as a box that was just switched on has it."""
        self.watch = self.house.start_watching(threading.Event(), changed=self._tell, clock=lambda: self.now)
        return self.watch

    def restarted(self) -> None:
        """As after a crash of the whole box: nothing is known but the events."""
        self.eye.unfollowed()
        self.started()

    def _tell(self) -> None:
        self.told += 1

    @property
    def match(self) -> Match:
        match = self.house.table.current
        assert match is not None
        return match

    def filmed(self, boards: Boards, frames: int = AT_REST) -> None:
        """So many frames of a table on which this is drawn."""
        self.eye.boards = {seat: boards.get(seat, {}) for seat in self.match.players}
        for _ in range(frames):
            self.now += STEP
            self.house.camera.sent.put("stand", b"a picture")
            self.watch.look()

    def silent(self, seconds: float) -> None:
        """No picture comes."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.watch.look()

    def news(self, seat: int) -> SeatNews | None:
        return self.watch.news.of(seat)

    def state(self, seat: int) -> str:
        told = self.news(seat)
        return told.state if told else ""
