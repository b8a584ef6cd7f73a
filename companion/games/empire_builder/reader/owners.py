"""Assigns colours to seats: as people said, by earlier track, or as players chose."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.empire_builder.reader.reading import MapReading
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.position import Track
from companion.reading.colour_owners import Called, Players, find_players, only_seen
from companion.reading.evidence import EMPTY, Look

_NEARLY_SURE = 1 - 1e-9  # probability


def owners(
    reading: MapReading,
    on: Board,
    before: Track,
    told: Mapping[str, int],
    to_move: int | None = None,
    playing: Collection[int] = (),
    chosen: Mapping[str, int] | None = None,
) -> Players:
    """The seat of every colour with a known or probable owner; ``playing``: the seats of the match.

    ``told``: what people said; ``to_move``: the only seat that can have drawn since; ``chosen``: the colours
    of the seats in the match.
    """
    edges: dict[int, list[str]] = {seat: [] for seat in playing}
    if to_move is not None:
        edges.setdefault(to_move, [])
    for edge, seat in before.items():
        edges.setdefault(seat, []).append(on.edge_names[edge])
    looks = {name: look for name, look in reading.looks.items() if name in on.edges_called}
    called = Called(reading.also, reading.by_looks)
    players = find_players(looks, list(reading.crayons), edges, told, to_move, chosen, called)
    return only_seen(players, drawn_colours(reading))


def drawn_colours(reading: MapReading) -> set[str]:
    """The colours in which at least one line is certain."""
    return {slot.best for slot in reading.slots.values() if slot.cannot_see is None and not slot.doubtful}


def looks_by_owner(reading: MapReading, on: Board, seats: Mapping[str, int]) -> dict[int, Look]:
    """The looks by edge with owners as marks; colours without an owner keep their names."""
    looks: dict[int, Look] = {}
    for name, slot in reading.slots.items():
        edge = on.edges_called.get(name)
        if edge is None:
            continue
        if slot.cannot_see is not None:
            looks[edge] = None
            continue
        look: dict[str, float] = {}
        for mark, p in slot.probabilities.items():
            owner = str(seats[mark]) if mark in seats else mark
            look[owner] = look.get(owner, 0.0) + p
        # What is settled is for people to say, however sure a picture is.
        looks[edge] = {mark: min(p, _NEARLY_SURE) for mark, p in look.items()}
    return looks


def of_the_builder(looks: Mapping[int, Look], before: Track, builder: int) -> dict[int, Look]:
    """Assign new lines without a readable colour to the only seat that can have built them."""
    found = dict(looks)
    for edge, look in looks.items():
        shares = [p for mark, p in (look or {}).items() if mark != EMPTY]
        if look is not None and edge not in before and len(shares) > 1 and len(set(shares)) == 1:
            found[edge] = {EMPTY: look.get(EMPTY, 0.0), str(builder): sum(shares)}
    return found
