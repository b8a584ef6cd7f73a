"""What a face looks like on 8 x 8 dots when the host sent no picture for it."""

# Where the pips stand, row by row of three, for the values 1 to 9.
PIPS = (
    "... .x. ...",
    "x.. ... ..x",
    "x.. .x. ..x",
    "x.x ... x.x",
    "x.x .x. x.x",
    "x.x x.x x.x",
    "x.x xxx x.x",
    "xxx x.x xxx",
    "xxx xxx xxx",
)

# Digits of five rows of three dots, a row an octal figure: 7 is xxx, 5 is x.x, 4 is x.., 2 is .x., 1 is ..x
DIGITS = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71122", "75757", "75717")

BLANK = bytes(8)


def face_rows(face: int, faces: int) -> bytes:
    """Pips for dice of up to nine faces, figures for larger ones; face 0 shows the value 1."""
    return pips(face + 1) if faces <= len(PIPS) else figures(face + 1)


def pips(value: int) -> bytes:
    """A value from 1 to 9 as pips of two by two dots."""
    rows = []
    for line in PIPS[value - 1].split(" "):
        bits = 0
        for column, mark in enumerate(line):
            if mark == "x":
                bits |= 0xC0 >> (3 * column)
        rows += [bits, bits, 0]
    return bytes(rows[:8])


def figures(value: int) -> bytes:
    """A value as figures; of three, the last two (the phones show it whole)."""
    rows = [0] * 8
    text = str(value)[-2:]
    left = 3 if len(text) == 1 else 1
    for place, digit in enumerate(text):
        for row, octal in enumerate(DIGITS[int(digit)]):
            rows[row + 1] |= (int(octal) << 5) >> (left + 4 * place)
    return bytes(rows)
