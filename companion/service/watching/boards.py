"""The boards of one watched match: what each means, what is entered of it, and what people are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.messages import m
from companion.game.base import Action, Fact
from companion.reading.evidence import Options
from companion.reading.watched import WatchedBoard
from companion.service.watching.looks import BoardState, SheetName, WatchedSeat
from companion.service.watching.news import SeatNews
from companion.service.watching.settling import Settling, entered, same_entry, state_under
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.table import Accepted, Refused, Table

AGREEING = (
    2  # photographs in a row that must mean the same before anybody is asked, or anything is taken back
)
MOST_LOOKS = 5  # at a board that means something else each time
_COVERED = m("something lies on the board: it is read once that is away")
WHOSE_TURN = 0  # stands for a seat on the one board of all


@dataclass(frozen=True)
class Proposal:
    """What a camera proposes to a seat, from a photograph."""

    seat: int
    photo: str
    action: Action


@dataclass
class WatchedSheet:
    """One sheet: how it was last seen, and what its last photographs meant by seat.

    ``standing``: what was last proposed at this stage of the match; more may lie there by now.
    """

    key: SheetName
    state: BoardState = "busy"
    due: bool = False
    photo: str = ""
    at: float = 0.0  # when that was taken, by the reader's clock
    looks: int = 0  # photographs since it last rested
    hidden: tuple[str, ...] = ()  # slots that something covered then
    proposes: bool = False
    standing: Proposal | None = None
    stage: tuple[object, ...] = ()  # of the match, in which it was last ruled on
    meant: dict[int, WatchedBoard] = field(default_factory=dict)
    agreed: dict[int, int] = field(default_factory=dict)
    answers: dict[int, dict[str, str]] = field(default_factory=dict)
    entered: set[int] = field(default_factory=set)  # the seats of which the camera has entered something

    @property
    def is_nobodys(self) -> bool:
        """Return True if nothing on the sheet tells whose it is, but what is drawn on it."""
        return self.key[2] < 0

    def hear(self, boards: Mapping[int, WatchedBoard], *, again: bool) -> None:
        """Take in what a photograph means; ``again``: the same one, asked anew."""
        if self.is_nobodys:  # to most seats it means nothing
            boards = {seat: board for seat, board in boards.items() if board.meaning != "idle"}
        for seat, board in boards.items():
            alike = seat in self.meant and _alike(self.meant[seat], board)
            if not again or not alike:
                self.agreed[seat] = self.agreed.get(seat, 0) + 1 if alike else 1
        self.meant = dict(boards)
        for seat, board in self.meant.items() if self.proposes else ():
            if board.meaning == "complete" and board.action is not None:
                agreed = self.agreed[seat] >= AGREEING
                self.standing = Proposal(seat, self.photo, board.action) if agreed else None
            elif board.meaning == "idle":
                self.standing = None

    def begin(self, stage: tuple[object, ...]) -> None:
        """Hear at which stage the match is; what was said at another one is forgotten."""
        if stage != self.stage:
            self.stage = stage
            self.answers, self.entered, self.standing = {}, set(), None

    def still_asked(self, before: Mapping[int, Mapping[str, str]]) -> bool:
        """Of what people answered before, keep what a new photograph asks again; True if there is any."""
        for seat, answers in before.items():
            asked = {} if seat not in self.meant else self.meant[seat].questions
            if seat == WHOSE_TURN:
                asked = {slot: one for board in self.meant.values() for slot, one in board.questions.items()}
            kept = {slot: mark for slot, mark in answers.items() if _offers(asked.get(slot, ()), mark)}
            if kept:
                self.answers[seat] = kept
        return bool(self.answers)

    def nothing_new(self) -> None:
        """All that lies on the one board of all is in the match."""
        self.meant, self.standing = dict.fromkeys(self.meant, WatchedBoard("idle")), None

    @property
    def is_clear(self) -> bool:
        """Return True if another photograph of the sheet as it lies would tell nothing new."""
        calm = {"idle", "unfinished"}
        waits = any(
            self.agreed[seat] < _enough(board) and (board.meaning not in calm or seat in self.entered)
            for seat, board in self.meant.items()
        )
        return not waits or self.looks >= MOST_LOOKS


def _enough(board: WatchedBoard) -> int:
    """How many photographs have to agree: more before something is asked that has but one answer."""
    open_ones = [options for options in board.questions.values() if len(options) > 1]
    return AGREEING if open_ones or not board.questions else MOST_LOOKS


def _offers(options: Options, mark: str) -> bool:
    return any((label or "") == mark for label, _ in options)


def _alike(one: WatchedBoard, other: WatchedBoard) -> bool:
    if one.meaning != other.meaning:
        return False
    if one.action is None or other.action is None:
        return one.action is other.action and set(one.questions) == set(other.questions)
    return one.action.kind == other.action.kind and same_entry(one.action.data, other.action.data)


class WatchedBoards:
    """Every sheet of one match that a camera follows. What is sure is entered; what is not is asked."""

    def __init__(self, match: str, table: Table, settling: Settling) -> None:
        self.match = match
        self.sheets: dict[SheetName, WatchedSheet] = {}
        self.shared = False
        self._table = table
        self._settling = settling

    def sheet(self, key: SheetName) -> WatchedSheet:
        """What is known of a sheet."""
        return self.sheets.setdefault(key, WatchedSheet(key))

    def asked(self, match: Match, sheet: WatchedSheet) -> dict[int, WatchedSeat]:
        """For which seats a sheet is read, and in which state of the match each of them is judged."""
        if self.shared:
            return {WHOSE_TURN: WatchedSeat(match.state, sheet.answers.get(WHOSE_TURN, {}))}
        own = sheet.key[2]
        seats = [own] if own in match.players else list(match.players)
        return {
            seat: WatchedSeat(state_under(match, seat), sheet.answers.get(seat, {}))
            for seat in seats
            if match.holder(seat).by == "person"
        }

    def stage(self, match: Match) -> tuple[object, ...]:
        """What must change before a photograph means something else: the last roll, or whose turn it is."""
        lasting = sum(match.game.lasting(Fact(one.kind, one.seat, one.data)) for one in match.events)
        return (lasting, match.version) if self.shared else (lasting,)

    def means_more_now(self, match: Match, sheet: WatchedSheet) -> bool:
        """Return True if a sheet's last photograph may mean something else than when it was ruled on."""
        if not sheet.photo or sheet.stage == self.stage(match):
            return False
        # On the board of all nothing is new until something else is laid
        return not self.shared or any(one.meaning != "idle" for one in sheet.meant.values())

    # what is entered

    def settle(self, match: Match, sheet: WatchedSheet) -> bool:
        """Enter what is complete, take back what is not any more; True if anything was entered."""
        new = False
        for seat, board in sheet.meant.items():
            agreed = sheet.agreed[seat]
            known = None if self.shared else entered(match, seat)
            if known is not None:
                sheet.entered.add(seat)
            if board.meaning == "complete" and board.action is not None and not sheet.proposes:
                if known is None or agreed >= AGREEING:
                    before = match.version
                    self._settling.enter(match, seat, board.action, shared=self.shared)
                    new |= self._now(match).version > before
            elif board.meaning in ("unfinished", "against") and known is not None and agreed >= AGREEING:
                self._settling.take_back(match, seat)
            match = self._now(match)
        return new

    def _now(self, match: Match) -> Match:
        return self._table.match(match.id) or match

    # what people say

    def answer(self, seat: int, photo: str, slot: str, mark: str) -> WatchedSheet | None:
        """Remember what somebody says is in a slot; None if nobody asks that any more."""
        for sheet in self.sheets.values():
            board = sheet.meant.get(seat)
            if board is None or sheet.photo != photo or slot not in board.questions:
                continue
            if not _offers(board.questions[slot], mark):
                return None
            own = sheet.answers.setdefault(WHOSE_TURN if self.shared else seat, {})
            own[slot] = mark
            return sheet
        return None

    def agree(self, match: Match, seat: int, photo: str) -> Accepted | Refused | None:
        """Enter what was proposed to a seat; None if it is not any more."""
        for sheet in self.sheets.values():
            board = sheet.meant.get(seat)
            if board is not None and sheet.photo == photo and sheet.proposes and board.action is not None:
                action = Action(board.action.kind, seat, board.action.data)
                answer = self._table.submit(action, Actor("player", seat), match=match.id)
                if isinstance(answer, Accepted):
                    sheet.nothing_new()
                return answer
        return None

    @property
    def is_still(self) -> bool:
        """Return True if nothing moves on any board, and everything that changed has been read."""
        return not any(sheet.state == "busy" or sheet.due for sheet in self.sheets.values())

    @property
    def nobodys(self) -> bool:
        """Return True if it is not known of any sheet but some whose they are."""
        return any(sheet.is_nobodys and sheet.looks and not sheet.meant for sheet in self.sheets.values())

    @property
    def proposal(self) -> Proposal | None:
        """What is proposed now."""
        for sheet in self.sheets.values():
            one = sheet.standing
            if one is not None and one.photo == sheet.photo and not self._is_touched(sheet):
                return one
        return None

    def confirm(self, match: Match, steps: Sequence[Action]) -> None:
        """Enter what was proposed, as the next player has moved on; and that the turn is over, if need be."""
        for action in steps:
            if isinstance(self._table.submit(action, self._settling.actor, match=match.id), Refused):
                return
            for sheet in self.sheets.values():
                sheet.nothing_new()

    # what people are told

    def news(self, match: Match) -> tuple[SeatNews, ...]:
        """What is told of every seat whose board is watched."""
        told = [
            one
            for sheet in self.sheets.values()
            for seat in ([*sheet.meant] or ([] if self.shared else [sheet.key[2]]))
            if seat in match.players and (one := self._of_seat(match, sheet, seat)) is not None
        ]
        return tuple(sorted(told, key=lambda one: one.seat))

    def _of_seat(self, match: Match, sheet: WatchedSheet, seat: int) -> SeatNews | None:
        board = sheet.meant.get(seat)
        if sheet.state == "gone":
            return None if self.shared else SeatNews(seat, "gone")
        asked = self._asked_of(sheet, seat, board) if board is not None else None
        if asked is not None:
            return asked
        if not self.shared and entered(match, seat) is not None:
            return SeatNews(seat, "done")
        drawing = not self.shared and board is not None and board.meaning != "idle"
        return SeatNews(seat, "drawing", board.says if board else ()) if drawing else None

    def _asked_of(self, sheet: WatchedSheet, seat: int, board: WatchedBoard) -> SeatNews | None:
        """What somebody is to say or to do about a sheet at rest."""
        agreed = sheet.agreed.get(seat, 0) >= _enough(board) or sheet.looks >= MOST_LOOKS
        if not agreed or self._is_touched(sheet):
            return None
        hides = not board.questions or any(slot in sheet.hidden for slot in board.questions)
        if sheet.hidden and hides and board.meaning in ("unclear", "against"):
            return SeatNews(seat, "covered", (_COVERED,), sheet.photo)
        if board.meaning == "unclear":
            return SeatNews(seat, "unclear", board.says, sheet.photo, board.questions)
        if board.meaning == "against" and not self.shared:
            return SeatNews(seat, "against", board.says, sheet.photo)
        if board.meaning == "complete" and sheet.proposes:
            return SeatNews(seat, "proposed", board.says, sheet.photo)
        return None

    @staticmethod
    def _is_touched(sheet: WatchedSheet) -> bool:
        """Return True while something moves on a sheet: what was said of it may not be so any more."""
        return sheet.state == "busy"
