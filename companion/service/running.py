"""The life of the service without its pages: opened on a folder, with its devices and its threads."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from companion.club.dice import ClubDice
from companion.club.outbox import Describe, Outbox
from companion.core.messages import listed, m
from companion.game.base import Game
from companion.game.packages import packages
from companion.game.registry import GAMES, games_with_eyes
from companion.service.demonstration import Demonstration
from companion.service.devices.club_dice import round_chance
from companion.service.devices.devices import Devices
from companion.service.devices.roller_board import RollerBoard, board_lines
from companion.service.service import Service
from companion.service.stand_ins import StandIns
from companion.service.system.access_point import AccessPoint, OwnNetwork, somebody_is_in
from companion.service.system.address_watch import AddressWatch
from companion.service.system.backup_keeper import BackupKeeper
from companion.service.system.clock import BoxClock
from companion.service.system.settings import settings_or_usual
from companion.service.system.storage import StorageWatch
from companion.table.recovery import open_store
from companion.table.sitting import taken_seats
from companion.table.store import Store
from companion.table.table import Table, senseless_matches, settle_finished


@contextmanager
def opened_service(folder: Path) -> Iterator[Service]:
    """A service on a folder, repaired where necessary, with the owner's settings, closed in the end."""
    store, notes = open_store(folder)
    with store:
        settle_finished(store, GAMES)
        settings, wrong = settings_or_usual(folder)
        notes = [*notes, *_waiting(store), *wrong]
        clock = BoxClock()
        dice = ClubDice(store.setting, store.put_setting)
        table = Table(store, GAMES, clock=clock.now, chance_for=round_chance(dice))
        service = Service(store, table, notes, settings=settings, clock=clock)
        try:
            service.tidy_photos()
            yield service
        finally:
            service.eye.stop()


def _waiting(store: Store) -> list[str]:
    """Sentences about the matches that are kept and cannot be shown."""
    unknown = Counter(match.game for match in store.matches() if match.game not in GAMES)
    out = senseless_matches(store)
    left = m("Matches that the rules cannot follow are left out: {matches}.", matches=listed(out))
    told = [m("{count} of {game}", count=count, game=game) for game, count in sorted(unknown.items())]
    wait = m("Matches of games that are not here wait until these are back: {games}.", games=listed(told))
    return [*([wait] if told else []), *([left] if out else [])]


@contextmanager
def running_devices(service: Service) -> Iterator[None]:
    """The devices and the reader of photographs, while this lasts."""
    devices = Devices(
        service.table,
        service.store.folder,
        service.settings.now,
        service.dice.policy,
        shutter=service.photos.shutter_pressed,
        power=service.power.shut_down,
    )
    service.attach(devices)
    devices.start()
    service.eye.start(_first_game(service.table))
    try:
        yield
    finally:
        devices.stop()


def _first_game(table: Table) -> str:
    """Whose photographs are to be expected: the match's, or those of the first game that has an eye."""
    readable = games_with_eyes()
    if table.current is not None and table.current.game.name in readable:
        return table.current.game.name
    return next(iter(readable), "")


class Worker(Protocol):
    """A thread that ends by itself once the box is stopping."""

    def start(self) -> None:
        """Start the work in a thread of its own."""

    def join(self) -> None:
        """Wait until it has ended."""


@contextmanager
def working(workers: list[Worker], stopping: threading.Event) -> Iterator[None]:
    """Threads, while this lasts; in the end everything stops."""
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        stopping.set()
        for worker in workers:
            worker.join()


def workers_of(
    service: Service,
    stopping: threading.Event,
    demo: Game[Any] | None,
    *,
    changed: Callable[[], None],
    setup: Callable[[], str],
    describe: Describe,
) -> list[Worker]:
    """The threads of a service with its devices; ``demo`` is the game that bots play.

    ``changed`` has every open page look again; ``setup`` is how far the box is set up, as its roller shows
    it; ``describe`` says how a match stands to the club's hub.
    """
    workers: list[Worker] = [
        StandIns(service.table, stopping, roll=service.dice.roll),
        StorageWatch(service.store, stopping, changed),
        AddressWatch(service.links, changed, stopping),
    ]
    if service.devices is not None:
        picture = service.devices.dice.roller.picture
        workers.append(RollerBoard(lambda: _board(service, setup()), picture, stopping))
    if demo is not None:
        service.camera.usual = "studio" if packages()[demo.name].studio else ""
        bots = Demonstration(service.table, stopping, demo, taken=taken_seats, roll=service.dice.roll)
        return [*workers, bots]
    workers.append(service.start_watching(stopping, entered=lambda: _beep(service), changed=changed))
    network = service.settings.now.network
    if network.access_point:
        own = OwnNetwork(network.name, network.password)
        service.access_point = AccessPoint(own, stopping, changed=changed, used=lambda: _is_used(service))
        workers.append(service.access_point)
    service.keeper = BackupKeeper(service.store, service.table, stopping, now=service.clock.now)
    service.outbox = Outbox(service.store, service.table, service.games, describe, stopping, changed=changed)
    return [*workers, service.keeper, service.outbox]


def _is_used(service: Service) -> bool:
    """Return True if a phone is connected to the box's own Wi-Fi."""
    rollers = service.devices.addresses if service.devices is not None else ()
    return somebody_is_in(apart_from=rollers)


def _board(service: Service, setup: str) -> tuple[str, ...]:
    """What the roller's display says; nothing while a match is played."""
    match = service.table.current
    if match is not None and not match.finished:
        return ()
    return board_lines(list(service.links), setup, service.settings.now.box.name)


def _beep(service: Service) -> None:
    if service.devices is not None:
        service.devices.panel.beep()
