"""A camera on a stand that follows the match by itself: nobody touches anything."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.core.messages import m
from companion.game.base import Action
from companion.service.devices.rolling import Rolling
from companion.service.periodic import Periodic
from companion.service.photos.board_photos import BoardPhotos
from companion.service.photos.reading_boards import read_watched
from companion.service.photos.turns import BUSY
from companion.service.watching.boards import WHOSE_TURN, Proposal, WatchedBoards, WatchedSheet
from companion.service.watching.following import follow, resting_photo, settled, unfollowed
from companion.service.watching.looks import (
    BoardLook,
    RestingPhoto,
    TableLook,
    WatchedPhoto,
    WatchedQuery,
    WatchedSeat,
)
from companion.service.watching.news import NO_NEWS, TableNews
from companion.service.watching.recording import round_of
from companion.service.watching.settling import Settling, entered, state_under, steps_before, turn_passed
from companion.service.watching.trouble import Trouble
from companion.table.events import is_move
from companion.table.exc import TableError
from companion.table.match import Match, fact_of
from companion.table.table import Accepted, Refused, Table

log = logging.getLogger(__name__)
_NOBODYS = m(
    "Nothing tells whose these boards are: everybody photographs the own one once, then the camera knows it."
)
_LAST_ROUND = 6.0  # seconds without a movement after which the last round is over
LIVELY, CALM = 0.4, 0.8  # seconds between frames: while something moves or is to be read, and else


class Recorder(Protocol):
    """Keeps a small picture of a board each round, for those who want it."""

    @property
    def wanted(self) -> bool:
        """Return True if a recording is kept."""

    def keep(self, match_id: str, number: int, seat: int, small: bytes) -> None:
        """Keep a board as it was when it was entered in a round."""


class TableWatch(Periodic):
    """Looks at the table while a match is played and its camera is set to watch.

    ``entered`` is called when anything was, ``changed`` when people are to be told something else.
    """

    def __init__(
        self,
        table: Table,
        photos: BoardPhotos,
        rolling: Rolling,
        stopping: threading.Event,
        *,
        entered: Callable[[], None] = lambda: None,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("table-watch", CALM, stopping)
        self._table = table
        self._photos = photos
        self._rolling = rolling
        self._entered, self._changed = entered, changed
        self.recorder: Recorder | None = None
        self._clock = clock
        self._settling = Settling(table, lambda: photos.camera.name)
        self._lock = threading.Lock()
        self._boards: WatchedBoards | None = None
        self._trouble = Trouble(clock)
        self._rolled_at = 0  # the version for which dice were thrown, or refused
        self._still_since = 0.0
        self.news: TableNews = NO_NEWS
        self.picture = b""  # of a demonstration's table, small

    # --- one look ---

    def look(self) -> bool:
        """Look once; True if anything was entered."""
        with self._lock:
            match = self._table.current
            if match is None or not self._is_wanted(match):
                self._let_go()
                return False
            if self._trouble.waits:
                self._tell_of(match, self._boards)
                return False
            new = self._looked(match)
        if new:
            self._entered()
        return new

    def _is_wanted(self, match: Match) -> bool:
        return self._photos.camera.watches and not match.finished and self._photos.can_read(match)

    def _let_go(self) -> None:
        if self._boards is not None:
            self._boards, self.picture = None, b""
            self._photos.eye.call(unfollowed, plays=False)
        self._trouble.forget()
        self.between = CALM
        self._tell(NO_NEWS)

    def _looked(self, match: Match) -> bool:
        if self._boards is None or self._boards.match != match.id:
            self._boards, self._still_since = (
                WatchedBoards(match.id, self._table, self._settling),
                self._clock(),
            )
        boards, new = self._boards, False
        try:
            seen = self._frame(match)
            if seen is not None:
                self._heard(boards, seen)
                new = self._read_ready(match, boards, seen)
        except TableError as problem:
            if problem.code != BUSY:
                self._trouble.faulty(problem.message)
        match = self._table.match(match.id) or match
        if not match.finished:
            new |= self._end_by_itself(match, boards)
            self._roll_by_itself(match, boards)
        self._tell_of(match, boards)
        return new

    def _frame(self, match: Match) -> TableLook | None:
        """Follow the table into one more frame; None where a phone has sent none since the last."""
        shot = self._photos.camera.next_frame(match)
        if shot is None:
            return None
        with self._photos.camera.watched():
            return self._photos.eye.call(
                follow, self._photos.context(match), shot, self._clock(), plays=False
            )

    def _heard(self, boards: WatchedBoards, seen: TableLook) -> None:
        boards.shared, self.picture = seen.shared, seen.picture
        for look in seen.boards:
            sheet = boards.sheet(look.key)
            if look.state == "busy":
                sheet.looks = 0
            sheet.state, sheet.due = look.state, look.due
        moving = any(look.state == "busy" or look.due for look in seen.boards)
        self.between = LIVELY if moving else CALM
        if moving:
            self._still_since = self._clock()
        self._trouble.hear(seen)

    def _read_ready(self, match: Match, boards: WatchedBoards, seen: TableLook) -> bool:
        """Read the boards of which there are good pictures; rule again on others when the match went on."""
        new = False
        for look in seen.boards:
            sheet = boards.sheet(look.key)
            if look.ready:
                self._take(match, boards, sheet, look)
            elif not boards.means_more_now(match, sheet):
                continue
            elif self._photos.find(sheet.photo) is None:
                sheet.photo = ""
                continue
            new |= self._rule(match, boards, sheet, again=not look.ready)
            match = self._table.match(match.id) or match
            if look.ready and sheet.is_clear:
                self._photos.eye.call(settled, look.key, sheet.at)
                sheet.due = False
        return new

    def _take(self, match: Match, boards: WatchedBoards, sheet: WatchedSheet, look: BoardLook) -> None:
        """Keep the best picture of a sheet at rest, in the place of the one before."""
        photo: RestingPhoto = self._photos.eye.call(resting_photo, look.key)
        sheet.photo, sheet.at, sheet.hidden = photo.digest, photo.at, photo.hidden
        sheet.looks += 1
        standing = frozenset() if sheet.standing is None else frozenset({sheet.standing.photo})
        self._photos.keep_watched(match, sheet.key, photo, standing)

    def _rule(self, match: Match, boards: WatchedBoards, sheet: WatchedSheet, *, again: bool) -> bool:
        """What a sheet's photograph means now; what is sure of it is entered."""
        path = self._photos.find(sheet.photo)
        sheet.begin(boards.stage(match))
        said, sheet.answers = sheet.answers, sheet.answers if again else {}
        if path is None or not boards.asked(match, sheet):
            return False
        wants = self.recorder is not None and self.recorder.wanted

        def read() -> WatchedPhoto:
            asked = WatchedQuery(boards.asked(match, sheet), sheet.hidden, wants)
            return self._photos.eye.call(read_watched, self._photos.context(match), path, asked)

        seen = read()
        sheet.proposes = seen.proposes
        sheet.hear(seen.boards, again=again)
        if not again and sheet.still_asked(said):
            seen = read()
            sheet.hear(seen.boards, again=True)
        match = self._gone_on(match, boards, sheet, path)
        rounds = {seat: round_of(state_under(match, seat)) for seat in seen.boards} if wants else {}
        new = boards.settle(match, sheet)
        if new and self.recorder is not None:
            for seat, number in rounds.items():
                self.recorder.keep(match.id, number, seat, seen.small)
        return new

    def _gone_on(self, match: Match, boards: WatchedBoards, sheet: WatchedSheet, path: Path) -> Match:
        """Enter what was proposed to a seat if the next seat's move lies on the board beside it."""
        proposal = sheet.standing
        if proposal is None or proposal.photo == sheet.photo:
            return match
        for steps in turn_passed(match, proposal.action):
            asked = WatchedQuery({WHOSE_TURN: WatchedSeat(steps.state)}, sheet.hidden)
            seen = self._photos.eye.call(read_watched, self._photos.context(match), path, asked)
            if any(seat != proposal.seat and one.meaning == "complete" for seat, one in seen.boards.items()):
                boards.confirm(match, steps.actions)
                match = self._table.match(match.id) or match
                sheet.begin(boards.stage(match))
                sheet.hear(seen.boards, again=False)
                break
        return match

    # --- the dice, and the end ---

    def _is_still(self, match: Match, boards: WatchedBoards, seconds: float) -> bool:
        """Return True if nothing has moved for so long, and nothing is asked."""
        asked = any(one.state in ("covered", "unclear", "against", "proposed") for one in boards.news(match))
        return not asked and self._clock() - self._still_since >= seconds

    def _end_by_itself(self, match: Match, boards: WatchedBoards) -> bool:
        """Say of the last round, too, that it is over, once nothing has moved for a while."""
        if not self._is_still(match, boards, _LAST_ROUND):
            return False
        seats = [seat for seat in match.players if entered(match, seat) is not None]
        return any(self._settling.say_done(match, seat, ends=True) for seat in seats)

    def _roll_by_itself(self, match: Match, boards: WatchedBoards) -> None:
        """Throw the next dice once everybody has been done for a while, if the owner wants it so."""
        after = self._photos.camera.rolls_after
        if not after or match.version == self._rolled_at or not match.game.dice(match.state):
            return
        if not _played_since_the_roll(match) or not self._is_still(match, boards, after):
            return
        answer = self._rolling.roll(match, self._settling.actor, None)
        self._rolled_at = match.version
        if isinstance(answer, Refused):
            log.info("The dice are not thrown by themselves: %s", answer.message)

    # --- what people say ---

    def answer(self, match: Match, seat: int, photo: str, slot: str, mark: str) -> bool:
        """Somebody says what is in a doubtful slot; False if nobody asks that any more."""
        with self._lock:
            boards = self._boards
            sheet = boards.answer(seat, photo, slot, mark) if boards is not None else None
            if boards is None or sheet is None or boards.match != match.id:
                return False
            self._rule(match, boards, sheet, again=True)
            self._tell_of(match, boards)
        return True

    def agree(self, match: Match, seat: int, photo: str) -> Accepted | Refused | None:
        """Somebody agrees to what the camera proposes; None if it does not propose that any more."""
        with self._lock:
            boards = self._boards
            if boards is None or boards.match != match.id:
                return None
            answer = boards.agree(match, seat, photo)
            self._tell_of(match, boards)
        return answer

    @property
    def proposal(self) -> Proposal | None:
        """What is proposed now."""
        return self._boards.proposal if self._boards is not None else None

    def before_move(self, match: Match, move: Action) -> None:
        """Somebody moves: what was proposed is entered first, if the move takes it for granted."""
        if not any(one.state == "proposed" for one in self.news.seats):
            return
        with self._lock:
            boards, proposal = self._boards, self.proposal
            if boards is not None and proposal is not None and boards.match == match.id:
                boards.confirm(match, steps_before(match, proposal.action, move))
                self._tell_of(match, boards)

    def _tell_of(self, match: Match, boards: WatchedBoards | None) -> None:
        now = self._table.match(match.id) or match
        seats = () if boards is None else boards.news(now)
        trouble = self._trouble.told or (_NOBODYS if boards is not None and boards.nobodys else "")
        drawn = [one.state for one in seats if one.state != "gone"]
        done = bool(drawn) and set(drawn) == {"done"} and boards is not None and boards.is_still
        self._tell(TableNews(now.id, trouble, seats, done and bool(now.game.dice(now.state))))

    def _tell(self, news: TableNews) -> None:
        if news != self.news:
            self.news = news
            self._changed()


def _played_since_the_roll(match: Match) -> bool:
    """Return True if somebody has moved since the dice were thrown: nobody's first roll is taken away."""
    for event in reversed(match.events):
        fact = fact_of(event)
        if event.kind == "start" or match.game.lasting(fact):
            return False
        if is_move(fact) and event.seat is not None and event.kind not in ("sit", "undo", "correct"):
            return True
    return False
