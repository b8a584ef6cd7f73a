"""``python -m firmware_bridge.bluetooth LINK``: until its input ends. Its last line is how the dice are."""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

from firmware_bridge.bluetooth.hand_roller import HandRoller
from firmware_bridge.bluetooth.radio import Radio
from firmware_bridge.simulator import PseudoPort

NO_LIBRARY = "Bluetooth dice need bleak: sudo apt install python3-bleak, or make bluetooth in a checkout"


class Bridge:
    """Offers a port as long as dice are connected: without any, the table uses other dice."""

    def __init__(self, bleak: Any, link: Path, out: TextIO) -> None:
        self.radio = Radio(bleak, self._heard, self._changed, self._say)
        self._out = out
        self._said = ""
        self._link = link
        self._roller = HandRoller(self.radio.dice)
        self._port = PseudoPort(self._roller)
        self._plugged = False

    async def run(self, stop: asyncio.Event) -> None:
        """Run until told to stop."""
        try:
            await self.radio.run(stop)
        finally:
            self.radio.dice.clear()
            self._changed()

    def _heard(self, die: str, what: Any) -> None:
        self._roller.heard(die, what)
        self._port.wake()

    def _changed(self) -> None:
        if bool(self.radio.dice) == self._plugged:
            return
        self._plugged = not self._plugged
        if self._plugged:
            self._link.unlink(missing_ok=True)  # of a process that was killed
            self._port.plug(self._link)
        else:
            self._port.unplug()

    def _say(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._out.write(f"{sentence}\n")
            self._out.flush()


def main(arguments: list[str] | None = None) -> int:
    """Read the options and run the bridge to Bluetooth dice."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.bluetooth", description=__doc__)
    parser.add_argument("link", type=Path, help="the name of the port that appears, for example ./dice")
    options = parser.parse_args(arguments)
    try:
        import bleak
    except ImportError:
        sys.stdout.write(f"{NO_LIBRARY}\n")
        return 1
    asyncio.run(_until_input_ends(Bridge(bleak, options.link, sys.stdout)))
    return 0


async def _until_input_ends(bridge: Bridge) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=wait, name="input", daemon=True).start()
    await bridge.run(stop)


if __name__ == "__main__":
    raise SystemExit(main())
