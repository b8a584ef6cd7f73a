"""Table states over MQTT, for Home Assistant, which finds every table by itself, and stream overlays.

Each table is a retained topic ``stationmaster/<club>/table/<number>`` with what everybody may see; its
configuration for Home Assistant's discovery is retained beside it. Nothing is ever taken from the broker.
"""

from __future__ import annotations

import logging
import threading
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from companion.core.jsontext import json_of
from companion.table.exc import TableError
from hub.house import HubHouse
from hub.state import Box

log = logging.getLogger(__name__)

_LOOKS_EVERY = 1.0  # seconds


class MqttPublisher:
    """A thread that tells a broker at ``mqtt://name:password@host:1883`` what has changed."""

    def __init__(self, broker: str, house: HubHouse, stopping: threading.Event) -> None:
        if find_spec("paho") is None:
            raise TableError("no-mqtt", "MQTT needs paho-mqtt, an extra of the hub: in a checkout, make hub")
        parts = urlsplit(broker)
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
            raise TableError("bad-broker", "a broker is written as mqtt://name:password@host:1883")
        self._parts = parts
        self._house = house
        self._stopping = stopping
        self._told: dict[int, bytes] = {}
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self) -> None:
        """Connect to the broker and start publishing."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, client_id=f"stationmaster-{self._house.club.id}")
        if self._parts.username:
            client.username_pw_set(self._parts.username, self._parts.password)
        secure = self._parts.scheme == "mqtts"
        if secure:
            client.tls_set()
        client.reconnect_delay_set(1, 30)
        client.on_connect = lambda *_: self._told.clear()  # a broker that was away may have forgotten
        client.connect_async(self._parts.hostname or "", self._parts.port or (8883 if secure else 1883))
        client.loop_start()
        try:
            while not self._stopping.wait(_LOOKS_EVERY):
                if client.is_connected():
                    self._tell(client)
        finally:
            client.disconnect()
            client.loop_stop()

    def _tell(self, client: Any) -> None:
        """Publish what has not been published yet; the configuration of a table only once."""
        hub_state = self._house.state
        for box in hub_state.tables():
            body = json_of(self._state(box))
            if self._told.get(box.number) == body:
                continue
            if box.number not in self._told:
                place = f"homeassistant/sensor/stationmaster_{self._house.club.id}/table_{box.number}/config"
                client.publish(place, json_of(self._found(box)), qos=1, retain=True)
            client.publish(self._topic(box.number), body, qos=1, retain=True)
            self._told[box.number] = body

    def _topic(self, number: int) -> str:
        return f"stationmaster/{self._house.club.id}/table/{number}"

    def _state(self, box: Box) -> dict[str, Any]:
        played = self._house.state.playing(box)
        state = played.state if played else None
        return {
            "table": box.number,
            "game": state.game if state else "",
            "headline": state.headline if state else "nothing is played",
            "finished": bool(state and state.finished),
            "help": box.help,
            "seats": [{"name": one.name, "total": one.total} for one in state.seats] if state else [],
        }

    def _found(self, box: Box) -> dict[str, Any]:
        """The configuration of a table for Home Assistant's discovery."""
        topic = self._topic(box.number)
        return {
            "name": f"Table {box.number}",
            "unique_id": f"stationmaster_{self._house.club.id}_table_{box.number}",
            "state_topic": topic,
            "value_template": "{{ value_json.headline }}",
            "json_attributes_topic": topic,
            "icon": "mdi:train",
            "device": {
                "identifiers": [f"stationmaster_{self._house.club.id}"],
                "name": self._house.club.name,
                "manufacturer": "Stationmaster",
            },
        }
