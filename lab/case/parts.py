"""The parts: trays and lids around boards whose sizes and holes are known."""

from __future__ import annotations

from dataclasses import dataclass, field

from lab.case.solids import Solid

WALL, FLOOR = 2.0, 2.0
GAP = 0.6  # around a board, and between a lid's rim and its tray: printers are not exact
POST = 6.0  # side of a post with a pilot hole
LID_RIM = 4.0


@dataclass(frozen=True)
class Board:
    """A board: its size, its screw holes (from its lower left corner), and how wide a pilot hole is."""

    width: float
    depth: float
    holes: tuple[tuple[float, float], ...]
    pilot: float


def _corners(x: tuple[float, float], y: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return tuple((a, b) for a in x for b in y)


PICO = Board(51.0, 21.0, _corners((2.0, 49.0), (4.8, 16.2)), 1.7)
PI = Board(85.0, 56.0, _corners((3.5, 61.5), (3.5, 52.5)), 2.2)
CAMERA = Board(25.0, 24.0, _corners((2.0, 23.0), (2.0, 14.5)), 1.7)


@dataclass(frozen=True)
class Glass:
    """A display: its board, and the window over its dots (from the board's lower left corner)."""

    width: float
    depth: float
    window: tuple[float, float, float, float]


OLED = Glass(27.5, 28.0, (2.0, 8.5, 25.5, 21.5))  # 0.96 inch
SH1106 = Glass(36.0, 34.0, (2.5, 9.0, 33.5, 26.0))  # 1.3 inch
GLASSES = {"oled": OLED, "sh1106": SH1106}


@dataclass(frozen=True)
class Sizes:
    """What an owner may choose: the roll button's thread, the display, how high the roller's tray is."""

    button: float = 16.0
    screen: str = "oled"
    height: float = 32.0


@dataclass
class Part:
    """A solid as it lies on the printer's bed, and what it is for."""

    name: str
    says: str
    solid: Solid = field(default_factory=Solid)


def every_part(sizes: Sizes) -> list[Part]:
    """All that can be printed."""
    return [roller_tray(sizes), roller_lid(sizes), pi_tray(), camera_plate()]


def _inner(sizes: Sizes) -> tuple[float, float]:
    """Inside the roller's tray: the Pico along one wall, display and button side by side over it."""
    glass = GLASSES[sizes.screen]
    across = max(PICO.width + 2 * GAP, glass.width + sizes.button + 18)
    deep = max(PICO.depth + 12, glass.depth + 8, sizes.button + 12) + 2 * GAP
    return across, deep


def roller_tray(sizes: Sizes) -> Part:
    """The Pico on four posts, its USB socket at an opening."""
    across, deep = _inner(sizes)
    part = Part("roller-tray", "the roller's tray: the Pico on four screws M2, its USB socket at the left")
    solid = part.solid
    _tray(solid, across, deep, sizes.height)
    origin = (WALL + GAP, WALL + GAP + 2)
    _posts(solid, PICO, origin, 5.0)
    middle = origin[1] + PICO.depth / 2
    solid.cut((0, middle - 6.5, FLOOR + 3), (WALL, middle + 6.5, FLOOR + 12))  # for the plug of the cable
    # Steps in the back corners on which the lid's rim rests
    for x in (WALL, WALL + across - 4):
        solid.add((x, WALL + deep - 4, FLOOR), (x + 4, WALL + deep, sizes.height - LID_RIM - 0.5))
    return part


def roller_lid(sizes: Sizes) -> Part:
    """A window for the display, a hole for the button; its rim goes into the tray. Printed upside down."""
    across, deep = _inner(sizes)
    glass = GLASSES[sizes.screen]
    part = Part(
        "roller-lid", f"its lid: a window for the display, a hole of {sizes.button:g} mm for the button"
    )
    solid = part.solid
    solid.add((0, 0, 0), (across + 2 * WALL, deep + 2 * WALL, FLOOR))
    _rim(solid, across, deep)
    left, top = WALL + 5, WALL + (deep - glass.depth) / 2
    x, y, right, bottom = glass.window
    solid.cut((left + x, top + y, 0), (left + right, top + bottom, FLOOR))
    _frame(solid, left, top, glass)
    centre = (WALL + across - 6 - sizes.button / 2, WALL + deep / 2)
    solid.cut_round(centre, sizes.button + 0.4, 0, FLOOR)
    return part


def pi_tray() -> Part:
    """Open on the sides of the sockets; slots for air below."""
    part = Part(
        "pi-tray", "a tray for a Raspberry Pi 3, 4 or 5 on four screws M2.5, open where its sockets are"
    )
    solid = part.solid
    across, deep = PI.width + 2 * GAP, PI.depth + 2 * GAP
    _tray(solid, across, deep, 12)
    solid.cut((WALL, 0, FLOOR), (WALL + across, WALL, 12))  # power and screens
    solid.cut((WALL + across, WALL, FLOOR), (across + 2 * WALL, WALL + deep, 12))  # USB and network
    middle = WALL + deep / 2
    solid.cut((0, middle - 8, FLOOR), (WALL, middle + 8, 12))  # the memory card
    for number in range(6):
        x = WALL + 16 + 7 * number
        solid.cut((x, WALL + 12, 0), (x + 3, WALL + deep - 12, FLOOR))
    _posts(solid, PI, (WALL + GAP, WALL + GAP), 5.0)
    return part


def camera_plate() -> Part:
    """A plate with posts for the camera, a slot for its cable, and a hole for a stand's screw."""
    says = "a plate for a camera module on four screws M2, with a hole for a stand's screw (1/4 inch)"
    part = Part("camera-plate", says)
    solid = part.solid
    solid.add((0, 0, 0), (60, 32, 3))
    _posts(solid, CAMERA, (31, 4), 4.0, floor=3)
    solid.cut((35, 1, 0), (52, 3, 3))  # the ribbon cable
    solid.cut_round((13, 16), 6.6, 0, 3)
    return part


def _tray(solid: Solid, across: float, deep: float, height: float) -> None:
    solid.add((0, 0, 0), (across + 2 * WALL, deep + 2 * WALL, height))
    solid.cut((WALL, WALL, FLOOR), (WALL + across, WALL + deep, height))


def _posts(
    solid: Solid, board: Board, origin: tuple[float, float], height: float, floor: float = FLOOR
) -> None:
    for x, y in board.holes:
        middle = origin[0] + x, origin[1] + y
        half = min(POST / 2, 1.6 + board.pilot / 2)
        for reach, do in ((half, solid.add), (board.pilot / 2, solid.cut)):
            low = (middle[0] - reach, middle[1] - reach, floor)
            do(low, (middle[0] + reach, middle[1] + reach, floor + height))


def _rim(solid: Solid, across: float, deep: float) -> None:
    """Runs inside the tray's walls and holds by friction."""
    low, rim = WALL + GAP / 2, 1.6
    right, back = WALL + across - GAP / 2, WALL + deep - GAP / 2
    solid.add((low, low, FLOOR), (right, back, FLOOR + LID_RIM))
    solid.cut((low + rim, low + rim, FLOOR), (right - rim, back - rim, FLOOR + LID_RIM))


def _frame(solid: Solid, left: float, top: float, glass: Glass) -> None:
    """Two rails between which the display's board sits; hot glue holds it."""
    for x in (left - GAP - 1.2, left + glass.width + GAP):
        solid.add((x, top, FLOOR), (x + 1.2, top + glass.depth, FLOOR + 2.5))
