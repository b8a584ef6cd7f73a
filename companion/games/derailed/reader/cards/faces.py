"""The classes of the reading network, in order: everything a place on a card table can show."""

from __future__ import annotations

from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.rulebook import COMPANIES

FACE_CLASSES: tuple[str, ...] = tuple(sorted(FACES))
STATION_CLASSES: tuple[str, ...] = tuple(COMPANIES)  # a company's letter
BACK, EMPTY, COVERED = "back", "", "covered"
CLASSES: tuple[str, ...] = (*FACE_CLASSES, *STATION_CLASSES, BACK, EMPTY, COVERED)
FACES_OF = slice(0, len(FACE_CLASSES))
STATIONS_OF = slice(len(FACE_CLASSES), len(FACE_CLASSES) + len(STATION_CLASSES))
_MIRROR = str.maketrans("LRlr", "RLrl")
CLASS_NUMBER: dict[str, int] = {name: number for number, name in enumerate(CLASSES)}


def mirrored(name: str) -> str:
    """The class of the card's mirror image.

    >>> mirrored("LT|rb"), mirrored("covered")
    ('TR|lb', 'covered')
    """
    return parse_face(name.translate(_MIRROR)).text if name in FACES else name


def half_turned(name: str) -> str:
    """The class of the card turned by 180 degrees.

    >>> half_turned("LT|rb")
    'RB|lt'
    """
    return parse_face(name).turned.text if name in FACES else name


MIRRORED: tuple[int, ...] = tuple(CLASS_NUMBER[mirrored(name)] for name in CLASSES)
HALF_TURNED: tuple[int, ...] = tuple(CLASS_NUMBER[half_turned(name)] for name in CLASSES)
