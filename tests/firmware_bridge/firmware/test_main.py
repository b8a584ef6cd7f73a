"""The roller's main.py as a whole program: under CPython always, under MicroPython where installed."""

import os
import select
import shutil
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import firmware_bridge.firmware
from firmware_bridge.dice import Roll
from firmware_bridge.fairness import recompute
from firmware_bridge.loading.loader import Wiring
from firmware_bridge.ports import ports_like
from firmware_bridge.protocol import (
    Beat,
    Commit,
    Commitment,
    FromHost,
    FromRoller,
    Hello,
    HelloAnswer,
    Kept,
    LineReader,
    Mix,
    Nak,
    Ok,
    Refusal,
    Reveal,
    RollMessage,
    RollRequest,
    Seed,
    SetDice,
    Since,
    State,
    Throws,
    Trial,
    encode,
)
from firmware_bridge.roller import DiceRoller
from firmware_bridge.wireless import Air

SOURCE = Path(firmware_bridge.firmware.__file__).parent
SHIM = Path(__file__).parent.parent / "shim"
MICROPYTHON = shutil.which("micropython")
INTERPRETERS = [
    "cpython",
    pytest.param(
        "micropython",
        marks=pytest.mark.skipif(
            MICROPYTHON is None, reason="the program micropython is not installed (apt install micropython)"
        ),
    ),
]


def command(interpreter: str, source: Path) -> tuple[list[str], dict[str, str]]:
    """How to run main.py, and where it finds `machine`, `neopixel` and `network`."""
    if interpreter == "micropython":
        return [str(MICROPYTHON), str(source / "main.py")], {"MICROPYPATH": f"{source}:{SHIM}"}
    paths = f"{source}:{SHIM}:{SHIM / 'cpython'}"
    return [sys.executable, str(SHIM / "cpython" / "run_main.py"), str(source / "main.py")], {
        "PYTHONPATH": paths
    }


class Program:
    """main.py behind a pseudo-terminal: it has the far end, the near end has the name that hosts open."""

    def __init__(self, interpreter: str, folder: Path, source: Path = SOURCE) -> None:
        self.button = folder / "button"
        self.far, self.near = os.openpty()
        tty.setraw(self.near)
        self.name = os.ttyname(self.near)
        arguments, paths = command(interpreter, source)
        environment = {**os.environ, **paths, "ROLLER_BUTTON": str(self.button)}
        self.process = subprocess.Popen(
            arguments, stdin=self.far, stdout=self.far, stderr=subprocess.PIPE, env=environment
        )
        self.reader = LineReader()
        self.heard: list[FromRoller | None] = []

    def stop(self) -> str:
        self.process.terminate()
        _, errors = self.process.communicate(timeout=10)
        for end in (self.far, self.near):
            os.close(end)
        return bytes(errors).decode()

    def say(self, message: FromHost | bytes) -> None:
        os.write(self.near, message if isinstance(message, bytes) else encode(message))

    def wait_for(self, kind: type[FromRoller], seconds: float = 10.0) -> FromRoller:
        """The next message of this kind."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for at, message in enumerate(self.heard):
                if isinstance(message, kind):
                    del self.heard[: at + 1]
                    return message
            if select.select([self.near], [], [], 0.1)[0]:
                self.heard += self.reader.feed(os.read(self.near, 4096))
        raise AssertionError(f"no {kind.__name__}, heard {self.heard}")

    def greet(self) -> HelloAnswer:
        """Say hello until the program is up."""
        for _ in range(100):
            assert self.process.poll() is None, self.stop()
            self.say(Hello("1a2b", (1, 0)))
            if select.select([self.near], [], [], 0.1)[0]:
                break
        answer = self.wait_for(HelloAnswer)
        assert isinstance(answer, HelloAnswer)
        return answer


@pytest.fixture(params=INTERPRETERS)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Program]:
    program = Program(request.param, tmp_path)
    yield program
    assert "Traceback" not in program.stop()


def test_it_greets_rolls_repeats_and_remembers(program: Program) -> None:
    hello = program.greet()
    assert (hello.uid, hello.proto, hello.dice) == ("e6614c311b7e2c2f", (1, 0), 4)
    assert hello.can == ("fair", "glyphs", "test", "pool")
    program.say(SetDice("d1", "aa", (("A", 6), ("big", 256))))
    assert program.wait_for(Ok) == Ok("d1")
    program.say(RollRequest("r1", "aa"))
    first = program.wait_for(RollMessage)
    assert isinstance(first, RollMessage)
    assert (first.boot, first.n, first.id) == (hello.boot, 1, "r1")
    assert program.wait_for(State) == State("rolling", 1)
    program.say(RollRequest("r1", "aa"))
    assert program.wait_for(RollMessage) == first
    program.say(Since("s1", 0))
    assert program.wait_for(RollMessage) == first
    assert program.wait_for(Kept) == Kept("s1", hello.boot, 1, 1)
    program.say(RollRequest("r2", "bb"))
    assert isinstance(refusal := program.wait_for(Refusal), Refusal)
    assert (refusal.code, refusal.id) == ("set", "r2")
    assert program.wait_for(State) == State("shown", 1)


def test_noise_is_answered_with_nak_and_nothing_else(program: Program) -> None:
    program.greet()
    for noise in (b"\x03\x03\x00\xff\n", b"x" * 2000 + b"\n", b'{"t":"ping"}*00000000\n', b"[" * 400 + b"\n"):
        program.say(noise)
        assert program.wait_for(Nak) == Nak()
    beat = program.wait_for(Beat)
    assert isinstance(beat, Beat)
    assert beat.bad >= 4
    assert program.reader.drops.total == 0


def test_seed_and_rolls_can_be_proven(program: Program) -> None:
    program.greet()
    program.say(SetDice("d1", "aa", (("A", 6), ("B", 200))))
    program.say(Commit("c1"))
    commitment = program.wait_for(Commitment)
    assert isinstance(commitment, Commitment)
    program.say(Mix("m1", commitment.hash[:8], "lantern"))
    program.wait_for(Ok)
    program.say(RollRequest("r1", "aa"))
    roll = program.wait_for(RollMessage)
    program.say(Reveal("v1", commitment.hash[:8]))
    seed = program.wait_for(Seed)
    assert isinstance(roll, RollMessage)
    assert isinstance(seed, Seed)
    assert recompute(seed.seed, "lantern", 1, (6, 200)) == tuple(face for _, _, face in roll.dice)


def test_the_button_throws_when_it_comes_up(program: Program) -> None:
    hello = program.greet()
    program.wait_for(Beat)
    program.button.touch()
    assert program.wait_for(State) == State("pressed", 0)
    program.button.unlink()
    roll = program.wait_for(RollMessage)
    assert isinstance(roll, RollMessage)
    assert (roll.boot, roll.n, roll.id) == (hello.boot, 1, None)
    assert [die[:2] for die in roll.dice] == [("d6", 6)]


def test_the_self_test_throws(program: Program) -> None:
    program.greet()
    program.say(Trial("t1", 6, 400))
    throws = program.wait_for(Throws)
    assert isinstance(throws, Throws)
    assert (len(throws.thrown), set(throws.thrown)) == (400, set("012345"))


def test_the_table_plays_with_it(program: Program) -> None:
    roller = DiceRoller(ports_like(program.name))
    rolls: list[object] = []
    roller.start(rolls.append)
    for k in range(50):
        roller.roll([("A", 6), ("B", 6)], f"r{k}", seconds=20)
    assert len(rolls) == 50
    assert roller.health().round_trip_ms < 50
    roller.stop()


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_a_button_that_is_pressed_while_the_power_comes_stops_nothing(
    interpreter: str, tmp_path: Path
) -> None:
    (tmp_path / "button").touch()
    program = Program(interpreter, tmp_path)
    with pytest.raises(subprocess.TimeoutExpired):
        program.process.wait(0.5)
    (tmp_path / "button").unlink()
    try:
        assert program.greet().uid
    finally:
        assert "Traceback" not in program.stop()


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_with_the_button_held_at_power_up_it_leaves_the_board_to_its_owner(
    interpreter: str, tmp_path: Path
) -> None:
    (tmp_path / "button").touch()
    program = Program(interpreter, tmp_path)
    assert program.process.wait(20) == 0
    assert program.stop() == ""


def wait_until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_the_program_of_a_pico_w_needs_no_cable(interpreter: str, tmp_path: Path) -> None:
    air = Air({"e6614c311b7e2c2f": bytes(32)}, place=("127.0.0.1", 0))
    source = tmp_path / "source"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    settings, radio = source / "roller/settings.py", source / "roller/wireless.py"
    wiring = Wiring(networks=(("Old", "a wrong one"), ("Home", "the right one")), key=bytes(32))
    settings.write_text(wiring.applied(settings.read_text()).replace("255.255.255.255", "127.0.0.1"))
    radio.write_text(radio.read_text().replace("PORT = 7427", f"PORT = {air.port}"))
    pico = source / "roller/pico.py"
    pico.write_text(pico.read_text().replace("NETWORK_MS = 15_000", "NETWORK_MS = 100"))
    program = Program(interpreter, tmp_path, source)
    heard: list[Roll] = []
    roller = DiceRoller(air.ports(lambda: []), opener=air.opener())
    try:
        roller.start(heard.append)
        assert roller.roll([("A", 6)], seconds=20).n == 1
        program.button.touch()
        wait_until(lambda: roller.state().dice == "pressed")
        program.button.unlink()
        wait_until(lambda: len(heard) == 2)
        assert roller.roll([("A", 6)], seconds=20).n == 3
        assert "wifi" in program.greet().can, "its cable works as ever, and comes first"
    finally:
        roller.stop()
        air.close()
        assert "Traceback" not in program.stop()
