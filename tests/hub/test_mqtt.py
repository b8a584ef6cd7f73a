"""Table states at a real broker, retained, with what Home Assistant's discovery needs; nothing hidden."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.outbox import Outbox
from companion.service.service import Service
from companion.table.exc import TableError
from hub.mqtt import MqttPublisher
from lab.club.engines import Server, free_port, running
from tests.hub.houses import Night, embedded, needs_signing, sent_all, until
from tests.web.houses import begin, play_rounds

pytest.importorskip("paho", reason="paho-mqtt (the extra mqtt of the hub) is not installed")
pytestmark = needs_signing
BROKER = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = embedded(tmp_path / "hub")
    yield made
    made.database.close()


@pytest.mark.skipif(BROKER is None, reason="mosquitto is not installed: apt-get install mosquitto")
def test_tables_are_told_and_found(night: Night, outbox: Outbox, house: Service, tmp_path: Path) -> None:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    port = free_port()
    begin(house, "Ada", "Ben")
    sent_all(outbox)
    night.house.state.refresh()
    with running(Server([BROKER or "", "-p", str(port)], tmp_path)):
        publisher = MqttPublisher(f"mqtt://127.0.0.1:{port}", night.house, night.stopping)
        publisher.start()
        heard: dict[str, dict[str, object]] = {}
        client = Client(CallbackAPIVersion.VERSION2)
        client.on_connect = lambda one, *_: one.subscribe("#")
        client.on_message = lambda _, __, told: heard.update({told.topic: json.loads(told.payload)})
        client.reconnect_delay_set(1, 1)
        client.connect_async("127.0.0.1", port)
        client.loop_start()
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
        client.disconnect()
        client.loop_stop()
        night.stopping.set()
        publisher.join()


@pytest.mark.parametrize("broker", ["", "broker", "http://x", "mqtt://"])
def test_an_address_that_is_none_is_one_sentence(night: Night, broker: str) -> None:
    with pytest.raises(TableError, match="written as"):
        MqttPublisher(broker, night.house, threading.Event())
