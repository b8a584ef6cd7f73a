"""A house and a client for every test of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from tests.web.houses import small_house
from web import create_app


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Service]:
    with small_house(tmp_path / "table") as made:
        yield made


@pytest.fixture
def app(house: Service) -> Flask:
    return create_app(house)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
