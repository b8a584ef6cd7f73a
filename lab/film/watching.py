"""What watches a film: sheets are found once, followed, read when they have changed and come to rest.

It is the loop of the service without its table: a seat is *done* when what is read on its sheet is its whole
turn by the rules, and may change that until the next round begins.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from companion.game.base import Action, Fact, NoChance
from companion.game.registry import find_game, find_reader
from companion.reading.answer import SeatQuery
from companion.reading.evidence import PhotoReading
from companion.sheets.sheet import SheetKey
from lab.film.film import FilmFrame
from vision.watch.follower import TableFollower, small
from vision.watch.shots import Shots
from vision.watch.views import SeenSheet, SheetView

_SHOTS = 2  # whole frames from which a sheet is read
_COVERED = 0.15  # of a slot: more hidden than this, it was not seen
_HAND = "covered by a hand"
_AGAIN, _TIMES = 2.5, 3  # seconds after which something unclear is looked at again, and how often
_LOST = 3.0  # seconds between two searches for sheets that are gone
_PHOTO = "0" * 64


@dataclass
class Costs:
    """Seconds of the processor, and what they were spent on."""

    following: float = 0.0
    reading: float = 0.0
    frames: int = 0
    readings: int = 0


@dataclass
class Said:
    """What is said of a seat: from when on it is done, and what its position is then."""

    done_at: float | None = None
    state: Any = None


@dataclass
class Watching:
    """Watches a match of a game; ``state`` is that of the match, ``said`` what is known of each seat."""

    game: str
    state: Any
    said: dict[int, Said] = field(default_factory=dict)
    drawing: Costs = field(default_factory=Costs)
    idle: Costs = field(default_factory=Costs)
    early: set[int] = field(default_factory=set)  # seats said to be done in this round that still drew

    def __post_init__(self) -> None:
        self._game, self._reader = find_game(self.game), find_reader(self.game)
        self.follower, self._shots = TableFollower(), Shots()
        self._unclear: dict[SheetKey, tuple[float, int]] = {}
        self._searched_at = -_LOST

    def begin(self, state: Any) -> None:
        """The dice of a round lie: the match stands so, and nobody is done."""
        self.state = state
        self.said = {seat: Said() for seat in self._reader.seats(state)}
        self.early = set()

    @property
    def all_done(self) -> bool:
        """True if everybody is done."""
        return all(said.done_at is not None for said in self.said.values())

    def look(self, frame: FilmFrame) -> None:
        """One more frame: follow, and read what has changed and come to rest."""
        costs = self.drawing if frame.drawing else self.idle
        costs.frames += 1
        if not self.follower.keys or self._lost(frame.at):
            self._find(frame, costs)
        shrunk = small(frame.small())
        with _spent(costs, "following"):
            views = self.follower.see(shrunk, frame.at)
        for view in views:
            if view.state == "busy" or not view.changed:
                self._unclear.pop(view.key, None)
        due = [view for view in views if view.due and self._wants(view, frame.at)]
        if not due:
            return
        whole = frame.whole()
        with _spent(costs, "following"):
            self._shots.offer(whole, due)
        for view in due:
            if self._shots.count(view.key) >= _SHOTS:
                with _spent(costs, "reading"):
                    costs.readings += 1
                    self._read(view, frame)

    def _wants(self, view: SheetView, at: float) -> bool:
        since, times = self._unclear.get(view.key, (at - _AGAIN, 0))
        return at - since >= _AGAIN and times < _TIMES

    def _lost(self, at: float) -> bool:
        gone = any(view.state == "gone" for view in self.follower.views)
        return gone and at - self._searched_at >= _LOST

    def _find(self, frame: FilmFrame, costs: Costs) -> None:
        """Look for the sheets in a whole picture."""
        self._searched_at = frame.at
        whole, shrunk = frame.whole(), small(frame.small())
        with _spent(costs, "reading"):
            costs.readings += 1
            reading = self._reader.read(whole, self._reader.hints(self.state, None, None, ()))
            seen = [self._seen(sheet) for sheet in reading.sheets]
            self.follower.place(seen, (whole.shape[1], whole.shape[0]), shrunk, frame.at)

    def _seen(self, sheet: Any) -> SeenSheet:
        key = sheet.sheet, sheet.edition, sheet.seat
        return SeenSheet(key, self._reader.printed(sheet).size, sheet.corners_px)

    def _read(self, view: SheetView, frame: FilmFrame) -> None:
        """Read a sheet and rule on it: done, unclear, or something is still to be drawn."""
        picture = self._shots.of(view.key)
        assert picture is not None
        self._shots.forget(view.key)
        reading = self._reader.read(picture, self._reader.hints(self.state, None, None, ()))
        seat = view.key[2]
        said = self.said.get(seat)
        if said is None:
            return
        answer = self._reader.answer(SeatQuery(self._hidden(reading, view), self.state, seat, {}, _PHOTO))
        after = None if answer.action is None else self._after(answer.action, seat)
        if after is None:
            said.done_at, said.state = None, None
        else:
            if seat in frame.drawing:
                self.early.add(seat)
            said.done_at = frame.at if said.done_at is None else said.done_at
            said.state = after
        # Too little that is clear needs no other look; something unclear does.
        unclear = answer.ruling is None or bool(answer.ruling.uncertain)
        if unclear:
            _, times = self._unclear.get(view.key, (0.0, 0))
            self._unclear[view.key] = (frame.at, times + 1)
        if not unclear or self._unclear[view.key][1] >= _TIMES:
            self.follower.settle(view.key, frame.at)

    def _hidden(self, reading: PhotoReading[Any], view: SheetView) -> PhotoReading[Any]:
        """The reading without what a hand covered."""
        if not view.covered.any():
            return reading
        sheets = []
        for sheet in reading.sheets:
            printed = self._reader.printed(sheet).slots
            slots = {
                name: replace(slot, cannot_see=_HAND)
                if slot.cannot_see is None
                and name in printed
                and view.covered_share(printed[name].quad) > _COVERED
                else slot
                for name, slot in sheet.slots.items()
            }
            sheets.append(replace(sheet, slots=slots))
        return replace(reading, sheets=tuple(sheets))

    def _after(self, action: Action, seat: int) -> Any:
        """The match after a turn, if the seat is done then; otherwise None."""
        fact = self._game.decide(self.state, action, NoChance())
        if not isinstance(fact, Fact):
            return None
        after = self._game.apply(self.state, fact)
        done = self._game.decide(after, Action("done", seat), NoChance())
        return after if isinstance(done, Fact) else None

    def entered(self) -> Mapping[int, Any]:
        """The match after each seat's turn, as it was read."""
        return {seat: said.state for seat, said in self.said.items()}


@contextmanager
def _spent(costs: Costs, what: str) -> Iterator[None]:
    began = time.process_time()
    yield
    setattr(costs, what, getattr(costs, what) + time.process_time() - began)
