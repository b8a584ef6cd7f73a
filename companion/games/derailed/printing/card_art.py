"""Our own cards as drawings: rail cards, station cards, and their backs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist
from random import Random

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.printing.trackwork import CENTRE, face_track, middle_lines
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.rulebook import COMPANIES, Company
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Text,
    filled,
    stroked,
)

_CARD, _INK = PRINTED.card, PRINTED.ink
_WIDTH, _HEIGHT = _CARD.size
_CLEAR = _CARD.track / 2 + 5.2  # how far scenery keeps from the middle of a track
_SPOTS = 7


def card_drawing(face: str, variety: int = 0) -> Drawing:
    """A rail card as it lies; ``variety`` changes nothing but the scenery."""
    drawn = parse_face(face)
    return Drawing(
        _CARD.size,
        (*_ground(), *_scenery(face, variety), *face_track(drawn, _INK.ground), _edge()),
    )


def _ground() -> list[Shape]:
    inner = (_WIDTH - 2 * _CARD.border, _HEIGHT - 2 * _CARD.border)
    corner = (_CARD.border, _CARD.border)
    return [
        RoundedRect((0, 0), _CARD.size, _CARD.radius, filled(_INK.border)),
        RoundedRect(corner, inner, _CARD.radius - _CARD.border, filled(_INK.ground)),
    ]


def _edge() -> Shape:
    """A hairline along the rim of the card, for those who cut the corners round."""
    return RoundedRect((0, 0), _CARD.size, _CARD.radius, stroked(_INK.pale, 0.15))


# --- scenery: so pale that no reader takes it for track ---


def _scenery(face: str, variety: int) -> list[Shape]:
    random = Random(f"{face}/{variety}")
    lines = [_dotted(line) for line in middle_lines(parse_face(face))]
    taken: list[Point] = []
    shapes: list[Shape] = []
    for _ in range(400):
        spot = (random.uniform(8, _WIDTH - 8), random.uniform(8, _HEIGHT - 8))
        if len(taken) < _SPOTS and _is_free(spot, lines, taken):
            taken.append(spot)
            shapes += random.choice(_SCENES)(spot, random)
    return shapes


def _dotted(line: tuple[Point, ...]) -> list[Point]:
    return [
        (a[0] + (b[0] - a[0]) * n / 8, a[1] + (b[1] - a[1]) * n / 8)
        for a, b in pairwise(line)
        for n in range(9)
    ]


def _is_free(spot: Point, lines: list[list[Point]], taken: list[Point]) -> bool:
    return all(dist(spot, point) > _CLEAR for line in lines for point in line) and all(
        dist(spot, other) > 11 for other in taken
    )


def _paw(at: Point, random: Random) -> list[Shape]:
    style, (x, y) = filled(_INK.scenery), at
    lean = random.uniform(-0.5, 0.5)
    toes = ((-2.1, -0.9), (-0.8, -2.3), (0.9, -2.3), (2.2, -0.9))
    return [
        Circle((x, y + 0.7), 1.5, style),
        *(Circle((x + dx + lean * dy * 0.3, y + dy), 0.72, style) for dx, dy in toes),
    ]


def _tuft(at: Point, random: Random) -> list[Shape]:
    (x, y), style = at, stroked(_INK.scenery, 0.6)
    return [
        Line(((x + dx, y + 1.5), (x + 2.1 * dx, y - 1.6 - random.random())), style)
        for dx in (-0.9, -0.3, 0.4, 1.0)
    ]


def _cactus(at: Point, random: Random) -> list[Shape]:
    (x, y), style = at, stroked(_INK.scenery, 1.5)
    side = random.choice((-1, 1))
    return [
        Line(((x, y + 3.2), (x, y - 3.6)), style),
        Line(((x, y + 0.8), (x + 2.3 * side, y + 0.8), (x + 2.3 * side, y - 1.6)), style),
        Line(((x, y - 0.6), (x - 2.2 * side, y - 0.6), (x - 2.2 * side, y - 2.4)), style),
    ]


def _rock(at: Point, random: Random) -> list[Shape]:
    (x, y), w = at, random.uniform(2.0, 3.0)
    points = (
        (x - w, y + 1.4),
        (x - 0.7 * w, y - 0.7),
        (x, y - 1.6),
        (x + 0.8 * w, y - 0.5),
        (x + w, y + 1.4),
    )
    return [Polygon(points, filled(_INK.scenery))]


def _fishbone(at: Point, _random: Random) -> list[Shape]:
    (x, y), bone = at, stroked(_INK.scenery, 0.55)
    ribs = [Line(((x + dx, y - h), (x + dx, y + h)), bone) for dx, h in ((-1.2, 1.0), (0.2, 1.4), (1.6, 1.0))]
    tail = Polygon(((x - 2.4, y), (x - 4.1, y - 1.4), (x - 4.1, y + 1.4)), filled(_INK.scenery))
    return [
        Line(((x - 2.6, y), (x + 2.6, y)), bone),
        *ribs,
        tail,
        Circle((x + 3.4, y), 1.2, filled(_INK.scenery)),
    ]


_SCENES: tuple[Callable[[Point, Random], list[Shape]], ...] = (
    _paw,
    _paw,
    _tuft,
    _tuft,
    _cactus,
    _rock,
    _fishbone,
)


# --- station cards ---


def station_drawing(letter: str) -> Drawing:
    """The station card of a company: its colour all over, its letter, track at both short sides."""
    company = COMPANIES[letter]
    inner = (_WIDTH - 2 * _CARD.border, _HEIGHT - 2 * _CARD.border)
    corner = (_CARD.border, _CARD.border)
    shapes: list[Shape] = [
        RoundedRect((0, 0), _CARD.size, _CARD.radius, filled(_INK.border)),
        RoundedRect(corner, inner, _CARD.radius - _CARD.border, filled(company.ink)),
        RoundedRect(corner, inner, _CARD.radius - _CARD.border, stroked(_INK.dark, 0.3)),
        *face_track(parse_face("TB"), company.ink),
        *_sign(company),
        _edge(),
    ]
    return Drawing(_CARD.size, tuple(shapes))


def _sign(company: Company) -> list[Shape]:
    """The station's sign: the head, the name."""
    y = CENTRE[1]
    return [
        *head_shapes(company),
        RoundedRect((4.5, y + 20.0), (_WIDTH - 9, 9.4), 2.2, filled(_INK.paper)),
        RoundedRect((4.5, y + 20.0), (_WIDTH - 9, 9.4), 2.2, stroked(_INK.dark, 0.6)),
        Text((CENTRE[0], y + 26.1), company.name, 4.1, _INK.dark, bold=True),
    ]


def head_shapes(company: Company, at: Point = CENTRE) -> list[Shape]:
    """A company's head: ears and the letter."""
    x, y = at
    face = 17.0
    return [
        *(
            Polygon(
                ((x + s * 15.6, y - 5), (x + s * 14.6, y - 21.5), (x + s * 3.5, y - 15.4)), filled(_INK.dark)
            )
            for s in (-1, 1)
        ),
        *(
            Polygon(
                ((x + s * 13.4, y - 7), (x + s * 13.0, y - 17.6), (x + s * 5.4, y - 13.6)),
                filled(company.ink),
            )
            for s in (-1, 1)
        ),
        Circle((x, y), face, filled(_INK.dark)),
        Circle((x, y), face - 1.4, filled(_INK.paper)),
        Text((x, y + 7.2), company.letter, 20.0, readable(company), bold=True),
    ]


def readable(company: Company) -> str:
    """The company's colour for letters on white; a pale one is written dark."""
    red, green, blue = (int(company.ink[n : n + 2], 16) for n in (1, 3, 5))
    return _INK.dark if 0.3 * red + 0.59 * green + 0.11 * blue > 160 else company.ink


# --- backs ---


def rail_back() -> Drawing:
    """The back of a rail card: rails crossing in a frame, a paw in the middle."""
    return Drawing(_CARD.size, (*_back_ground(), *_back_rails(), *_emblem(_INK.back), _edge()))


def station_back() -> Drawing:
    """The back of a station card: the same paw on a plain ground, so that nobody mixes the two decks."""
    inner = RoundedRect((6, 6), (_WIDTH - 12, _HEIGHT - 12), 2.5, filled(_INK.back_light))
    return Drawing(_CARD.size, (*_back_ground(), inner, *_emblem(_INK.back), _edge()))


def _back_ground() -> list[Shape]:
    # A white rim forgives a back that is printed two millimetres off.
    return [
        RoundedRect((0, 0), _CARD.size, _CARD.radius, filled(_INK.border)),
        RoundedRect((4, 4), (_WIDTH - 8, _HEIGHT - 8), 3.5, stroked(_INK.back, 0.9)),
    ]


def _back_rails() -> list[Shape]:
    """Pairs of slanting rails inside the frame."""
    shapes: list[Shape] = []
    style = stroked(_INK.back_light, 0.9)
    for shift in range(-80, 130, 14):
        for slope in (1.0, -1.0):
            for gap in (0.0, 3.4):
                piece = _inside_frame(shift + gap, slope)
                shapes += [Line(piece, style)] if piece else []
    return shapes


def _inside_frame(shift: float, slope: float) -> tuple[Point, Point] | None:
    """The part of the line x = shift + slope * y (seen from the frame's middle) inside the frame."""
    left, right, top, bottom = 5.6, _WIDTH - 5.6, 5.6, _HEIGHT - 5.6
    base = shift if slope > 0 else _WIDTH - shift
    ys = sorted(((left - base) / slope, (right - base) / slope))
    low, high = max(ys[0], top), min(ys[1], bottom)
    return ((base + slope * low, low), (base + slope * high, high)) if low < high else None


def _emblem(colour: str) -> list[Shape]:
    x, y = CENTRE
    toes = ((-8.2, -3.2), (-3.1, -8.4), (3.1, -8.4), (8.2, -3.2))
    words = RoundedRect((9, _HEIGHT - 24.5), (_WIDTH - 18, 10.5), 2.0, filled(_INK.border))
    return [
        Circle((x, y), 17.5, filled(_INK.border)),
        Circle((x, y), 16.2, stroked(colour, 1.1)),
        Circle((x, y + 3.4), 5.6, filled(colour)),
        *(Circle((x + dx, y + dy), 2.7, filled(colour)) for dx, dy in toes),
        words,
        Text((x, _HEIGHT - 17.0), "Derailed!", 7.0, colour, bold=True),
    ]
