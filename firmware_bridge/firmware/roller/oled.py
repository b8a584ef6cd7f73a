"""One OLED of 128 x 64 dots (SSD1306, or SH1106): eight dice of 32 x 32, four in a row."""

from .seams import Screen

WIDTH = 128
PAGES = 8  # of eight rows each; a byte is a column of eight dots, lowest bit on top
SCALE = 4

START = (
    b"\xae\xd5\x80"  # display off; clock
    b"\xa8\x3f\xd3\x00\x40"  # 64 lines, no offset, from line 0
    b"\x8d\x14\x20\x00"  # charge pump on; addresses run along the rows
    b"\xa1\xc8\xda\x12"  # the edge with the pins is on top
    b"\x81\x7f\xd9\xf1\xdb\x40"  # contrast, precharge, deselect level
    b"\xa4\xa6"  # show the memory, not inverted
)
ON = b"\xaf"
WHOLE_SCREEN = bytes([0x21, 0, WIDTH - 1, 0x22, 0, PAGES - 1])


class OledScreen(Screen):
    """Draws through an I2C bus; colours become white."""

    places = 8
    canvas = True

    def __init__(self, bus: object, address: int) -> None:
        self._bus = bus
        self._address = address
        self._picture = bytearray(WIDTH * PAGES)
        self._command(START)
        self.flush()  # its memory is snow when the power comes
        self._command(ON)

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Enlarge eight by eight dots to 32 by 32 at their place."""
        left, top_page = 32 * (place % 4), 4 * (place // 4)
        for page in range(4):
            upper, lower = rows[2 * page], rows[2 * page + 1]
            for column in range(32):
                bit = 0x80 >> (column // SCALE)
                dots = (0x0F if upper & bit else 0) | (0xF0 if lower & bit else 0)
                self._picture[WIDTH * (top_page + page) + left + column] = dots

    def page(self, number: int, dots: bytes) -> None:
        """A page of its memory, as it is."""
        self._picture[WIDTH * number : WIDTH * (number + 1)] = dots

    def flush(self) -> None:
        """Send the picture; about 25 ms at 400 kHz."""
        self._command(WHOLE_SCREEN)
        self._bus.writevto(self._address, (b"\x40", self._picture))  # type: ignore[attr-defined]

    def _command(self, commands: bytes) -> None:
        self._bus.writeto(self._address, b"\x00" + commands)  # type: ignore[attr-defined]


class Sh1106Screen(OledScreen):
    """The display of most 1.3 inch modules: 132 columns, the middle 128 are seen; sent page by page."""

    def flush(self) -> None:
        """Send the picture, a page at a time."""
        for page in range(PAGES):
            self._command(bytes([0xB0 + page, 0x02, 0x10]))
            part = memoryview(self._picture)[WIDTH * page : WIDTH * (page + 1)]
            self._bus.writevto(self._address, (b"\x40", part))  # type: ignore[attr-defined]
