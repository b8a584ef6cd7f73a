"""What a place on a card table can look like: the classes of the reading network, in their order."""

from __future__ import annotations

from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.rulebook import COMPANIES

FACE_LOOKS: tuple[str, ...] = tuple(sorted(FACES))
STATION_LOOKS: tuple[str, ...] = tuple(COMPANIES)  # a company's letter
BACK, EMPTY, COVERED = "back", "", "covered"
LOOKS: tuple[str, ...] = (*FACE_LOOKS, *STATION_LOOKS, BACK, EMPTY, COVERED)
_MIRROR = str.maketrans("LRlr", "RLrl")
LOOK_NUMBER: dict[str, int] = {look: number for number, look in enumerate(LOOKS)}


def mirrored(look: str) -> str:
    """The look in a mirror beside the card.

    >>> mirrored("LT|rb"), mirrored("covered")
    ('TR|lb', 'covered')
    """
    return parse_face(look.translate(_MIRROR)).text if look in FACES else look


def half_turned(look: str) -> str:
    """The look turned by half.

    >>> half_turned("LT|rb")
    'RB|lt'
    """
    return parse_face(look).turned.text if look in FACES else look


MIRRORED: tuple[int, ...] = tuple(LOOK_NUMBER[mirrored(look)] for look in LOOKS)
HALF_TURNED: tuple[int, ...] = tuple(LOOK_NUMBER[half_turned(look)] for look in LOOKS)
