"""The dice roller without hardware: the roller's own firmware on a virtual board, with faults on demand.

`VirtualRoller` turns bytes into bytes; `VirtualPort` puts it behind a pseudo-terminal. By hand:

    python -m firmware_bridge.simulator ./dice --seed 7

and then type `press`, `garble 0.05`, `stall 3`, `reboot`, ... while Stationmaster talks to it.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import select
import socket
import sys
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Protocol

from firmware_bridge.exc import NoPseudoPort
from firmware_bridge.firmware.roller.app import Roller
from firmware_bridge.firmware.roller.seams import Screen
from firmware_bridge.firmware.roller.wireless import PORT, Radio, Wireless
from firmware_bridge.memory_board import MemoryBoard

PRESS_SECONDS = 0.1
SEEN_DOWN = 4  # turns of the firmware that find a pressed button down, also on a busy machine
STEP_SECONDS = 0.01  # how often the firmware gets a turn while dice tumble or a button is held
IDLE_SECONDS = (
    0.1  # without anything to do it need not be quicker than its heartbeat; a line wakes it at once
)


@dataclass
class Faults:
    """What goes wrong; all may be changed while the roller runs. Shares are 0 to 1, in both directions."""

    drop: float = 0.0  # of lines that vanish
    garble: float = 0.0  # of bytes that arrive as others
    duplicate: float = 0.0  # of lines that arrive twice
    reorder: float = 0.0  # of lines that arrive after the next one
    bias: float = 0.0  # of random bytes that are 0, which is face 0
    wrong_uid: bool = False
    newer_protocol: bool = False


class Noise:
    """One direction of a bad cable."""

    def __init__(self, faults: Faults, chance: random.Random) -> None:
        self._faults = faults
        self._chance = chance
        self._partial = b""
        self._waiting = b""

    def pass_on(self, data: bytes) -> bytes:
        """Return what arrives of this data."""
        *lines, self._partial = (self._partial + data).split(b"\n")
        return self._garble(b"".join(self._treat(line + b"\n") for line in lines))

    def cut(self) -> None:
        """Drop everything under way."""
        self._partial = self._waiting = b""

    def _treat(self, line: bytes) -> bytes:
        if self._happens(self._faults.drop):
            return b""
        if self._happens(self._faults.duplicate):
            line += line
        if not self._waiting and self._happens(self._faults.reorder):
            self._waiting = line
            return b""
        late, self._waiting = self._waiting, b""
        return line + late

    def _garble(self, data: bytes) -> bytes:
        share = self._faults.garble
        if not share:
            return data
        noisy, at = bytearray(data), self._gap(share)
        while at < len(noisy):
            noisy[at] ^= self._chance.randint(1, 255)
            at += 1 + self._gap(share)
        return bytes(noisy)

    def _gap(self, share: float) -> int:
        """How many bytes stay whole before the next bad one."""
        if share >= 1:
            return 0
        return int(math.log(1 - self._chance.random()) / math.log(1 - share))

    def _happens(self, share: float) -> bool:
        return share > 0 and self._chance.random() < share


class VirtualScreen(Screen):
    """Remembers what is on display."""

    def __init__(self) -> None:
        self.rows: dict[int, bytes] = {}
        self.pages: dict[int, bytes] = {}
        self.frames = 0

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Remember what one place of the display shows."""
        self.rows[place] = rows

    canvas = True

    def page(self, number: int, dots: bytes) -> None:
        """Remember one part of a picture."""
        self.pages[number] = dots

    def flush(self) -> None:
        """Count one more frame as shown."""
        self.frames += 1


class VirtualBoard(MemoryBoard):
    """A board in memory; it says in its greeting that it is virtual."""

    extras: tuple[str, ...] = ("virtual",)

    def __init__(
        self, uid: str, clock: Callable[[], float], faults: Faults, chance: random.Random | None
    ) -> None:
        super().__init__(uid, clock)
        self.pressed_until = 0.0
        self.to_be_seen = 0  # how many more times the firmware finds the button down, however late it looks
        self._faults = faults
        self._chance = chance

    def random(self, count: int) -> bytes:
        """The system's generator, or the seeded one; with a bias some bytes are 0."""
        data = self._chance.randbytes(count) if self._chance else super().random(count)
        bias = self._faults.bias
        if not bias:
            return data
        chance = self._chance or random.SystemRandom()
        return bytes(0 if chance.random() < bias else byte for byte in data)

    def uid(self) -> str:
        """The serial number, or somebody else's."""
        return "f" * len(self._uid) if self._faults.wrong_uid else self._uid

    def button_down(self) -> bool:
        """Return True while the button is held."""
        if self.to_be_seen:
            self.to_be_seen -= 1
            return True
        return self._clock() < self.pressed_until


class VirtualRoller:
    """The firmware, its board and a bad cable. Threads may call every method."""

    def __init__(
        self, *, uid: str = "feed00d1ce", seed: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.faults = Faults()
        self.screen = VirtualScreen()
        self._clock = clock
        self._noise_chance = random.Random(seed)
        throws = None if seed is None else random.Random(seed + 1)
        self.board = VirtualBoard(uid, clock, self.faults, throws)
        self._to_roller = Noise(self.faults, self._noise_chance)
        self._to_host = Noise(self.faults, self._noise_chance)
        self._stalled_until = 0.0
        self._stale = b""
        self._lock = threading.RLock()
        self.firmware = self._power_up()

    def exchange(self, data: bytes = b"") -> bytes:
        """Bytes from the host in, one turn of the firmware, bytes for the host out."""
        with self._lock:
            self.board.inbox += self._to_roller.pass_on(data)
            if self._clock() < self._stalled_until:
                return b""
            self.firmware.protocol = [2, 0] if self.faults.newer_protocol else [1, 0]
            self.firmware.step()
            said, self.board.outbox = self.board.outbox, b""
            old, self._stale = self._stale, b""
            return old + self._to_host.pass_on(said)

    @property
    def idle(self) -> bool:
        """Nothing is shown that changes, and nobody has touched the button lately."""
        pressed = self.board.to_be_seen or self._clock() < self.board.pressed_until + 1.0
        return not (pressed or self.firmware.display.moving)

    def press(self, seconds: float = PRESS_SECONDS) -> None:
        """Press the roll button; the dice are thrown when it comes up."""
        self.board.pressed_until = self._clock() + seconds
        self.board.to_be_seen = SEEN_DOWN

    def stall(self, seconds: float) -> None:
        """Hang: hear and say nothing for so long, then answer what came meanwhile."""
        self._stalled_until = self._clock() + seconds

    def reboot(self) -> None:
        """Pull the plug and put it back: all memory is gone, and so is what was under way."""
        with self._lock:
            self._to_roller.cut()
            self._to_host.cut()
            self.board.inbox = self.board.outbox = b""
            self._stalled_until = self.board.pressed_until = 0.0
            self.firmware = self._power_up()

    def leave_stale_lines(self) -> None:
        """Next time, first say again what was kept, as a USB buffer does that nobody emptied."""
        with self._lock:
            kept = self.firmware.kept.since(0)
            self._stale = b'"n":3,"dice":[["A",6,1' + b"\n" + b"".join(kept[-8:])

    def obey(self, command: str) -> str:
        """Carry out a typed command such as `garble 0.05`, `stall 2` or `press`; answers with a sentence."""
        word, _, value = command.strip().partition(" ")
        actions: dict[str, Callable[[], object]] = {
            "press": self.press,
            "reboot": self.reboot,
            "stale": self.leave_stale_lines,
            "stall": lambda: self.stall(float(value)),
        }
        try:
            if word in actions:
                actions[word]()
            elif word in {fault.name for fault in fields(Faults)}:
                setattr(self.faults, word, type(getattr(self.faults, word))(float(value)))
            else:
                return f"no such command: {', '.join([*actions, *(f.name for f in fields(Faults))])}"
        except ValueError:
            return f"{word} needs a number, such as '{word} 0.05'"
        return "done"

    def _power_up(self) -> Roller:
        return Roller(self.board, self.screen)


class Behind(Protocol):
    """The interface of what is behind a pseudo-terminal."""

    def exchange(self, data: bytes = b"") -> bytes:
        """Bytes from the host in, bytes for the host out."""

    @property
    def idle(self) -> bool:
        """True while nothing will happen by itself."""


class PseudoPort:
    """A pseudo-terminal with a roller of software behind it, under a name of your choice."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind
        self.name = ""
        self._link: Path | None = None
        self._thread: threading.Thread | None = None
        self._ends: tuple[int, ...] = ()
        self._pull = -1  # closing this end of a pipe pulls the cable at once

    def plug(self, link: Path | None = None) -> str:
        """Appear as a port, with `link` as another name for it; answers with the name to open."""
        try:
            master, slave = os.openpty()
        except OSError as problem:
            raise NoPseudoPort(problem.strerror or str(problem)) from problem
        pulled, self._pull = os.pipe()
        self._ends = (master, slave, pulled)
        tty.setraw(slave)  # otherwise it would echo until the host opens it
        os.set_blocking(master, False)
        self.name = os.ttyname(slave)
        if link:
            link.symlink_to(self.name)
            self._link, self.name = link, str(link)
        run = partial(self._run, master, pulled)
        self._thread = threading.Thread(target=run, name="virtual-roller", daemon=True)
        self._thread.start()
        return self.name

    def wake(self) -> None:
        """Report an event at once instead of at the next turn."""
        if self._thread is not None:
            os.write(self._pull, b"!")

    def unplug(self) -> None:
        """Disappear; whoever has the port open gets an error."""
        if self._thread is None:
            return
        if self._link:
            self._link.unlink()
            self._link = None
        os.close(self._pull)
        self._thread.join()
        self._thread = None
        for end in self._ends:
            os.close(end)

    def _run(self, master: int, pulled: int) -> None:
        while True:
            pause = IDLE_SECONDS if self._behind.idle else STEP_SECONDS
            ready, _, _ = select.select([master, pulled], [], [], pause)
            if pulled in ready and not os.read(pulled, 64):
                return
            said = self._behind.exchange(os.read(master, 4096) if master in ready else b"")
            if said:
                write_what_fits(master, said)


class VirtualPort(PseudoPort):
    """A pseudo-terminal with a virtual roller behind it."""

    def __init__(self, roller: VirtualRoller | None = None) -> None:
        self.roller = roller or VirtualRoller()
        super().__init__(self.roller)

    def __enter__(self) -> VirtualPort:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()


class SocketRadio(Radio):
    """This machine's own network, for a roller of software."""

    def __init__(self, box: tuple[str, int]) -> None:
        self._box = box
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)

    def is_up(self, now: int) -> bool:
        """Always True: the simulated radio has no access point to lose."""
        return True

    def send(self, data: bytes, address: object) -> None:
        """Send a datagram; one refused by an absent box is lost."""
        try:
            self.socket.sendto(data, address if isinstance(address, tuple) else self._box)
        except OSError:
            return

    def hear(self) -> tuple[bytes, object] | None:
        """The next datagram and where it came from; None where there is none."""
        try:
            heard: tuple[bytes, object] = self.socket.recvfrom(2048)
        except OSError:
            return None
        return heard


class AirRoller:
    """A roller of software that has no cable: the firmware's own radio part over a real network."""

    def __init__(self, roller: VirtualRoller, key: bytes, radio: SocketRadio) -> None:
        self.roller = roller
        self.wireless = Wireless(radio, key, roller.board.uid(), os.urandom)
        self._radio = radio
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="air-roller", daemon=True)

    def __enter__(self) -> AirRoller:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        self._radio.socket.close()

    def _run(self) -> None:
        while not self._stopped.is_set():
            pause = IDLE_SECONDS if self.roller.idle else STEP_SECONDS
            select.select([self._radio.socket], [], [], pause)
            lines = self.wireless.step(int(time.monotonic() * 1000))
            said = self.roller.exchange(lines)
            if said:
                self.wireless.write(said)


def write_what_fits(end: int, data: bytes) -> None:
    """Write like a USB buffer that nobody empties: what does not fit is lost."""
    try:
        os.write(end, data)
    except BlockingIOError:
        return


def main(arguments: list[str] | None = None) -> None:
    """Run a virtual roller until its input ends."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.simulator", description=__doc__)
    parser.add_argument("link", type=Path, nargs="?", default="dice", help="name to appear under (./dice)")
    parser.add_argument("--seed", type=int, help="repeat the same throws and faults")
    parser.add_argument("--wifi", metavar="KEY", help="by radio: the key for it in the box's rollers.json")
    parser.add_argument("--box", default="127.0.0.1", help="where the box is then")
    chosen = parser.parse_args(arguments)
    if chosen.wifi:
        _by_radio(VirtualRoller(seed=chosen.seed), bytes.fromhex(chosen.wifi), (chosen.box, PORT))
        return
    port = VirtualPort(VirtualRoller(seed=chosen.seed))
    sys.stdout.write(
        f"virtual dice at {port.plug(chosen.link)}; type press, reboot, garble 0.05, stall 3 ...\n"
    )
    try:
        for command in sys.stdin:
            sys.stdout.write(port.roller.obey(command) + "\n")
    finally:
        port.unplug()


def _by_radio(roller: VirtualRoller, key: bytes, box: tuple[str, int]) -> None:
    with AirRoller(roller, key, SocketRadio(box)):
        sys.stdout.write(f"virtual dice {roller.board.uid()} ask for {box[0]}; type press, reboot ...\n")
        for command in sys.stdin:
            sys.stdout.write(roller.obey(command) + "\n")


if __name__ == "__main__":
    main()
