"""The Flask application: everything that belongs to all pages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from flask import Flask, Response, jsonify, render_template, request
from jinja2 import ChoiceLoader, FileSystemLoader
from werkzeug.exceptions import HTTPException

from companion import __version__
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.service.photos.turns import BUSY as READER_BUSY
from companion.sheets.seat_marks import COLOUR_WORDS, SHAPE_WORDS
from companion.table.events import Event
from companion.table.exc import StorageError, TableError
from web.access import guards
from web.access.joining import Joining
from web.access.room import Room
from web.access.setup import Setup
from web.api import api
from web.exc import WebError
from web.live.streams import ROOM, Live
from web.pages.assets import asset_url, assets, compressed, script_tags, style
from web.pages.learning import learning
from web.pages.page_files import game_templates
from web.pages.records import records
from web.pages.views import pages
from web.site import Site, known_match, site_of
from web.ui import languages, presenter_of
from web.ui.clock import local_time
from web.ui.parts import photo_sheet_of
from web.ui.scene import drawn_dice
from web.ui.signs import signs_json
from web.ui.speaking import said_json, spoken
from web.ui.timeline import event_words, spoken_change
from web.ui.wording import for_people
from web.ui.words import handbook, place_words, seat_mark

if TYPE_CHECKING:
    from companion.service.service import Service

log = logging.getLogger(__name__)

_LARGEST_REQUEST = 25 * 2**20
_READER_AGAIN = 5  # seconds after which the reader of photographs may have time


@dataclass(frozen=True)
class WebSettings:
    """What differs from box to box."""

    names: frozenset[str] = field(default_factory=lambda: frozenset({"localhost"}))
    streams: int = 100
    more_names: Callable[[], frozenset[str]] = frozenset  # those that may change while the box is on
    demonstration: bool = False  # bots play, and whoever opens a page may sit down


def create_app(
    service: Service, settings: WebSettings | None = None, stopping: threading.Event | None = None
) -> Flask:
    """The pages and the API of a service. ``site.live`` has to be started by whoever serves them."""
    settings = settings or WebSettings()
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_REQUEST
    live = Live(
        service.table.subscribe(),
        lambda event: _describe(app, event),
        settings.streams,
        stopping or threading.Event(),
    )
    room = Room(service.store.setting, service.store.put_setting, changed=lambda: live.send(ROOM))
    setup = Setup(service.store.setting, service.store.put_setting)
    site = Site(service, live, Joining(service.table), room, setup, demonstration=settings.demonstration)
    app.extensions["stationmaster"] = site
    app.jinja_loader = ChoiceLoader([FileSystemLoader(Path(__file__).parent / "templates"), game_templates()])
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        asset=asset_url,
        photo_sheet=photo_sheet_of,
        scripts=script_tags,
        style=style(),
        version=__version__,
        setup_state=lambda: setup.state,
        box_name=lambda: service.settings.now.box.name,
        demonstration=settings.demonstration,
        seat_mark=seat_mark,
        colour_words=COLOUR_WORDS,
        shape_words=SHAPE_WORDS,
        place_words=place_words,
        event_words=event_words,
        signs_json=signs_json,
    )
    app.jinja_env.filters["handbook"] = handbook
    app.jinja_env.filters["here"] = lambda at: local_time(at, service.settings.now.box.time_zone)
    in_own_network = lambda: service.own_network is not None  # noqa: E731
    languages.install(app)  # before the guards, who have to say why they turn somebody away
    guards.install(app, lambda: settings.names | settings.more_names(), in_own_network)
    presenters = [presenter_of(game) for game in service.games.values()]
    editors = [presenter.editor for presenter in presenters if presenter.editor is not None]
    for blueprint in (assets, pages, records, learning, *editors, api):
        app.register_blueprint(blueprint)
    app.register_error_handler(WebError, _answer_problem)
    app.register_error_handler(TableError, _answer_table)
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(Exception, _answer_fault)
    app.after_request(compressed)
    return app


def _describe(app: Flask, event: Event) -> JsonObject:
    """What every open page is told of an event; the dice go along, so that a roll is there at once."""
    told: JsonObject = {"match": event.match, "version": event.seq, "kind": event.kind, "seat": event.seat}
    match = site_of(app).service.table.match(event.match) if event.kind in _TOLD else None
    if match is None:
        return told
    if event.kind == "roll":
        with app.app_context():
            told["pieces"] = {"dice": drawn_dice(match)}
    else:
        told["says"] = spoken(spoken_change(match, event))
    return told


# Of these every page is told more than that something happened.
_TOLD = ("roll", "hold", "admit", "undo", "correct")


# --- problems, the same shape everywhere ---


def _answer_problem(problem: WebError) -> Response:
    if request.path.startswith("/api/") or request.accept_mimetypes.best == "application/json":
        error = {
            "code": problem.code,
            "message": spoken(_by_name(problem.message)),
            **({"detail": msgspec.json.decode(said_json(problem.detail))} if problem.detail else {}),
        }
        answer = jsonify({"error": error})
    else:
        answer = Response(render_template("problem.html", problem=problem), mimetype="text/html")
    answer.status_code = problem.status
    if "retry_after" in problem.detail:
        answer.headers["Retry-After"] = str(problem.detail["retry_after"])
    return answer


def _by_name(message: str) -> str:
    """A problem about a match calls its players by their names."""
    match_id = (request.view_args or {}).get("match")
    try:
        match = known_match(match_id) if match_id else None
    except TableError:  # then the problem is that the match cannot be shown at all
        match = None
    return for_people(message, match) if match else message


def _answer_table(problem: TableError) -> Response:
    if problem.code == READER_BUSY:
        return _answer_problem(WebError(429, problem.code, problem.message, {"retry_after": _READER_AGAIN}))
    status = 503 if isinstance(problem, StorageError) else 409
    return _answer_problem(WebError(status, problem.code, problem.message))


_HTTP_PROBLEMS = {
    404: ("not-found", m("there is no such page: go back to the table")),
    405: ("not-allowed", m("this address does not accept that kind of request")),
    413: ("too-large", m("that is too large: a photograph may have up to 20 MB")),
}


def _answer_http(problem: HTTPException) -> Response:
    status = problem.code or 500
    if status < 400:
        return Response(status=status, headers=problem.get_headers())
    code, message = _HTTP_PROBLEMS.get(status, ("bad-request", m("the request cannot be read")))
    answer = _answer_problem(WebError(status, code, message))
    allowed = dict(problem.get_headers()).get("Allow")
    if allowed:
        answer.headers["Allow"] = allowed
    return answer


def _answer_fault(problem: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=problem)
    return _answer_problem(
        WebError(500, "fault", m("the box made a mistake; nothing was changed: try again"))
    )
