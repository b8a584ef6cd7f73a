"""WS2812 panels of 8 x 8 in one chain, one panel a die."""

from .seams import Screen


class MatrixScreen(Screen):
    """Draws on a chain of panels through MicroPython's neopixel module."""

    def __init__(self, pixels: object, places: int, brightness: int, zigzag: bool) -> None:
        self.places = places
        self._pixels = pixels
        self._brightness = brightness
        self._zigzag = zigzag
        self.flush()  # panels keep what they showed before a restart

    def draw(self, place: int, rows: bytes, rgb: tuple[int, int, int]) -> None:
        """Colour the dots of one panel."""
        lit = tuple([level * self._brightness // 255 for level in rgb])
        for row in range(8):
            for column in range(8):
                dot = lit if rows[row] & (0x80 >> column) else (0, 0, 0)
                self._pixels[64 * place + self._index(row, column)] = dot  # type: ignore[index]

    def flush(self) -> None:
        """Send the chain; about 2 ms a panel."""
        self._pixels.write()  # type: ignore[attr-defined]

    def _index(self, row: int, column: int) -> int:
        backwards = self._zigzag and row % 2
        return 8 * row + (7 - column if backwards else column)
