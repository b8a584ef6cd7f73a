"""The real house behind the pages: what they ask for, from the parts that this box has.

It wires the table, its store and backups, the dice roller and the panel, the camera with the process that
reads photographs, results for other programs, and the doctor. How it is started and stopped is in
:mod:`companion.box.running`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.box.access_point import AccessPoint, OwnNetwork
from companion.box.backups import BackupKeeper
from companion.box.clock import BoxClock
from companion.box.devices import Devices
from companion.box.dice_policy import DicePolicy
from companion.box.doctor import look_beside_a_service
from companion.box.elsewhere import Elsewhere, elsewhere_of
from companion.box.eye import (
    CleanTask,
    Eye,
    LookTask,
    Photo,
    ReadTask,
    ReadTaughtTask,
    ScoreTask,
    Shot,
    TeachDeckTask,
    TeachSegmentsTask,
    TeachTask,
    WatchTask,
)
from companion.box.loose_photos import LoosePhotos
from companion.box.one_roll import OneRoll
from companion.box.parts import Part
from companion.box.proving import Proof, prove_rolls
from companion.box.put_away import PutAway
from companion.box.results import bgg_plays, bgstats_link, results_csv, results_json, rows_csv
from companion.box.service_parts import camera_part, database_part, machine_parts, trouble_parts
from companion.box.settings import Settings, changed, plain_of, write_settings
from companion.box.settings_form import AT_ONCE
from companion.box.sticks import stick_backups
from companion.box.storage import Storage, storage_of
from companion.box.updates import Updates
from companion.club.desk import ClubDesk
from companion.club.outbox import Outbox
from companion.core.messages import Seat, joined, m
from companion.games.contract import Action, Game, Plain
from companion.games.parts import DECK_ENDING
from companion.games.registry import GAMES, games_with_eyes
from companion.games.sight import BoardReading, CameraView, Corners, ScoredPhoto, SeatPhoto, TaughtBoardAnswer
from companion.table.backup import Staged, automatic_backup, automatic_backups, stage
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.fairplay import duplicate_of
from companion.table.folder import TAUGHT
from companion.table.journal import line_of
from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table, senseless_matches
from web.house import NO_PHOTO_WISH, ExportForm, Lit, PhotoWish
from web.joining import taken_seats

log = logging.getLogger(__name__)

_LIGHTS: dict[Lit, tuple[str, ...]] = {
    "off": (),
    "left": ("left",),
    "right": ("right",),
    "both": ("left", "right"),
}


@dataclass
class Service:
    """The real house: what the pages ask for, from the parts that this box has."""

    store: Store
    table: Table
    notes: Sequence[str] = ()
    links: Sequence[str] = ()
    games: Mapping[str, Game[Any]] = field(default_factory=lambda: GAMES)
    devices: Devices | None = None
    stop: Callable[[], None] | None = None
    switched_off: bool = False  # by the host or the panel, not just stopped
    fair: bool = False  # matches usually begin with a seed that the dice roller has committed to
    settings: Settings = field(default_factory=Settings)
    clock: BoxClock = field(default_factory=BoxClock)
    keeper: BackupKeeper | None = None
    access_point: AccessPoint | None = None
    outbox: Outbox | None = None  # what brings matches to the club's hub
    restarting: bool = False  # asked for on a page
    camera: str = ""  # its name, as in the settings; none: phones only
    camera_trouble: str | None = None  # of its last picture; empty: none; None: none was taken yet
    eye: Eye = field(default_factory=Eye)

    def __post_init__(self) -> None:
        self._one_roll = OneRoll(self.table)
        self._started_with = self.settings
        self.updates = Updates(self.store.folder)
        self._photos = LoosePhotos(self.store)

    def tidy_photos(self) -> int:
        """At the start: photographs that no event refers to are left over; how many there were.

        Those of which somebody was still being asked when the service stopped are not.
        """
        return self._photos.tidy(self._is_played)

    def _is_played(self, match_id: str) -> bool:
        """Is this a match of this table that is not over?"""
        if all(one.id != match_id for one in self.matches()):
            return False
        match = self.table.match(match_id)
        return match is not None and not match.finished

    def matches(self) -> list[StoredMatch]:
        """Every match of this table that can be shown here, oldest first."""
        out = {*senseless_matches(self.store), *self.put_away.ids}
        return [one for one in self.store.matches() if one.game in self.games and one.id not in out]

    @property
    def put_away(self) -> PutAway:
        """The matches that the host has taken out of the history."""
        return PutAway(self.store)

    def setting(self, key: str) -> str | None:
        """Something kept beside the matches."""
        return self.store.setting(key)

    def put_setting(self, key: str, value: str) -> None:
        """Keep something beside the matches."""
        self.store.put_setting(key, value)

    @property
    def own_network(self) -> OwnNetwork | None:
        """The box's own Wi-Fi, while it is open."""
        return self.access_point.network if self.access_point and self.access_point.is_open else None

    def check_settings(self, changes: Plain) -> None:
        """A sentence when they cannot be kept."""
        changed(self.settings, changes)

    def change_settings(self, changes: Plain) -> None:
        """Keep them in the owner's file; those of the box, the camera and the power count at once."""
        self.settings = changed(self.settings, changes)
        write_settings(self.store.folder, self.settings)
        if "camera" in changes:
            self.camera, self.camera_trouble = self.settings.camera.name, None

    def suggestions(self) -> dict[str, list[str]]:
        """The cameras that are attached just now."""
        from vision.cameras import cameras_here

        return {"camera.name": [camera.name for camera in cameras_here()]}

    @property
    def waits_for_restart(self) -> bool:
        """Has anything been changed that is looked at only when the box starts?"""
        now, then = plain_of(self.settings), plain_of(self._started_with)
        return any(now[section] != then[section] for section in now if section not in AT_ONCE)

    def restart(self) -> str | None:
        """Stop, and start again in the same way."""
        if self.stop is None:
            return m("this box was not started as a service: start it again where it was started")
        self.restarting = True
        self.stop()
        return None

    @property
    def club(self) -> ClubDesk:
        """The club that this box may belong to."""
        return ClubDesk(self.store, self.outbox)

    @property
    def dice_policy(self) -> DicePolicy:
        """Who throws the dice here, as the host has chosen."""
        return DicePolicy(self.setting)

    def roll(
        self, match: Match, actor: Actor, key: str | None, seen: int | None = None
    ) -> Accepted | Refused:
        """Throw as the table's policy has it: see :mod:`companion.box.dice_policy`."""
        if self.devices is not None:
            return self.devices.dice.roll(actor, key, match.id, seen)
        return self._one_roll.throw(
            match,
            actor,
            key,
            seen,
            lambda: (
                (self.dice_policy.refusal("box") if duplicate_of(match) is None else None)
                or self.table.submit(Action("roll"), actor, key, match=match.id)
            ),
        )

    # Photographs

    def reads_photos(self, match: Match) -> bool:
        """Can boards of this match be read from photographs here?"""
        return match.game.name in games_with_eyes() and not _unread(match)

    @property
    def has_camera(self) -> bool:
        """Is there a camera of the box's own?"""
        return bool(self.camera)

    def read_photo(
        self, match: Match, seat: int, photo: bytes, about: PhotoWish = NO_PHOTO_WISH
    ) -> BoardReading:
        """Clean, keep and read a photograph of a seat's board."""
        return self._read(match, seat, photo, about)

    def take_photo(self, match: Match, seat: int, about: PhotoWish = NO_PHOTO_WISH) -> BoardReading:
        """The same with the box's camera."""
        shot = self._shot(match, m("this box has no camera: use the phone's"))
        return self._read(match, seat, shot, about)

    def _read(self, match: Match, seat: int, photo: bytes | Shot, about: PhotoWish) -> BoardReading:
        if _unread(match):
            raise TableError("not-read", m("boards of this match are not read from photographs: tap them"))
        with self._camera_watched(isinstance(photo, Shot)):
            read = self.eye.read(self._task(match, seat, photo, about))
        self._photos.keep(match, read, frozenset(about.parts))
        return read.boards[seat]

    def settle_photo(
        self, match: Match, seat: int, photo: str, about: PhotoWish = NO_PHOTO_WISH
    ) -> BoardReading:
        """Rule on a kept photograph again: with answers about doubtful slots, or the corners of its area."""
        return self.eye.read(self._task(match, seat, self._kept(photo), about)).boards[seat]

    def _task(self, match: Match, seat: int, photo: Photo, about: PhotoWish) -> ReadTask:
        parts = tuple(self._kept(part) for part in about.parts)
        whole = self._task_of_table(match, photo)
        return replace(
            whole, seat=seat, answers=about.answers, corners=about.corners, parts=parts, scope=about.scope
        )

    def _task_of_table(self, match: Match, photo: Photo) -> ReadTask:
        """Every board in the picture, with what the match knows about all of them."""
        colours = tuple((player.colour, seat) for seat, player in match.players.items())
        return ReadTask(
            match.game.name,
            match.state,
            photo,
            None,
            taught=self._taught_files(),
            players=colours,
            match=match.id,
        )

    def seats_in_photo(self, match: Match, photo: str) -> list[int]:
        """The seats whose boards are in a kept photograph."""
        read = self.eye.read(self._task_of_table(match, self._kept(photo)))
        return [seat for seat, board in read.boards.items() if board.ruling is not None]

    def teach_board(self, match: Match, seat: int, photo: str, corners: Corners) -> TaughtBoardAnswer:
        """Learn how an empty board of the owner's own looks."""
        folder = self.store.folder / TAUGHT
        return self.eye.teach(
            TeachTask(match.game.name, match.state, self._kept(photo), seat, corners, folder)
        )

    def keep_picture(self, photo: bytes) -> tuple[str, tuple[int, int]]:
        """A photograph of a board that is to be taught: under which digest it is kept, and its size."""
        clean = self.eye.clean(CleanTask(photo))
        self._photos.keep_for_teaching(clean.digest, clean.cleaned)
        return clean.digest, clean.size

    def teach_segments(self, name: str, photo: str, corners: Corners, segments: bytes) -> TaughtBoardAnswer:
        """Learn an empty board of segments, from a kept photograph and its owner's description."""
        path = self.store.folder / TAUGHT / f"{name}.json"
        return self.eye.teach_segments(TeachSegmentsTask(self._kept(photo), corners, segments, path))

    def teach_deck(
        self, game: str, name: str, number: int, photo: bytes, edition: str = ""
    ) -> TaughtBoardAnswer:
        """Learn the cards of one photograph of a deck of the owner's own; the photograph is not kept."""
        return self.eye.teach_deck(TeachDeckTask(game, number, edition, photo, self._deck_file(name)))

    def teach_kept_deck(
        self, game: str, name: str, number: int, photo: str, edition: str, corners: Corners | None
    ) -> TaughtBoardAnswer:
        """The same from a photograph that is kept to be taught; ``corners``: of its field of cards."""
        path = self._deck_file(name)
        return self.eye.teach_deck(TeachDeckTask(game, number, edition, self._kept(photo), path, corners))

    def _deck_file(self, name: str) -> Path:
        return self.store.folder / TAUGHT / f"{name}{DECK_ENDING}"

    def read_taught(self, name: str, photo: bytes) -> BoardReading:
        """What lies on such a board; nothing is kept."""
        path = self._board_files().get(name)
        if path is None:
            raise TableError("no-board", m("no board called {name} is taught", name=name))
        return self.eye.read_taught(ReadTaughtTask(path, photo))

    def taught_boards(self) -> list[str]:
        """The boards learned so far."""
        return list(self._board_files())

    def taught_decks(self) -> list[str]:
        """The decks learned so far."""
        return list(self._deck_files())

    def forget_board(self, name: str) -> bool:
        """Forget one of them."""
        return self._forgotten(self._board_files().get(name))

    def forget_deck(self, name: str) -> bool:
        """Forget a deck."""
        return self._forgotten(self._deck_files().get(name))

    def _forgotten(self, path: Path | None) -> bool:
        if path is not None:
            path.unlink()
        return path is not None

    def look(self) -> CameraView:
        """A picture from the box's camera, and what is to be seen in it."""
        none = m("this box has no camera, or there is no match yet")
        match = self.table.current
        if match is None:
            raise TableError("no-camera", none)
        task = LookTask(match.game.name, match.state, self._shot(match, none))
        with self._camera_watched():
            return self.eye.look(task)

    def photograph_table(self, match: Match) -> list[SeatPhoto]:
        """One picture of the whole table, read once: every board in it is ruled on and entered."""
        shot = self._shot(match, m("this box has no camera: use the phones'"))
        task = self._task_of_table(match, shot)
        with self._camera_watched():
            read = self.eye.read(task)
        self._photos.keep(match, read)
        return [self._entered(match, seat, board) for seat, board in read.boards.items()]

    @contextmanager
    def _camera_watched(self, used: bool = True) -> Iterator[None]:
        """What becomes of a picture of the box's camera is remembered for the host's page."""
        try:
            yield
        except TableError as problem:
            if used and problem.code == "bad-photo":
                self.camera_trouble = problem.message
            raise
        if used:
            self.camera_trouble = ""

    def _shot(self, match: Match, without: str) -> Shot:
        """A picture to be taken of the match's table; ``without`` a camera a sentence."""
        if not self.camera:
            raise TableError("no-camera", without)
        wish = self.settings.camera
        lamps = self.devices is not None and self.devices.panel.has_two_lamps
        return Shot(self.camera, match.version, wish.rotation, wish.part, wish.focus, lamps)

    def watch_table(self) -> bool:
        """One look of a camera that watches (see :mod:`companion.box.table_watch`): is something entered?"""
        match = self.table.current
        wanted = self.settings.camera.watch and self.camera not in ("", "studio")
        if not wanted or match is None or match.finished or not self.reads_photos(match):
            return False
        with self._camera_watched():
            changed = self.eye.watch(WatchTask(self._shot(match, "")))
        return changed and any(one.entered for one in self.photograph_table(match))

    def shutter_pressed(self) -> str:
        """The panel's button: the whole table. Empty when every board in it was entered; else why not."""
        match = self.table.current
        if match is None or match.finished:
            return m("no match is being played")
        try:
            seats = self.photograph_table(match)
        except TableError as problem:
            return problem.message
        told = [(Seat(one.seat), joined(", ", one.says)) for one in seats if one.says]
        return joined("; ", (m("{seat}: {says}", seat=seat, says=says) for seat, says in told))

    @property
    def lamps(self) -> tuple[str, ...]:
        """The sides on which the panel has a lamp: left, right; none without a panel."""
        return self.devices.lamps if self.devices else ()

    @property
    def lit(self) -> Lit:
        """Which of them are kept lit."""
        sides = self.devices.lit if self.devices else ()
        return next(wish for wish, meant in _LIGHTS.items() if meant == sides)

    def light(self, wish: Lit) -> None:
        """Keep the table lit so."""
        if self.devices is None or not self.lamps:
            raise TableError(
                "no-panel", m("this box has no panel with lamps: docs/hardware.md says how to build one")
            )
        self.devices.light(_LIGHTS[wish])

    def _entered(self, match: Match, seat: int, reading: BoardReading) -> SeatPhoto:
        if reading.action is None:
            unclear = () if reading.ruling is None else tuple(reading.ruling["doubtful"])
            asks = (m("not clear: {unclear}", unclear=", ".join(unclear)),) if unclear else ()
            return SeatPhoto(seat, False, (*reading.says, *asks))
        camera = Actor("device", name=m("camera {camera}", camera=self.camera))
        answer = self.table.submit(reading.action, camera, match=match.id)
        says = () if isinstance(answer, Accepted) else (answer.message,)
        if not says and seat not in taken_seats(match):
            self._done_by_camera(match, seat, camera)
        return SeatPhoto(seat, not says, says)

    def _done_by_camera(self, match: Match, seat: int, camera: Actor) -> None:
        """Who plays without a phone cannot say that the turn is over: it is, where the rules allow it."""
        now = self.table.match(match.id)
        done = Action("done", seat)
        if now is not None and not now.finished and done in now.game.legal(now.state, seat):
            self.table.submit(done, camera, match=match.id)

    def _kept(self, photo: str) -> Path:
        path = self.photo(photo)
        if path is None:
            raise TableError("no-photo", m("that photograph is not here any more: take another one"))
        return path

    def _taught_files(self) -> tuple[Path, ...]:
        return tuple(sorted((self.store.folder / TAUGHT).glob("*.json")))

    def _deck_files(self) -> dict[str, Path]:
        files = self._taught_files()
        return {
            path.name.removesuffix(DECK_ENDING): path for path in files if path.name.endswith(DECK_ENDING)
        }

    def _board_files(self) -> dict[str, Path]:
        return {path.stem: path for path in self._taught_files() if not path.name.endswith(DECK_ENDING)}

    def score_photo(self, photo: bytes, game: str = "") -> ScoredPhoto:
        """The boards in a photograph, without any match; nothing is kept."""
        return self.eye.score(ScoreTask(photo, game))

    def photo(self, digest: str) -> Path | None:
        """A kept photograph."""
        return self._photos.find(digest)

    @property
    def storage(self) -> Storage:
        """Does the disk take what is given to it?"""
        return storage_of(self.store)

    def play_without_saving(self) -> None:
        """Keep everything in memory from now on, until the disk takes it again."""
        self.store.go_on_in_memory()

    def save_again(self) -> bool:
        """Try to store what is only in memory; is everything on the disk?"""
        return self.store.save_again()

    def parts(self) -> list[Part]:
        """The devices, the camera, and where matches are kept."""
        devices = self.devices.parts() if self.devices else []
        count = len(self.matches())
        stored = (
            m("{count} match in {path}", count=count, path=self.store.path)
            if count == 1
            else m("{count} matches in {path}", count=count, path=self.store.path)
        )
        return [
            *devices,
            camera_part(self.camera, self.camera_trouble),
            *look_beside_a_service(self.store.folder),
            *machine_parts(),
            *([self.updates.part()] if self.updates.possible else []),
            *trouble_parts(self.own_network, self.clock, self.keeper),
            database_part(stored, self.storage),
        ]

    def export(self, matches: Sequence[Match], form: ExportForm) -> str:
        """Results, or whole matches, for other programs."""
        if form == "journal":
            return "".join(line_of(event).decode() for match in matches for event in match.events)
        if form == "bgg":
            return bgg_plays(matches, self._elsewhere)
        make = {"csv": results_csv, "rows": rows_csv, "json": results_json}[form]
        return make(matches)

    def bgstats_link(self, match: Match) -> str:
        """A link that opens the Board Game Stats app with this play filled in."""
        return bgstats_link(match, self._elsewhere(match))

    def _elsewhere(self, match: Match) -> Elsewhere:
        return elsewhere_of(match, self.setting)

    def proof(self, match: Match) -> Proof | None:
        """What can be proved of a match's dice; None where no roller has committed to a seed."""
        return prove_rolls(match.events, match.game)

    def backups(self) -> list[Path]:
        """The box's own backups, newest first."""
        return automatic_backups(self.store.folder)

    def backup(self) -> Path:
        """Make one more."""
        return automatic_backup(self.store, self.clock.now())

    def stick_backups(self) -> list[Path]:
        """Those on USB sticks, of each table the newest first."""
        return stick_backups()

    def bring_back(self, backup: Path) -> Staged:
        """Check it, lay it ready, and start again with it."""
        if self.stop is None:
            raise TableError(
                "cannot-restart", m("this box was not started as a service: use stationmaster restore")
            )
        staged = stage(backup, self.store.folder)
        self.restart()
        return staged

    def shut_down(self) -> str | None:
        """Stop the service; what switches the power off is in the owner's settings."""
        if self.stop is None:
            return m("this box was not started as a service: stop it where it was started")
        self.switched_off = True
        self.stop()
        return None


def _unread(match: Match) -> bool:
    """Is this one of the matches that the game's reader does not know?"""
    return not match.game.readable(match.state)
