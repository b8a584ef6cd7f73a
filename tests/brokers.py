"""A real MQTT broker for tests, and somebody who listens to all that it keeps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lab.club.engines import Server, free_port

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
needs_broker = pytest.mark.skipif(
    PROGRAM is None, reason="mosquitto is not installed: apt-get install mosquitto"
)


class Mosquitto(Server):
    """A broker on a port of its own, which keeps nothing when it ends; ``rules`` are lines of its file."""

    def __init__(self, folder: Path, *rules: str) -> None:
        self.port = free_port()
        settings = folder / "mosquitto.conf"
        open_to_all = () if rules else ("allow_anonymous true",)
        settings.write_text("\n".join((f"listener {self.port} 127.0.0.1", *open_to_all, *rules)) + "\n")
        super().__init__([PROGRAM or "", "-c", str(settings)], folder)


@contextmanager
def heard_at(port: int) -> Iterator[dict[str, Any]]:
    """The latest of every topic, while this lasts; the listener comes back to a broker that was away."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    heard: dict[str, Any] = {}
    client = Client(CallbackAPIVersion.VERSION2)
    client.on_connect = lambda one, *_: one.subscribe("#")
    client.on_message = lambda _, __, told: heard.update({told.topic: _content(told.payload)})
    client.reconnect_delay_set(1, 1)
    client.connect_async("127.0.0.1", port)
    client.loop_start()
    try:
        yield heard
    finally:
        client.disconnect()
        client.loop_stop()


def _content(payload: bytes) -> Any:
    return json.loads(payload) if payload.startswith(b"{") else payload.decode()
