"""The process that draws positions and asks the rules about matches of foreign boxes.

See :mod:`hub.foreign.confined` for its other end.
"""

from __future__ import annotations

import resource
import signal
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from flask import Flask, render_template

from companion.core.jsontext import json_of
from companion.core.messages import with_messages
from companion.service.system.confinement import confine
from hub.foreign.confined import LARGEST
from hub.foreign.drawing import Drawing, DrawingRequest
from hub.foreign.ruling import RulingRequest, ruling_on
from hub.foreign.watching import WatchScene, watch_scene
from hub.templating import equip
from web.ui.speaking import language, speaking

_MEMORY = 300_000_000  # bytes of address space beside what is there at the start


def work(pipe: Connection[bytes, bytes]) -> None:
    """Answer one request after the other until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the hub, which then ends this
    _load()
    _confine()
    pipe.send_bytes(b"ready")
    while True:
        try:
            request = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(request))


def _answer(request: bytes) -> bytes:
    try:
        asked = msgspec.json.decode(request, type=DrawingRequest | RulingRequest)
        made = json_of(ruling_on(asked) if isinstance(asked, RulingRequest) else drawing(asked))
    except Exception as problem:  # noqa: BLE001 - whatever a foreign position does to the games' code
        return json_of(f"{type(problem).__name__}: {problem}"[:200])
    return made if len(made) < LARGEST else json_of("it is too large")


def _confine() -> None:
    """Limit memory and files: it reads nothing of the hub's, and writes, starts and sends nothing."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, used + _MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    confine()


@cache
def _app() -> Flask:
    app = Flask("hub", static_folder=None)
    equip(app, language)
    return app


def _load() -> None:
    """Import what is needed for every game, before memory is limited."""
    from companion.game.registry import GAMES
    from web.ui import presenter_of

    for game in GAMES:
        presenter_of(GAMES[game])
    _app()


def drawing(request: DrawingRequest) -> Drawing:
    """Draw a position in the language of a request."""
    view = with_messages(msgspec.json.decode(request.view))
    with _app().app_context(), speaking(request.language):
        scene = watch_scene(request.state.with_words(), view)
        pieces = _pieces(scene)
        return Drawing(
            render_template("pieces/boards.html", scene=scene, pieces=pieces),
            pieces,
            {
                seat.number: render_template(
                    "hub/board.html",
                    seat=seat,
                    prefix=f"board-{request.table}-{seat.number}-{request.state.match}",
                )
                for seat in scene.seats
            },
            bool(scene.dice or scene.blank_dice),
        )


def _pieces(scene: WatchScene) -> dict[str, str]:
    told = {name: render_template(f"pieces/{name}.html", scene=scene) for name in ("dice", "asides")}
    if scene.ground:
        told["shared"] = render_template("pieces/over-ground.html", scene=scene)
        told["beside-shared"] = render_template("pieces/beside-shared.html", scene=scene)
    elif scene.shared_board:
        told["shared"] = render_template("pieces/shared.html", scene=scene)
    for seat in scene.seats:
        told[f"seat-{seat.number}"] = render_template("pieces/seat.html", scene=scene, seat=seat)
    return told
