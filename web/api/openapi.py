"""The OpenAPI document, made from the operations themselves, so that it cannot disagree with them."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec

from companion import __version__
from companion.core.jsontext import JsonObject
from web.api.operations import OPERATIONS, PROBLEM_SHAPE, Operation, described_problems

_REF = "#/components/schemas/{name}"
_PLACE = re.compile(r"<(?:int:)?(\w+)>")
_WHAT = {
    "match": "the match's id, or `current`",
    "seat": "the seat's number",
    "number": "the round's number",
    "name": "a backup's file name, or the name of a taught board or deck",
    "photo": "a photograph's SHA-256",
    "guest": "a guest's number",
    "knock": "the word that the knock was answered with",
}


@cache
def document() -> JsonObject:
    """Return the complete OpenAPI document."""
    bodies = [one.body for one in OPERATIONS if one.body is not None]
    answers = [one.answer for one in OPERATIONS if one.answer is not None]
    types = list(dict.fromkeys([*bodies, *answers, PROBLEM_SHAPE]))
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    by_type = dict(zip(types, schemas, strict=True))
    paths: dict[str, JsonObject] = {}
    for one in OPERATIONS:
        told: JsonObject = {
            "operationId": one.name,
            "summary": one.summary,
            "tags": [one.tag],
            "parameters": [*_places(one), *_queries(one), *_headers(one)],
            "responses": _responses(one, by_type),
        }
        if one.body is not None:
            told["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": by_type[one.body]}},
            }
        if one.sent:
            content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in one.sent}
            told["requestBody"] = {"required": True, "content": content}
        paths.setdefault(openapi_path(one), {})[one.method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {"title": "Stationmaster", "version": __version__, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _COOKIES},
    }


def openapi_path(one: Operation) -> str:
    """An operation's address as the document writes it."""
    return "/api/v1" + _PLACE.sub(r"{\1}", one.path)


_ABOUT = (
    "Everything the pages do. Anybody on the network may look; a seat's cookie may play; the host's cookie "
    "runs the table. POSTs take an Idempotency-Key. Errors have one shape."
)
_COOKIES: JsonObject = {
    "seat": {"type": "apiKey", "in": "cookie", "name": "stationmaster_seat"},
    "host": {"type": "apiKey", "in": "cookie", "name": "stationmaster_host"},
}


def _places(one: Operation) -> list[JsonObject]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _WHAT[name],
            "schema": {"type": "integer", "minimum": 1}
            if f"<int:{name}>" in one.path
            else {"type": "string"},
        }
        for name in _PLACE.findall(one.path)
    ]


def _queries(one: Operation) -> list[JsonObject]:
    if one.query is None:
        return []
    (found,), components = msgspec.json.schema_components([one.query], ref_template=_REF)
    fields: JsonObject = components[found["$ref"].rpartition("/")[2]]["properties"]
    return [{"name": name, "in": "query", "schema": schema} for name, schema in fields.items()]


def _headers(one: Operation) -> list[JsonObject]:
    if one.method != "POST":
        return []
    schema = {"type": "string", "maxLength": 64, "pattern": "^[ -~]*$"}
    return [{"name": "Idempotency-Key", "in": "header", "schema": schema}]


def _responses(one: Operation, by_type: dict[Any, JsonObject]) -> JsonObject:
    schema: JsonObject = {} if one.answer is None else by_type[one.answer]
    content = {kind: {"schema": schema} for kind in one.kinds}
    good = {"description": HTTPStatus(one.status).phrase, "content": content}
    bad = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": by_type[PROBLEM_SHAPE]}},
        }
        for status in described_problems(one)
    }
    return {str(one.status): good, **bad}
