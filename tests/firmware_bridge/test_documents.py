"""The pages about the bridge say what is so."""

import hmac
import re
from pathlib import Path

import pytest

from firmware_bridge import protocol, wiring
from firmware_bridge.asks import Timing
from firmware_bridge.bluetooth import hand_roller
from firmware_bridge.dice import Roll, Thrown
from firmware_bridge.fairness import verify_roll
from firmware_bridge.firmware.roller import app, settings, wireless
from firmware_bridge.link import LONGEST_PAUSE, SHORTEST_PAUSE
from firmware_bridge.panel import PanelSettings
from firmware_bridge.protocol import Commitment, Message, Mix, RollMessage, Seed, encode
from firmware_bridge.simulator import VirtualRoller

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL = (DOCS / "serial-protocol.md").read_text(encoding="utf-8")
HARDWARE = (DOCS / "hardware.md").read_text(encoding="utf-8")


def examples(side: str) -> list[bytes]:
    blocks = re.findall(rf"^```{side}\n(.*?)^```$", PROTOCOL, flags=re.MULTILINE | re.DOTALL)
    return [line.encode() for block in blocks for line in block.splitlines()]


def host_examples() -> list[Message]:
    return [protocol.parse_from_host(line) for line in examples("host")]


def roller_examples() -> list[Message]:
    return [protocol.parse_from_roller(line) for line in examples("roller")]


def test_the_page_has_an_example_of_every_message() -> None:
    assert {type(message) for message in host_examples()} == set(protocol.HOST_MESSAGES)
    assert {type(message) for message in roller_examples()} == set(protocol.ROLLER_MESSAGES)


@pytest.mark.parametrize("line", examples("host"), ids=lambda line: line[5:30].decode())
def test_the_host_writes_its_examples_to_the_byte(line: bytes) -> None:
    assert encode(protocol.parse_from_host(line)) == line + b"\n"


@pytest.mark.parametrize("line", examples("host"), ids=lambda line: line[5:30].decode())
def test_the_firmware_understands_the_hosts_examples(line: bytes) -> None:
    roller = VirtualRoller(seed=1, clock=lambda: 0.0)
    said = roller.exchange(line + b"\n")
    assert b'"t":"nak"' not in said
    assert b'"code":"bad"' not in said
    assert b'"code":"unknown"' not in said


def test_the_examples_roll_follows_from_its_seed() -> None:
    (commitment,) = [m for m in roller_examples() if isinstance(m, Commitment)]
    (seed,) = [m for m in roller_examples() if isinstance(m, Seed)]
    (mix,) = [m for m in host_examples() if isinstance(m, Mix)]
    (told,) = [m for m in roller_examples() if isinstance(m, RollMessage) and m.fair]
    roll = Roll("uid", told.boot, told.n, tuple(Thrown(*die) for die in told.dice), fair=told.fair)
    assert mix.fair == told.fair
    assert verify_roll(roll, seed=seed.seed, nonce=mix.nonce, commitment=commitment.hash)


def test_the_page_tells_the_true_numbers() -> None:
    timing = Timing()
    for words in (
        f"Version {protocol.PROTOCOL[0]}.{protocol.PROTOCOL[1]}.",
        f"A line has at most {protocol.LONGEST_LINE} bytes",
        f"every {timing.hello_again} s",
        f"has not answered after {timing.greeting} s",
        f"sent nothing for {timing.ping} s",
        f"sends a beat every {app.BEAT_MS / 1000} s",
        f"in the last {app.HOST_GONE_MS // 1000} s",
        f"gone after {timing.silent} s of silence",
        f"({SHORTEST_PAUSE} s, doubling to {LONGEST_PAUSE:.0f} s)",
        f"keeps its last {protocol.KEPT_ROLLS} rolls",
    ):
        assert words in PROTOCOL, words


def test_every_refusal_code_is_explained() -> None:
    files = [*Path(app.__file__).parent.glob("*.py"), Path(hand_roller.__file__)]
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    codes = set(re.findall(r'Refused\(\s*"(\w+)"', sources))
    assert codes == set(re.findall(r"^\| `(\w+)` \|", PROTOCOL, flags=re.MULTILINE))


@pytest.mark.parametrize("name", wiring.PICTURES)
def test_the_pictures_are_drawn_from_the_settings(name: str) -> None:
    """After a change: python -m firmware_bridge.wiring docs."""
    assert (DOCS / name).read_text(encoding="utf-8") == wiring.PICTURES[name]()
    assert f"]({name})" in HARDWARE


def test_the_tables_name_the_true_pins() -> None:
    for setting in ("BUTTON_PIN", "MATRIX_PIN", "OLED_SDA_PIN", "OLED_SCL_PIN"):
        assert f"| GP{getattr(settings, setting)} | `{setting}` |" in HARDWARE
    pins = PanelSettings()
    for setting in ("shutter", "roll", "undo", "power", "buzzer", "status_lamp"):
        assert f"| {getattr(pins, setting)} | `{setting}` |" in HARDWARE
    assert f"| {pins.left_lamp}, {pins.right_lamp} | `left_lamp`, `right_lamp` |" in HARDWARE


def test_the_firmware_and_the_host_agree_on_limits() -> None:
    from firmware_bridge.firmware.roller import requests, rolls, wire

    assert wire.LONGEST_LINE == protocol.LONGEST_LINE
    assert rolls.KEPT_ROLLS == protocol.KEPT_ROLLS
    assert requests.MOST_DICE == protocol.MOST_DICE
    assert tuple(app.PROTOCOL) == protocol.PROTOCOL


def test_the_datagrams_of_the_page_are_those_of_its_key() -> None:
    asked, answered, opened, pinged = (line + b"\n" * line.endswith(b"*6f10338d") for line in examples("air"))
    key, (uid, nonce), own = bytes(range(32)), asked.split()[3:5], answered.split()[4]
    heard: list[bytes] = []

    class Ether(wireless.Radio):
        def is_up(self, now: int) -> bool:
            return True

        def send(self, data: bytes, address: object) -> None:
            heard.append(data)

        def hear(self) -> tuple[bytes, object] | None:
            return (waiting.pop(0), "box") if waiting else None

    waiting: list[bytes] = []
    roller = wireless.Wireless(Ether(), key, uid.decode(), lambda _: bytes.fromhex(nonce.decode()))
    roller.step(0)
    waiting += [answered, pinged]
    assert roller.step(1) == b'{"t":"ping"}*6f10338d\n'
    assert heard == [asked, opened]
    session = hmac.digest(key, b"session " + b" ".join((uid, nonce, own)), "sha256")
    assert wireless.seal(session, b"box 00000001 " + pinged[42:]) == pinged[9:41]


def test_the_page_on_hardware_names_the_radios_port() -> None:
    assert f"port {wireless.PORT} of the box" in PROTOCOL
