"""Browsers for the tests: each is a client with its own cookies, and speaks JSON."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.service.service import Service
from web.access.joining import join_code
from web.access.people import new_pin
from web.site import site_of


def post(
    client: FlaskClient, path: str, body: object = None, *, key: str = "", **headers: str
) -> TestResponse:
    """What a page sends."""
    told = {"Idempotency-Key": key, **headers} if key else headers
    return client.post(f"/api/v1{path}", json={} if body is None else body, headers=told)


def get(client: FlaskClient, path: str) -> Any:
    """The answer's JSON, which has to be a good one."""
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_json()


def good(answer: TestResponse) -> Any:
    """The JSON of an accepted request."""
    assert answer.status_code in (200, 201), answer.get_data(as_text=True)
    return answer.get_json()


def problem(answer: TestResponse, status: int, code: str) -> str:
    """The sentence of a refused one."""
    told = answer.get_json()
    assert (answer.status_code, told["error"]["code"]) == (status, code), told
    sentence: str = told["error"]["message"]
    assert sentence.strip()
    return sentence


def the_host(app: Flask, house: Service) -> FlaskClient:
    """A browser that has entered the PIN."""
    client = app.test_client()
    good(post(client, "/host", {"pin": new_pin(house.store)}))
    return client


def seated(app: Flask, house: Service, seat: int, name: str) -> FlaskClient:
    """A browser at a seat of the current match."""
    client = app.test_client()
    match = house.table.current
    assert match is not None
    player = match.players[seat]
    body = {
        "code": join_code(house.store, match),
        "seat": seat,
        "name": name,
        "colour": player.colour,
        "shape": player.shape,
    }
    good(post(client, "/seats", body))
    return client


def joined(app: Flask, name: str, **more: Any) -> FlaskClient:
    """A phone that has come in with the table's code."""
    phone = app.test_client()
    good(post(phone, "/room", {"code": site_of(app).room.code, "name": name, **more}))
    return phone
