"""One decorator for every operation: it reads, answers, and describes itself for the OpenAPI document."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request

from companion.core.errors import GameError
from companion.core.jsontext import LONGEST_TEXT, read_object, shaped
from companion.core.messages import m
from web.access.people import GUEST_COOKIE
from web.api.shapes import Empty, Problem
from web.exc import WebError
from web.site import site
from web.ui.speaking import language, said_json

api = Blueprint("api", __name__, url_prefix="/api/v1")
Handler = TypeVar("Handler", bound=Callable[..., Any])

_LONGEST_KEY = 64


@dataclass(frozen=True)
class Operation:
    """What the document says of one operation."""

    method: str
    path: str
    summary: str
    tag: str
    answer: Any
    body: type[msgspec.Struct] | None = None
    query: type[msgspec.Struct] | None = None
    status: int = 200
    problems: tuple[int, ...] = ()
    sent: tuple[str, ...] = ()  # kinds of content that are taken as they are, instead of JSON
    kinds: tuple[str, ...] = ("application/json",)  # of the answer
    name: str = ""
    allowed: Callable[[], None] | None = None  # refuses whoever may not ask, before anything is looked at


OPERATIONS: list[Operation] = []


@dataclass
class Answer:
    """A handler's answer with more than content: cookies, an ETag, headers."""

    body: Any
    mark: Callable[[Response], None] | None = None
    tag: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def operation(method: str, path: str, summary: str, answer: Any, **more: Any) -> Callable[[Handler], Handler]:
    """Make a function an operation of the API. ``path`` is written as Flask writes it."""

    def register(handler: Handler) -> Handler:
        one = Operation(
            method,
            path,
            summary,
            handler.__module__.rpartition(".")[2],
            answer,
            name=handler.__name__,
            **more,
        )
        OPERATIONS.append(one)

        def view(**places: str) -> Response:
            if one.allowed is not None:  # a stranger does not even hear what the body should be like
                one.allowed()
            asked = _asked_once(one) if method == "POST" else None
            if asked is None:
                return _respond(one, handler, places)
            return site().replays.once(*asked, partial(_respond, one, handler, places))

        api.add_url_rule(path, one.name, view, methods=[method])
        return handler

    return register


def _asked_once(one: Operation) -> tuple[str, bytes] | None:
    """Of a POST with a key, who asks what: whoever repeats it gets the first answer again."""
    _check_length(one)
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return None
    if len(key) > _LONGEST_KEY or not key.isprintable():
        raise WebError(
            422,
            "bad-key",
            m("an idempotency key has up to {longest_key} printable characters", longest_key=_LONGEST_KEY),
        )
    # A guest's cookie is given along with a seat: whoever lost that answer asks without it, or with it.
    known = "".join(request.cookies[name] for name in sorted(request.cookies) if name != GUEST_COOKIE)
    asker = known or f"from {request.remote_addr}"  # an answer with a cookie in it is for nobody else
    place = hashlib.sha256(f"{request.path}\n{asker}\n{key}".encode()).hexdigest()
    return place, hashlib.sha256(request.get_data()).digest()


def _respond(one: Operation, handler: Callable[..., Any], places: dict[str, str]) -> Response:
    given: dict[str, Any] = dict(places)
    if one.query is not None:
        given["query"] = _query(one.query)
    if one.sent:
        given["content"] = _content(one.sent)
    if one.body is not None:
        body = _body(one.body)
        given |= {} if one.body is Empty else {"body": body}
    made = handler(**given)
    if isinstance(made, Response):
        return made
    answer = made if isinstance(made, Answer) else Answer(made)
    response = Response(
        _encoded(answer.body), one.status, mimetype="application/json", headers=answer.headers
    )
    if answer.mark is not None:
        answer.mark(response)
    if answer.tag:
        response.set_etag(f"{answer.tag}.{language()}")
        response.make_conditional(request)
    return response


def _encoded(body: Any) -> bytes:
    """Encode the body as JSON, with its messages in the reader's language."""
    return said_json(body)


def _query(shape: type[msgspec.Struct]) -> msgspec.Struct:
    twice = next((name for name in request.args if len(request.args.getlist(name)) > 1), None)
    if twice is not None:
        raise WebError(422, "bad-query", m("{twice} is given twice in the address", twice=repr(twice)))
    try:
        return msgspec.convert(request.args.to_dict(), shape, strict=False)
    except msgspec.ValidationError as problem:
        raise WebError(
            422, "bad-query", m("the address has an unknown parameter: {problem}", problem=problem)
        ) from None


def _content(kinds: tuple[str, ...]) -> bytes:
    if request.mimetype not in kinds:
        raise WebError(415, "not-a-picture", m("send one of {kinds}", kinds=", ".join(kinds)))
    return request.get_data()


def _check_length(one: Operation) -> None:
    """Refuse a JSON body that is too large before reading it."""
    length = request.content_length or 0
    if not one.sent and length > LONGEST_TEXT:
        message = m(
            "the input has {length} bytes; the limit is {longest_text}",
            length=f"{length:,}",
            longest_text=f"{LONGEST_TEXT:,}",
        )
        raise WebError(422, "too-long", message)


def _body(shape: type[msgspec.Struct]) -> msgspec.Struct:
    if request.mimetype != "application/json":
        raise WebError(415, "not-json", m("send JSON, and say so: Content-Type: application/json"))
    try:
        return shaped(read_object(request.get_data() or b"{}"), shape)
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None


def described_problems(one: Operation) -> tuple[int, ...]:
    """Every status with an error that this operation may answer."""
    found = {*one.problems, 400, 421}
    if one.body is not None or one.sent:
        found |= {413, 415, 422}
    if one.query is not None:
        found.add(422)
    if one.method != "GET":
        found |= {403, 409}
        if one.method == "POST":
            found.add(422)
    return tuple(sorted(found))


PROBLEM_SHAPE = Problem
