"""Draws the wiring pictures of docs/hardware.md from the pin settings, so that they are always true.

python -m firmware_bridge.wiring docs
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from firmware_bridge.firmware.roller import settings
from firmware_bridge.panel import PanelSettings

PITCH = 20
INK, POWER, GROUND, DATA, CLOCK, PRESS = "#222", "#c62828", "#333", "#2e7d32", "#1565c0", "#6a1b9a"
BOARD, PART, PIN, USED = "#dfeee3", "#f4f1e8", "#c9c9c9", "#f2b705"

PICO_ROWS = (
    "GP0 VBUS, GP1 VSYS, GND GND, GP2 3V3_EN, GP3 3V3, GP4 VREF, GP5 GP28, GND AGND, GP6 GP27, GP7 GP26, "
    "GP8 RUN, GP9 GP22, GND GND, GP10 GP21, GP11 GP20, GP12 GP19, GP13 GP18, GND GND, GP14 GP17, GP15 GP16"
)
PI_ROWS = (
    "3V3 5V, 2 5V, 3 GND, 4 14, GND 15, 17 18, 27 GND, 22 23, 3V3 24, 10 GND, "
    "9 25, 11 8, GND 7, 0 1, 5 GND, 6 12, 13 GND, 19 16, 26 20, GND 21"
)

Point = tuple[float, float]


class Drawing:
    """An SVG that grows."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._size = (width, height)
        self._title = title
        self._parts: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, fill: str = PART, radius: int = 6) -> None:
        """Draw a box with rounded corners."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}" fill="{fill}" '
            f'stroke="{INK}"/>'
        )

    def text(self, x: float, y: float, words: str, *, size: int = 13, anchor: str = "middle") -> None:
        """One line of text around its middle height."""
        place = f'x="{x:g}" y="{y + size * 0.35:g}" font-size="{size}" text-anchor="{anchor}"'
        self._parts.append(f"<text {place}>{escape(words)}</text>")

    def wire(self, colour: str, *points: Point) -> None:
        """A wire along these points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3"/>')

    def dot(self, x: float, y: float, colour: str = INK, radius: float = 4) -> None:
        """A joint or a pin."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

    def svg(self) -> str:
        """The whole drawing as SVG."""
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" role="img">\n<title>{escape(self._title)}</title>\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        )
        return head + "\n".join(self._parts) + "\n</svg>\n"


class Header:
    """A board with two rows of pins; remembers where each is."""

    def __init__(self, drawing: Drawing, x: float, y: float, width: float, rows: str) -> None:
        self._drawing = drawing
        self._x, self._y, self._width = x, y, width
        self._rows = [row.split() for row in rows.split(", ")]
        drawing.box(x, y, width, PITCH * (len(self._rows) + 1), BOARD)
        for row, names in enumerate(self._rows):
            for side, name in enumerate(names):
                self._label(side, row, name)

    def pin(self, name: str, side: int, near_row: int = 0) -> Point:
        """The place of a used pin; of several with this name, the one nearest to a row."""
        rows = [row for row, names in enumerate(self._rows) if names[side] == name]
        row = min(rows, key=lambda row: abs(row - near_row))
        x, y = self._place(side, row)
        self._drawing.dot(x, y, USED, 6)
        return x, y

    def _place(self, side: int, row: int) -> Point:
        return self._x + side * self._width, self._y + PITCH * (row + 1)

    def _label(self, side: int, row: int, name: str) -> None:
        x, y = self._place(side, row)
        self._drawing.dot(x, y, PIN)
        inwards, anchor = (12, "start") if side == 0 else (-12, "end")
        self._drawing.text(x + inwards, y, name, size=11, anchor=anchor)


def pico(drawing: Drawing, x: float, y: float) -> Header:
    """The Pico from above, USB on top."""
    drawing.box(x + 45, y - 22, 50, 30, PIN, 3)
    drawing.text(x + 70, y - 36, "USB to the Raspberry Pi")
    header = Header(drawing, x, y, 140, PICO_ROWS)
    drawing.text(x + 70, y + 205, "Pico", size=16)
    return header


def roll_button(drawing: Drawing, board: Header) -> None:
    """The button to the left of the board."""
    signal = board.pin(f"GP{settings.BUTTON_PIN}", 0)
    ground = board.pin("GND", 0, near_row=17)
    x, y = signal[0] - 200, ground[1]
    drawing.box(x - 60, y - 20, 120, signal[1] - y + 40)
    drawing.text(x, (y + signal[1]) / 2, "roll button")
    drawing.wire(GROUND, ground, (x + 60, ground[1]))
    drawing.wire(PRESS, signal, (x + 60, signal[1]))
    drawing.text(signal[0] - 70, signal[1] + 12, "signal", size=11)
    drawing.text(signal[0] - 70, ground[1] - 11, "ground", size=11)


def matrix_picture() -> str:
    """The roller with WS2812 panels."""
    first = 540
    end = first + 70 * settings.DICE_PLACES + 30
    drawing = Drawing(end + 110, 520, "Dice roller with LED matrices: Pico, roll button, panels, 5 V supply")
    board = pico(drawing, 280, 70)
    roll_button(drawing, board)
    data = board.pin(f"GP{settings.MATRIX_PIN}", 1)
    ground = board.pin("GND", 1, near_row=12)
    middle = data[1]
    draw_chain(drawing, first, middle)
    drawing.wire(DATA, data, (first, middle))
    drawing.box(data[0] + 35, middle - 9, 54, 18)
    drawing.text(data[0] + 62, middle, "330 Ω", size=11)
    above, below = middle - 70, middle + 70
    drawing.wire(POWER, (first + 20, above), (end + 60, above), (end + 60, 380))
    drawing.wire(GROUND, ground, (first - 40, ground[1]), (first - 40, below), (end, below), (end, 380))
    draw_supply(drawing, end, above, below)
    return drawing.svg()


def draw_chain(drawing: Drawing, first: float, middle: float) -> None:
    """The panels in a row, each fed from the rails above and below."""
    for place in range(settings.DICE_PLACES):
        x = first + 70 * place
        drawing.wire(POWER, (x + 20, middle - 70), (x + 20, middle - 28))
        drawing.wire(GROUND, (x + 20, middle + 70), (x + 20, middle + 28))
        drawing.dot(x + 20, middle - 70, POWER)
        drawing.dot(x + 20, middle + 70, GROUND)
        if place:
            drawing.wire(DATA, (x - 14, middle), (x, middle))
        drawing.box(x, middle - 28, 56, 56)
        drawing.text(x + 28, middle - 8, f"die {place + 1}")
        drawing.text(x + 28, middle + 12, "DIN  OUT", size=10)
    drawing.text(first + 140, middle - 90, "WS2812 panels of 8 × 8, in a chain")


def draw_supply(drawing: Drawing, x: float, above: float, below: float) -> None:
    """The supply below, the capacitor between the rails."""
    middle = (above + below) / 2
    drawing.wire(POWER, (x, above), (x, middle - 20))
    drawing.wire(GROUND, (x, middle + 20), (x, below))
    drawing.dot(x, above, POWER)
    drawing.dot(x, below, GROUND)
    drawing.box(x - 28, middle - 20, 56, 40)
    drawing.text(x, middle - 8, "+", size=12)
    drawing.text(x, middle + 8, "1000 µF", size=11)
    drawing.box(x - 30, 380, 120, 60)
    drawing.text(x + 30, 402, "5 V supply")
    drawing.text(x + 30, 422, "2 A", size=12)
    drawing.text(x + 76, 366, "5 V", size=11)
    drawing.text(x - 24, 366, "ground", size=11)


def oled_picture() -> str:
    """The roller with one OLED."""
    drawing = Drawing(860, 520, "Dice roller with an OLED: Pico, roll button, SSD1306 display")
    board = pico(drawing, 280, 70)
    roll_button(drawing, board)
    wires = (
        ("VCC", board.pin("3V3", 1), POWER),
        ("GND", board.pin("GND", 1, near_row=12), GROUND),
        ("SCL", board.pin(f"GP{settings.OLED_SCL_PIN}", 1), CLOCK),
        ("SDA", board.pin(f"GP{settings.OLED_SDA_PIN}", 1), DATA),
    )
    drawing.box(560, 235, 220, 165)
    drawing.box(620, 255, 145, 90, "#1b2733", 3)
    for place in range(8):
        drawing.box(631 + 33 * (place % 4), 268 + 35 * (place // 4), 26, 28, "#e8f4ff", 3)
    drawing.text(692, 375, "SSD1306, 128 × 64", size=12)
    for label, (x, y), colour in wires:
        end = 260 if label == "VCC" else y
        drawing.wire(colour, (x, y), (x + 70, y), (x + 70, end), (560, end))
        drawing.text(585, end, label, size=12)
    return drawing.svg()


def panel_picture() -> str:
    """The panel on the Raspberry Pi's header."""
    pins = PanelSettings()
    drawing = Drawing(960, 520, "Panel on the Raspberry Pi: buttons, lamps, buzzer")
    board = Header(drawing, 410, 60, 140, PI_ROWS)
    drawing.text(480, 40, "Raspberry Pi, GPIO numbers (pin 1 top left)")
    draw_inputs(
        drawing,
        board,
        [
            (pins.shutter, "shutter button", PRESS),
            (pins.roll, "roll button", PRESS),
            (pins.undo, "undo button", PRESS),
            (pins.power, "power button", PRESS),
            (pins.buzzer, "active buzzer, 3.3 V", DATA),
        ],
    )
    draw_lamps(
        drawing,
        board,
        [
            (pins.status_lamp, "status LED", "330 Ω in series"),
            (pins.left_lamp, "left work lamp", "MOSFET board, own supply"),
            (pins.right_lamp, "right work lamp", "MOSFET board, own supply"),
        ],
    )
    return drawing.svg()


def draw_inputs(drawing: Drawing, board: Header, parts: Sequence[tuple[int | None, str, str]]) -> None:
    """What hangs on the left row, with one ground wire for all."""
    ground = board.pin("GND", 0, near_row=19)
    ys = [95 + 80 * place for place in range(len(parts))]
    drawing.wire(GROUND, ground, (30, ground[1]), (30, ys[0]))
    for place, (pin, words, colour) in enumerate(parts):
        x, y = board.pin(str(pin), 0)
        lane = x - 30 - 25 * place  # upper pins turn upwards first, so no wires cross
        drawing.wire(colour, (x, y), (lane, y), (lane, ys[place]), (220, ys[place]))
        drawing.wire(GROUND, (30, ys[place]), (60, ys[place]))
        drawing.dot(30, ys[place], GROUND)
        drawing.box(60, ys[place] - 22, 160, 44)
        drawing.text(140, ys[place], words)
    drawing.text(120, ground[1] + 14, "ground", size=11)


def draw_lamps(drawing: Drawing, board: Header, parts: Sequence[tuple[int | None, str, str]]) -> None:
    """What hangs on the right row, with one ground wire for all."""
    ground = board.pin("GND", 1, near_row=16)
    ys = [150 + 95 * place for place in range(len(parts))]
    drawing.wire(GROUND, ground, (575, ground[1]), (575, 90), (930, 90), (930, ys[-1]))
    for place, (pin, words, more) in enumerate(parts):
        x, y = board.pin(str(pin), 1)
        lane = x + 50 + 25 * place
        drawing.wire(CLOCK, (x, y), (lane, y), (lane, ys[place]), (690, ys[place]))
        drawing.wire(GROUND, (930, ys[place]), (900, ys[place]))
        drawing.dot(930, ys[place], GROUND)
        drawing.box(690, ys[place] - 28, 210, 56)
        drawing.text(795, ys[place] - 9, words)
        drawing.text(795, ys[place] + 11, more, size=11)
    drawing.text(750, 78, "ground", size=11)


PICTURES = {
    "wiring-matrix.svg": matrix_picture,
    "wiring-oled.svg": oled_picture,
    "wiring-panel.svg": panel_picture,
}


def main(folder: str) -> None:
    """Draw all pictures into a folder."""
    for name, draw in PICTURES.items():
        (Path(folder) / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
