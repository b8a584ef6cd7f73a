"""The roller's display between rolls: a QR code for the pages, and whether a PIN is set."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from companion.service.periodic import Periodic

WIDTH, HEIGHT = 128, 64
_LOOKS_EVERY = 5.0
_LINE, _LETTER = 12, 6  # dots
_DOT, _QUIET = 2, 2  # dots of a module of the code, and modules of light around it
_LARGEST = 29  # modules of a code that fits beside text
STATES = {"open": "no PIN yet", "closed": "no PIN: replug", "done": "PIN is set"}


class RollerBoard(Periodic):
    """Tells the roller when something of it has changed."""

    def __init__(
        self,
        wanted: Callable[[], tuple[str, ...]],
        show: Callable[[bytes], None],
        stopping: threading.Event,
    ) -> None:
        """``wanted``: the address and the lines that are to be seen; nothing while dice are."""
        super().__init__("roller-board", _LOOKS_EVERY, stopping)
        self._wanted, self._show = wanted, show
        self._known: tuple[str, ...] = ()

    def look(self) -> bool:
        """Show the board on the roller if it has changed; return True if it was shown."""
        now = self._wanted()
        new = bool(now) and now != self._known
        self._known = now
        if new:
            self._show(board_picture(now[0], now[1:]))
        return new


def board_lines(links: Sequence[str], setup: str, name: str) -> tuple[str, ...]:
    """The address for the code, and beside it: where the box is, how its PIN is, its name."""
    if not links:
        return ("", "no network", name)
    way = links[0].removeprefix("http://").strip("/")
    return (f"{links[0]}setup" if setup == "open" else links[0], way, STATES.get(setup, ""), name)


def board_picture(address: str, lines: Sequence[str]) -> bytes:
    """Dots in pages of eight rows: a code that leads to the address on the left, text on the right."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("1", (WIDTH, HEIGHT), 0)
    draw = ImageDraw.Draw(image)
    left = _drawn_code(draw, address) if address else 0
    letters = (WIDTH - left) // _LETTER
    told = [part for line in lines for part in folded(line, letters)]
    font = ImageFont.load_default_imagefont()
    for place, text in enumerate(told[: HEIGHT // _LINE]):
        draw.text((left, _LINE * place), text.encode("latin-1", "replace").decode("latin-1"), 1, font)
    pixels = image.load()
    assert pixels is not None
    return bytes(
        sum(1 << bit for bit in range(8) if pixels[column, 8 * page + bit])
        for page in range(HEIGHT // 8)
        for column in range(WIDTH)
    )


def _drawn_code(draw: object, address: str) -> int:
    """Dark modules on lit ones, as readers want it; where the text begins. A long address has no code."""
    import segno

    code = segno.make(address, error="l", micro=False, boost_error=False)
    modules = [bytes(row) for row in code.matrix]
    if len(modules) > _LARGEST:
        return 0
    size = _DOT * (len(modules) + 2 * _QUIET)
    draw.rectangle((0, 0, size - 1, min(size, HEIGHT) - 1), 1)  # type: ignore[attr-defined]
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            if dark:
                x, y = _DOT * (column + _QUIET), _DOT * (row + _QUIET)
                draw.rectangle((x, y, x + _DOT - 1, y + _DOT - 1), 0)  # type: ignore[attr-defined]
    return size + 4


def folded(line: str, letters: int) -> list[str]:
    """In lines of so many letters, broken after dots, colons and spaces where that is possible.

    >>> folded("192.168.1.200:8080", 10)
    ['192.168.1.', '200:8080']
    >>> folded("Stationmaster", 10)
    ['Stationmas', 'ter']
    """
    told = [""]
    for word in re.findall(r"[^.: ]+[.: ]?", line):
        for part in (word[start : start + letters] for start in range(0, len(word), letters)):
            if len(told[-1]) + len(part.rstrip()) <= letters:
                told[-1] += part
            else:
                told.append(part)
    return [part.strip() for part in told if part.strip()]
