"""In the reader's process: the sheets of a watched table are found once and then followed, frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.errors import StationmasterError
from companion.core.messages import m
from companion.game.registry import find_reader
from companion.game.teaching import serving
from companion.reading.base import Reader
from companion.reading.evidence import SheetReading, SlotReading
from companion.reading.types import ReadHints
from companion.service.photos.camera_process import Frame
from companion.service.photos.pictures import OpenedPhoto, packed, shrunk_to
from companion.service.photos.queries import MatchContext, Shot
from companion.service.photos.worker import Worker
from companion.service.watching.filming import FILM
from companion.service.watching.looks import NEEDED_FRAMES, BoardLook, RestingPhoto, SheetName, TableLook
from companion.sheets.drawing import Quad
from companion.table.exc import TableError
from vision.errors import CameraError

if TYPE_CHECKING:
    from companion.game.parts import Image
    from vision.watch.follower import TableFollower
    from vision.watch.shots import Shots
    from vision.watch.views import SheetView

Found: TypeAlias = SheetReading[SlotReading]
# Of a demonstration's small picture: pixels of its longer side, and as JPEG.
_SHOWN, _SHOWN_QUALITY = 560, 60
_COVERED = 0.15  # of a slot: more hidden than this, it was not seen
_FIND_AGAIN, _MOST_APART = 4.0, 120.0  # seconds between two searches for sheets: first, and at last


@dataclass
class TableFollowing:
    """One table as one camera sees it: its sheets, and the last good pictures of those to be read."""

    match: str
    shot: Shot
    follower: TableFollower
    shots: dict[SheetName, Shots] = field(default_factory=dict)
    find_at: float = 0.0  # when sheets are looked for again
    apart: float = _FIND_AGAIN
    seen_at: float = 0.0
    views: dict[SheetName, SheetView] = field(default_factory=dict)
    slots: dict[SheetName, Mapping[str, Quad]] = field(default_factory=dict)  # in mm on the sheet

    def find(self, worker: Worker, context: MatchContext, frame: Frame, grey: Image) -> None:
        """Look for sheets in a whole frame; the longer in vain, the more seldom."""
        from vision.watch.views import SeenSheet

        reader = find_reader(context.game)
        before = set(self.follower.keys)
        height, width = frame.whole.shape[:2]
        found = self._named(sheets_in(reader, frame.whole, context), (width, height))
        seen = [SeenSheet(key, reader.followed_size(one), one.corners_px) for key, one in found.items()]
        self.slots |= {key: reader.followed_slots(one) for key, one in found.items()}
        self.follower.place(seen, (width, height), grey, self.seen_at)
        new = set(self.follower.keys) - before or self.follower.table == "moved"
        self.apart = _FIND_AGAIN if new else min(2 * self.apart, _MOST_APART)
        self.find_at = self.seen_at + self.apart

    def _named(self, found: Mapping[SheetName, Found], picture: tuple[int, int]) -> dict[SheetName, Found]:
        """The sheets found; those that are nobody's keep the names by which they are followed already."""
        followed = {key: view.corners(picture) for key, view in self.views.items() if key[2] < 0}
        named = {key: sheet for key, sheet in found.items() if key[2] >= 0}
        for key, sheet in found.items():
            if key[2] < 0:
                middle, reach = _middle_and_reach(sheet.corners_px)
                near = (
                    name
                    for name, corners in followed.items()
                    if name not in named and abs(_middle_and_reach(corners)[0] - middle) < reach / 2
                )
                taken = {name[2] for name in (*followed, *named)}
                free = next(number for number in count(-1, -1) if number not in taken)
                named[next(near, (*key[:2], free))] = sheet
        return named

    def misses_any(self, context: MatchContext, views: Sequence[SheetView]) -> bool:
        """Return True if a board may lie there that is not followed, or one is gone from its place."""
        reader = find_reader(context.game)
        wanted = 1 if reader.one_for_all else len(reader.seats(context.state))
        return len(views) < wanted or any(view.state == "gone" for view in views)

    def offer(self, frame: Frame, views: Sequence[SheetView]) -> None:
        """Keep whole pictures of the sheets that are due; a frame is unpacked only if there is one."""
        from vision.watch.shots import Shots

        for view in views:
            if view.due:
                self.shots.setdefault(view.key, Shots()).offer(frame.whole, [view])
            else:
                self.shots.pop(view.key, None)


def _middle_and_reach(corners: Iterable[Sequence[float]]) -> tuple[complex, float]:
    """The middle of a sheet in a picture, and how far its first corner is from the second."""
    places = [complex(x, y) for x, y in corners]
    return sum(places) / len(places), abs(places[1] - places[0])


def follow(worker: Worker, context: MatchContext, shot: Shot, at: float) -> TableLook:
    """Take a frame at a time, and say of every sheet whether it rests, is hidden, or has changed."""
    from vision.watch.follower import TableFollower, small

    own = worker.following
    if own is None or own.match != context.match or own.shot.source != shot.source:
        own = worker.following = TableFollowing(context.match, shot, TableFollower())
    own.seen_at = at
    try:
        frame = _frame(worker, shot, at)
    except StationmasterError as problem:
        own.follower.miss(own.seen_at)
        return TableLook("silent", says=problem.args[0])
    grey = small(frame.small)
    views = own.follower.see(grey, own.seen_at)
    # Finding takes a whole picture and up to a second: only where something may be found
    blind = own.follower.table in ("dark", "covered")
    if not blind and own.seen_at >= own.find_at and own.misses_any(context, views):
        own.find(worker, context, frame, grey)
        views = own.follower.see(grey, own.seen_at)
    own.offer(frame, views)
    own.views = {view.key: view for view in views}
    shared = find_reader(context.game).one_for_all
    picture = packed(shrunk_to(frame.small, _SHOWN), _SHOWN_QUALITY) if shot.camera == FILM else b""
    boards = tuple(_told(own, view) for view in views)
    return TableLook(own.follower.table, boards, shared, picture=picture)


def _frame(worker: Worker, shot: Shot, at: float) -> Frame:
    """A frame of the camera; in a demonstration of the film that stands for it."""
    if shot.camera != FILM:
        return worker.camera.frame(shot)
    if worker.film is None:
        raise CameraError(m("there is no film"))
    picture = worker.film.frame(at)
    return Frame(picture.small(), picture.whole)


def _told(own: TableFollowing, view: SheetView) -> BoardLook:
    corners = (view.corners() / view.frame).round(4).tolist()
    shots = own.shots.get(view.key)
    ready = shots is not None and shots.count(view.key) >= NEEDED_FRAMES
    return BoardLook(view.key, view.state, bool(view.due), ready, tuple((x, y) for x, y in corners))


def resting_photo(worker: Worker, key: SheetName) -> RestingPhoto:
    """The best picture of a sheet at rest, with what is around it; the next one is made of later frames."""
    own = worker.following
    shots = own.shots.pop(key, None) if own is not None else None
    image = shots.of(key) if shots is not None else None
    if own is None or image is None:
        raise TableError("no-photo", m("that board does not rest any more"))
    photo = OpenedPhoto(pixels=image)
    hidden = _hidden_slots(own.slots.get(key, {}), own.views.get(key))
    return RestingPhoto(photo.digest, photo.cleaned, own.seen_at, hidden)


def _hidden_slots(slots: Mapping[str, Quad], view: SheetView | None) -> tuple[str, ...]:
    if view is None or not view.covered.any():
        return ()
    return tuple(name for name, quad in slots.items() if view.covered_share(quad) > _COVERED)


def settled(worker: Worker, key: SheetName, at: float) -> None:
    """Hear that a sheet has been read as it lay there at that time."""
    if worker.following is not None:
        worker.following.follower.settle(key, at)


def unfollowed(worker: Worker) -> None:
    """Let the table go: nobody watches it any more."""
    worker.following = None


def sheets_in(reader: Reader[Any, Any, Any], image: Image, context: MatchContext) -> dict[SheetName, Found]:
    """The sheets of a match in a picture: those of its seats, or the one of all.

    Sheets that tell nobody's name have negative numbers instead.
    """
    state = context.state
    alone = reader.seats(state)[0] if not reader.one_for_all and len(reader.seats(state)) == 1 else None
    hints = reader.hints(state, alone, None, serving(reader, context.taught))
    reading = reader.read(image, _quick(hints))
    seats = reader.seats(state)
    found = {}
    for number, sheet in enumerate(reading.sheets, start=1):
        nobodys = sheet.quality.found_by == "sight" and len(seats) > 1 and not reader.one_for_all
        if reader.one_for_all or nobodys or sheet.seat in seats:
            found[sheet.sheet, sheet.edition, -number if nobodys else sheet.seat] = sheet
    return found


def _quick(hints: ReadHints) -> ReadHints:
    return replace(hints, quick=True)
