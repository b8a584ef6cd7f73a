"""How a match stands at a real MQTT broker: told, found, protected; and what happens when it is away."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.game.base import Action
from companion.service.service import Service
from companion.service.system.mqtt import AUTHORITY, BrokerError, broker_at, broker_part
from companion.service.system.settings import BoxSettings, MqttSettings, Settings, read_settings
from companion.table.exc import TableError
from lab.club.engines import free_port, running
from tests.brokers import Mosquitto, heard_at, needs_broker
from tests.hub.houses import until
from tests.web.houses import accepted, begin, play_rounds
from web.live.match_publisher import MatchPublisher, match_news, match_publisher

pytest.importorskip("paho", reason="paho-mqtt (the extra mqtt) is not installed")


@contextmanager
def telling(house: Service, address: str, language: str = "") -> Iterator[MatchPublisher]:
    """The box of this house, which tells a broker."""
    house.settings.now = Settings(BoxSettings("The attic", language), mqtt=MqttSettings(address))
    stopping = threading.Event()
    publisher = house.publisher = match_publisher(house, stopping)
    assert publisher is not None
    publisher.start()
    try:
        yield publisher
    finally:
        stopping.set()
        publisher.join()


@needs_broker
def test_a_match_is_told_from_its_first_roll_to_its_end(house: Service, tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    with running(broker), heard_at(broker.port) as heard:
        with telling(house, f"mqtt://127.0.0.1:{broker.port}") as publisher:
            topic = publisher.topic("match")
            until(lambda: topic in heard)
            assert (heard[topic]["headline"], heard[topic]["playing"]) == ("nothing is played", False)
            begin(house, "Ada", "Ben", options={"goals": "none"})
            faces = ["NS", "ne", "N*", "NS|ew"]
            accepted(house, Action("roll", data={"faces": faces}))
            until(lambda: len(heard[topic]["roll"]) == 4)
            assert heard[topic]["turn"] == ["Ada", "Ben"]
            accepted(house, Action("end"))
            until(lambda: heard[topic]["headline"] == "Ended early")
            assert not heard[topic]["playing"]
            assert heard[topic]["winners"] == []
            begin(house, "Ada", "Ben")
            play_rounds(house, 7)
            until(lambda: heard[topic]["finished"] and heard[topic]["winners"])
            assert {one["name"] for one in heard[topic]["seats"]} == {"Ada", "Ben"}
            # What Home Assistant finds
            found = {told["unique_id"]: told for place, told in heard.items() if place.startswith("home")}
            assert len(found) == 6
            for told in found.values():
                assert told["state_topic"] == topic
                assert ("json_attributes_topic" in told) == told["unique_id"].endswith("_match")
                assert told["device"]["name"] == "The attic"
                assert heard[told["availability_topic"]] == "online"
            assert publisher.part() in house.parts()
            assert publisher.part().state == "ok"
        until(lambda: heard[publisher.topic("available")] == "offline")


@needs_broker
def test_a_broker_that_is_away_changes_nothing_and_gets_all_when_it_is_back(
    house: Service, tmp_path: Path
) -> None:
    broker = Mosquitto(tmp_path)
    with telling(house, f"mqtt://127.0.0.1:{broker.port}", "de") as publisher:
        until(lambda: publisher.trouble != "")
        (told,) = (part for part in house.parts() if part.name == "MQTT")
        assert told.state == "bad"
        assert told.says.startswith(f"the MQTT broker at 127.0.0.1:{broker.port} does not answer")
        begin(house, "Ada", "Ben")
        play_rounds(house, 1)
        with running(broker), heard_at(broker.port) as heard:
            for _ in range(2):
                until(lambda: heard.get(publisher.topic("match"), {}).get("headline") == "Runde 2 von 7")
                assert publisher.part().state == "ok"
                broker.kill(signal.SIGKILL)  # it keeps nothing: the match is told anew
                until(lambda: publisher.trouble != "")
                heard.clear()
                broker.start()


# The library leaves the connection to the collector when a certificate is not trusted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@needs_broker
def test_a_password_and_a_certificate_of_ones_own(house: Service, tmp_path: Path) -> None:
    request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=broker"
    request += f" -addext subjectAltName=IP:127.0.0.1 -keyout {tmp_path}/key.pem -out {tmp_path}/own.pem"
    subprocess.run(request.split(), check=True, capture_output=True)
    secrets = tmp_path / "secrets"
    made = ["mosquitto_passwd", "-b", "-c", str(secrets), "box", "open/sesame"]
    subprocess.run(made, check=True, capture_output=True)
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    tmp_path.chmod(0o755)
    broker = Mosquitto(
        tmp_path,
        f"certfile {tmp_path / 'own.pem'}",
        f"keyfile {tmp_path / 'key.pem'}",
        "user root",
        f"password_file {secrets}",
    )
    address = f"mqtts://box:open%2Fsesame@127.0.0.1:{broker.port}"
    folder = house.store.folder
    with running(broker):
        until(lambda: "not trusted here" in broker_part(address, folder).says)
        (folder / AUTHORITY).write_bytes((tmp_path / "own.pem").read_bytes())
        assert broker_part(address, folder).state == "ok"
        refused = broker_part(address.replace("sesame", "barley"), folder)
        assert refused.state == "bad"
        assert "refuses: Not authorized" in refused.says
        assert "barley" not in refused.says
        with telling(house, address) as publisher:
            until(lambda: publisher.part().state == "ok" and not publisher.trouble)


def test_hidden_hands_are_not_told(house: Service) -> None:
    accepted(house, Action("start", data={"game": "spike", "players": ["Ada", "Ben"]}))
    match = house.table.current
    assert match is not None
    assert "hand" not in json.dumps(match_news(match))


@pytest.mark.parametrize(
    "address", ["broker", "http://x", "mqtt://", "mqtt://a:secret@h:99999", "mqtt://[::1", "ws://h"]
)
def test_an_address_that_is_none_is_one_sentence_without_it(address: str, tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match="written as mqtt://name:password@host:1883") as problem:
        broker_at(address)
    assert "secret" not in problem.value.message
    (tmp_path / "settings.toml").write_text(f'[mqtt]\nbroker = "{address}"\n')
    with pytest.raises(TableError, match="written as mqtt://"):
        read_settings(tmp_path)


def test_the_doctor_says_how_the_broker_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for address, state in (("", "missing"), (f"mqtt://127.0.0.1:{free_port()}", "bad")):
        (tmp_path / "settings.toml").write_text(f'[mqtt]\nbroker = "{address}"\n')
        main(["doctor", "--json", "--folder", str(tmp_path)])
        parts = json.loads(capsys.readouterr().out)
        (told,) = (part for part in parts if part["part"] == "MQTT")
        assert told["state"] == state


def test_what_takes_the_connection_and_says_nothing_is_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.service.system.mqtt._PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        part = broker_part(f"mqtt://127.0.0.1:{silent.getsockname()[1]}")
    assert (part.state, part.do) == ("bad", "docs/settings.md")
    assert part.says.endswith("what is there is no broker")


def test_a_box_without_the_library_starts_and_says_so(
    house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.system.mqtt.find_spec", lambda _: None)
    house.settings.now = Settings(mqtt=MqttSettings("mqtt://10.0.0.5"))
    assert match_publisher(house, threading.Event()) is None
    assert any("paho-mqtt is missing" in note for note in house.notes)
    assert "paho-mqtt is missing" in broker_part("mqtt://10.0.0.5").says
