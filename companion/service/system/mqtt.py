"""An MQTT broker, and what it is told for Home Assistant and stream overlays.

Every message is retained, so a broker that was away simply gets the latest of each topic. Nothing is ever
taken from it: whoever can write to a broker changes nothing at a table.
"""

from __future__ import annotations

import logging
import os
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlsplit

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.service.parts import Part
from companion.table.exc import TableError

log = logging.getLogger(__name__)

AUTHORITY = (
    "broker.pem"  # in the folder: who signs the broker's certificate, if nobody whom all machines know
)
NAME = "MQTT"
_WRITTEN = m("a broker is written as mqtt://name:password@host:1883, with TLS as mqtts://")
_PATIENCE = 5.0  # seconds for the broker to answer
_KEEP_ALIVE = 30  # seconds after which one that says nothing is gone
_LOOKS_EVERY = 0.5  # seconds
_SHORTEST_BREAK, _LONGEST_BREAK = 1.0, 10.0  # seconds between two tries
_ONLINE, _OFFLINE = b"online", b"offline"


class BrokerError(TableError):
    """A broker is away, says no, or is none."""


@dataclass(frozen=True)
class Broker:
    """Where a broker listens, and what it wants to know."""

    host: str
    port: int
    secure: bool = False
    user: str = ""
    password: str = ""
    authority: Path | None = None

    @property
    def place(self) -> str:
        """Host and port, as people write them; nothing secret."""
        return f"{self.host}:{self.port}"


def broker_at(address: str, folder: Path | None = None) -> Broker:
    """The broker of an address; what is wrong is said without repeating what may be a password.

    >>> broker_at("mqtt://box:open%20sesame@10.0.0.5").place, broker_at("mqtts://broker.lan").port
    ('10.0.0.5:1883', 8883)
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("mqtt", "mqtts"):
        raise BrokerError("bad-broker", _WRITTEN)
    secure = parts.scheme == "mqtts"
    authority = folder / AUTHORITY if folder is not None and (folder / AUTHORITY).is_file() else None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Broker(host, port or (8883 if secure else 1883), secure, user, password, authority)


class BrokerConnection:
    """One connection to a broker. ``will`` is the topic that says whether it is there."""

    def __init__(self, broker: Broker, name: str, will: str = "") -> None:
        if find_spec("paho") is None:
            raise BrokerError("no-mqtt", m("the library paho-mqtt is missing: in a checkout, make mqtt"))
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._broker = broker
        self._answer: Any = None  # of the broker: whether it lets us in
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=name)
        self._client.connect_timeout = _PATIENCE
        self._client.on_connect = self._answered
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password)
        if will:
            self._client.will_set(will, _OFFLINE, qos=1, retain=True)

    def open(self) -> None:
        """Connect, and wait until the broker has let us in."""
        try:
            if self._broker.secure:
                self._client.tls_set_context(ssl.create_default_context(cafile=self._broker.authority))
            self._client.connect(self._broker.host, self._broker.port, _KEEP_ALIVE)
        except ssl.SSLCertVerificationError as problem:
            message = m(
                "the certificate of the MQTT broker at {place} is not trusted here: {why}",
                place=self._broker.place,
                why=problem.verify_message,
            )
            raise BrokerError("broker-away", message) from problem
        except (OSError, ValueError) as problem:
            raise self._silent(getattr(problem, "strerror", None) or str(problem)) from problem
        until = monotonic() + _PATIENCE
        while self._answer is None and monotonic() < until and not self._client.loop(_LOOKS_EVERY):
            pass
        if self._answer is None:
            raise self._silent(m("what is there is no broker"))
        if self._answer.is_failure:
            message = m(
                "the MQTT broker at {place} refuses: {why}", place=self._broker.place, why=str(self._answer)
            )
            raise BrokerError("broker-refuses", message)

    def publish(self, topic: str, body: bytes) -> None:
        """Have the broker keep this as the latest of a topic."""
        self._client.publish(topic, body, qos=1, retain=True)

    def turn(self, seconds: float) -> None:
        """Send and take what waits, for so long; a :class:`BrokerError` when the broker is gone."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            if self._client.loop(left):
                raise self._silent(m("it went away"))

    def close(self) -> None:
        """Say goodbye; may be called more than once."""
        self._client.disconnect()
        self._client.on_connect = None  # nothing refers in a circle: its sockets are closed at once

    def _answered(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._answer = reason

    def _silent(self, why: str) -> BrokerError:
        place = self._broker.place
        return BrokerError(
            "broker-away", m("the MQTT broker at {place} does not answer: {why}", place=place, why=why)
        )


def broker_part(address: str, folder: Path | None = None) -> Part:
    """Whether a broker can be told anything: it is asked, and told nothing."""
    if not address:
        return Part(NAME, "missing", m("no broker is told how matches stand"), "docs/settings.md")
    try:
        broker = broker_at(address, folder)
        connection = BrokerConnection(broker, f"stationmaster-check-{os.getpid()}")
        connection.open()
    except BrokerError as problem:
        return Part(NAME, "bad", problem.message, "docs/settings.md")
    connection.close()
    return _fine(broker)


def _fine(broker: Broker) -> Part:
    return Part(NAME, "ok", m("the broker at {place} answers", place=broker.place))


@dataclass(frozen=True)
class Entity:
    """Something that Home Assistant shows and acts on: a value in the JSON of a topic.

    One of the entities of a topic has all of it as its attributes.
    """

    key: str
    name: str
    topic: str
    template: str
    icon: str
    kind: str = "sensor"
    attributes: bool = False


class MqttPublisher(ABC):
    """A thread that tells a broker what has changed; what it says of itself, Home Assistant finds by itself.

    ``identity`` tells this box or club from others at the same broker.
    """

    def __init__(self, broker: Broker, identity: str, stopping: threading.Event) -> None:
        self.trouble = ""  # why the broker is told nothing now
        self._broker = broker
        self._identity = identity
        self._stopping = stopping
        self._connection()  # what is missing is said at the start
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    @property
    @abstractmethod
    def device(self) -> str:
        """What the box or club is called."""

    @abstractmethod
    def entities(self) -> Iterable[Entity]:
        """What Home Assistant is to find."""

    @abstractmethod
    def states(self) -> Mapping[str, bytes]:
        """How things stand, as JSON, by topic."""

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def part(self) -> Part:
        """How it goes."""
        if self.trouble:
            says = m("{trouble}. The table goes on, and it is tried again", trouble=self.trouble)
            return Part(NAME, "bad", says, "docs/settings.md")
        return _fine(self._broker)

    def topic(self, *names: object) -> str:
        """A topic of this box or club."""
        return "/".join(("stationmaster", self._identity, *map(str, names)))

    # The thread

    def _run(self) -> None:
        pause = _SHORTEST_BREAK
        while not self._stopping.is_set():
            connection = self._connection()
            try:
                connection.open()
                self._note("")
                pause = _SHORTEST_BREAK
                self._tell(connection)
            except BrokerError as problem:
                self._note(problem.message)
            finally:
                connection.close()
            self._stopping.wait(pause)
            pause = min(_LONGEST_BREAK, 2 * pause)

    def _connection(self) -> BrokerConnection:
        return BrokerConnection(self._broker, f"stationmaster-{self._identity}", self.topic("available"))

    def _note(self, trouble: str) -> None:
        if trouble and trouble != self.trouble:
            log.warning("MQTT: %s", trouble)
        self.trouble = trouble

    def _tell(self, connection: BrokerConnection) -> None:
        """Tell a broker, which may have forgotten all, everything, and then whatever changes."""
        told: dict[str, bytes] = {}
        while not self._stopping.is_set():
            found = dict(map(self._found, self.entities()))
            for topic, body in {**found, **self.states(), self.topic("available"): _ONLINE}.items():
                if told.get(topic) != body:
                    connection.publish(topic, body)
                    told[topic] = body
            connection.turn(_LOOKS_EVERY)
        connection.publish(self.topic("available"), _OFFLINE)

    def _found(self, entity: Entity) -> tuple[str, bytes]:
        """The topic in which Home Assistant looks for an entity, and what it reads there."""
        owner = f"stationmaster_{self._identity}"
        body = {
            "name": entity.name,
            "unique_id": f"{owner}_{entity.key}",
            "state_topic": entity.topic,
            "value_template": entity.template,
            "availability_topic": self.topic("available"),
            "icon": entity.icon,
            "device": {"identifiers": [owner], "name": self.device, "manufacturer": "Stationmaster"},
        }
        if entity.attributes:
            body["json_attributes_topic"] = entity.topic
        return f"homeassistant/{entity.kind}/{owner}/{entity.key}/config", json_of(body)
