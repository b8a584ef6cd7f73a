"""Reads pawns, market chips and time cards where the picture differs from the print.

Chips are told apart by our own print of them: unwrapped around their middle (polar), so that turning one is
shifting it, and compared by normalised correlation over all turns at once (Fourier transform).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.printed import PRINTED
from companion.reading.evidence import EMPTY, SURE, SlotReading
from companion.sheets.drawing import Drawing
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from vision.pieces.against_blank import WHITE, Compared, most
from vision.pieces.colours import Palette, name_colours
from vision.pieces.finding import PieceBoard, lab_of
from vision.pieces.views import LENGTH, SIZE, cut_out
from vision.register.rectify import Image

TIME = "time"  # the mark of a time card
_DIFFERS = 26.0  # of WHITE: a pixel that differs so much is covered by something
_SHADE = (0.3, 1.12)  # of the print's own light: what only differs so is in a shadow
_SURELY_COVERED = 0.9  # share from which a place is hidden by whatever it is
_MOST_PAWNS = 1.5  # of one colour
_PAWN_RADIUS, _STRAY = 3.2, 0.22  # mm; of a place's length: how far from its middle a pawn may be
_SOMEBODYS = 0.6  # probability of a colour below which a pawn is nobody's
_LEAST_PAWN = 0.02  # share of a view
_PAWN_SCATTER = 9.0  # how far a pawn's colour is from that of the tracks
_PAWN, _CARD = 0.68, 0.45  # share of a place that is covered at which a pawn, a card, is as likely as not
_SOFT = 0.05  # how much more of it makes that e times as likely
_CHIP = 0.3
_KNOWN_CHIP = 0.42  # correlation below which a chip is none of ours
_SHARPNESS = 60.0  # of the chips' probabilities: how much correlation counts
_RINGS, _ANGLES = 9, 40  # of an unwrapped chip
_SHIFTS = (-1.5, -0.5, 0.5, 1.5)  # mm: where a chip's middle is looked for, both ways
_MOST_HIDDEN = 0.3


@dataclass(frozen=True, eq=False)
class Things:
    """The places of a board other than tracks."""

    sheet: Sheet
    places: PieceBoard


def things_of(sheet: Sheet, blank: Image, scale: float) -> Things:
    """The places other than tracks on the board with this blank."""
    quads = {name: slot.quad for name, slot in sheet.slots.items() if slot.kind != "track"}
    return Things(sheet, PieceBoard(blank, quads, scale))


def read_things(
    things: Things, whole: Compared, palette: Palette, outside: NDArray[np.bool_] | None
) -> dict[str, SlotReading]:
    """Read the pieces on all places other than tracks, by slot."""
    places = things.places
    even, expected = cut_out(whole.even, places.pixels), whole.expected(places.views)
    covered = differing(even, expected)
    hidden = np.zeros(len(even))
    for mask in (whole.drowned, outside):
        if mask is not None and mask.any():
            hidden = np.maximum(
                hidden, cut_out(mask.astype(np.uint8) * 255, places.pixels).mean(axis=(1, 2)) / 255
            )
    shares = covered.mean(axis=(1, 2))
    found: dict[str, SlotReading] = {}
    chips: dict[str, NDArray[np.bool_]] = {}
    for n, name in enumerate(places.segments.names):
        kind = things.sheet.slots[name].kind
        if hidden[n] > _MOST_HIDDEN:
            found[name] = SlotReading({EMPTY: 1.0}, "glare" if outside is None else m("outside the picture"))
        elif kind == "market":
            chips[name] = np.asarray(most(cv2.absdiff(even[n], expected[n])) > _DIFFERS, np.bool_)
        elif kind == TIME:
            share = float(covered[n, 5:-5, 8:-8].mean())
            found[name] = _reading({TIME: _likely(share, _CARD)})
        elif shares[n] < _LEAST_PAWN:
            found[name] = SlotReading({EMPTY: 1.0})
        else:
            found[name] = _pawn(even[n], covered[n], float(places.segments.lengths[n]), palette)
    for kind in ("city", "space"):
        _only_one_of_each(found, [name for name in found if name.startswith(f"{kind}:")])
    return found | _chips_on(things, whole, chips)


def _only_one_of_each(found: dict[str, SlotReading], names: Sequence[str]) -> None:
    """Drop surplus pieces: every player has one locomotive and one score pawn."""
    colours = {mark for name in names for mark in found[name].probabilities if mark}
    for colour in colours:
        whole = sum(found[name].probabilities.get(colour, 0.0) for name in names)
        if whole > _MOST_PAWNS:
            for name in names:
                slot = found[name]
                if colour in slot.probabilities:
                    marks = {mark: p for mark, p in slot.probabilities.items() if mark}
                    found[name] = _reading(marks | {colour: marks[colour] / whole}, slot.cannot_see)


def differing(even: Image, expected: Image) -> NDArray[np.bool_]:
    """Mask of pixels that differ from the print by more than a shadow."""
    found = np.asarray(most(cv2.absdiff(even, expected)) > _DIFFERS, np.bool_)
    seen, print_ = even[found].astype(np.float32), expected[found].astype(np.float32)
    share = np.einsum("nc,nc->n", seen, print_) / np.maximum(np.einsum("nc,nc->n", print_, print_), 1.0)
    strange = most(np.abs(seen - share[:, None] * print_)) > _DIFFERS * 0.7
    found[found] = strange | (share < _SHADE[0]) | (share > _SHADE[1])
    return found


def _likely(share: float, half: float) -> float:
    return float(1 / (1 + np.exp(np.clip((half - share) / _SOFT, -30, 30))))


def _reading(marks: Mapping[str, float], cannot_see: str | None = None) -> SlotReading:
    whole = {**marks, EMPTY: max(0.0, 1.0 - sum(marks.values()))}
    return SlotReading(dict(sorted(whole.items(), key=lambda one: -one[1])), cannot_see)


# --- pawns ---


def _pawn(even: Image, covered: NDArray[np.bool_], length: float, palette: Palette) -> SlotReading:
    """A pawn covers a disc near the middle of its place, in the colour of somebody's pieces.

    ``length`` is that of the place's longer side in mm.
    """
    a_mm = SIZE[0] / (LENGTH * length)
    size = max(3, round(2 * _PAWN_RADIUS * a_mm))
    shares = cv2.blur(covered.astype(np.float32), (size, size))
    (height, width), stray = shares.shape, _STRAY * length * a_mm
    x, y = np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2
    near = np.where(np.hypot(x[None], y[:, None]) <= stray, shares, 0.0)
    down, across = np.unravel_index(int(near.argmax()), near.shape)
    share = float(near[down, across])
    p = _likely(share, _PAWN)
    if p < 0.01:
        return SlotReading({EMPTY: 1.0})
    disc = np.hypot(np.arange(width)[None] - across, np.arange(height)[:, None] - down) <= size / 2
    light, a, b = np.median(lab_of(even[covered & disc], WHITE), axis=0).tolist()
    colours = Palette(palette.colours, _PAWN_SCATTER).shares((light, a, b))
    nobodys = max(colours.values(), default=0.0) < _SOMEBODYS
    if p > 0.5 and nobodys:  # something lies there, and it is nobody's colour
        if not palette.colours:
            return _reading({name_colours([(light, a, b)])[0]: 0.6 * p})
        return SlotReading({EMPTY: 1.0}, "covered" if share > _SURELY_COVERED else None)
    return _reading({name: p * one for name, one in colours.items() if p * one > 1e-4})


# --- chips ---


def _chips_on(
    things: Things, whole: Compared, covered: Mapping[str, NDArray[np.bool_]]
) -> dict[str, SlotReading]:
    """The goods whose chips correlate best with places of the market."""
    shares = {name: _likely(float(part[6:-6, 12:-12].mean()), _CHIP) for name, part in covered.items()}
    found = {name: _reading({}) for name in shares}
    lying = [name for name, p in shares.items() if p > 0.02]
    if not lying:
        return found
    middles = (
        np.array([np.mean(things.sheet.slots[name].quad, axis=0) for name in lying]) * things.places.scale
    )
    alike = _alike(whole.even, middles, things.places.scale)
    for name, best in zip(lying, alike, strict=True):
        if best.max() < _KNOWN_CHIP:  # a shadow, or something that is none of our chips
            found[name] = SlotReading({EMPTY: 1.0}, "covered" if shares[name] > SURE else None)
            continue
        rising = np.exp(_SHARPNESS * (best - best.max()))
        likely = (rising / rising.sum() * shares[name]).tolist()
        found[name] = _reading({good: p for good, p in zip(PRINTED.goods, likely, strict=True) if p > 1e-4})
    return found


@lru_cache(maxsize=4)
def _chips(scale: float) -> NDArray[np.complex128]:
    """Our chips in polar coordinates, as Fourier series along the angle."""
    radius = PRINTED.tile.chip / 2
    series = []
    for good in PRINTED.goods:
        art = Drawing((2 * radius, 2 * radius), tuple(good_shapes(good, (radius, radius), radius - 0.3)))
        image = np.ascontiguousarray(np.asarray(picture(art, scale * MM_PER_INCH))[:, :, ::-1])
        middle = np.array([[image.shape[1] / 2, image.shape[0] / 2]])
        series.append(np.fft.fft(_unwrapped(image, middle, radius * scale), axis=2)[0])
    return np.asarray(series)


def _unwrapped(image: Image, middles: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Discs in polar coordinates, (n, rings, angles, colours), mostly without their mean, of length 1."""
    angles = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    rings = (np.arange(_RINGS) + 0.5) / _RINGS * 0.93 * radius
    ways = rings[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    places = (middles[:, None, None] + ways - 0.5).astype(np.float32).reshape(-1, _ANGLES, 2)
    seen = cv2.remap(image, places, np.empty(0, np.float32), cv2.INTER_LINEAR)
    values = np.asarray(seen, np.float64).reshape(len(middles), _RINGS, _ANGLES, 3)
    values *= np.sqrt(rings / radius)[:, None, None]
    values -= values.mean(axis=(1, 2), keepdims=True) * 0.6
    lengths = np.sqrt((values**2).sum(axis=(1, 2, 3), keepdims=True))
    return np.asarray(values / np.maximum(lengths, 1e-6), np.float64)


def _alike(image: Image, middles: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """For each place and chip, the best correlation over all rotations and small shifts."""
    around = np.array([(x, y) for x in _SHIFTS for y in _SHIFTS]) * scale
    places = (middles[:, None] + around).reshape(-1, 2)
    seen = np.fft.fft(_unwrapped(image, places, PRINTED.tile.chip / 2 * scale), axis=2)
    both = np.einsum("prac,grac->pga", seen, np.conj(_chips(scale)), optimize=True)
    turned = np.fft.ifft(both, axis=2).real.max(axis=2)
    return np.asarray(turned.reshape(len(middles), len(around), -1).max(axis=1), np.float64)
