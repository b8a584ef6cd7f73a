"""Who may ask for what, and what every answer says to the browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from tests.web.houses import begin
from tests.web.people import the_host
from web.api.operations import OPERATIONS, Operation


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "192.168.1.20:8080",
        "[fe80::1]:8080",
        "127.0.0.1",
        "[fe80::1%lo]:80",
        "[::1%25lo]",
    ],
)
def test_our_own_names_and_any_address_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example:8080",
        "",
        "192.168.1.20.evil.example",
        "[::",
        "evil.example@127.0.0.1",
        "evil.example:80@localhost",
        "[fe80::1%evil]",
        "[fe80::1%25evil.example]:80",
        "127.0.0.1%evil",
    ],
)
def test_a_foreign_name_is_refused_in_a_sentence(client: FlaskClient, host: str) -> None:
    answer = client.get("/api/v1/pieces", headers={"Host": host})
    assert answer.status_code == 421
    error = answer.get_json()["error"]
    assert error["code"] == "foreign-host"
    assert "address that was printed when it started" in error["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_only_our_own_pages_may_write(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/v1/pieces", headers={"Host": "localhost", **headers})
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "foreign-origin"


def test_every_answer_is_locked_down(client: FlaskClient, house: Service) -> None:
    begin(house)
    for path in ("/", "/api/v1/pieces", "/static/page.css", "/nowhere", "/api/v1/nowhere"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


def test_problems_have_one_shape(client: FlaskClient) -> None:
    for answer, code in (
        (client.get("/api/v1/nowhere"), "not-found"),
        (client.put("/api/v1/pieces"), "not-allowed"),
        (client.get("/api/v1/pieces"), "no-match"),
    ):
        error = answer.get_json()["error"]
        assert error["code"] == code
        assert error["message"].strip()
    assert client.get("/nowhere").mimetype == "text/html"


@pytest.mark.parametrize(
    "one", [one for one in OPERATIONS if "(host" in one.summary], ids=lambda one: f"{one.method} {one.path}"
)
def test_a_stranger_hears_that_only_the_host_may_before_anything_is_looked_at(
    app: Flask, house: Service, one: Operation
) -> None:
    """Neither what the body, the address or the content should be like, nor whether there is such a thing."""
    the_host(app, house)
    stranger = app.test_client()
    path = "/api/v1" + re.sub("<[^>]+>", "7", one.path)
    key = {"Idempotency-Key": "k" * 100}
    wrong: list[dict[str, Any]] = [
        {"json": {"nothing": "of the kind"}},
        {"data": b"\0", "content_type": "text/x-nothing"},
        {"json": ["x" * 100_000], "headers": key},
    ]
    for sent in wrong:
        answer = stranger.open(path, method=one.method, query_string={"nothing": "known"}, **sent)
        assert answer.status_code == 403, answer.get_data()
        assert answer.get_json()["error"]["code"] == "host-only"


def test_what_the_document_calls_the_hosts_is_just_what_is_refused_to_others() -> None:
    assert [one.name for one in OPERATIONS if ("(host" in one.summary) != (one.allowed is not None)] == []
