"""Photographs of boards: sent or taken, kept, read in the reader's process, and entered."""

from __future__ import annotations

from pathlib import Path

from companion.core.messages import Seat, joined, m
from companion.game.base import Action
from companion.game.registry import games_with_eyes
from companion.reading.types import NO_HINTS, BoardReading, CameraView, ReadHints, ScoredPhoto, SeatPhoto
from companion.service.photos.box_camera import BoxCamera
from companion.service.photos.eye import Eye
from companion.service.photos.loose_photos import LoosePhotos
from companion.service.photos.queries import NO_QUERY, MatchContext, PhotoQuery, Shot
from companion.service.photos.reading_boards import read_boards
from companion.service.photos.scoring import look, score_boards
from companion.service.photos.sent_pictures import PHONE
from companion.service.photos.teaching import clean_photo
from companion.service.watching.looks import RestingPhoto, SheetName
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.folder import taught_files
from companion.table.match import Match, in_effect
from companion.table.sitting import taken_seats
from companion.table.table import Accepted, Table

_MEMORY = 1920  # pixels of the longer side of a photograph to remember a match by


class BoardPhotos:
    """What can be done with photographs of a table's boards."""

    def __init__(self, table: Table, folder: Path, loose: LoosePhotos, eye: Eye, camera: BoxCamera) -> None:
        self.eye = eye
        self.camera = camera
        self._table = table
        self._folder = folder
        self._loose = loose

    def can_read(self, match: Match) -> bool:
        """Return True if boards of this match can be read from photographs."""
        return match.game.name in games_with_eyes() and match.game.readable(match.state)

    def find(self, digest: str) -> Path | None:
        """Return the path of a stored photograph; None if there is none with this digest."""
        return self._loose.find(digest)

    def keep_watched(
        self, match: Match, sheet: SheetName, photo: RestingPhoto, with_it: frozenset[str]
    ) -> None:
        """Keep the photograph of a board that a watching camera follows, in the place of the one before."""
        self._loose.keep_watched(match, sheet, photo.digest, photo.cleaned, with_it)

    # of a seat's board

    def read(
        self, match: Match, seat: int, photo: bytes | Shot, query: PhotoQuery = NO_QUERY
    ) -> BoardReading:
        """Clean, keep and read a photograph of a seat's board; a TableError says what is wrong with it."""
        if not match.game.readable(match.state):
            raise TableError(
                "not-read", m("boards of this match cannot be read from photographs: tap what is drawn")
            )
        photos = (*self._parts(query), photo)
        with self.camera.watched(isinstance(photo, Shot)):
            read = self.eye.call(read_boards, self.context(match), photos, seat, query)
        self._loose.keep(match, read, frozenset(query.parts))
        return read.boards[seat]

    def take(self, match: Match, seat: int, query: PhotoQuery = NO_QUERY) -> BoardReading:
        """Take a picture of a seat's board with the box's camera and read it."""
        shot = self.camera.shot(match, m("this box has no camera: use the phone's"))
        return self.read(match, seat, shot, query)

    def settle(self, match: Match, seat: int, digest: str, query: PhotoQuery = NO_QUERY) -> BoardReading:
        """Rule on a kept photograph again: with answers about doubtful slots, or the corners of its area."""
        photos = (*self._parts(query), self._loose.kept(digest))
        return self.eye.call(read_boards, self.context(match), photos, seat, query).boards[seat]

    def seats_in(self, match: Match, digest: str) -> list[int]:
        """The seats whose boards are in a kept photograph."""
        photo = self._loose.kept(digest)
        read = self.eye.call(read_boards, self.context(match), (photo,), None, NO_QUERY)
        return [seat for seat, board in read.boards.items() if board.ruling is not None]

    def _parts(self, query: PhotoQuery) -> list[Path]:
        return [self._loose.kept(part) for part in query.parts]

    def context(self, match: Match) -> MatchContext:
        """What a match tells its reader about every photograph of it."""
        colours = tuple((player.colour, seat) for seat, player in match.players.items())
        return MatchContext(match.game.name, match.state, colours, taught_files(self._folder), match.id)

    # of the whole table

    def read_table(
        self, match: Match, photo: bytes | None = None, query: PhotoQuery = NO_QUERY
    ) -> list[SeatPhoto]:
        """One picture of the whole table, read once: every board in it is ruled on and entered.

        Without a photograph the box's camera takes one.
        """
        without = m("this box has no camera: use the phones'")
        taken = self.camera.shot(match, without) if photo is None else photo
        with self.camera.watched(photo is None):
            read = self.eye.call(read_boards, self.context(match), (taken,), None, query)
        name = self.camera.name if photo is None else PHONE
        camera = Actor("device", name=m("camera {camera}", camera=name))
        self._loose.keep(match, read)
        return [self._entered(match, seat, board, camera) for seat, board in read.boards.items()]

    def _entered(self, match: Match, seat: int, reading: BoardReading, camera: Actor) -> SeatPhoto:
        if reading.action is None:
            unclear = () if reading.ruling is None else reading.ruling.uncertain
            asks = (m("not clear: {unclear}", unclear=", ".join(unclear)),) if unclear else ()
            return SeatPhoto(seat, reading, False, (*reading.says, *asks))
        answer = self._table.submit(reading.action, camera, match=match.id)
        if not isinstance(answer, Accepted):
            return SeatPhoto(seat, reading, False, (answer.message,))
        self.finish_turn(match, seat, camera)
        return SeatPhoto(seat, reading, True, ())

    def finish_turn(self, match: Match, seat: int, actor: Actor) -> None:
        """Who plays without a phone cannot say that the turn is over: it is, where the rules allow it."""
        if seat in taken_seats(match):
            return
        now = self._table.match(match.id)
        done = Action("done", seat)
        if now is not None and not now.finished and done in now.game.legal(now.state, seat):
            self._table.submit(done, actor, match=match.id)

    def shutter_pressed(self) -> str:
        """Photograph the whole table; return why a board was not entered, empty if all were."""
        match = self._table.current
        if match is None or match.finished:
            return m("no match is being played")
        try:
            seats = self.read_table(match)
        except TableError as problem:
            return problem.message
        told = [(Seat(one.seat), joined(", ", one.says)) for one in seats if one.says]
        return joined("; ", (m("{seat}: {says}", seat=seat, says=says) for seat, says in told))

    def look(self) -> CameraView:
        """Take a picture with the box's camera and report which sheets it shows, and how well."""
        none = m("this box has no camera, or there is no match yet")
        match = self._table.current
        if match is None:
            raise TableError("no-camera", none)
        shot = self.camera.shot(match, none)
        with self.camera.watched():
            return self.eye.call(look, self.context(match), shot)

    # to remember a match by

    def remember(self, match: Match, photo: bytes) -> str:
        """Keep a photograph of the table, cleaned and no larger than a screen; return its digest."""
        clean = self.eye.call(clean_photo, photo, _MEMORY)
        self._loose.remember(match.id, clean.digest, clean.cleaned)
        return clean.digest

    def forget_memory(self, match: Match) -> None:
        """Delete the photograph that somebody took of the table."""
        self._loose.forget_memory(match.id)

    def memories(self) -> dict[str, str]:
        """The photographs that somebody took of matches' tables: their digests by match."""
        return self._loose.memories()

    def of_table(self, match: Match, *, one_board: bool) -> str:
        """The photograph of a match's table: the one that somebody took to remember it by, or else the latest
        of those that were read for most seats; with ``one_board`` of all any shows the table. Or nothing."""
        if memory := self._loose.memories().get(match.id):
            return memory
        seats: dict[str, set[int | None]] = {}
        for fact in in_effect(match.events).values():
            if digest := fact.data.get("picture", {}).get("photo"):
                seats.setdefault(digest, set()).add(fact.seat)
        if not seats:
            return ""
        best = max(reversed(seats), key=lambda digest: len(seats[digest]))
        shows_all = one_board or len(seats[best]) > 1
        return best if shows_all and self.find(best) is not None else ""

    # without a match

    def score(self, photo: bytes, game: str = "", hints: ReadHints = NO_HINTS) -> ScoredPhoto:
        """The boards of a game in a photograph, without any match; nothing is kept.

        Without a game it is the first one whose boards can be scored so; ``hints`` are what is known about
        the photograph. Those who play go before.
        """
        return self.eye.call(score_boards, photo, game, hints, plays=False)
