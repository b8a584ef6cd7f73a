"""A roller without a cable: sealed datagrams, the same rolls, each once, whatever happens in the air."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.dice import Roll
from firmware_bridge.exc import PortMissing
from firmware_bridge.firmware.roller import wireless as firmware
from firmware_bridge.ports import Port
from firmware_bridge.roller import DiceRoller
from firmware_bridge.simulator import AirRoller, SocketRadio, VirtualRoller
from firmware_bridge.wireless import Air, AirWire, keep_pairing, read_pairings

KEY, OTHER = bytes(range(32)), bytes(32)
UID = "e6614c311b7e2c2f"
HOME = ("127.0.0.1", 0)
DICE = [("A", 6), ("B", 6)]


def until(holds: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


class Ether:
    """Two ends without a network: the box's `Air`, and the firmware's `Wireless`, in made-up time."""

    def __init__(self, key: bytes = KEY, pairings: dict[str, bytes] | None = None) -> None:
        self.air = Air({UID: KEY} if pairings is None else pairings, place=HOME)
        self.radio = SocketRadio(("127.0.0.1", self.air.port))
        self.wireless = firmware.Wireless(self.radio, key, UID, random.Random(7).randbytes)
        self.now = 0
        self.find = self.air.ports(lambda: [])
        self._opened: list[AirWire] = []

    def open(self, port: Port) -> AirWire:
        wire = self.air.opener()(port.device)
        assert isinstance(wire, AirWire)
        self._opened.append(wire)
        return wire

    def __enter__(self) -> Ether:
        return self

    def __exit__(self, *_: object) -> None:
        self.air.close()
        self.radio.socket.close()
        for wire in self._opened:
            wire.close()

    def turn(self, ms: int = 100) -> bytes:
        self.now += ms
        return self.wireless.step(self.now)

    def joined(self) -> AirWire:
        """A session, open at both ends."""
        self.turn()
        assert self.find() == [], "the roller has not proved its key yet"
        self.turn()
        (port,) = self.find()
        assert port == Port(f"wifi:{UID}", 2)
        wire = self.open(port)
        assert self.find() == []
        return wire


def test_lines_go_both_ways_and_a_session_ends_when_the_box_is_silent() -> None:
    with Ether() as ether:
        wire = ether.joined()
        assert ether.air.addresses == {"127.0.0.1"}
        wire.write(b"one\ntw")
        wire.write(b"o\n")
        assert ether.turn() == b"one\ntwo\n"
        ether.wireless.write(b"".join(b"%d" % n * 80 + b"\n" for n in range(50)))
        assert wire.read() == b"".join(b"%d" % n * 80 + b"\n" for n in range(50))
        ether.turn(firmware.BOX_GONE_MS + 1)
        assert not ether.wireless.is_open
        wire.close()
        assert ether.joined().read() == b"", "and the box is found again"


def test_who_is_not_paired_or_has_another_key_is_not_answered() -> None:
    for ether in (Ether(key=OTHER), Ether(pairings={}), Ether(pairings={"another": KEY})):
        with ether:
            for _ in range(5):
                ether.turn(firmware.ASK_MS)
                assert ether.find() == []
            assert (ether.wireless.is_open, ether.air.dropped, ether.radio.hear()) == (False, 5, None)


def test_a_stranger_who_answers_in_the_place_of_the_box_is_not_believed() -> None:
    with Ether(key=OTHER) as ether, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind(HOME)
        ether.radio._box = stranger.getsockname()
        ether.turn()
        asked, address = stranger.recvfrom(2048)
        nonce = asked.split()[4]
        about = UID.encode() + b" " + nonce + b" " + b"1" * 16
        stranger.sendto(
            firmware.HEAD + b"here " + nonce + b" " + b"1" * 16 + b" " + firmware.seal(KEY, b"here " + about),
            address,
        )
        ether.turn()
        assert not ether.wireless.is_open


@given(st.data())
def test_no_byte_of_a_datagram_can_be_changed(data: st.DataObject) -> None:
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with left, right:
        right.setblocking(False)
        wire = AirWire("wifi:x", KEY, right)
        number = b"00000001"
        good = number + b" " + firmware.seal(KEY, b"roller " + number + b" a line\n") + b" a line\n"
        at = data.draw(st.integers(0, len(good) - 1))
        bad = bytearray(good)
        bad[at] ^= data.draw(st.integers(1, 255))
        left.send(bytes(bad))
        assert (wire.read(), wire.is_open, wire.dropped) == (b"", False, 1)
        for _ in range(2):  # the second one is a replay
            left.send(good)
        assert (wire.read(), wire.is_open, wire.dropped) == (b"a line\n", True, 2)


def test_what_was_recorded_opens_nothing_and_is_no_line_of_a_later_session() -> None:
    with Ether() as ether, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thief:
        recorded: list[bytes] = []
        send = ether.radio.send
        ether.radio.send = lambda data, address: (recorded.append(data), send(data, address))[1]  # type: ignore[method-assign,func-returns-value]
        wire = ether.joined()
        ether.wireless.write(b"a roll\n")
        assert wire.read() == b"a roll\n"
        question, *session = recorded
        thief.sendto(question, ("127.0.0.1", ether.air.port))
        assert ether.find() == []
        _, answering = thief.recvfrom(2048)
        for datagram in session:  # sealed with the key of the old session
            thief.sendto(datagram, answering)
        assert ether.find() == []
        ether.wireless.write(b"another\n")
        assert wire.read() == b"another\n", "the session in use goes on"
        for datagram in session:
            ether.radio.send(datagram, ether.wireless._box)
        assert wire.read() == b""
        wire.write(b"hello\n")
        assert ether.turn() == b"hello\n"


def test_garbage_and_floods_are_dropped_and_keep_nobody_waiting() -> None:
    with Ether() as ether, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        chance = random.Random(3)
        door = ("127.0.0.1", ether.air.port)
        for _ in range(100):
            stranger.sendto(chance.randbytes(chance.randrange(0, 1400)), door)
            stranger.sendto(firmware.HEAD + b"hello " + chance.randbytes(60), door)
        for _ in range(5):
            ether.find()
        assert ether.air.dropped >= 100
        wire = ether.joined()
        for _ in range(20):
            stranger.sendto(chance.randbytes(200), ether.radio.socket.getsockname()[:2] or door)
        wire.write(b"line\n")
        ether.turn()
        assert wire.read() == b""
        with pytest.raises(PortMissing):
            ether.air.opener()("wifi:nobody")


def test_the_cable_comes_first() -> None:
    with Ether() as ether:
        wires = firmware.TwoWires(ether.wireless)
        now = firmware.CABLE_GONE_MS

        def turn(cable: bytes = b"") -> bytes:
            nonlocal now
            now += 100
            return wires.read(cable, now)

        turn()
        ether.find()
        turn()
        (port,) = ether.find()
        wire = ether.open(port)
        assert not wires.take(b"said\n"), "nothing was asked by radio yet"
        wire.write(b"by air\n")
        assert turn() == b"by air\n"
        assert wires.take(b"answer\n")
        assert wire.read() == b"answer\n"
        assert turn(b"by cable\n") == b"by cable\n"
        assert not wires.take(b"answer\n")
        assert not ether.wireless.is_open
        for _ in range(firmware.CABLE_GONE_MS // 100 - 1):
            assert turn() == b""
        assert ether.find() == [], "it is still plugged in"
        turn()
        turn()
        ether.find()
        turn()
        assert len(ether.find()) == 1


# --- the whole: the table's own object, the firmware, and bad air between them ---


class BadAir(SocketRadio):
    """Loses, doubles and delays datagrams in both directions; ``silent``: all of them."""

    def __init__(self, box: tuple[str, int], share: float) -> None:
        super().__init__(box)
        self._share = share
        self._chance = random.Random(11)
        self._late: list[tuple[bytes, object]] = []
        self.silent = False

    def _happens(self) -> bool:
        return self._chance.random() < self._share

    def send(self, data: bytes, address: object) -> None:
        if self.silent or self._happens():
            return
        for _ in range(1 + self._happens()):
            super().send(data, address)

    def hear(self) -> tuple[bytes, object] | None:
        heard = super().hear()
        if heard is None or self.silent or self._happens():
            return self._late.pop() if self._late and not self.silent else None
        if self._happens():
            self._late.append(heard)
            return super().hear()
        return heard


class Table:
    """A table whose roller comes by radio."""

    def __init__(self, share: float = 0.0) -> None:
        self.air = Air({UID: KEY}, place=HOME)
        self.heard: list[Roll] = []
        self.dice = DiceRoller(self.air.ports(lambda: []), opener=self.air.opener())
        self.radio = BadAir(("127.0.0.1", self.air.port), share)
        self.roller = VirtualRoller(uid=UID, seed=5)
        self.roller.board.extras = ()

    def __enter__(self) -> Table:
        self.dice.start(self.heard.append)
        self.far = AirRoller(self.roller, KEY, self.radio).__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.far.__exit__()
        self.dice.stop()
        self.air.close()


@pytest.fixture
def table() -> Iterator[Table]:
    with Table() as made:
        yield made


def test_it_is_a_roller_like_one_with_a_cable(table: Table) -> None:
    until(lambda: table.dice.state().connected)
    assert table.dice.state().uid == UID
    assert table.dice.health().port == f"wifi:{UID}"
    table.dice.show(DICE)
    roll = table.dice.roll(DICE, "m1-r1")
    assert table.dice.roll(DICE, "m1-r1") == roll
    table.roller.press()
    until(lambda: len(table.heard) == 2)
    assert [one.n for one in table.heard] == [1, 2]
    commitment = table.dice.commit()
    table.dice.mix(commitment, "brass lantern")
    assert len(table.dice.reveal(commitment)) == 64


def test_every_roll_counts_once_when_the_radio_goes_away_and_comes_back(table: Table) -> None:
    until(lambda: table.dice.state().connected)
    table.dice.show(DICE)
    table.dice.roll(DICE)
    until(lambda: table.roller.firmware.set)
    table.radio.silent = True
    until(lambda: not table.dice.state().connected)
    table.roller.press()
    until(lambda: table.roller.firmware.kept.last == 2)
    table.radio.silent = False
    until(lambda: len(table.heard) == 2)
    table.roller.reboot()
    until(lambda: table.dice.state().connected and table.roller.firmware.set)
    table.dice.roll(DICE)
    until(lambda: len(table.heard) == 3)
    assert [one.n for one in table.heard] == [1, 2, 1]


def test_no_roll_is_lost_or_counted_twice_where_7_in_100_datagrams_are_lost_and_as_many_doubled_or_late() -> (
    None
):
    with Table(share=0.07) as table:
        until(lambda: table.dice.state().connected)
        table.dice.show(DICE)
        answers = [table.dice.roll(DICE, f"r{number}", seconds=30) for number in range(40)]
        until(lambda: len(table.heard) >= table.roller.firmware.kept.last)
        assert [one.n for one in table.heard] == list(range(1, len(table.heard) + 1))
        assert [one for one in table.heard if one.request_id] == answers
        assert table.roller.firmware.kept.last == 40


# --- who is paired ---


def test_pairings_are_kept_privately_and_nonsense_pairs_nobody(tmp_path: Path) -> None:
    path = tmp_path / "rollers.json"
    assert read_pairings(path) == {}
    keep_pairing(path, UID, KEY)
    keep_pairing(path, "other", OTHER)
    assert read_pairings(path) == {UID: KEY, "other": OTHER}
    assert path.stat().st_mode & 0o777 == 0o600
    keep_pairing(path, "other", None)
    assert read_pairings(path) == {UID: KEY}
    for text in ("", "[]", '{"a": 1}', '{"a": "00"}', "[" * 5000):
        path.write_text(text)
        assert read_pairings(path) == {}
