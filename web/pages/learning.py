"""The guided first round of a game: a practice match on one phone, outside any table."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.core.messages import m
from companion.game.base import Game
from companion.table.seats import default_player
from web.access.limits import WORK
from web.exc import WebError
from web.pages.practice import Practice, Practices
from web.site import site
from web.ui import presenter_of
from web.ui.lessons import LEARNER, Lesson

learning = Blueprint("learning", __name__)
COOKIE = "practice"
SEED = 8  # everybody learns with the same match


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
    token = request.cookies.get(COOKIE, "")
    practice = practices().find(token, game)
    if practice is None:
        _work()
        token = practices().begin(game, lesson, SEED)
        practice = practices().find(token, game)
        assert practice is not None
    answer = make_response(_page(practice))
    # Under the policy of the other pages browsers do not say from where a form is sent.
    answer.headers["Referrer-Policy"] = "same-origin"
    answer.set_cookie(
        COOKIE, token, httponly=True, samesite="Strict", secure=request.is_secure, path="/learn"
    )
    return answer


@learning.post("/learn/<name>")
def tap(name: str) -> Response:
    """Apply a choice, or restart the lesson."""
    game, _ = _taught(name)
    token = request.cookies.get(COOKIE, "")
    practice = practices().find(token, game)
    answer = redirect(url_for("learning.lesson_page", name=name), code=303)
    if "again" in request.form:
        answer.delete_cookie(COOKIE, path="/learn")
    elif practice is not None:
        _work()
        practices().keep(token, practice.tapped(request.form.get("choice", "")))
    return answer


def _work() -> None:
    """Apply the rate limit, because the bots' moves take processor time."""
    address = request.remote_addr or ""
    site().limiter.check("practice", address, WORK)
    site().limiter.count("practice", address)


def _taught(name: str) -> tuple[Game[Any], Lesson[Any]]:
    game = site().service.games.get(name)
    lesson = presenter_of(game).lesson if game is not None else None
    if game is None or lesson is None:
        raise WebError(404, "not-found", m("there is no guided first round for such a game"))
    return game, lesson


def _page(practice: Practice) -> str:
    game, state, step = practice.game, practice.state, practice.step
    presenter = presenter_of(game)
    view = game.view(state, LEARNER)
    players = {int(row["seat"]): default_player(int(row["seat"])) for row in game.score(state)}
    return render_template(
        "learn.html",
        game=game,
        presenter=presenter,
        practice=practice,
        step=step,
        choices=practice.lesson.choices(step, state) if step else {},
        told=practice.lesson.told(step, state) if step else {},
        dice=presenter.dice(view),
        ground=presenter.ground(state),
        picture=presenter.shared_board(view, players) or presenter.board(view, LEARNER, m("you")),
        total=len(practice.lesson.steps),
    )
