"""Reading requests: a field is what it should be, or the request is refused with a sentence."""

MOST_DICE = 8
PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _.+-:"


class Refused(Exception):  # noqa: N818
    """A request the roller will not fulfil: a code for programs, a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def text(message: dict[str, object], key: str, longest: int = 40) -> str:
    """A plain word of the message."""
    value = message.get(key)
    if not is_plain(value, longest):
        raise Refused("bad", key + " must be a plain word")
    return str(value)


def is_plain(value: object, longest: int) -> bool:
    """A word that every JSON writer writes alike."""
    return isinstance(value, str) and 0 < len(value) <= longest and all(c in PLAIN for c in value)


def number(value: object, low: int, high: int, what: str) -> int:
    """A whole number between the two."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Refused("bad", what + " must be a number from " + str(low) + " to " + str(high))
    return value


def read_dice(value: object) -> list[tuple[str, int]]:
    """The dice of a `dice` message: names and numbers of faces."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_DICE:
        raise Refused("bad", "dice must be a list of 1 to 8")
    dice = []
    for die in value:
        if not isinstance(die, list) or len(die) != 2:
            raise Refused("bad", "a die is a name and a number of faces")
        dice.append((text({"name": die[0]}, "name", 12), number(die[1], 2, 256, "faces")))
    return dice


def read_rows(value: object) -> list[bytes]:
    """The pictures of a `glyphs` message."""
    if not isinstance(value, list) or not 1 <= len(value) <= 16:
        raise Refused("bad", "rows must be a list of 1 to 16")
    pictures = []
    for row in value:
        if not isinstance(row, str) or len(row) != 16:
            raise Refused("bad", "a picture is 16 hex digits")
        pictures.append(from_hex(row))
    return pictures


def from_hex(digits: str) -> bytes:
    """Bytes from hex digits."""
    try:
        return bytes([int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)])
    except ValueError:
        raise Refused("bad", "these are not hex digits") from None
