"""The service and its pages, put together: served until stopped."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from companion.game.base import Game
from companion.service.running import Worker, running_devices, workers_of, working
from companion.service.service import Service
from companion.service.system.addresses import Address, LinksNow, open_socket, own_names
from companion.service.system.memory import begin_collecting
from companion.service.system.supervision import Watchdog, answers, tell_systemd, watchdog_period
from web.app import WebSettings, create_app
from web.live.club_night import table_state
from web.live.match_publisher import match_publisher
from web.server import CONNECTIONS, SPARE_THREADS, made_server, stopped_by_signals
from web.site import site_of


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
    service.power.stop = lambda: os.kill(os.getpid(), signal.SIGTERM)
    settings = WebSettings(
        streams=streams,
        more_names=lambda: own_names(address.host, service.settings.now.box.names),
        demonstration=demo is not None,
    )
    app = create_app(service, settings, stopping)
    server = made_server(
        app,
        opened,
        threads=streams + SPARE_THREADS,
        largest_body=app.config["MAX_CONTENT_LENGTH"],
        connections=max(CONNECTIONS, 3 * streams),
    )
    site = site_of(app)
    try:
        with stopped_by_signals(stopping), running_devices(service):
            workers: list[Worker] = [site.live]
            period = watchdog_period()
            if period is not None:
                workers.append(Watchdog(lambda: answers(here), period, stopping))
            workers += workers_of(
                service,
                stopping,
                demo,
                changed=site.room.touch,
                setup=lambda: site.setup.state,
                describe=table_state,
                looked_at=lambda: site.live.open > 0,
            )
            service.publisher = match_publisher(service, stopping)
            if service.publisher is not None:
                workers.append(service.publisher)
            with working(workers, stopping):
                ready(here)
                begin_collecting()
                tell_systemd("READY=1")
                server.run()
    finally:
        tell_systemd("STOPPING=1")
        server.close()
