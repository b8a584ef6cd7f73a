"""Where trains can go, over the cards: every company's track in its colour and pattern, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.printing.trackwork import course
from companion.games.derailed.rules.cards import BOTTOM, LEFT, LETTERS, RIGHT, TOP, Face, parse_face
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.sheets.drawing import Point
from web.ui.speaking import Markup

_BED = PRINTED.card.track - 2.6  # between the rails there is room for everybody
_WIDEST = 4.4
_UNDER_BRIDGE = 13.0  # how far from the middle of a bridge the track under it stops
_BRIDGE = frozenset({frozenset({TOP, BOTTOM}), frozenset({LEFT, RIGHT})})
_ANY = parse_face("LTRB")


def tracks(view: JsonObject, pitch: Point) -> Markup:
    """Every company's reach; of one that has arrived, the path that proves it."""
    arrived = {str(arrival["seat"]): arrival["path"] for arrival in view["arrived"] if arrival["path"]}
    shown = {seat: arrived.get(seat, view["reach"][seat]) for seat in sorted(view["companies"], key=int)}
    beside = _beside_each_other(shown)
    count = max(beside.values(), default=0) + 1
    space = min(_BED / count, _WIDEST + 0.8)
    return Markup("").join(
        _company_track(
            view["companies"][seat]["letter"],
            "path" if seat in arrived else "reach",
            _lines(view, steps, pitch, (beside[seat] - (count - 1) / 2) * space),
            space,
        )
        for seat, steps in shown.items()
        if steps
    )


def _beside_each_other(shown: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """A place across the track for each company, so that those who share a piece of it never share the place.

    >>> _beside_each_other({"1": ["a1:TB"], "2": ["a1:TB", "a2:TL"], "3": ["b1:TB"], "4": []})
    {'1': 0, '2': 1, '3': 0, '4': 0}
    """
    ports = {
        seat: {step[:-2] + port for step in steps for port in step[-2:]} for seat, steps in shown.items()
    }
    found: dict[str, int] = {}
    for seat, own in ports.items():
        taken = {place for other, place in found.items() if own & ports[other]}
        found[seat] = next(place for place in range(len(shown)) if place not in taken)
    return found


def _company_track(letter: str, kind: str, line: str, space: float) -> Markup:
    """A line with a dark edge, so that pale colours show, too."""
    wide = min(1.5 * space, _WIDEST + 2) if kind == "path" else space
    return Markup(
        '<g class="{} of-{}" stroke-width="{:.1f}"><g class="casing"><path id="track-{}" d="{}"/></g>'
        '<g class="strand pattern-{}" stroke="{}" stroke-width="{:.1f}"><use href="#track-{}"/></g></g>'
    ).format(
        kind, letter, wide - 0.2, letter, line, letter, COMPANIES[letter].ink, max(wide - 1.6, 0.9), letter
    )


def _lines(view: JsonObject, steps: Iterable[str], pitch: Point, aside: float) -> str:
    return "".join(_step(view, step, pitch, aside) for step in steps)


def _step(view: JsonObject, step: str, pitch: Point, aside: float) -> str:
    """One track over a card. A path of before may run over a card that has been covered since."""
    cell, _, ports = step.partition(":")
    a, b = (LETTERS.index(letter) for letter in ports)
    corner = (ord(cell[0]) - 97) * pitch[0] + 0.5, (int(cell[1:]) - 1) * pitch[1] + 0.5
    face = parse_face(view["grid"][cell]) if cell in view["grid"] else _ANY
    points = _shifted(course(face, a, b), (a, b), corner, aside)
    if _goes_under(face, a, b):
        return _interrupted(points, corner)
    return _path(points)


def _goes_under(face: Face, a: int, b: int) -> bool:
    return face.pieces == _BRIDGE and {a, b} == {TOP, BOTTOM}


def _shifted(points: Sequence[Point], ports: tuple[int, int], corner: Point, aside: float) -> list[Point]:
    """Each company keeps its place beside the middle line, from card to card."""
    ways = [(0.0, aside) if port in (LEFT, RIGHT) else (aside, 0.0) for port in ports]
    half = len(points) // 2
    return [
        (corner[0] + x + ways[n >= half][0], corner[1] + y + ways[n >= half][1])
        for n, (x, y) in enumerate(points)
    ]


def _interrupted(points: Sequence[Point], corner: Point) -> str:
    middle = corner[1] + PRINTED.card.size[1] / 2
    (x, start), (_, end) = points
    stop = _UNDER_BRIDGE if start < end else -_UNDER_BRIDGE
    return _path([(x, start), (x, middle - stop)]) + _path([(x, middle + stop), (x, end)])


def _path(points: Sequence[Point]) -> str:
    """
    >>> _path([(0, 0), (1, 2.25)])
    'M0 0L1 2.2'
    """
    start, *rest = (f"{_short(x)} {_short(y)}" for x, y in points)
    return f"M{start}{'L' if len(rest) == 1 else 'C'}{' '.join(rest)}"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
