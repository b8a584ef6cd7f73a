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
        """Return True while the roll button is pressed."""
        raise NotImplementedError

    def feed_watchdog(self) -> None:
        """Tell the watchdog that the loop still turns."""
        raise NotImplementedError


class Screen:
    """Up to eight places of 8 x 8 dots, one a die."""

    places = 8
    canvas = False  # can it show any picture of 128 x 64 dots?

    def page(self, number: int, dots: bytes) -> None:
        """Eight rows of a picture: a byte is a column of eight dots, lowest bit on top."""

    @property
    def works(self) -> bool:
        """True if the display accepts pictures at present."""
        return True

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Put eight rows of eight dots (most significant bit left) on one place."""
        raise NotImplementedError

    def flush(self) -> None:
        """Make what was drawn visible."""
        raise NotImplementedError


class GuardedScreen(Screen):
    """A display that may be absent, wrongly wired, or lose a wire: the dice go on, and it is tried again."""

    TRY_AGAIN = 40  # pictures later

    def __init__(self, make, places: int, canvas: bool = False) -> None:  # type: ignore[no-untyped-def]
        """``make`` makes a Screen, or an OSError."""
        self.places = places
        self.canvas = canvas
        self._make = make
        self._screen: Screen | None = None
        self._missed = 0
        self._open()

    @property
    def works(self) -> bool:
        """True if the display accepted the last picture."""
        return self._screen is not None

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Into its memory; nothing of it can fail but a display that is gone."""
        if self._screen is not None:
            self._screen.draw(place, rows, rgb)

    def page(self, number: int, dots: bytes) -> None:
        """Write one page of a picture (rows of dots) into the display's memory."""
        if self._screen is not None:
            self._screen.page(number, dots)

    def flush(self) -> None:
        """Show it, or note that it cannot be."""
        if self._screen is None:
            self._missed += 1
            if self._missed >= self.TRY_AGAIN:
                self._open()
            return
        try:
            self._screen.flush()
        except OSError:
            self._screen, self._missed = None, 0

    def _open(self) -> None:
        self._missed = 0
        try:
            self._screen = self._make()
        except OSError:
            self._screen = None


class NoScreen(Screen):
    """A roller without displays: the phones show the dice."""

    places = 0

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Nothing to draw on."""

    def flush(self) -> None:
        """Do nothing: there is no display."""
