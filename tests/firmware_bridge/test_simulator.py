"""Each fault of the virtual roller does what it says, and nothing when it is off."""

import io
import random
import sys
from pathlib import Path

import pytest

from firmware_bridge import simulator
from firmware_bridge.protocol import (
    FromHost,
    FromRoller,
    Hello,
    HelloAnswer,
    LineReader,
    RollMessage,
    RollRequest,
    SetDice,
    Since,
    Throws,
    Trial,
    encode,
)
from firmware_bridge.simulator import VirtualRoller


class Bench:
    """A virtual roller with a clock that is turned by hand."""

    def __init__(self, seed: int = 1) -> None:
        self.now = 5.0
        self.roller = VirtualRoller(seed=seed, clock=lambda: self.now)
        self.reader = LineReader()
        self.say(Hello("aa", (1, 0)))
        self.say(SetDice("d1", "bb", (("A", 6),)))

    def say(self, *messages: FromHost) -> list[FromRoller]:
        self.now += 0.001
        heard = self.reader.feed(self.roller.exchange(b"".join(encode(m) for m in messages)))
        return [message for message in heard if message is not None]

    def rolls(self, count: int, prefix: str = "r") -> list[RollMessage]:
        heard = [m for k in range(count) for m in self.say(RollRequest(f"{prefix}{k}", "bb"))]
        return [message for message in heard if isinstance(message, RollMessage)]


def test_without_faults_every_request_has_its_roll() -> None:
    assert [roll.n for roll in Bench().rolls(100)] == list(range(1, 101))


def test_dropping() -> None:
    bench = Bench()
    bench.roller.faults.drop = 0.5
    assert 10 <= len(bench.rolls(100)) <= 40  # a quarter survives both ways
    bench.roller.faults.drop = 1.0
    assert bench.rolls(20, "s") == []


@pytest.mark.parametrize("share", [0.01, 0.05, 0.5, 1.0])
def test_garbling_hits_the_share_of_bytes(share: float) -> None:
    noise = simulator.Noise(simulator.Faults(garble=share), random.Random(1))
    sent = b"x" * 99_999 + b"\n"
    got = noise.pass_on(sent)
    assert sum(a != b for a, b in zip(sent, got, strict=True)) / len(sent) == pytest.approx(share, rel=0.1)


def test_duplicating() -> None:
    bench = Bench()
    bench.roller.faults.duplicate = 1.0
    rolls = bench.rolls(10)
    assert [roll.n for roll in rolls] == sorted([*range(1, 11)] * 4)


def test_reordering() -> None:
    bench = Bench()
    for k in range(20):
        bench.roller.firmware._throw(f"r{k}")
    bench.say()
    bench.roller.faults.reorder = 0.4
    numbers = [m.n for _ in range(4) for m in bench.say(Since("s1", 0)) if isinstance(m, RollMessage)]
    assert numbers
    assert numbers != sorted(numbers)


def test_stalling_holds_everything_back_and_loses_nothing() -> None:
    bench = Bench()
    bench.roller.stall(3.0)
    assert bench.say(RollRequest("r1", "bb")) == []
    bench.now += 2.9
    assert bench.say() == []
    bench.now += 0.2
    assert [m.n for m in bench.say() if isinstance(m, RollMessage)] == [1]


def test_rebooting_forgets_everything() -> None:
    bench = Bench()
    (before,) = bench.rolls(1)
    bench.roller.reboot()
    (answer,) = [m for m in bench.say(Hello("ab", (1, 0))) if isinstance(m, HelloAnswer)]
    assert answer.boot != before.boot
    assert answer.n == 0


def test_stale_lines_come_first() -> None:
    bench = Bench()
    bench.rolls(10)
    bench.roller.leave_stale_lines()
    heard = bench.say(Hello("ab", (1, 0)))
    assert [m.n for m in heard[:8] if isinstance(m, RollMessage)] == list(range(3, 11))
    assert isinstance(heard[8], HelloAnswer)
    assert bench.reader.drops.total == 1


def test_wrong_uid_and_newer_protocol() -> None:
    bench = Bench()
    bench.roller.faults.wrong_uid = bench.roller.faults.newer_protocol = True
    (answer,) = [m for m in bench.say(Hello("ab", (1, 0))) if isinstance(m, HelloAnswer)]
    assert (answer.uid, answer.proto) == ("ffffffffff", (2, 0))
    bench.roller.faults.wrong_uid = bench.roller.faults.newer_protocol = False
    (answer,) = [m for m in bench.say(Hello("ac", (1, 0))) if isinstance(m, HelloAnswer)]
    assert (answer.uid, answer.proto) == ("feed00d1ce", (1, 0))


def test_a_biased_die() -> None:
    bench = Bench()
    bench.roller.faults.bias = 0.4
    (throws,) = [m for m in bench.say(Trial("t1", 6, 400)) if isinstance(m, Throws)]
    assert 0.4 < throws.thrown.count("0") / 400 < 0.6


def test_the_same_seed_is_the_same_evening() -> None:
    def evening() -> list[RollMessage]:
        bench = Bench(seed=77)
        bench.roller.faults.garble = 0.001
        return bench.rolls(50)

    assert evening() == evening()


def test_without_a_seed_the_dice_are_the_systems() -> None:
    assert VirtualRoller().firmware.boot != VirtualRoller().firmware.boot


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("garble 0.05", "done"),
        ("wrong_uid 1", "done"),
        ("stall 2", "done"),
        ("press", "done"),
        ("reboot", "done"),
        ("stale", "done"),
        ("garble much", "garble needs a number, such as 'garble 0.05'"),
        ("explode", "no such command: press, reboot, stale, stall, drop, garble, duplicate, reorder, bias, "),
    ],
)
def test_commands_while_it_runs(command: str, answer: str) -> None:
    assert VirtualRoller(seed=1).obey(command).startswith(answer)


def test_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("garble 0.05\npress\n"))
    simulator.main([str(tmp_path / "dice"), "--seed", "7"])
    said = capsys.readouterr().out
    assert said.startswith(f"virtual dice at {tmp_path / 'dice'}")
    assert said.endswith("done\ndone\n")
    assert not (tmp_path / "dice").is_symlink()
