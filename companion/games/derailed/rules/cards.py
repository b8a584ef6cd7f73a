"""Rail cards: how a face is written and read, what it joins, and which cards the deck has.

A *face* is a card as it lies. Turned by half, the same card shows another face (or the same). The name of a
card, in a hand or in the deck, is the alphabetically first of its faces.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from companion.core.errors import NotationError, quoted
from companion.core.messages import joined, listed, m
from companion.core.remembering import remembered
from companion.games.derailed.rules.rulebook import DECK_TABLE, TUNNEL_TABLE
from companion.sheets.grid import EAST, NORTH, SIDES, SOUTH, WEST, opposite

TOP, RIGHT, BOTTOM, LEFT = NORTH, EAST, SOUTH, WEST
UNDER = 4  # the tunnel: not a side of the card
PORTS = (TOP, RIGHT, BOTTOM, LEFT, UNDER)
LETTERS = "TRBLU"  # by number of the port
PORT_NAMES = (*SIDES, m("tunnel"))
_WRITTEN = "LTRBU"  # the order in which the letters of a piece stand

Piece = frozenset[int]


@dataclass(frozen=True)
class Face:
    """What one face joins, and its dead ends."""

    pieces: frozenset[Piece]
    dead: frozenset[int]

    @cached_property
    def exits(self) -> tuple[tuple[int, ...], ...]:
        """For each port by which a train comes in, the ports by which it may leave."""
        return tuple(
            tuple(sorted({end for piece in self.pieces if port in piece for end in piece} - {port}))
            for port in PORTS
        )

    @cached_property
    def linked(self) -> frozenset[int]:
        """The ports whose track leads on."""
        return frozenset().union(*self.pieces)

    @cached_property
    def ports(self) -> frozenset[int]:
        """Every port with track, dead ends too."""
        return self.linked | self.dead

    @cached_property
    def text(self) -> str:
        """The face as it is written."""
        pieces = sorted((_letters(piece) for piece in self.pieces), key=_reading_order)
        return "|".join([*pieces, *([_letters(self.dead).lower()] if self.dead else [])])

    @cached_property
    def turned(self) -> Face:
        """The card turned by half."""
        return Face(
            frozenset(frozenset(map(_half_turn, piece)) for piece in self.pieces),
            frozenset(map(_half_turn, self.dead)),
        )

    @cached_property
    def card(self) -> str:
        """The name of the card that shows this face."""
        return min(self.text, self.turned.text, key=_reading_order)


def _half_turn(port: int) -> int:
    return port if port == UNDER else opposite(port)


def _letters(ports: frozenset[int]) -> str:
    return "".join(sorted((LETTERS[port] for port in ports), key=_WRITTEN.index))


def _reading_order(text: str) -> list[int]:
    return ["LTRBU|ltrb".index(letter) for letter in text]


@lru_cache(maxsize=256)
def parse_face(text: str) -> Face:
    """The face written in ``text``, letters and pieces in any order, or as ``ports/linked`` bits (L T R B).

    >>> parse_face("BR|tl").text, parse_face("1111/0011").text
    ('RB|lt', 'RB|lt')
    >>> parse_face("RB|lt").turned.text
    'LT|rb'
    """
    face = _from_bits(text) if "/" in text else _from_letters(text)
    if face.text not in FACES:
        raise NotationError(
            "not-in-the-deck",
            f"the deck has no card that shows {quoted(text)}: joined ports stand together"
            " (LTRB), separate pieces are divided by |, small letters at the end are dead ends, as in RB|lt",
        )
    return face


def _from_letters(text: str) -> Face:
    pieces = text.split("|")
    dead = pieces.pop() if pieces[-1].islower() else ""
    everything = [*pieces, dead.upper()] if dead else pieces
    if not pieces or not all(_is_piece(piece) for piece in everything):
        raise NotationError(
            "bad-card", f"{quoted(text)} is no card: write its ports L T R B, such as TB, LT|RB or RB|lt"
        )
    return Face(frozenset(_ports(piece) for piece in pieces), _ports(dead.upper()))


def _is_piece(piece: str) -> bool:
    return bool(piece) and len(set(piece)) == len(piece) and set(piece) <= set(LETTERS)


def _ports(piece: str) -> frozenset[int]:
    return frozenset(map(LETTERS.index, piece))


def _from_bits(text: str) -> Face:
    parts = text.split("/")
    if len(parts) == 2 and all(len(part) == 4 and set(part) <= {"0", "1"} for part in parts):
        present, linked = map(_of_bits, parts)
        if linked and linked <= present:
            return Face(frozenset({linked}), present - linked)
    message = m(
        "{text} is not a card: four bits L T R B for its ports, then four for the linked ones",
        text=quoted(text),
    )
    raise NotationError("bad-card", message)


def _of_bits(bits: str) -> frozenset[int]:
    return _ports("".join(letter for letter, bit in zip("LTRB", bits, strict=True) if bit == "1"))


def _deck(table: dict[str, int]) -> Counter[str]:
    """Copies by card; two rows of the table may be one card, turned."""
    copies: Counter[str] = Counter()
    for text, count in table.items():
        copies[_from_letters(text).card] += count
    return copies


DECK = _deck(DECK_TABLE)
TUNNELS = _deck(TUNNEL_TABLE)
FACES: frozenset[str] = frozenset(
    face.text for card in (*DECK, *TUNNELS) for face in (_from_letters(card), _from_letters(card).turned)
)


def deck_of(tunnels: bool) -> Counter[str]:
    """Copies of each card in the deck that is played with."""
    return DECK + TUNNELS if tunnels else DECK


def faces_of(card: str) -> tuple[str, ...]:
    """The one or two faces a card can show.

    >>> faces_of("TB"), faces_of("RB")
    (('TB',), ('RB', 'LT'))
    """
    face = parse_face(card)
    return tuple(dict.fromkeys((face.text, face.turned.text)))


def card_of(text: str) -> str:
    """The name of the card that shows this face."""
    return parse_face(text).card


_SHAPES = {
    ("LTRB",): m("crossing of four"),
    ("LT", "RB"): m("two curves"),
    ("LB", "TR"): m("two curves"),
    ("LR", "TB"): m("bridge"),
    ("LR",): m("straight across"),
    ("TB",): m("straight along the lane"),
}


@remembered(256)
def face_words(text: str) -> str:
    """A face as people call it.

    >>> face_words("RB|lt")
    'curve from right to bottom, dead ends left and top'
    """
    face = parse_face(text)
    pieces = tuple(piece for piece in face.text.split("|") if piece.isupper())
    dead = [PORT_NAMES[LETTERS.index(letter)] for letter in _letters(face.dead)]
    shape = _SHAPES.get(pieces) or _shape_words(pieces)
    if not dead:
        return shape
    if len(dead) > 1:
        return m("{shape}, dead ends {dead}", shape=shape, dead=listed(dead))
    return m("{shape}, dead end {dead}", shape=shape, dead=dead[0])


def _shape_words(pieces: tuple[str, ...]) -> str:
    if any("U" in piece for piece in pieces):
        return m("tunnel")
    if len(pieces) > 1:
        return m("points at the {pieces}", pieces=PORT_NAMES[LETTERS.index(_shared(pieces))])
    sides = [PORT_NAMES[LETTERS.index(letter)] for letter in pieces[0]]
    if len(sides) == 2:
        return m("curve from {sides} to {sides2}", sides=sides[0], sides2=sides[1])
    return m("junction of {sides} and {sides2}", sides=joined(", ", sides[:-1]), sides2=sides[-1])


def _shared(pieces: tuple[str, ...]) -> str:
    return next(letter for a, b in pairwise(pieces) for letter in a if letter in b)
