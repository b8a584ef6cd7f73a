"""The longest route and the score once more: slow, obvious, and from the names of cells and ends only."""

from __future__ import annotations

from collections.abc import Iterator

from .naive import SIDES, beyond

Piece = tuple[str, str]  # cell, the ends of one piece


def pieces(cells: dict[str, str]) -> list[Piece]:
    """Every piece of a board."""
    return [(cell, part) for cell, text in cells.items() for part in text.replace("*", "").split("|")]


def links(cells: dict[str, str], walls: frozenset[str], letters: str) -> set[frozenset[Piece]]:
    """Pairs of pieces whose ends meet: ``letters`` is ``NESW`` or ``nesw``."""
    found = set()
    for cell, ends in pieces(cells):
        for other_cell, other_ends in pieces(cells):
            for side, letter in zip("NESW", letters, strict=True):
                back = letters["NESW".index(SIDES[side][2])]
                joined = beyond(cell, side) == other_cell and letter in ends and back in other_ends
                if joined and not walls & {f"{cell}-{other_cell}", f"{other_cell}-{cell}"}:
                    found.add(frozenset({(cell, ends), (other_cell, other_ends)}))
    return found


def walks(at: Piece, left: set[frozenset[Piece]], walk: list[Piece]) -> Iterator[list[Piece]]:
    """Every way to go on from here without using a link twice."""
    yield walk
    for link in left:
        if at in link:
            (other,) = link - {at}
            yield from walks(other, left - {link}, [*walk, other])


def longest(cells: dict[str, str], walls: frozenset[str], letters: str, reading: str) -> int:
    """The best of all walks, as the reading counts it."""
    found = links(cells, walls, letters)
    starts = [piece for piece in pieces(cells) if set(piece[1]) & set(letters)]
    return max(
        (counted(walk, reading) for start in starts for walk in walks(start, found, [start])), default=0
    )


def counted(walk: list[Piece], reading: str) -> int:
    """What a walk is worth; 0 if the reading does not allow it."""
    if reading == "visits":
        return len(walk)
    if reading == "trail":
        return len(set(walk))
    cells = [cell for cell, _ in walk]
    return len(cells) if len(set(cells)) == len(cells) else 0
