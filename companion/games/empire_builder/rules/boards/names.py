"""Names of mileposts and edges: column letters and the half row, ``ao38``; an edge is ``ao38-ap39``.

The board stands upright: mileposts lie in columns, two half rows apart, those of the next column half way
between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Self

from companion.core.errors import NotationError, quoted
from companion.core.messages import Message, m
from companion.sheets.lattice import Edge, Place, are_neighbours, edge, from_doubled, to_doubled

_NAME = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,2})")
_LETTERS = 26


def column_letters(column: int) -> str:
    """The letters of a column, counted as spreadsheets do.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(66)
    ('a', 'z', 'aa', 'bo')
    """
    first, last = divmod(column, _LETTERS)
    return (chr(96 + first) if first else "") + chr(97 + last)


@lru_cache(maxsize=8192)
def place_name(place: Place) -> str:
    """What a milepost is called.

    >>> place_name(from_doubled(40, 38))
    'ao38'
    """
    column, row = to_doubled(place)
    return f"{column_letters(column)}{row}"


def place_called(name: str) -> Place:
    """The place of that name, whether there is a milepost or not.

    >>> to_doubled(place_called("ao38"))
    (40, 38)
    """
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        message = m(
            "{name} is not a milepost: they are written as column letters and row, such as ao38",
            name=quoted(str(name)),
        )
        raise NotationError("bad-milepost", message)
    column = sum((ord(letter) - 96) * _LETTERS**power for power, letter in enumerate(found[1][::-1])) - 1
    row = int(found[2])
    if (column + row) % 2:
        parity = m("odd") if column % 2 else m("even")
        message = m(
            "there is no milepost {name}: in column {found} the rows are {parity}",
            name=name,
            found=found[1],
            parity=parity,
        )
        raise NotationError("bad-milepost", message)
    return from_doubled(column, row)


class Edges(Message):
    """Some edges by their names in files; a page says near which cities they lie.

    >>> Edges(["ao38-ap39", "ap39-aq38"], more=3), Edges(["ao38-ap39"])
    ('ao38-ap39, ap39-aq38 and 3 more', 'ao38-ap39')
    """

    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str], more: int = 0) -> Self:
        """Edges of which only the first are named, and how many there are besides."""
        names = tuple(names)
        told: dict[str, object] = {"names": ", ".join(names)}
        counted = m("{names} and {more} more", **told, more=more) if more else Message("{names}", told)
        made = super().__new__(cls, counted.id, counted.places)
        made.names = names
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.names, self.places.get("more", 0))

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        """Names of edges have nothing in them that could change."""
        return self


def edge_name(one: Edge) -> str:
    """What an edge is called."""
    return f"{place_name(one[0])}-{place_name(one[1])}"


def edge_called(name: str) -> Edge:
    """The edge of that name.

    >>> edge_name(edge_called("ap39-ao38"))
    'ao38-ap39'
    """
    first, dash, second = name.partition("-")
    one, other = place_called(first), place_called(second) if dash else place_called(name)
    if not are_neighbours(one, other):
        raise NotationError(
            "bad-edge",
            m("{name} is not an edge: an edge joins two neighbouring mileposts", name=quoted(name)),
        )
    return edge(one, other)
