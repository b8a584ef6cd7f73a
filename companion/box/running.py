"""The life of the service: opened on a folder, wired to devices, pages and bots, served until stopped."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from flask import Flask

from companion.box.access_point import AccessPoint, OwnNetwork, somebody_is_in
from companion.box.address_watch import AddressWatch
from companion.box.addresses import Address, LinksNow, open_socket, own_names
from companion.box.backups import BackupKeeper
from companion.box.clock import BoxClock
from companion.box.club_dice import round_chance
from companion.box.club_night import table_state
from companion.box.demonstration import Demonstration
from companion.box.devices import Devices
from companion.box.roller_board import RollerBoard, board_lines
from companion.box.server import CONNECTIONS, SPARE_THREADS, FairServer, made_server, stopped_by_signals
from companion.box.service import Service
from companion.box.settings import settings_or_usual
from companion.box.stand_ins import StandIns
from companion.box.storage import StorageWatch
from companion.box.supervision import Watchdog, answers, tell_systemd, watchdog_period
from companion.box.table_watch import TableWatch
from companion.club.dice import ClubDice
from companion.club.outbox import Outbox
from companion.core.messages import listed
from companion.games.contract import Game
from companion.games.packages import packages
from companion.games.registry import GAMES, games_with_eyes
from companion.table.recovery import open_store
from companion.table.store import Store
from companion.table.table import Table, senseless_matches, settle_finished
from web.app import WebSettings, create_app
from web.joining import taken_seats
from web.site import site_of


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
    left = [f"Matches that the rules cannot follow are left out: {listed(out)}."] if out else []
    told = [f"{count} of {game}" for game, count in sorted(unknown.items())]
    wait = [f"Matches of games that are not here wait until these are back: {listed(told)}."] if told else []
    return [*wait, *left]


class _Worker(Protocol):
    """A thread that ends by itself once the box is stopping."""

    def start(self) -> None: ...
    def join(self) -> None: ...


def serve(
    service: Service,
    address: Address,
    *,
    demo: Game[Any] | None = None,
    ready: Callable[[Address], None],
    streams: int = 100,
) -> None:
    """Serve until SIGTERM, Ctrl-C or the host. ``ready`` is told the address once the port is open.

    ``demo`` is the game that bots play.
    """
    stopping = threading.Event()
    opened = open_socket(address)
    here = Address(address.host, opened.getsockname()[1])
    service.links = LinksNow(here)
    service.updates.port = here.port
    service.stop = lambda: os.kill(os.getpid(), signal.SIGTERM)
    app = create_app(
        service,
        WebSettings(
            streams=streams,
            more_names=lambda: own_names(address.host, service.settings.box.names),
            demonstration=demo is not None,
        ),
        stopping,
    )
    server = _server(app, opened, streams)
    try:
        with (
            stopped_by_signals(stopping),
            _devices(service),
            _working(app, service, stopping, demo, here),
        ):
            ready(here)
            tell_systemd("READY=1")
            server.run()
    finally:
        tell_systemd("STOPPING=1")
        server.close()


def _server(app: Flask, opened: socket.socket, streams: int) -> FairServer:
    return made_server(
        app,
        opened,
        threads=streams + SPARE_THREADS,
        largest_body=app.config["MAX_CONTENT_LENGTH"],
        connections=max(CONNECTIONS, 3 * streams),
    )


def _first_game(table: Table) -> str:
    """Whose photographs are to be expected: the match's, or those of the first game that has an eye."""
    readable = games_with_eyes()
    if table.current is not None and table.current.game.name in readable:
        return table.current.game.name
    return next(iter(readable), "")


@contextmanager
def _devices(service: Service) -> Iterator[None]:
    settings = service.settings
    devices = Devices(
        service.table,
        service.store.folder,
        settings,
        service.dice_policy,
        shutter=service.shutter_pressed,
        power=service.shut_down,
    )
    service.devices = devices
    service.camera = settings.camera.name
    service.eye.light = lambda wish: devices.panel.shine(left=wish.left, right=wish.right)
    devices.start()
    service.eye.start(_first_game(service.table))
    try:
        yield
    finally:
        devices.stop()


@contextmanager
def _working(
    app: Flask, service: Service, stopping: threading.Event, demo: Game[Any] | None, here: Address
) -> Iterator[None]:
    touch = site_of(app).room.touch
    workers: list[_Worker] = [
        site_of(app).live,
        StandIns(service.table, stopping, roll=service.roll),
        StorageWatch(service.store, stopping, touch),
        AddressWatch(service.links, touch, stopping),
    ]
    period = watchdog_period()
    if period is not None:
        workers.append(Watchdog(lambda: answers(here), period, stopping))
    if service.devices is not None:
        setup = site_of(app).setup
        board = RollerBoard(
            lambda: _board(service, setup.state), service.devices.dice.roller.picture, stopping
        )
        workers.append(board)
    if demo is None:
        workers.append(TableWatch(service.watch_table, stopping, entered=lambda: _beep(service)))
        network = service.settings.network
        if network.access_point:
            own = OwnNetwork(network.name, network.password)
            service.access_point = AccessPoint(
                own, stopping, changed=site_of(app).room.touch, used=lambda: _is_used(service)
            )
            workers.append(service.access_point)
        keeper = BackupKeeper(service.store, service.table, stopping, now=service.clock.now)
        service.keeper = keeper
        service.outbox = Outbox(
            service.store, service.table, service.games, table_state, stopping, changed=touch
        )
        workers += [keeper, service.outbox]
    else:
        service.camera = service.camera or ("studio" if packages()[demo.name].studio else "")
        workers.append(Demonstration(service.table, stopping, demo, taken=taken_seats, roll=service.roll))
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        stopping.set()
        for worker in workers:
            worker.join()


def _is_used(service: Service) -> bool:
    """Is a phone in the box's own Wi-Fi?"""
    rollers = service.devices.addresses if service.devices is not None else ()
    return somebody_is_in(apart_from=rollers)


def _board(service: Service, setup: str) -> tuple[str, ...]:
    """What the roller's display says; nothing while a match is played."""
    match = service.table.current
    if match is not None and not match.finished:
        return ()
    return board_lines(list(service.links), setup, service.settings.box.name)


def _beep(service: Service) -> None:
    if service.devices is not None:
        service.devices.panel.beep()
