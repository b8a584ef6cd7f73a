"""The colours of seats, learnt from pieces that are known to be theirs: those that lay there before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pieces.colours import Palette, distances, name_colours, palette_of
from vision.pieces.finding import Lab, PieceLook

_THERE = 0.5  # probability from which a piece says what colour it is
_TOO_NEAR = 8.0  # weighted distance: seats whose colours are nearer than that are not told apart by them
_OTHERS = 12.0  # and from which a piece is none of the known seats'
_SAME_GROUP = 10.0  # how near a colour of the palette is whose name a seat's colour takes
_SCATTER = (3.5, 8.0)
_STAYS = 12.0  # how much likelier it is that a piece stayed where it lay than that it was taken away
_ON_A_TRACK = 2  # pieces at most
_OVERLOOKED = 0.1  # how often that happens to a piece that is hard to see

SeatLooks = dict[str, dict[str, float] | None]


@dataclass(frozen=True)
class KnownColours:
    """A palette in which the colours of some seats are known, and whose they are."""

    palette: Palette
    seats: Mapping[str, int]


def seats_by_tracks(
    pieces: Mapping[str, PieceLook],
    palette: Palette,
    tracks: Mapping[int, Sequence[str]],
    told: Mapping[str, int],
    builder: int | None,
) -> KnownColours:
    """What colour each seat's pieces have, where it had some before.

    Other colours are only looked for where somebody else can have built: a seat without tracks, if it is
    the ``builder`` or nobody knows who that is.
    """
    own = _own_colours(pieces, tracks)
    if not own:
        return KnownColours(palette, {})
    middles = {seat: _middle(colours) for seat, colours in own.items()}
    names = _names(middles, palette, told)
    newcomers = [seat for seat in tracks if seat not in own and builder in (seat, None)]
    left = _left_over(pieces, list(middles.values())) if newcomers else np.empty((0, 3))
    wished = [name for name, seat in told.items() if seat in newcomers]
    others = palette_of(left, wished).colours
    colours = {names[seat]: middle for seat, middle in middles.items()}
    colours |= {name: middle for name, middle in others.items() if name in wished}
    strange = [middle for name, middle in others.items() if name not in wished]
    new = _new_names(strange, [*colours, *told])
    away = np.concatenate([distances(some, [middles[seat]])[:, 0] for seat, some in own.items()])
    scatter = float(np.clip(0.85 * np.median(away), *_SCATTER))
    whole = Palette({**colours, **dict(zip(new, strange, strict=True))}, scatter)
    return KnownColours(whole, {names[seat]: seat for seat in middles})


def _own_colours(
    pieces: Mapping[str, PieceLook], tracks: Mapping[int, Sequence[str]]
) -> dict[int, NDArray[np.float64]]:
    """By seat the colours on tracks that it alone had; none of seats that these do not tell apart."""
    every = [name for names in tracks.values() for name in names]
    found: dict[int, NDArray[np.float64]] = {}
    for seat, names in tracks.items():
        looks = [pieces[name] for name in names if every.count(name) == 1 and name in pieces]
        colours = [
            look.colours[0]
            for look in looks
            if look.colours and look.cannot_see is None and look.one > _THERE
        ]
        if colours:
            found[seat] = np.array(colours)
    middles = {seat: _middle(colours) for seat, colours in found.items()}
    alike = {
        seat
        for seat, one in middles.items()
        for other, two in middles.items()
        if seat != other and distances([one], [two])[0, 0] < _TOO_NEAR
    }
    return {seat: colours for seat, colours in found.items() if seat not in alike}


def _middle(colours: NDArray[np.float64]) -> Lab:
    light, a, b = np.median(colours, axis=0).tolist()
    return light, a, b


def _left_over(pieces: Mapping[str, PieceLook], known: Sequence[Lab]) -> NDArray[np.float64]:
    """The colours of pieces that are none of the known ones."""
    colours = [
        look.colours[0]
        for look in pieces.values()
        if look.colours and look.cannot_see is None and look.one > _THERE
    ]
    near = distances(colours, known).min(axis=1) if colours else np.empty(0)
    return np.array(colours, np.float64).reshape(-1, 3)[near > _OTHERS]


def _names(middles: Mapping[int, Lab], palette: Palette, told: Mapping[str, int]) -> dict[int, str]:
    """A name for every seat's colour: the one that was told, the palette's, or the nearest usual one."""
    names = {seat: name for name, seat in told.items() if seat in middles}
    for seat, middle in middles.items():
        free = {name: one for name, one in palette.colours.items() if name not in (*names.values(), *told)}
        if seat in names or not free:
            continue
        away = dict(zip(free, distances([middle], list(free.values()))[0].tolist(), strict=True))
        nearest = min(away, key=away.__getitem__)
        if away[nearest] < _SAME_GROUP:
            names[seat] = nearest
    rest = [seat for seat in middles if seat not in names]
    new = _new_names([middles[seat] for seat in rest], [*names.values(), *told])
    return {**names, **dict(zip(rest, new, strict=True))}


def _new_names(colours: Sequence[Lab], taken: Sequence[str]) -> list[str]:
    """Usual names for colours, none of those that are taken."""
    named = name_colours(colours) if colours else []
    found: list[str] = []
    for name in named:
        word, number = name, 2
        while word in (*taken, *found):
            word, number = f"{name} {number}", number + 1
        found.append(word)
    return found


def still_there(
    looks: SeatLooks,
    tracks: Mapping[int, Sequence[str]],
    suits: Mapping[str, str],
    colours: Mapping[int, str],
) -> SeatLooks:
    """Looks at tracks where pieces lay before: most probably they still do.

    Those of their print's own colour, and one of two on a track, are easily overlooked besides.
    """
    owners: dict[str, list[int]] = {}
    for seat, names in sorted(tracks.items()):
        for name in names:
            owners.setdefault(name, []).append(seat)
    found = dict(looks)
    for name, seats in owners.items():
        look = found.get(name)
        if look:
            camouflaged = len(seats) == 1 and colours.get(seats[0]) == suits[name]
            found[name] = _with_those_before(look, frozenset(map(str, seats)), camouflaged)
    return found


def _with_those_before(
    look: Mapping[str, float], before: frozenset[str], camouflaged: bool
) -> dict[str, float]:
    """A look with what is known beforehand: the pieces of these seats stayed, seen or overlooked."""
    weights: dict[str, float] = {}
    for mark, p in look.items():
        lying = frozenset(mark.split("+")) if mark else frozenset[str]()
        stayed = before <= lying
        weights[mark] = weights.get(mark, 0.0) + p * (_STAYS if stayed else 1.0)
        all_there = lying | before
        if not stayed and len(all_there) <= _ON_A_TRACK and (camouflaged or len(all_there) > 1):
            both = "+".join(sorted(all_there, key=_as_number))
            weights[both] = weights.get(both, 0.0) + p * _OVERLOOKED
    whole = sum(weights.values())
    return {mark: weight / whole for mark, weight in weights.items()}


def _as_number(seat: str) -> tuple[int, str]:
    return (int(seat), seat) if seat.isdecimal() else (99, seat)
