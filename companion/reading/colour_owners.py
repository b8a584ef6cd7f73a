"""The owners of colours: as told, by earlier pieces, as chosen for the match, or as printed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, log

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.reading.evidence import EMPTY, Doubt, SheetProbabilities
from companion.sheets.seat_marks import seat_mark

STRANGE = "?"  # the mark of a piece that is nobody's
COLOUR = "colour:"  # before a colour: the question whose it is
_LEAST = 1e-3
_USUAL = 2.5  # nats: how much likelier a seat is to play the colour that is printed for it
_CHOSEN = 5.0  # and the one that was chosen for this match, where people may still draw in another
_BUILT = 6.0  # nats: how much likelier a new colour is whose turn it is
_NOBODY = 5.0  # nats for each place of a seat whose colour is not among those that are seen
_HAS_ONE = 0.5  # nats for every seat whose colour is not seen at all
_UNLIKE = 0.05  # probability of a colour's name by its looks below which it may be another one
_CLOSE = 2.0  # nats: what is not likelier than the next by so much is asked
_WAYS, _LEAST_WAYS = {4: 5, 6: 3}, 2  # up to so many seats: so many colours are tried for each
_UNLIKELY = 0.01  # share of a seat that nothing speaks for, among those to choose from


@dataclass(frozen=True)
class Called:
    """The certainty of the colours' names.

    ``also`` are the probabilities of other names, where a colour's own is not sure; ``by_looks`` is how
    probable its own would be if nobody had said which colours there are.
    """

    also: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    by_looks: Mapping[str, float] = field(default_factory=dict)


_PLAINLY = Called()


@dataclass(frozen=True)
class Players:
    """Seats by colour; ``unsure`` are colours of which it is not well known whose they are, with the seats'
    shares.
    """

    seats: Mapping[str, int]
    unsure: Mapping[str, Mapping[int, float]] = field(default_factory=dict)

    def mark(self, mark: str) -> str | None:
        """A mark in colours as one in seats, in their order; None if a colour is nobody's."""
        if not mark:
            return ""
        seats = [self.seats.get(part) for part in mark.split("+")]
        known = {seat for seat in seats if seat is not None}
        return "+".join(map(str, sorted(known))) if None not in seats else None


def find_players(
    probabilities: SheetProbabilities,
    colours: Sequence[str],
    places: Mapping[int, Sequence[str]],
    told: Mapping[str, int],
    builder: int | None = None,
    chosen: Mapping[str, int] | None = None,
    called: Called = _PLAINLY,
) -> Players:
    """The likeliest seat for every colour, given the places that each seat had before.

    ``builder`` is the only seat that can have built since: what is new is most likely in its colour.
    ``chosen`` are the colours that the seats of the match go by; without it they are those that are printed.
    """
    fixed = {colour: seat for colour, seat in told.items() if seat in places}
    settled = {seat for colour, seat in fixed.items() if colour in colours}
    seats = [seat for seat in places if seat not in settled or places[seat]]
    free = [colour for colour in colours if colour not in fixed]
    new = _new_shares(probabilities, free, places)
    names_of = {colour: _names(colour, called.also) for colour in free}
    weight, nobody = {}, {}
    for seat in seats:
        seen = [of_slot for name in places[seat] if (of_slot := probabilities.get(name)) is not None]
        nobody[seat] = -_NOBODY * len(seen) - _HAS_ONE
        for colour in free:
            shares = [sum(p for mark, p in of_slot.items() if colour in mark.split("+")) for of_slot in seen]
            worth = sum(log(max(share, _LEAST)) for share in shares)
            if seat not in settled:  # else it is only what people said that somebody has two colours
                worth += _expected(names_of[colour], seat, chosen) + _BUILT * new[colour] * (seat == builder)
            weight[seat, colour] = worth
    ways = sorted(_ways(seats, free, weight, nobody), key=lambda way: -way[0])
    best = ways[0][1]
    found = fixed | {colour: seat for seat, colour in best.items() if colour is not None}
    close = [way for value, way in ways[1:] if ways[0][0] - value < _CLOSE]
    unsure = {
        colour for way in close for seat, colour in way.items() if colour is not None and best[seat] != colour
    }
    unsure |= {colour for colour in free if colour not in found}
    unsure |= {
        colour
        for seat, colour in best.items()
        if colour is not None and weight[seat, colour] - nobody[seat] < _CLOSE
    }
    if (
        None in best.values()
    ):  # somebody's colour is not there: it may be called as another's that is not, either
        fresh = {colour for seat, colour in best.items() if not places[seat] and seat != builder}
        unsure |= {colour for colour in fresh if colour and called.by_looks.get(colour, 1.0) < _UNLIKE}
    return Players(
        found, {colour: _shares(colour, ways, list(places)) for colour in free if colour in unsure}
    )


def _names(colour: str, also: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The possible names of a colour with their probabilities."""
    others = also.get(colour, {})
    return {**others, colour: 1 - sum(others.values())}


def _expected(names: Mapping[str, float], seat: int, chosen: Mapping[str, int] | None) -> float:
    """How much likelier this seat is than others to play a colour of these names, whatever lies there."""
    if chosen:
        return _CHOSEN * sum(p for name, p in names.items() if chosen.get(name) == seat)
    printed = seat_mark(seat).colour
    return _USUAL * sum(p for name, p in names.items() if printed in (name, _OTHER_WORDS.get(name)))


_OTHER_WORDS = {"purple": "violet"}


def _new_shares(
    probabilities: SheetProbabilities, colours: Sequence[str], places: Mapping[int, Sequence[str]]
) -> dict[str, float]:
    """How much of each colour lies where nobody had anything, as a share of the most that any has."""
    had = {name for names in places.values() for name in names}
    amounts = dict.fromkeys(colours, 0.0)
    for name, of_slot in probabilities.items():
        for mark, p in (of_slot or {}).items() if name not in had else ():
            for part in mark.split("+"):
                if part in amounts:
                    amounts[part] += p
    most = max(amounts.values(), default=0.0)
    return {colour: amount / most if most else 1.0 for colour, amount in amounts.items()}


def _ways(
    seats: Sequence[int],
    colours: Sequence[str],
    weight: Mapping[tuple[int, str], float],
    nobody: Mapping[int, float],
) -> list[tuple[float, dict[int, str | None]]]:
    """Every way to give each seat one colour or none, with what it is worth."""
    tried = next((count for most, count in _WAYS.items() if len(seats) <= most), _LEAST_WAYS)
    likely: dict[int, list[str | None]] = {
        seat: [None, *sorted(colours, key=lambda one: -weight[seat, one])[:tried]] for seat in seats
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


def _shares(
    colour: str, ways: Sequence[tuple[float, Mapping[int, str | None]]], seats: Sequence[int]
) -> dict[int, float]:
    """The probability for each seat that the colour is its own."""
    weights = dict.fromkeys(seats, 0.0)
    for value, way in ways:
        for seat, own in way.items():
            weights[seat] += exp(value - ways[0][0]) if own == colour else 0.0
    whole = sum(weights.values())
    mixed = {
        seat: _UNLIKELY + (1 - _UNLIKELY) * weight / whole if whole else 1.0
        for seat, weight in weights.items()
    }
    return {seat: share / sum(mixed.values()) for seat, share in mixed.items()}


def only_seen(players: Players, seen: Collection[str]) -> Players:
    """The players without the doubts about colours that are nowhere seen."""
    unsure = {colour: shares for colour, shares in players.unsure.items() if colour in seen}
    return Players(players.seats, unsure)


def in_seats(probabilities: SheetProbabilities, players: Players) -> dict[str, dict[str, float] | None]:
    """The probabilities with seats as marks; what is nobody's colour is :data:`STRANGE`."""
    found: dict[str, dict[str, float] | None] = {}
    for name, of_slot in probabilities.items():
        if of_slot is None:
            found[name] = None
            continue
        marks: dict[str, float] = {}
        for mark, p in of_slot.items():
            own = players.mark(mark)
            marks[STRANGE if own is None else own] = marks.get(STRANGE if own is None else own, 0.0) + p
        found[name] = marks
    return found


# --- asking people ---


def told_colours(
    answers: Mapping[str, str], seats: Collection[int]
) -> tuple[dict[str, int | None], dict[str, str]]:
    """Split people's answers into those about colours (None: a colour of nobody) and the others."""
    whose: dict[str, int | None] = {}
    others: dict[str, str] = {}
    for slot, mark in answers.items():
        if not slot.startswith(COLOUR):
            others[slot] = mark
        elif mark == EMPTY:
            whose[slot.removeprefix(COLOUR)] = None
        elif mark.isdecimal() and int(mark) in seats:
            whose[slot.removeprefix(COLOUR)] = int(mark)
        else:
            seat = mark[:30]
            raise NotationError("no-seat", m("there is no seat {seat} in this match", seat=seat))
    return whose, others


def colour_doubts(players: Players, whose: Mapping[str, int | None]) -> tuple[Doubt[str, str], ...]:
    """Questions about colours of which it is not known well whose they are, and nobody has said it."""
    return tuple(
        Doubt(
            f"{COLOUR}{colour}",
            (
                *((str(seat), (1 - _UNLIKELY) * p) for seat, p in sorted(shares.items(), key=_by_share)),
                (EMPTY, _UNLIKELY),
            ),
        )
        for colour, shares in players.unsure.items()
        if colour not in whose
    )


def _by_share(one: tuple[int, float]) -> float:
    return -one[1]
