"""Whose colour is whose: told, known by the tracks that were there before, or by the seats' usual colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log

from companion.games.kit.evidence import Looks
from companion.games.kit.seat_marks import seat_mark

_LEAST = 1e-3
_USUAL = 2.0  # nats: how much likelier a seat is to play the colour that is printed for it
_BUILT = 6.0  # nats: how much likelier a new colour is whose turn it is
_NOBODY = 5.0  # nats for each track of a seat whose colour is not among those that are seen
_CLOSE = 2.0  # nats: what is not likelier than the next by so much is asked


@dataclass(frozen=True)
class Players:
    """Seats by colour; ``unsure`` are colours of pieces of which nobody knows whose they are."""

    seats: Mapping[str, int]
    unsure: tuple[str, ...] = ()

    def mark(self, mark: str) -> str | None:
        """A mark in colours as one in seats, in their order; None if a colour is nobody's."""
        if not mark:
            return ""
        seats = [self.seats.get(part) for part in mark.split("+")]
        known = [seat for seat in seats if seat is not None]
        return "+".join(map(str, sorted(known))) if len(known) == len(seats) else None


def find_players(
    looks: Looks,
    colours: Sequence[str],
    tracks: Mapping[int, Sequence[str]],
    told: Mapping[str, int],
    builder: int | None = None,
) -> Players:
    """The likeliest seat for every colour, given the tracks that each seat had before.

    ``builder`` is the only seat that can have built since: if it had no tracks, a new colour is its own.
    """
    fixed = {colour: seat for colour, seat in told.items() if seat in tracks}
    seats = [seat for seat in tracks if seat not in fixed.values()]
    free = [colour for colour in colours if colour not in fixed]
    weight = {
        (seat, colour): _weight(looks, colour, seat, tracks[seat]) + _BUILT * (seat == builder)
        for seat in seats
        for colour in free
    }
    nobody = {seat: -_NOBODY * len(tracks[seat]) - 0.5 for seat in seats}
    ways = sorted(_ways(seats, free, weight, nobody), key=lambda way: -way[0])
    best = ways[0][1]
    found = fixed | {colour: seat for seat, colour in best.items() if colour is not None}
    close = [way for value, way in ways[1:] if ways[0][0] - value < _CLOSE]
    shaky = {
        colour for way in close for seat, colour in way.items() if colour is not None and best[seat] != colour
    }
    lost = [colour for colour in free if colour not in found]
    unsure = tuple(colour for colour in free if colour in shaky or colour in lost)
    return Players(found, unsure)


def _weight(looks: Looks, colour: str, seat: int, tracks: Sequence[str]) -> float:
    """How much likelier it is that this seat plays this colour than that nobody knows, in nats."""
    usual = _USUAL if seat_mark(seat).colour in (colour, _OTHER_WORDS.get(colour)) else 0.0
    seen = [look for name in tracks if (look := looks.get(name)) is not None]
    shares = [sum(p for mark, p in look.items() if colour in mark.split("+")) for look in seen]
    return usual + sum(log(max(share, _LEAST)) for share in shares)


_OTHER_WORDS = {"purple": "violet"}


def _ways(
    seats: Sequence[int],
    colours: Sequence[str],
    weight: Mapping[tuple[int, str], float],
    nobody: Mapping[int, float],
) -> list[tuple[float, dict[int, str | None]]]:
    """Every way to give each seat one colour or none, with what it is worth."""
    likely: dict[int, list[str | None]] = {
        seat: [None, *sorted(colours, key=lambda one: -weight[seat, one])[:5]] for seat in seats
    }
    ways: list[tuple[float, dict[int, str | None]]] = []
    for choice in product(*(likely[seat] for seat in seats)):
        given = [colour for colour in choice if colour is not None]
        if len(set(given)) == len(given):
            pairs = dict(zip(seats, choice, strict=True))
            value = sum(
                nobody[seat] if colour is None else weight[seat, colour] for seat, colour in pairs.items()
            )
            ways.append((value, pairs))
    return ways


def in_seats(looks: Looks, players: Players) -> dict[str, dict[str, float] | None]:
    """Looks at tracks with seats as marks; what is nobody's colour counts for no mark."""
    found: dict[str, dict[str, float] | None] = {}
    for name, look in looks.items():
        if look is None:
            found[name] = None
            continue
        marks: dict[str, float] = {}
        for mark, p in look.items():
            own = players.mark(mark)
            marks[STRANGE if own is None else own] = marks.get(STRANGE if own is None else own, 0.0) + p
        found[name] = marks
    return found


STRANGE = "?"  # the mark of a piece that is nobody's
