"""``roller list|monitor|roll|selftest|log|install``: the dice roller by hand, without a table."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.options import add_folder, default_folder
from companion.cli.output import FINE, NOT_SO, print_json
from companion.table.exc import TableError, translated
from companion.table.folder import SERVICE_FOLDER

# The bridge with its serial ports is imported when a roller is asked for: no other command waits for it.
if TYPE_CHECKING:
    from firmware_bridge.dice import Roll
    from firmware_bridge.ports import PortProvider
    from firmware_bridge.roller import DiceRoller, RollerState

KEY_BYTES = 32
GREETING_SECONDS = 6.0  # a board that restarts when its port is opened needs some of this


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the subcommands of ``roller``."""
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="every port, and whether a roller answers there")
    listing.set_defaults(run=list_ports)
    monitor = actions.add_parser("monitor", help="show every roll and change until Ctrl-C")
    monitor.add_argument("--rolls", type=int, default=0, help="stop after so many rolls")
    monitor.set_defaults(run=watch)
    roll = actions.add_parser("roll", help="throw dice")
    roll.add_argument("dice", nargs="*", default=["d6"], help="such as d6, A:6, 2d6 (usually d6)")
    roll.set_defaults(run=throw)
    selftest = actions.add_parser("selftest", help="throw many times and judge the counts")
    selftest.add_argument("--throws", type=_count, default=10_000)
    selftest.add_argument("--faces", type=_count, default=6)
    selftest.set_defaults(run=self_test)
    log = actions.add_parser("log", help="every roll ever thrown here, with histograms")
    add_folder(log)
    log.set_defaults(run=show_log)
    install = actions.add_parser("install", help="MicroPython and the firmware onto a Pico")
    install.add_argument(
        "--micropython", type=Path, help="the UF2 file for this Pico (usually the package's)"
    )
    install.add_argument("--screen", choices=("matrix", "oled", "sh1106", "none"), help="what is wired to it")
    install.add_argument("--places", type=int, choices=range(1, 9), help="panels in the chain")
    install.add_argument("--port", action="append", default=[], help="a board that has MicroPython")
    install.add_argument(
        "--wifi", metavar="NAME", help="a Pico W: no cable to the box, but this Wi-Fi; asks for its password"
    )
    served = SERVICE_FOLDER if SERVICE_FOLDER.is_dir() else default_folder()
    install.add_argument("--folder", type=Path, default=served, help="of the table that it is paired with")
    install.set_defaults(run=load_firmware)
    for action in (listing, monitor, roll, selftest, log):
        action.add_argument("--json", action="store_true", help="machine-readable")
    for action in (listing, monitor, roll, selftest):
        action.add_argument("--port", action="append", default=[], help="look there (again for more)")
        action.add_argument("--virtual", action="store_true", help="the virtual roller instead of a real one")


def _count(text: str) -> int:
    number = int(text)
    if not 2 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError("choose a number from 2 to a million")
    return number


@contextmanager
def _provider(options: argparse.Namespace) -> Iterator[PortProvider]:
    from firmware_bridge.ports import Port, usb_ports
    from firmware_bridge.simulator import VirtualPort

    if not options.virtual:
        yield usb_ports(options.port)
        return
    with VirtualPort() as virtual:
        name = virtual.name
        yield lambda: [Port(name)]


def _ignore(_roll: Roll) -> None:
    """Ignore rolls as events: requests get them as their answer."""


@contextmanager
def _connected(ports: PortProvider) -> Iterator[DiceRoller]:
    """Yield a roller that answers, or raise an error with the reason."""
    from firmware_bridge.roller import DiceRoller

    greeted = threading.Event()
    roller = DiceRoller(ports)
    roller.start(_ignore, lambda state: greeted.set() if state.connected else None)
    try:
        if not greeted.wait(GREETING_SECONDS):
            raise TableError("no-roller", roller.state().sentence)
        yield roller
    finally:
        roller.stop()


# --- list and monitor ---


def list_ports(options: argparse.Namespace) -> int:
    """List each port with what answers there."""
    from firmware_bridge.survey import survey

    with _provider(options) as provider:
        found = [
            {"port": port.device, "roller": port.roller.uid if port.roller else None, "says": port.sentence}
            for port in survey(provider)
        ]
    if options.json:
        print_json(found)
    elif not found:
        print("No USB serial port is there: connect the roller with its cable, or name a port with --port.")
    for line in [] if options.json else found:
        print(f"{line['port']:20} {line['says']}")
    return FINE if any(line["roller"] for line in found) else NOT_SO


def watch(options: argparse.Namespace) -> int:
    """Print what happens until Ctrl-C (or so many rolls)."""
    from firmware_bridge.roller import DiceRoller

    seen = threading.Semaphore(0)

    def on_roll(roll: Roll) -> None:
        _say_roll(roll, options.json)
        seen.release()

    def on_state(state: RollerState) -> None:
        print_json(asdict(state)) if options.json else print(state.sentence, flush=True)

    with _provider(options) as provider:
        roller = DiceRoller(provider)
        roller.start(on_roll, on_state)
        try:
            heard = 0
            while not options.rolls or heard < options.rolls:
                seen.acquire()
                heard += 1
        except KeyboardInterrupt:
            return FINE
        finally:
            roller.stop()
    return FINE


# --- a new board ---


def load_firmware(options: argparse.Namespace) -> int:
    """Turn a Pico into a dice roller: install MicroPython, firmware and settings."""
    from firmware_bridge.loading.loader import Loader, Wiring, boards
    from firmware_bridge.ports import Port
    from firmware_bridge.wireless import PAIRED, keep_pairing, read_pairings

    named = [Port(name) for name in options.port]
    networks, key = _wifi(options) if options.wifi else ((), b"")
    wiring = Wiring(options.screen or "", options.places or 0, networks, key)
    loader = Loader(
        lambda words: print(words, flush=True),
        (lambda: named) if named else boards,
        options.micropython,
        wiring,
    )
    print(loader.load())
    paired = options.folder / PAIRED
    if key or loader.uid in read_pairings(paired):
        with translated(paired):
            keep_pairing(paired, loader.uid, key or None)
    if key:
        print("It is paired: start the box again, then the roller needs only power, from any USB supply.")
    return FINE


def _wifi(options: argparse.Namespace) -> tuple[tuple[tuple[str, str], ...], bytes]:
    """The networks that the roller is to try, the box's own for where there is none, and a new key."""
    from companion.service.system.settings import read_settings

    if not os.access(options.folder, os.W_OK):
        message = f"{options.folder} cannot be written, where the pairing is kept: use sudo, or name --folder"
        raise TableError("no-folder", message)
    own = read_settings(options.folder).network
    asked = f"Password of the Wi-Fi {options.wifi}: "
    password = getpass.getpass(asked) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if password and not 8 <= len(password.encode()) <= 63:
        raise TableError("bad-password", "the password of a Wi-Fi has 8 to 63 letters")
    return ((options.wifi, password), (own.name, own.password)), os.urandom(KEY_BYTES)


# --- roll ---


def dice_named(texts: list[str]) -> list[tuple[str, int]]:
    """
    >>> dice_named(["2d6", "A:8"])
    [('d6 1', 6), ('d6 2', 6), ('A', 8)]
    """
    return [die for text in texts for die in _dice_in(text)]


def _dice_in(text: str) -> list[tuple[str, int]]:
    try:
        if ":" in text:
            name, faces = text.rsplit(":", 1)
            return [(name, int(faces))]
        count, faces = text.split("d")
        copies = int(count or 1)
        names = [f"d{faces} {n + 1}" if copies > 1 else f"d{faces}" for n in range(copies)]
        return [(name, int(faces)) for name in names]
    except ValueError:
        raise TableError("bad-dice", f"{text!r} names no dice: write d6, 2d6 or A:6") from None


def throw(options: argparse.Namespace) -> int:
    """Throw once and print it."""
    dice = dice_named(options.dice)
    with _provider(options) as provider, _connected(provider) as roller:
        _say_roll(roller.roll(dice), options.json)
    return FINE


def _say_roll(roll: Roll, as_json: bool) -> None:
    if as_json:
        print_json(asdict(roll))
        return
    faces = ", ".join(f"{die.name}: {die.face + 1}" for die in roll.dice)
    notes = [note for note, holds in (("virtual", roll.virtual), ("late", roll.late)) if holds]
    print(f"roll {roll.n}: {faces}{f' ({chr(44).join(notes)})' if notes else ''}", flush=True)


# --- selftest and log ---


def self_test(options: argparse.Namespace) -> int:
    """Throw many times; exit code 1 when the counts speak against fair dice."""
    with _provider(options) as provider, _connected(provider) as roller:
        verdict = roller.self_test(options.throws, options.faces)
    if options.json:
        print_json({**asdict(verdict), "passed": verdict.passed, "sentence": verdict.sentence})
    else:
        _print_histogram(verdict.counts)
        print(verdict.sentence)
    return FINE if verdict.passed else NOT_SO


def _print_histogram(counts: tuple[int, ...] | list[int]) -> None:
    for face, count in enumerate(counts, start=1):
        print(f"{face:4} {count:7} {'#' * round(40 * count / max(1, *counts))}")


def show_log(options: argparse.Namespace) -> int:
    """Every roll, nothing left out; then how often each face of each die came."""
    from firmware_bridge.dice import histograms
    from firmware_bridge.fairness import chi_square, chi_square_tail
    from firmware_bridge.log import RollLog

    rolls = list(RollLog(options.folder / "rolls.jsonl").read()) if _has_log(options.folder) else []
    if options.json:
        print_json([asdict(roll) for roll in rolls])
        return FINE
    for roll in rolls:
        _say_roll(roll, as_json=False)
    for (uid, die, _), counts in histograms(rolls).items():
        chance = chi_square_tail(chi_square(counts), len(counts) - 1)
        print(f"\nroller {uid}, die {die}: {sum(counts)} throws, p = {chance:.2g}")
        _print_histogram(counts)
    if not rolls:
        print("No roll yet.")
    return FINE


def _has_log(folder: Path) -> bool:
    return (folder / "rolls.jsonl").exists()
