"""Learns the colours of seats from the pieces on the tracks that they had before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.reading.colour_owners import STRANGE
from vision.pieces.colours import Palette, distances, name_colours, palette_of
from vision.pieces.finding import Lab, PieceLook

_THERE = 0.5  # probability from which a piece says what colour it is
_TOO_NEAR = 8.0  # weighted distance: seats whose colours are nearer than that are not told apart by them
_OTHERS = 12.0  # and from which a piece is none of the known seats'
_SAME_GROUP = 10.0  # how near a colour of the palette is whose name a seat's colour takes
_SCATTER = (3.5, 8.0)
_STAYS = 12.0  # how much likelier it is that a piece stayed where it lay than that it was taken away
_OVERLOOKED = 0.1  # how often that happens to a piece that is hard to see

SeatLooks = dict[str, dict[str, float] | None]


@dataclass(frozen=True)
class LearntColours:
    """A palette with the known colours of some seats."""

    palette: Palette
    seats: Mapping[str, int]


def seats_by_tracks(
    pieces: Mapping[str, PieceLook],
    palette: Palette,
    tracks: Mapping[int, Sequence[str]],
    told: Mapping[str, int],
    builder: int | None,
    chosen: Mapping[str, int] | None = None,
) -> LearntColours:
    """The colour of each seat's pieces, by the tracks it had before.

    Other colours are only looked for where somebody else can have built: on tracks that these seats did not
    have, for a seat whose colour is not known, if it is the ``builder`` or nobody knows who that is.
    """
    own = _own_colours(pieces, tracks)
    if not own:
        return LearntColours(palette, {})
    middles = {seat: _middle(colours) for seat, colours in own.items()}
    names = _names(middles, palette, told)
    newcomers = [seat for seat in tracks if seat not in own and builder in (seat, None)]
    settled = {name for seat in own for name in tracks[seat]}
    open_ = {name: look for name, look in pieces.items() if name not in settled} if newcomers else {}
    left = _left_over(open_, list(middles.values()))
    likely = [name for name, seat in {**(chosen or {}), **told}.items() if seat in newcomers]
    others = palette_of(left, likely)
    colours = {names[seat]: middle for seat, middle in middles.items()}
    new = dict(zip(others.colours, _told_apart(list(others.colours), list(colours)), strict=True))
    colours |= {new[name]: middle for name, middle in others.colours.items()}
    away = np.concatenate([distances(some, [middles[seat]])[:, 0] for seat, some in own.items()])
    scatter = float(np.clip(0.85 * np.median(away), *_SCATTER))
    also = {new[name]: names_of for name, names_of in others.also.items()}
    return LearntColours(Palette(colours, scatter, also), {names[seat]: seat for seat in middles})


def _own_colours(
    pieces: Mapping[str, PieceLook], tracks: Mapping[int, Sequence[str]]
) -> dict[int, NDArray[np.float64]]:
    """By seat, the colours on tracks it alone had; omitted if they do not distinguish seats."""
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
    """The colours of pieces that match none of the known ones."""
    colours = [
        look.colours[0]
        for look in pieces.values()
        if look.colours and look.cannot_see is None and look.one > _THERE
    ]
    near = distances(colours, known).min(axis=1) if colours else np.empty(0)
    return np.array(colours, np.float64).reshape(-1, 3)[near > _OTHERS]


def _names(middles: Mapping[int, Lab], palette: Palette, told: Mapping[str, int]) -> dict[int, str]:
    """A name for every seat's colour: the given one, the palette's, or the nearest usual one."""
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
    usual = name_colours([middles[seat] for seat in rest])
    new = _told_apart(usual, [*names.values(), *told])
    return {**names, **dict(zip(rest, new, strict=True))}


def _told_apart(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The names, made distinct by numbers."""
    found: list[str] = []
    for name in names:
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
    most: int = 2,
) -> SeatLooks:
    """Update looks at tracks with earlier pieces, which most probably are still there.

    Those of their print's own colour, and one of two on a track, are easily overlooked besides. ``most`` are
    the pieces that the rules allow on a track.
    """
    owners: dict[str, list[int]] = {}
    for seat, names in sorted(tracks.items()):
        for name in names:
            owners.setdefault(name, []).append(seat)
    found = {name: None if look is None else _allowed(look, most) for name, look in looks.items()}
    for name, seats in owners.items():
        look = found.get(name)
        if look:
            camouflaged = len(seats) == 1 and colours.get(seats[0]) == suits[name]
            # A look combined with the prior that these seats' pieces stayed, seen or overlooked
            before = frozenset(map(str, seats))
            weights: dict[str, float] = {}
            for mark, p in look.items():
                lying = frozenset(mark.split("+")) if mark else frozenset[str]()
                stayed = before <= lying
                weights[mark] = weights.get(mark, 0.0) + p * (_STAYS if stayed else 1.0)
                all_there = lying | before
                overlooked = not stayed and STRANGE not in lying and len(all_there) <= most
                if overlooked and (camouflaged or len(all_there) > 1):
                    both = "+".join(sorted(all_there, key=int))
                    weights[both] = weights.get(both, 0.0) + p * _OVERLOOKED
            whole = sum(weights.values())
            found[name] = {mark: weight / whole for mark, weight in weights.items()}
    return found


def _allowed(look: Mapping[str, float], most: int) -> dict[str, float]:
    """Split marks with more than ``most`` pieces into single ones, with equal shares of the probability."""
    found: dict[str, float] = {}
    for mark, p in look.items():
        parts = mark.split("+")
        for part in parts if len(parts) > most else [mark]:
            found[part] = found.get(part, 0.0) + (p / len(parts) if len(parts) > most else p)
    return found
