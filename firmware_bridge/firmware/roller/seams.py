"""The two seams between the firmware and what it runs on: a board and a screen."""


class Board:
    """Time, wire, chance, button and watchdog of one board."""

    extras: tuple[str, ...] = ()  # abilities to tell the host besides those of the firmware

    def lap_ms(self) -> int:
        """Milliseconds since the last call."""
        raise NotImplementedError

    def read(self) -> bytes:
        """What the host sent, perhaps nothing; waits a millisecond at most."""
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        """Send to the host."""
        raise NotImplementedError

    def random(self, count: int) -> bytes:
        """So many bytes of the hardware generator."""
        raise NotImplementedError

    def uid(self) -> str:
        """The board's own serial number in hex."""
        raise NotImplementedError

    def button_down(self) -> bool:
        """Is the roll button pressed now?"""
        raise NotImplementedError

    def feed_watchdog(self) -> None:
        """Tell the watchdog that the loop still turns."""
        raise NotImplementedError


class Screen:
    """Up to eight places of 8 x 8 dots, one a die."""

    places = 8

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Put eight rows of eight dots (most significant bit left) on one place."""
        raise NotImplementedError

    def flush(self) -> None:
        """Make what was drawn visible."""
        raise NotImplementedError


class NoScreen(Screen):
    """A roller without displays: the phones show the dice."""

    places = 0

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Nothing to draw on."""

    def flush(self) -> None:
        """Nothing to show."""
