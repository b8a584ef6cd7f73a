"""All steps from a new Pico to a dice roller."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import firmware_bridge.firmware
from firmware_bridge.exc import BridgeError, LoadingError, PortBusy
from firmware_bridge.loading.drives import Drive, Machine, pico_drive, put
from firmware_bridge.loading.raw_repl import RawRepl
from firmware_bridge.loading.uf2 import chip_of
from firmware_bridge.ports import PICO_BOARD, Opener, Port, PortProvider, SerialWire, Wire
from firmware_bridge.survey import survey

FIRMWARE = Path(firmware_bridge.firmware.__file__).parent
PACKAGED = Path("/usr/lib/stationmaster/micropython")  # files that whoever built the package has put there
OLDEST = (1, 22, 0)
APPEARS_WITHIN = 30.0  # seconds for a board to come back
LET_GO_WITHIN = 15.0  # a table that is running greets every new port, and lets go of what is no roller
TAKEN_AFTER = 5.0  # and whose roller is not let go of for so long has taken it
_WHERE = "https://micropython.org/download/RPI_PICO/ (or RPI_PICO2; for Wi-Fi RPI_PICO_W, RPI_PICO2_W)"


@dataclass(frozen=True)
class Wiring:
    """What differs from roller to roller: lines of the firmware's settings."""

    screen: str = ""
    places: int = 0
    networks: tuple[tuple[str, str], ...] = ()  # of a roller by radio: names and passwords
    key: bytes = b""  # that it shares with its box

    def applied(self, text: str) -> str:
        """The firmware's settings with them.

        >>> Wiring("oled", 8).applied('SCREEN = "matrix"  # x\\nDICE_PLACES = 4\\n')
        'SCREEN = "oled"  # x\\nDICE_PLACES = 8\\n'
        """
        if self.screen:
            text = re.sub(r'^SCREEN = "\w+"', f'SCREEN = "{self.screen}"', text, flags=re.MULTILINE)
        if self.places:
            text = re.sub(r"^DICE_PLACES = \d+", f"DICE_PLACES = {self.places}", text, flags=re.MULTILINE)
        if self.networks:
            text = text.replace(']]" = []', f']]" = {list(self.networks)!r}')
            text = text.replace('WIFI_KEY = ""', f'WIFI_KEY = "{self.key.hex()}"')
        return text


@dataclass
class Loader:
    """``say`` hears each step; ``ports`` are those of boards with MicroPython."""

    say: Callable[[str], None]
    ports: PortProvider
    micropython: Path | None = None
    wiring: Wiring = field(default_factory=Wiring)
    machine: Machine = field(default_factory=Machine)
    opener: Opener = SerialWire
    packaged: Path = PACKAGED
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    uid: str = ""  # of the board, once its prompt has answered

    def load(self) -> str:
        """Make the board a roller; a sentence that says which one it is now."""
        before = {port.device for port in self.ports()}
        with pico_drive(self.machine) as drive:
            if drive is not None:
                self._put_micropython(drive)
        if drive is not None:
            device = self._appeared(before)
        elif len(before) == 1:
            (device,) = before
        else:
            raise LoadingError(
                _NONE if not before else "Several boards are plugged in: name one with --port."
            )
        self._write(device)
        return self._greeted()

    def _put_micropython(self, drive: Drive) -> None:
        file = self._file_for(drive.chip)
        self.say(f"A new Pico ({drive.chip}): it gets {file.name}.")
        put(file, drive)

    def _file_for(self, chip: str) -> Path:
        if self.micropython is not None:
            found = chip_of(self.micropython)
            if found != chip:
                raise LoadingError(f"{self.micropython.name} is for {found}, and this Pico has {chip}.")
            return self.micropython
        by_radio = bool(self.wiring.networks)
        for path in sorted(self.packaged.glob("*.uf2"), reverse=True):
            if ("_W" in path.name) == by_radio and chip_of(path) == chip:
                return path
        raise LoadingError(
            f"There is no MicroPython for {chip}{' with Wi-Fi' if by_radio else ''} here: "
            f"fetch it from {_WHERE}, --micropython FILE."
        )

    def _appeared(self, before: set[str]) -> str:
        until = self.clock() + APPEARS_WITHIN
        while self.clock() < until:
            new = [port.device for port in self.ports() if port.device not in before]
            if new:
                return new[0]
            self.pause(0.2)
        raise LoadingError("The Pico did not come back with MicroPython: plug it in again, BOOTSEL held.")

    def _write(self, device: str) -> None:
        """Write the firmware; main.py goes first and comes last, so a half-written board is no roller."""
        wire = self._opened(device)
        try:
            board = RawRepl(wire)
            board.enter()
            version = board.version()
            self.uid = board.uid()
            if self.wiring.networks and not board.has_wifi():
                raise LoadingError(_NO_RADIO)
            if tuple(int(one) for one in re.findall(r"\d+", version)) < OLDEST:
                raise LoadingError(f"MicroPython {version} is too old: 1.22 or later.")
            self.say(f"MicroPython {version} answers at {device}; the firmware is written.")
            files = self._files()
            board.remove("main.py")
            board.folders(["roller"])
            for name in board.listing("roller"):
                if f"roller/{name}" not in files:
                    board.remove(f"roller/{name}")
            written = sum(board.put(name, content) for name, content in files.items())
            self.say(f"{len(files)} files are there, {written} of them new.")
            board.reset()
        finally:
            wire.close()

    def _opened(self, device: str) -> Wire:
        """Open the port, with patience: a running table may be greeting at it just now."""
        until = self.clock() + LET_GO_WITHIN
        while True:
            try:
                return self.opener(device)
            except PortBusy as problem:
                if self.clock() > until:
                    raise LoadingError(_IN_USE.format(device)) from problem
            self.pause(0.1)

    def _files(self) -> dict[str, bytes]:
        modules = sorted((FIRMWARE / "roller").glob("*.py"))
        files = {f"roller/{path.name}": path.read_bytes() for path in modules}
        settings = self.wiring.applied(files["roller/settings.py"].decode())
        return {
            **files,
            "roller/settings.py": settings.encode(),
            "main.py": (FIRMWARE / "main.py").read_bytes(),
        }

    def _greeted(self) -> str:
        """Wait until it answers as a roller, or a running table uses it; return a sentence about it."""
        until, sentence, busy_since = self.clock() + APPEARS_WITHIN, "", float("inf")
        while self.clock() < until:
            self.pause(0.5)
            try:
                surveyed = survey(self.ports, opener=self.opener)
                for found in surveyed:
                    if found.roller is not None:
                        return f"{found.sentence.rstrip('.')} at {found.device}."
                    sentence = found.sentence
                now = self.clock()
                busy_since = min(busy_since, now) if any(one.busy for one in surveyed) else float("inf")
                if now - busy_since > TAKEN_AFTER:
                    return f"Dice roller {self.uid}: the table that is running has taken it."
            except BridgeError as problem:
                sentence = str(problem)
        raise LoadingError(
            f"The firmware is on the board, but it does not answer as a roller. {sentence}".strip()
        )


_NONE = (
    "No Pico is there: hold its BOOTSEL button while plugging it in. One that has MicroPython already is "
    "plugged in as it is; one that is a roller, with its roll button held for five seconds."
)


_NO_RADIO = (
    "This board has no Wi-Fi: that takes a Pico W or Pico 2 W, and the MicroPython for it (hold BOOTSEL "
    "while plugging it in, and begin again)."
)
_IN_USE = (
    "The table that is running, or another program, has the board at {}: plug it in again with its roll "
    "button held for five seconds."
)


def boards() -> list[Port]:
    """Boards with MicroPython on a Pico: nothing else is sent to a device that may not be one."""
    from serial.tools import list_ports

    return [Port(info.device) for info in list_ports.comports() if (info.vid, info.pid) == PICO_BOARD]
