"""Choosing the language in which a request is answered.

A browser's own choice (the switch on every page, kept in a cookie) comes first; the table's screen has the
host's setting; then the owner's setting for the box counts; else the browser's ``Accept-Language`` decides.
Programs that ask for nothing get English.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, redirect, request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from companion.core.messages import Message, m
from companion.languages import LANGUAGES, catalogue
from web.access.people import person
from web.exc import WebError
from web.pages.assets import is_script, running, script_forms, script_messages
from web.site import site
from web.ui import i18n
from web.ui.speaking import decimal, language, said_json, speak, spoken

LANGUAGE_COOKIE = "stationmaster_language"
SCREEN_LANGUAGE = "screen-language"  # the setting of the table's screen; empty: the screen's browser decides
_YEAR = 365 * 24 * 3600
_COMPACT = (",", ":")  # between the parts of JSON

languages = Blueprint("languages", __name__)


@pass_context
def _put_out(_context: Context, value: Any) -> Any:
    """What a template puts out: messages are spoken, other texts are names and notations."""
    return spoken(value) if isinstance(value, Message) else value


def _as_sentence(words: str) -> Markup:
    said = spoken(words)
    return escape(f"{said[:1].upper()}{said[1:]}")


def install(app: Flask) -> None:
    """Answer every request in its language."""
    equip(app, _asked_for)


def equip(app: Flask, asked_for: Callable[[], str]) -> None:
    """Set up translation, given a function that tells the language of a request."""
    i18n.install(app.jinja_env)
    app.jinja_env.finalize = _put_out
    app.jinja_env.filters["as_sentence"] = _as_sentence
    app.jinja_env.filters["decimal"] = decimal
    app.jinja_env.globals.update(language=language, languages=LANGUAGES, script_words=script_words)
    app.jinja_env.policies["json.dumps_kwargs"] = {}
    app.jinja_env.policies["json.dumps_function"] = lambda told: said_json(told, "sorted").decode()
    app.register_blueprint(languages)

    @app.before_request
    def choose() -> None:
        speak(asked_for())

    @app.after_request
    def mark(answer: Response) -> Response:
        answer.vary.update(("Accept-Language", "Cookie"))
        return answer


def script_words() -> str:
    """What the scripts of a page say, as JSON: English and the language of the page; no sentence itself."""
    told = _words(language(), running())
    for letter, written in (("&", "&amp;"), ("<", "&lt;"), ("'", "&#39;")):
        told = told.replace(letter, written)  # it stands between single quotation marks
    return Markup(told)  # nobody looks for a sentence in it, which would take minutes


def _words(wanted: str, names: frozenset[str]) -> str:
    known = catalogue(wanted)
    told = {message: known.gettext(message) for message in script_messages(names)}
    for one, many in script_forms(names):
        if (said := known.ngettext(one, many, 1)) != one:  # somebody else says it, too, with both forms
            told[one], told[many] = said, known.ngettext(one, many, 2)
    return json.dumps(told, ensure_ascii=False, separators=_COMPACT)


@languages.get("/words/<wanted>/<path:script>")
def words_of(wanted: str, script: str) -> Response:
    """Return the translated texts of a script that a page loads on demand."""
    if wanted not in LANGUAGES or not is_script(script):
        raise WebError(404, "not-found", m("there is no such file"))
    return Response(_words(wanted, frozenset((script,))), mimetype="application/json")


def chosen_here() -> str:
    """Return the language chosen in this browser; empty if none was."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else ""


def _asked_for() -> str:
    if chosen := chosen_here():
        return chosen
    if request.path == "/tv" or request.args.get("page") == "tv" or _is_screen():
        set_for_screen = site().service.store.setting(SCREEN_LANGUAGE) or ""
        if set_for_screen in LANGUAGES:
            return set_for_screen
    own = site().service.settings.now.box.language
    if own in LANGUAGES and request.accept_languages:
        return own
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def _is_screen() -> bool:
    who = person()
    return who.screen and not who.host


@languages.get("/language/<wanted>")
def choose_language(wanted: str) -> Response:
    """Set this browser's language and redirect to the page it was on."""
    if wanted not in LANGUAGES:
        raise WebError(404, "not-found", m("the box does not speak that language"))
    back = request.args.get("back", "/")
    answer = redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    answer.set_cookie(LANGUAGE_COOKIE, wanted, max_age=_YEAR, samesite="Strict", secure=request.is_secure)
    return answer
