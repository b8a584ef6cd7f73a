"""Who draws in which colour: as somebody said, as the track of before shows, or because it is their turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.empire_builder.eye.reading import MapReading
from companion.games.empire_builder.rules.board import Board
from companion.games.empire_builder.rules.position import Track
from companion.games.kit.evidence import EMPTY, Look
from companion.games.kit.seat_marks import seat_mark

_LEAST_SHARED = 0.6  # of the probability of a colour's lines on one seat's track


def owners(
    reading: MapReading,
    on: Board,
    before: Track,
    to_move: int | None = None,
    playing: Collection[int] = (),
) -> dict[str, int]:
    """The seat of every colour about which anything is known; ``playing`` are the seats of the match."""
    known = {name: seat for name, seat in reading.seats.items() if name in reading.crayons}
    shared = _shared(reading, on, before)
    for colour, seats in sorted(shared.items(), key=lambda one: -max(one[1].values(), default=0)):
        free = {seat: amount for seat, amount in seats.items() if seat not in known.values()}
        best = max(free, key=free.__getitem__, default=None)
        if colour not in known and best is not None and free[best] > _LEAST_SHARED * sum(seats.values()):
            known[colour] = best
    rest = [colour for colour in reading.crayons if colour not in known]
    if to_move is not None and to_move not in known.values() and rest:
        usual = [colour for colour in rest if colour in _usual(to_move)]
        newest = max(rest, key=lambda colour: _amount(reading, on, before, colour))
        known[usual[0] if usual else newest] = to_move
    for seat in playing:
        usual = [colour for colour in reading.crayons if colour in _usual(seat) and colour not in known]
        if usual and seat not in known.values():
            known[usual[0]] = seat
    return known


def _usual(seat: int) -> tuple[str, ...]:
    """What the colour that is printed for a seat is called."""
    colour = seat_mark(seat).colour
    return (colour, "purple") if colour == "violet" else (colour,)


def _shared(reading: MapReading, on: Board, before: Track) -> dict[str, dict[int, float]]:
    """By colour and seat, how much of the seat's track of before is seen in that colour."""
    found: dict[str, dict[int, float]] = {}
    for name, slot in reading.slots.items():
        seat = before.get(on.edges_called.get(name, -1))
        if seat is None or slot.cannot_see is not None:
            continue
        for mark, p in slot.probabilities.items():
            if mark != EMPTY:
                own = found.setdefault(mark, {})
                own[seat] = own.get(seat, 0.0) + p
    return found


def _amount(reading: MapReading, on: Board, before: Track, colour: str) -> float:
    return sum(
        slot.probabilities.get(colour, 0.0)
        for name, slot in reading.slots.items()
        if name in on.edges_called and on.edges_called[name] not in before
    )


def looks_by_owner(reading: MapReading, on: Board, seats: Mapping[str, int]) -> dict[int, Look]:
    """The looks by edge, their marks owners; colours of nobody keep their names."""
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
        looks[edge] = look
    return looks
