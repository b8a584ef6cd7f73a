"""Table states over MQTT, for Home Assistant, which finds every table by itself, and stream overlays.

Each table is a retained topic ``stationmaster/<club>/table/<number>`` with what everybody may see.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.jsontext import json_of
from companion.service.system.mqtt import Broker, Entity, MqttPublisher
from hub.house import HubHouse
from hub.state import Box


class TablePublisher(MqttPublisher):
    """Tells a broker how a club's tables stand."""

    def __init__(self, broker: Broker, house: HubHouse, stopping: threading.Event) -> None:
        super().__init__(broker, house.club.id, stopping)
        self._house = house

    @property
    def device(self) -> str:
        """The name of the club."""
        return self._house.club.name

    def entities(self) -> Iterator[Entity]:
        """A line for each table."""
        for box in self._house.state.tables():
            yield Entity(
                f"table_{box.number}",
                f"Table {box.number}",
                self.topic("table", box.number),
                "{{ value_json.headline[:255] }}",
                "mdi:train",
                attributes=True,
            )

    def states(self) -> Mapping[str, bytes]:
        """What is played at each table, and how it stands."""
        return {
            self.topic("table", box.number): json_of(self._state(box)) for box in self._house.state.tables()
        }

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
