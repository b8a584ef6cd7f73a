"""Schemathesis over the whole document: whatever is sent, answers keep to it and nothing breaks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.houses import begin, small_house
from tests.web.people import seated, the_host
from web import create_app
from web.api.openapi import openapi_path
from web.api.operations import OPERATIONS, Operation
from web.site import site_of

LOCAL = {"Host": "localhost", "Accept-Encoding": "identity"}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[Flask, dict[str, str]]]:
    """One table for all examples, and the cookies of somebody who is its host and sits at seat 1."""
    with tempfile.TemporaryDirectory() as folder, small_house(Path(folder)) as house:
        app = create_app(house)
        site_of(app).limiter.clock = _far_apart()
        begin(house, "", "")
        host, player = the_host(app, house), seated(app, house, 1, "East")
        cookies = [
            client.get_cookie(name)
            for client, name in ((host, "stationmaster_host"), (player, "stationmaster_seat"))
        ]
        yield app, {cookie.key: cookie.value for cookie in cookies if cookie is not None}


def _far_apart() -> Any:
    """Nobody is slowed down here: an hour passes between any two tries."""
    now = iter(range(0, 10**9, 3600))
    return lambda: float(next(now))


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: f"{one.method} {one.path}")
def test_everything_that_is_sent_is_answered_as_described(
    one: Operation, table: tuple[Flask, dict[str, str]]
) -> None:
    if one.name == "stream":
        return  # it never ends; test_live.py has it
    app, cookies = table
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, headers=LOCAL)
    cases = schema[openapi_path(one)][one.method.lower()].as_strategy()

    @given(case=cases)
    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any) -> None:
        answer = case.call(cookies=cookies, headers=LOCAL)
        # That a made-up hub is away is a described answer, and no fault of the box.
        checks = CHECKS[1:] if answer.status_code == HTTPStatus.BAD_GATEWAY else CHECKS
        case.validate_response(answer, checks=checks)

    send()
