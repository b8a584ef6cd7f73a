"""The service behind the pages: a table, and the parts of this box, wired to each other.

How it is started and stopped is in :mod:`companion.service.running`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.club.desk import ClubDesk
from companion.club.outbox import Outbox
from companion.core.messages import m
from companion.game.base import Action, Game
from companion.game.registry import GAMES
from companion.service.coach import Coach
from companion.service.devices.lights import Lights
from companion.service.devices.rolling import Rolling
from companion.service.export.export import Export
from companion.service.export.history import History
from companion.service.parts import Part
from companion.service.photos.board_photos import BoardPhotos
from companion.service.photos.box_camera import BoxCamera
from companion.service.photos.eye import Eye
from companion.service.photos.loose_photos import LoosePhotos
from companion.service.photos.taught_sheets import TaughtSheets
from companion.service.service_parts import camera_part, database_part, machine_parts, trouble_parts
from companion.service.system.backups import Backups
from companion.service.system.clock import BoxClock
from companion.service.system.doctor import look_beside_a_service
from companion.service.system.owner_settings import OwnerSettings
from companion.service.system.power import Power
from companion.service.system.settings import Settings
from companion.service.system.storage import Storage, storage_of
from companion.service.system.updates import Updates
from companion.service.watching.filming import FILM, play_film
from companion.service.watching.recording import Recording
from companion.service.watching.table_watch import TableWatch
from companion.table.authority import as_asked, authority_fault
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.match import Match
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table

if TYPE_CHECKING:
    from companion.club.outbox import Outbox
    from companion.service.devices.devices import Devices
    from companion.service.system.access_point import AccessPoint, OwnNetwork
    from companion.service.system.backup_keeper import BackupKeeper
    from companion.service.system.mqtt import MqttPublisher

_ONCE_THERE = "parts-once-there"  # the setting with the names of parts that this box has had


STUDIO = "studio"  # the camera of a demonstration without a film


class Service:
    """What the pages ask for. Settings beside the matches are kept in the ``store``.

    A part that this box does not have is reported as missing in :meth:`parts`, never pretended.
    """

    def __init__(
        self,
        store: Store,
        table: Table,
        notes: Sequence[str] = (),
        *,
        links: Sequence[str] = (),
        games: Mapping[str, Game[Any]] = GAMES,
        settings: Settings | None = None,
        clock: BoxClock | None = None,
    ) -> None:
        self.store = store
        self.table = table
        self.games = games
        self.notes = notes  # what the owner should know about the last start: repairs, restored backups
        self.links = links  # the addresses of the pages, the one for the QR code first
        self.fair = False  # matches usually begin with a seed that the dice roller has committed to
        self.settings = OwnerSettings(store.folder, settings or Settings())
        self.clock = clock or BoxClock()
        self.power = Power()
        self.history = History(store, games)
        self.backups = Backups(store, self.clock, self.power)
        self.updates = Updates(store.folder)
        self.export = Export(store.setting)
        self.dice = Rolling(table, store.setting)
        self.lights = Lights()
        self.coach = Coach()
        self.eye = Eye(store.folder)
        self.camera = BoxCamera(self.settings, self.lights)
        self._loose = LoosePhotos(store)
        self.photos = BoardPhotos(table, store.folder, self._loose, self.eye, self.camera)
        self.recording = Recording(store.folder, lambda: self.settings.now.camera.record)
        self.taught = TaughtSheets(store.folder, self._loose, self.eye)
        # What there is only while the service runs.
        self.devices: Devices | None = None
        self.keeper: BackupKeeper | None = None
        self.watch: TableWatch | None = None
        self.access_point: AccessPoint | None = None
        self.outbox: Outbox | None = None  # what brings matches to the club's hub
        self.publisher: MqttPublisher | None = None  # what tells a broker how matches stand

    def attach(self, devices: Devices) -> None:
        """Attach the devices, whose dice and lamps the table then uses."""
        self.devices = devices
        self.dice.roller = devices.dice
        self.lights.panel = devices.panel
        self.eye.camera.light = lambda request: devices.panel.shine(left=request.left, right=request.right)

    def start_watching(
        self,
        stopping: threading.Event,
        *,
        changed: Callable[[], None],
        entered: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> TableWatch:
        """A thread that follows the table through its camera while that is set to watch."""
        self.watch = TableWatch(
            self.table, self.photos, self.dice, stopping, entered=entered, changed=changed, clock=clock
        )
        self.watch.recorder = self.recording
        return self.watch

    def moved(self, match: Match, action: Action, actor: Actor, key: str | None) -> Accepted | Refused:
        """Somebody moves: what the camera proposed is taken for granted where only then the move is legal."""
        asked = as_asked(action, actor)
        if self.watch is not None and authority_fault(asked, actor) is None:
            self.watch.before_move(match, asked)
        return self.table.submit(action, actor, key, match=match.id)

    def film(self, match: Match, turns: Mapping[int, Sequence[Action]]) -> bool:
        """Have a demonstration's turns drawn on film, for the camera over it; False: it cannot."""
        try:
            drawn = {seat: tuple(actions) for seat, actions in turns.items()}
            self.eye.call(play_film, self.photos.context(match), drawn, plays=False)
        except TableError:
            self.camera.usual = STUDIO
            return False
        self.camera.usual = FILM
        return True

    def end_film(self) -> None:
        """Nobody looks at it any more, or somebody plays along."""
        self.camera.usual = STUDIO

    @property
    def club(self) -> ClubDesk:
        """The club that this box may belong to."""
        return ClubDesk(self.store, self.outbox)

    @property
    def own_network(self) -> OwnNetwork | None:
        """The box's own Wi-Fi, while it is open."""
        return self.access_point.network if self.access_point and self.access_point.is_open else None

    @property
    def storage(self) -> Storage:
        """Return whether the disk accepts writes, and how many events are unsaved."""
        return storage_of(self.store)

    def never_there(self, parts: Sequence[Part]) -> list[Part]:
        """Return the parts that are missing and never were there; what is there is kept in mind."""
        kept = self.store.setting(_ONCE_THERE) or ""
        known = set(kept.split("\n"))
        there = known.union(part.name for part in parts if part.state != "missing")
        if there != known and not self.storage.trouble:
            self.store.put_setting(_ONCE_THERE, "\n".join(sorted(there - {""})))
        return [part for part in parts if part.state == "missing" and part.name not in there]

    def tidy_photos(self) -> int:
        """At the start: photographs that no event refers to are left over; how many there were.

        Those of which somebody was still being asked when the service stopped are not.
        """
        return self._loose.tidy(self._is_played)

    def _is_played(self, match_id: str) -> bool:
        """Return True if this is a match of this table that is not over."""
        if all(one.id != match_id for one in self.history.matches()):
            return False
        match = self.table.match(match_id)
        return match is not None and not match.finished

    def parts(self) -> list[Part]:
        """Report the state of the devices, the camera and the storage of matches."""
        devices = self.devices.parts() if self.devices else []
        count = len(self.history.matches())
        stored = (
            m("{count} match in {path}", count=count, path=self.store.path)
            if count == 1
            else m("{count} matches in {path}", count=count, path=self.store.path)
        )
        return [
            *devices,
            camera_part(self.camera.name, self.camera.trouble),
            *look_beside_a_service(self.store.folder),
            *machine_parts(),
            *([self.updates.part()] if self.updates.possible else []),
            *([self.publisher.part()] if self.publisher is not None else []),
            *trouble_parts(self.own_network, self.clock, self.keeper),
            database_part(stored, self.storage),
        ]
