"""Stands in for MicroPython's `neopixel`: remembers the dots."""


class NeoPixel:
    def __init__(self, pin: object, count: int) -> None:
        self.dots = [(0, 0, 0)] * count
        self.writes = 0

    def __setitem__(self, index: int, colour: tuple[int, int, int]) -> None:
        self.dots[index] = colour

    def __getitem__(self, index: int) -> tuple[int, int, int]:
        return self.dots[index]

    def write(self) -> None:
        self.writes += 1
