"""The guided first round of a game: a practice match on one phone, outside any table.

The page is that of a seat: the same pieces, scripts and controls. What those ask of a match is answered
here, below ``/learn/<game>/``, from the practice alone.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.core.jsontext import JsonObject, read_object, shaped
from companion.core.messages import m
from companion.game.base import Action, Game, Refusal
from companion.table.events import Actor
from companion.table.previews import previewed
from web.access.limits import WORK
from web.api.asking import answered
from web.api.previews import foreseen
from web.api.shapes import Question
from web.exc import WebError
from web.pages.practice import Practice, Practices
from web.site import site
from web.ui import presenter_of
from web.ui.lessons import LEARNER, Lesson
from web.ui.naming import by_name
from web.ui.scene import Scene, rendered, scene_of
from web.ui.speaking import language, said_json

learning = Blueprint("learning", __name__)
COOKIE = "practice"
SEED = 8  # everybody learns with the same match


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    data: JsonObject = {}
    seen: int | None = None


def practices() -> Practices:
    """Return the practice matches of this application."""
    found: Practices = current_app.extensions.setdefault("practices", Practices())
    return found


@learning.get("/learn")
def lessons() -> str:
    """Which games can be learnt by playing."""
    presenters = {name: presenter_of(game) for name, game in site().service.games.items()}
    games = [game for game in site().service.games.values() if presenters[game.name].lesson]
    covers = {name: presenter.cover for name, presenter in presenters.items()}
    return render_template("learn_games.html", games=games, covers=covers)


@learning.get("/learn/<name>")
def lesson_page(name: str) -> Response:
    """Show the step that this phone has reached; a first visit begins the lesson."""
    game, lesson = _taught(name)
    practice = practices().find(request.cookies.get(COOKIE, ""), game)
    if practice is None:
        _work()
        practice = practices().begin(game, lesson, SEED, site().service.clock.now().isoformat())
    scene = scene_of(practice.match, LEARNER)
    page = render_template(
        "learn.html",
        presenter=presenter_of(game),
        practice=practice,
        scene=scene,
        pieces=_pieces(practice, scene),
        has_dice=bool(game.die_faces),
    )
    answer = make_response(page)
    # Under the policy of the other pages browsers do not say from where a form is sent.
    answer.headers["Referrer-Policy"] = "same-origin"
    answer.set_cookie(
        COOKIE, practice.name, httponly=True, samesite="Strict", secure=request.is_secure, path="/learn"
    )
    return answer


@learning.post("/learn/<name>")
def turn_page(name: str) -> Response:
    """Go on after what is only read, or begin anew."""
    game, _ = _taught(name)
    practice = practices().find(request.cookies.get(COOKIE, ""), game)
    answer = redirect(url_for("learning.lesson_page", name=name), code=303)
    if "again" in request.form:
        answer.delete_cookie(COOKIE, path="/learn")
    elif practice is not None:
        practices().keep(practice.went_on())
    return answer


# --- what the scripts of a seat's page ask of its match ---


@learning.get("/learn/<name>/pieces")
def pieces(name: str) -> Response:
    """The changing parts of the page, as those of a match are told."""
    practice = _practice(name)
    shown = _pieces(practice, scene_of(practice.match, LEARNER))
    told = {"match": practice.name, "current": practice.name, "version": practice.version}
    return _json({**told, "pieces": shown, "language": language()})


@learning.post("/learn/<name>/actions")
def act(name: str) -> Response:
    """Try an action on the practice match."""
    practice = _practice(name)
    _work()
    after = practice.acted(_asked())
    if isinstance(after, Refusal):
        raise WebError(409, after.code, by_name(after.message, practice.match.players), after.detail)
    practices().keep(after)
    return _json({"data": {}, "version": after.version})


@learning.post("/learn/<name>/preview")
def preview(name: str) -> Response:
    """What a step would bring, before it is confirmed."""
    before = _practice(name).match
    after = previewed(before, Action(_asked().kind, LEARNER, _asked().data), Actor("player", LEARNER))
    if isinstance(after, Refusal):
        raise WebError(409, after.code, by_name(after.message, before.players), after.detail)
    return _json(foreseen(before, after, LEARNER))


@learning.get("/learn/<name>/ask")
def ask(name: str) -> Response:
    """Ask the rules, for a plan."""
    query = Question(request.args.get("about", ""), request.args.get("data", "{}"))
    return _json(answered(_practice(name).match, LEARNER, query))


def _json(told: object) -> Response:
    """An answer for the scripts, its messages said in the reader's language."""
    return Response(said_json(told), mimetype="application/json")


def _asked() -> Action:
    body = shaped(read_object(request.get_data()), _Request)
    return Action(body.kind, LEARNER, body.data)


def _practice(name: str) -> Practice:
    game, _ = _taught(name)
    practice = practices().find(request.cookies.get(COOKIE, ""), game)
    if practice is None:
        raise WebError(404, "forgotten", m("this first round was forgotten: open it anew"))
    return practice


def _work() -> None:
    """Apply the rate limit, because the bots' moves take processor time."""
    site().limiter.take("practice", request.remote_addr or "", WORK)


def _taught(name: str) -> tuple[Game[Any], Lesson[Any]]:
    game = site().service.games.get(name)
    lesson = presenter_of(game).lesson if game is not None else None
    if game is None or lesson is None:
        raise WebError(404, "not-found", m("there is no guided first round for such a game"))
    return game, lesson


def _pieces(practice: Practice, scene: Scene) -> dict[str, str]:
    """Those of a seat's page, and what the lesson says."""
    lesson, step = practice.lesson, practice.step
    said = render_template(
        "pieces/lesson.html",
        practice=practice,
        game=practice.game,
        step=step,
        told=lesson.told(step, practice.state) if step else {},
        before=lesson.told(practice.done, practice.state) if practice.done else {},
        shows=list(lesson.shows(step, practice.state)) if step else [],
    )
    return {**rendered(scene, "play"), "lesson": said}
