"""Every way a port can fail gives one sentence that says what to do."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from firmware_bridge.asks import Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.exc import NotARoller, PortBroken, PortBusy, PortForbidden, PortMissing
from firmware_bridge.ledger import Ledger
from firmware_bridge.link import LONGEST_PAUSE, Link
from firmware_bridge.ports import (
    Port,
    SerialWire,
    Wire,
    port_error,
    score_of,
    usb_ports,
    without_second_names,
)
from firmware_bridge.scouts import Scouts
from firmware_bridge.simulator import VirtualPort, VirtualRoller

OPEN_FAILURES = [
    (errno.ENOENT, PortMissing, "plug the dice roller in again"),
    (errno.ENODEV, PortMissing, "plug the dice roller in again"),
    (errno.EACCES, PortForbidden, "sudo usermod -aG dialout $USER"),
    (errno.EPERM, PortForbidden, "sudo usermod -aG dialout $USER"),
    (errno.EAGAIN, PortBusy, "close it (a serial terminal, ModemManager"),
    (errno.EBUSY, PortBusy, "close it (a serial terminal, ModemManager"),
    (errno.EIO, PortBroken, "unplugged or its cable failed"),
]


@pytest.mark.parametrize(("number", "kind", "advice"), OPEN_FAILURES)
def test_the_reason_becomes_a_sentence(number: int, kind: type[Exception], advice: str) -> None:
    error = port_error("/dev/ttyACM0", serial.SerialException(number, os.strerror(number)))
    assert type(error) is kind
    assert advice in str(error)
    assert "/dev/ttyACM0" in str(error)
    assert "\n" not in str(error)


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(PortMissing):
        SerialWire("/dev/no-such-port")


def test_a_port_that_another_program_holds() -> None:
    with VirtualPort() as port:
        first = SerialWire(port.name)
        with pytest.raises(PortBusy):
            SerialWire(port.name)
        first.close()
        SerialWire(port.name).close()


def test_a_port_this_user_may_not_open(tmp_path: Path) -> None:
    """A child without rights tries a terminal that belongs to us alone."""
    with VirtualPort() as port:
        device = os.path.realpath(port.name)
        os.chmod(device, 0o600)  # noqa: PTH101
        code = (
            "import os, sys\n"
            "from firmware_bridge.ports import SerialWire\n"
            "from firmware_bridge.exc import PortForbidden\n"
            "if os.getuid() == 0: os.setuid(65534)\n"
            "else: os.chmod(sys.argv[1], 0)\n"
            "try: SerialWire(sys.argv[1])\n"
            "except PortForbidden as error: print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, device], capture_output=True, text=True, timeout=60, check=False
        )
    assert done.stdout.startswith(f"This user may not open {device}: run 'sudo usermod"), done.stderr


def test_an_unplugged_port_is_broken_in_reading_and_writing() -> None:
    port = VirtualPort()
    wire = SerialWire(port.plug())
    port.unplug()
    with pytest.raises(PortBroken, match="unplugged or its cable failed"):
        wire.read()
    with pytest.raises(PortBroken, match="unplugged or its cable failed"):
        wire.write(b"hello\n")
    wire.close()


def test_the_likeliest_port_comes_first_and_each_device_once(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    link = tmp_path / "raildice-1"
    link.symlink_to(device)
    other = Port(str(tmp_path / "ttyUSB0"), score=1)
    found = without_second_names([other, Port(str(device), score=2), Port(str(link), score=3)])
    assert [port.device for port in found] == [str(link), other.device]


def test_scores_of_usb_devices() -> None:
    pico, other, builtin = (
        SimpleNamespace(vid=vid, pid=pid) for vid, pid in ((0x2E8A, 5), (0x1A86, 0x7523), (None, None))
    )
    assert [score_of(device) for device in (pico, other, builtin)] == [2, 1, 0]


def test_configured_names_are_found(tmp_path: Path) -> None:
    (tmp_path / "ttyMine").touch()
    (tmp_path / "ttyNick").symlink_to(tmp_path / "ttyMine")
    found = usb_ports([str(tmp_path / "tty*")])()
    assert [port.device for port in found if str(tmp_path) in port.device] == [str(tmp_path / "ttyMine")]


class FakeWire:
    """A pipe that nobody answers on."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.ends = os.pipe()

    def fileno(self) -> int:
        return self.ends[0]

    def read(self) -> bytes:
        raise AssertionError("nothing ever arrives")

    def write(self, data: bytes) -> None:
        assert data.endswith(b"\n")

    def close(self) -> None:
        for end in self.ends:
            os.close(end)


class Table:
    """A link stepped by hand in made-up time."""

    def __init__(self, opener: Callable[[str], Wire], timing: Timing | None = None) -> None:
        self.now = 0.0
        self.ports = [Port("p", score=1)]
        self.tried: list[float] = []
        self.opener = opener
        talk = Conversation(Ledger(), timing)
        self.link = Link(
            talk, lambda: self.ports, lambda event: None, opener=self.open, clock=lambda: self.now
        )

    def open(self, device: str) -> Wire:
        self.tried.append(round(self.now, 1))
        return self.opener(device)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.link.step()
            self.now += 0.05


def busy(device: str) -> Wire:
    raise PortBusy(device)


def test_pauses_double_from_half_a_second_to_ten_and_go_on_for_ever() -> None:
    table = Table(busy)
    table.run(60)
    pauses = [round(b - a, 1) for a, b in pairwise(table.tried)]
    assert pauses[:5] == pytest.approx([0.5, 1.0, 2.0, 4.0, 8.0], abs=0.6)
    assert pauses[5:] == pytest.approx([LONGEST_PAUSE] * len(pauses[5:]), abs=0.6)
    assert len(pauses) > 7
    assert table.link.sentence.startswith("Another program is using p")
    table.link.stop()


def test_a_new_port_is_tried_at_once_in_spite_of_pauses() -> None:
    table = Table(busy)
    table.run(30)
    table.ports.append(Port("q"))
    before = len(table.tried)
    table.run(0.6)
    assert len(table.tried) == before + 1
    table.link.stop()


def test_a_port_that_was_unplugged_meanwhile_is_tried_at_once() -> None:
    table = Table(busy)
    table.run(30)
    before, ports = len(table.tried), table.ports
    table.ports = []
    table.run(0.6)
    assert table.link.sentence.startswith("No dice roller is plugged in")
    table.ports, replugged = ports, table.now
    table.run(1.0)
    assert table.tried[before] - replugged <= 0.6
    table.link.stop()


def test_something_else_than_a_roller_is_said() -> None:
    table = Table(FakeWire)
    table.run(3.0)
    assert table.link.sentence == str(NotARoller("p"))
    assert "load its firmware as docs/hardware.md says" in table.link.sentence
    table.run(20)
    table.link.stop()


def test_the_link_does_not_spin_while_nothing_happens() -> None:
    table = Table(FakeWire)
    table.link.step()
    assert 0.2 < table.link.seconds_to_wait() <= 0.5
    table.link.stop()
    silent = Table(busy)
    silent.link.step()
    assert 0.2 < silent.link.seconds_to_wait() <= 0.5
    silent.link.stop()


def test_a_seeded_virtual_roller_repeats_itself() -> None:
    def run() -> list[bytes]:
        now = [0.0]
        roller = VirtualRoller(seed=3, clock=lambda: now[0])
        roller.faults.garble = 0.02
        said = []
        for k in range(50):
            now[0] += 0.01
            said.append(roller.exchange(b'{"t":"hello","nonce":"aa","proto":[1,0]}*2f0e5b1c\n' * (k % 2)))
        return said

    assert run() == run()


def test_a_port_that_greets_nobody_is_told_as_trouble() -> None:
    """It is none of those that are waited for, and what is wrong with it is known to the link."""
    trouble = []

    def forbidden(device: str) -> SerialWire:
        raise PortForbidden(device)

    scouts = Scouts(forbidden, lambda port, error: trouble.append((port.device, str(error))), None, None)
    scouts.send([Port("/dev/ttyACM7")], 0.0)
    assert [device for device, _ in trouble] == ["/dev/ttyACM7"]
    assert scouts.step(1.0) is None


def test_a_port_that_is_unplugged_while_it_is_greeted_is_told_as_trouble() -> None:
    trouble, plug = [], VirtualPort()
    scouts = Scouts(SerialWire, lambda port, error: trouble.append(port.device), None, None)
    scouts.send([Port(device := plug.plug())], 0.0)
    plug.unplug()
    assert scouts.step(0.1) is None
    assert trouble == [device]
