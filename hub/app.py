"""The Flask application of a hub: what boxes say, and the pages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask, Request, Response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.club.messages import LARGEST_BATCH, Receipt
from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.languages import LANGUAGES
from companion.table.exc import TableError
from hub.house import HubHouse
from hub.intake.api import boxes, direct_inbox
from hub.intake.ledger import Ledger, found_club, secret_of
from hub.intake.storing import RefusedError
from hub.organising import organising, seating_of
from hub.pages import pages
from hub.storage.database import AwayError, Database
from hub.templating import equip
from web.access import guards
from web.exc import WebError
from web.live.streams import Live
from web.pages.assets import assets, compressed
from web.ui import languages
from web.ui.speaking import spoken

log = logging.getLogger(__name__)

AGAIN = 5  # seconds after which a database that was away may be back


def made_house(
    database: Database,
    stopping: threading.Event,
    *,
    name: str = "",
    streams: int = 100,
    names: Callable[[], frozenset[str]] = lambda: frozenset({"localhost"}),
) -> HubHouse:
    """Make the state of a hub that works on a database."""
    club = found_club(database, name)
    ledger = Ledger(database, club)
    live = Live(None, lambda _: {}, streams, stopping)
    house = HubHouse(database, club, ledger, live, inbox=_nowhere, names=names)
    ledger.is_watched = house.is_watched
    ledger.seating = lambda table: seating_of(house, house.state.table(table))
    ledger.opened = house.state.opened_seeds
    ledger.wanted = house.wanted_of
    house.secret = secret_of(database)
    house.state.refresh()
    direct_inbox(ledger, house)
    return house


def _nowhere(_box: str, _signed: str, _body: bytes) -> Receipt:
    raise AssertionError("the house has no inbox yet")


def create_app(house: HubHouse) -> Flask:
    """The application of a hub."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BATCH
    app.extensions["stationmaster_hub"] = house
    app.jinja_env.globals["club_name"] = lambda: house.club.name
    equip(app, lambda: _language_of(request.environ))  # before the guards: they say why not
    guards.install(app, house.names)
    for blueprint in (assets, pages, organising, boxes):
        app.register_blueprint(blueprint)
    app.wsgi_app = house.response_cache.before(app.wsgi_app, _language_of, house.names)  # type: ignore[method-assign, assignment]
    app.register_error_handler(WebError, _answer_problem)
    app.register_error_handler(RefusedError, lambda one: _problem(one.status, one.code, one.message))
    app.register_error_handler(AwayError, _answer_away)
    app.register_error_handler(TableError, lambda one: _problem(409, one.code, one.message))
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(Exception, _answer_fault)
    app.after_request(compressed)
    return app


def _language_of(environ: dict[str, Any]) -> str:
    """The language that the browser chose or asks for; also where Flask has not seen the request."""
    asked = Request(environ)
    chosen = asked.cookies.get(languages.LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else asked.accept_languages.best_match(list(LANGUAGES)) or "en"


def _problem(status: int, code: str, message: str) -> Response:
    told = {"error": {"code": code, "message": spoken(message), "detail": {}}}
    return Response(json_of(told), status, mimetype="application/json")


def _answer_problem(problem: WebError) -> Response:
    if not request.path.startswith("/api/"):
        page = render_template("hub/problem.html", problem=problem, page="")
        return Response(page, problem.status, mimetype="text/html")
    answer = _problem(problem.status, problem.code, problem.message)
    if "retry_after" in problem.detail:
        answer.headers["Retry-After"] = str(problem.detail["retry_after"])
    return answer


def _answer_away(problem: AwayError) -> Response:
    log.warning("%s", problem.message)
    answer = _problem(503, problem.code, m("the hub cannot reach what it keeps: try again soon"))
    answer.headers["Retry-After"] = str(AGAIN)
    return answer


def _answer_http(problem: HTTPException) -> Response:
    status = problem.code or 500
    if status < 400:
        return Response(status=status, headers=problem.get_headers())
    return _problem(status, *_HTTP.get(status, ("bad-request", m("the request cannot be read"))))


_HTTP = {
    404: ("not-found", m("there is no such page: go back to the tables")),
    405: ("not-allowed", m("this address does not take such a request")),
    413: ("too-large", m("that is more than the hub takes at once")),
}


def _answer_fault(problem: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=problem)
    return _problem(500, "fault", m("the hub made a mistake; nothing was changed: try again"))
