"""The served document and the routes are the same thing, and answers are what it says."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from tests.web.houses import begin, play_rounds
from tests.web.people import get, post, seated, the_host
from web.api.openapi import document
from web.api.operations import OPERATIONS


def test_every_route_is_described_and_nothing_else(app: Flask) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method.upper()) for path, operations in document()["paths"].items() for method in operations
    }
    assert routes == described


def test_the_document_is_served_and_its_references_lead_somewhere(client: FlaskClient) -> None:
    text = client.get("/api/v1/openapi.json").get_data(as_text=True)
    told = msgspec.json.decode(text)
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert name in told["components"]["schemas"]
    names = [one.name for one in OPERATIONS]
    assert len(names) == len(set(names))
    assert all(one.summary for one in OPERATIONS)


def test_answers_are_what_the_document_promises(app: Flask, house: Service) -> None:
    match = begin(house, "", "")
    host, east = the_host(app, house), seated(app, house, 1, "East")
    good: dict[str, Any] = {
        "/me": east, "/games": east, "/matches": east, "/matches/current": east,
        "/matches/current/events": east, "/matches/current/legal": east,
        f"/matches/{match}/results": east, "/pieces?page=play": east,
        "/host": host,
    }  # fmt: skip
    for path, client in good.items():
        one = next(
            one for one in OPERATIONS if one.method == "GET" and _fits(one.path, path.partition("?")[0])
        )
        msgspec.convert(get(client, path), one.answer)


def _fits(rule: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"<[^>]+>", "[^/]+", rule), path) is not None


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: f"{one.method} {one.path}")
def test_every_problem_has_a_described_status(app: Flask, house: Service, one: Any) -> None:
    """A stranger asks for everything with nothing sensible in it."""
    begin(house)
    play_rounds(house, 1)
    if one.path == "/stream":
        return
    path = re.sub(r"<int:\w+>", "1", one.path).replace("<match>", "current").replace("<name>", "x")
    stranger = app.test_client()
    described = {
        int(status)
        for status in document()["paths"]["/api/v1" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", one.path)][
            one.method.lower()
        ]["responses"]
    }
    for body in ({}, {"nonsense": 1}, {"kind": "draw"}, {"code": "A", "pin": "1"}):
        if one.method == "POST":
            answer = post(stranger, path, body)
        else:
            answer = stranger.open(f"/api/v1{path}", method=one.method)
        assert answer.status_code in described, (answer.status_code, answer.get_data(as_text=True))
        if answer.status_code >= 400:
            msgspec.convert(answer.get_json(), __import__("web.api.shapes", fromlist=["Problem"]).Problem)
