"""The life of a hub process: opened on a database, served until stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.service.system.addresses import Address, open_socket, own_names
from companion.service.system.memory import begin_collecting
from companion.service.system.mqtt import broker_at
from companion.service.system.supervision import tell_systemd
from hub.app import create_app, made_house
from hub.foreign.checking import ResultChecker
from hub.foreign.confined import Confined
from hub.foreign.drawing import Drawings
from hub.house import ChangeWatch
from hub.intake.stream import ClubStream
from hub.mqtt import TablePublisher
from hub.storage.migrations import opened_database
from web.live.streams import Live
from web.server import CONNECTIONS, SPARE_THREADS, made_server, stopped_by_signals


@dataclass(frozen=True)
class HubOptions:
    """How a hub is started. With no ``database`` it is SQLite in the folder."""

    folder: Path
    database: str = ""
    stream: str = ""  # NATS servers, divided by commas; none: batches go straight into the database
    mqtt: str = ""  # a broker that is told the tables' states; none: nobody is
    name: str = ""
    names: tuple[str, ...] = ()  # under which the pages may be opened, beside addresses
    streams: int = 100


def serve(options: HubOptions, address: Address, ready: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. ``ready`` is told the address once the port is open."""
    # Two processes, so that a match that is slow to judge keeps no table from being drawn
    stopping, drawing, ruling = threading.Event(), Confined(), Confined()
    database = opened_database(options.database, options.folder)
    try:
        house = made_house(
            database,
            stopping,
            name=options.name,
            streams=options.streams,
            names=lambda: own_names(address.host, options.names),
        )
        opened = open_socket(address)
        here = Address(address.host, opened.getsockname()[1])
        app = create_app(house)
        house.drawings = Drawings(drawing.draw)
        server = made_server(
            app,
            opened,
            threads=options.streams + SPARE_THREADS,
            largest_body=app.config["MAX_CONTENT_LENGTH"],
            connections=max(CONNECTIONS, 30 * options.streams),
        )
        workers: list[Live | ChangeWatch | ResultChecker | ClubStream | TablePublisher] = [
            house.live,
            ChangeWatch(house, stopping),
            ResultChecker(house, ruling.rule, stopping, ruling.rest),
        ]
        if options.stream:
            through = ClubStream(options.stream, house, stopping)
            house.inbox = through.inbox
            workers.append(through)
        if options.mqtt:
            workers.append(TablePublisher(broker_at(options.mqtt, options.folder), house, stopping))
        try:
            with stopped_by_signals(stopping):
                for worker in workers:
                    worker.start()
                drawing.start()
                ready(here)
                begin_collecting()
                tell_systemd("READY=1")
                server.run()
        finally:
            stopping.set()
            server.close()
            for worker in workers:
                worker.join()
    finally:
        drawing.stop()
        ruling.stop()
        database.close()
