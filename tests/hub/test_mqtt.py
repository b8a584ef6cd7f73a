"""Table states at a real broker, retained, with what Home Assistant's discovery needs; nothing hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.outbox import Outbox
from companion.service.service import Service
from companion.service.system.mqtt import broker_at
from hub.mqtt import TablePublisher
from lab.club.engines import running
from tests.brokers import Mosquitto, heard_at, needs_broker
from tests.hub.houses import Night, embedded, needs_signing, sent_all, until
from tests.web.houses import begin, play_rounds

pytest.importorskip("paho", reason="paho-mqtt (the extra mqtt of the hub) is not installed")
pytestmark = needs_signing


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = embedded(tmp_path / "hub")
    yield made
    made.database.close()


@needs_broker
def test_tables_are_told_and_found(night: Night, outbox: Outbox, house: Service, tmp_path: Path) -> None:
    begin(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    broker = Mosquitto(tmp_path)
    with running(broker), heard_at(broker.port) as heard:
        publisher = TablePublisher(broker_at(f"mqtt://127.0.0.1:{broker.port}"), night.house, night.stopping)
        publisher.start()
        topic = f"stationmaster/{night.house.club.id}/table/1"
        until(lambda: topic in heard)
        assert heard[topic]["seats"] == [{"name": "Ada", "total": 0}, {"name": "Ben", "total": 0}]
        found = next(told for place, told in heard.items() if place.startswith("homeassistant/sensor/"))
        assert (found["state_topic"], found["name"]) == (topic, "Table 1")
        play_rounds(house, 1)
        sent_all(outbox)
        night.house.state.refresh()
        until(lambda: heard[topic]["headline"] == "Round 2 of 7")
        assert "setup" not in json.dumps(heard)
        night.stopping.set()
        publisher.join()
        until(lambda: heard[f"stationmaster/{night.house.club.id}/available"] == "offline")
