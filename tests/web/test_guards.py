"""Who may ask for what, and what every answer says to the browser."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.box.service import Service
from tests.web.houses import begin


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8080", "192.168.1.20:8080", "[fe80::1]:8080", "127.0.0.1"]
)
def test_our_own_names_and_any_address_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:8080", "", "192.168.1.20.evil.example", "[::"]
)
def test_a_foreign_name_is_refused_in_a_sentence(client: FlaskClient, host: str) -> None:
    answer = client.get("/api/v1/pieces", headers={"Host": host})
    assert answer.status_code == 421
    error = answer.get_json()["error"]
    assert error["code"] == "foreign-host"
    assert "address printed at its start" in error["message"]


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
