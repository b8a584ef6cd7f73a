"""Track on a card as shapes: bands between two black lines, dead ends, bridges, tunnels.

A band is a polygon around its middle line. All bands of a piece are painted black, then all of them a little
narrower in the colour of the ballast: what is left is the pair of lines, joined wherever bands meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import cos, dist, exp, hypot, pi, sin

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.rules.cards import BOTTOM, LEFT, RIGHT, TOP, UNDER, Face
from companion.sheets.drawing import Line, Point, Polygon, Shape, arc_points, filled, stroked

_CARD, _INK = PRINTED.card, PRINTED.ink
_WIDTH, _HEIGHT = _CARD.size
CENTRE: Point = (_WIDTH / 2, _HEIGHT / 2)
_MOUTH = 19.0  # how far below the top edge the mouth of a tunnel is
_KAPPA = 0.5523  # a cubic Bezier curve with handles of this share is nearly a quarter of an ellipse
_STEPS = 40

# Where each port is, and the way into the card from there.
PORT_AT: dict[int, Point] = {
    TOP: (CENTRE[0], 0.0),
    RIGHT: (_WIDTH, CENTRE[1]),
    BOTTOM: (CENTRE[0], _HEIGHT),
    LEFT: (0.0, CENTRE[1]),
    UNDER: (CENTRE[0], _MOUTH),
}
INWARDS: dict[int, Point] = {
    TOP: (0.0, 1.0),
    RIGHT: (-1.0, 0.0),
    BOTTOM: (0.0, -1.0),
    LEFT: (1.0, 0.0),
    UNDER: (0.0, 1.0),
}
Width = Callable[[float], float]  # half the width of a band at a distance from its beginning


def face_track(face: Face, ground: str) -> list[Shape]:
    """All the track of a face; ``ground`` is what shows where one track stops under another."""
    drawn = _mouth_up(face)
    shapes = _pieces(drawn, ground)
    for port in sorted(drawn.dead):
        shapes += _dead_end(port)
    return shapes if drawn is face else [_half_turned(shape) for shape in shapes]


def middle_lines(face: Face) -> list[tuple[Point, ...]]:
    """The middle of every track of a face, dead ends and the tunnel's mouth too."""
    drawn = _mouth_up(face)
    lines = [line for piece in drawn.pieces for line in _piece_lines(sorted(piece))]
    lines += [_stub(port) for port in drawn.dead]
    if UNDER in drawn.linked:
        x, y = PORT_AT[UNDER]
        lines.append(((x - 11, y - 4), (x, y - 9), (x + 11, y - 4)))
    return lines if drawn is face else [tuple(_turned_point(point) for point in line) for line in lines]


def _mouth_up(face: Face) -> Face:
    """The face in which a tunnel card is drawn; the other one is the same drawing turned by half."""
    return face if UNDER not in face.linked or BOTTOM in face.linked else face.turned


def _pieces(face: Face, ground: str) -> list[Shape]:
    pieces = sorted(sorted(piece) for piece in face.pieces)
    if pieces == [[TOP, BOTTOM], [RIGHT, LEFT]]:
        return [*_joined([_between(TOP, BOTTOM)]), *_bridge(ground)]
    if UNDER in face.linked:
        lines = [line for piece in pieces for line in _piece_lines(piece)]
        return [*_joined(lines, face.linked), *_tunnel_mouth()]
    if sum(map(len, pieces)) > len(face.linked):  # points: pieces that share a port
        return _joined([line for piece in pieces for line in _piece_lines(piece)], face.linked)
    return [shape for piece in pieces for shape in _joined(_piece_lines(piece), piece)]


def _piece_lines(ports: Sequence[int]) -> list[tuple[Point, ...]]:
    """A middle line for each pair of ports; where three or more meet, also straight ones to the centre."""
    lines = [_between(a, b) for n, a in enumerate(ports) for b in ports[n + 1 :]]
    return lines + ([(PORT_AT[port], CENTRE) for port in ports] if len(ports) > 2 else [])


def course(face: Face, a: int, b: int) -> tuple[Point, ...]:
    """How a track of a face runs from port to port: two points if straight, four of a Bezier curve if not."""
    if UNDER in face.linked and _mouth_up(face) is not face:
        turned = {TOP: BOTTOM, BOTTOM: TOP, LEFT: RIGHT, RIGHT: LEFT, UNDER: UNDER}
        return tuple(map(_turned_point, _handles(turned[a], turned[b])))
    return _handles(a, b)


def _handles(a: int, b: int) -> tuple[Point, ...]:
    start, end = PORT_AT[a], PORT_AT[b]
    if INWARDS[a] == (-INWARDS[b][0], -INWARDS[b][1]):
        return start, end
    reach = abs(end[0] - start[0]), abs(end[1] - start[1])
    return start, _handle(a, reach), _handle(b, reach), end


def _between(a: int, b: int) -> tuple[Point, ...]:
    """The curve between two ports: straight, or at right angles to the edge at either end."""
    handles = _handles(a, b)
    if len(handles) == 2:
        return handles
    start, *_, end = handles
    curve = [_bezier(handles, step / _STEPS) for step in range(1, _STEPS)]
    # A first and a last step straight inwards keep the band's ends on the card's edge.
    return start, _inside(a), *curve, _inside(b), end


def _inside(port: int) -> Point:
    (x, y), (dx, dy) = PORT_AT[port], INWARDS[port]
    return x + 0.05 * dx, y + 0.05 * dy


def _handle(port: int, reach: Point) -> Point:
    (x, y), (dx, dy) = PORT_AT[port], INWARDS[port]
    return x + dx * reach[0] * _KAPPA, y + dy * reach[1] * _KAPPA


def _bezier(handles: Sequence[Point], t: float) -> Point:
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    return (
        sum(w * x for w, (x, _) in zip(weights, handles, strict=True)),
        sum(w * y for w, (_, y) in zip(weights, handles, strict=True)),
    )


# --- bands ---


def _joined(lines: Sequence[Sequence[Point]], ports: Iterable[int] = ()) -> list[Shape]:
    """The bands around these middle lines as one track."""
    half, rim = _CARD.track / 2, _CARD.line / 2
    black = [Polygon(band(line, lambda _: half + rim), filled(_INK.line)) for line in lines]
    white = [Polygon(band(line, lambda _: half - rim), filled(_INK.ballast)) for line in lines]
    return [*black, *white, *(_ties(lines[0]) if len(lines) == 1 else _ties_at_ports(ports))]


def band(line: Sequence[Point], half: Width) -> tuple[Point, ...]:
    """The outline of a band around a line, with square ends."""
    sides: tuple[list[Point], list[Point]] = ([], [])
    walked = 0.0
    for n, (x, y) in enumerate(line):
        walked += dist(line[n - 1], line[n]) if n else 0.0
        nx, ny = _normal(line, n)
        wide = half(walked)
        sides[0].append((x + nx * wide, y + ny * wide))
        sides[1].append((x - nx * wide, y - ny * wide))
    return (*sides[0], *reversed(sides[1]))


def _normal(line: Sequence[Point], n: int) -> Point:
    before, after = line[max(n - 1, 0)], line[min(n + 1, len(line) - 1)]
    dx, dy = after[0] - before[0], after[1] - before[1]
    length = hypot(dx, dy)
    return -dy / length, dx / length


def _ties(line: Sequence[Point]) -> list[Shape]:
    """Sleepers all along a track."""
    length = sum(dist(a, b) for a, b in pairwise(line))
    count = max(1, round(length / _CARD.tie[1]))
    return [_tie(*_along(line, (n + 0.5) * length / count)) for n in range(count)]


def _ties_at_ports(ports: Iterable[int]) -> list[Shape]:
    """Two sleepers at each port, where the tracks do not part yet."""
    shapes: list[Shape] = []
    for port in sorted(ports):
        (x, y), (dx, dy) = PORT_AT[port], INWARDS[port]
        shapes += [
            _tie((x + dx * at, y + dy * at), (-dy, dx)) for at in (_CARD.tie[1] / 2, _CARD.tie[1] * 1.5)
        ]
    return shapes


def _tie(at: Point, normal: Point) -> Shape:
    half = _CARD.track / 2 - _CARD.line / 2 - 1.5
    (x, y), (nx, ny) = at, normal
    ends = ((x + nx * half, y + ny * half), (x - nx * half, y - ny * half))
    return Line(ends, stroked(_INK.tie, _CARD.tie[0]))


def _along(line: Sequence[Point], at: float) -> tuple[Point, Point]:
    """The point at a distance along a line, and the normal there."""
    for n, (a, b) in enumerate(pairwise(line)):
        length = dist(a, b)
        if at <= length:
            part = at / length
            return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part), _normal(line, n)
        at -= length
    return line[-1], _normal(line, len(line) - 1)


# --- the special ones ---


def _stub(port: int) -> tuple[Point, Point]:
    (x, y), (dx, dy) = PORT_AT[port], INWARDS[port]
    length = _CARD.stub_across if port in (LEFT, RIGHT) else _CARD.stub_along
    return (x, y), (x + dx * length, y + dy * length)


def _dead_end(port: int) -> list[Shape]:
    """A short stub closed by a thick bar."""
    start, end = _stub(port)
    (dx, dy), (thick, long) = INWARDS[port], _CARD.bar
    over = (end[0] + dx * thick, end[1] + dy * thick)
    return [*_joined([(start, end)]), Polygon(band((end, over), lambda _: long / 2), filled(_INK.line))]


def _bridge(ground: str) -> list[Shape]:
    """From left to right over the track along the card, which stops at it."""
    line = tuple((_WIDTH * n / _STEPS, CENTRE[1]) for n in range(_STEPS + 1))

    def half(grown: float) -> Width:
        return lambda x: _CARD.track / 2 + grown + _CARD.bulge * exp(-(((x - CENTRE[0]) / 10.0) ** 2))

    rim = _CARD.line / 2
    under = [point for point in line if abs(point[0] - CENTRE[0]) < 14.5]
    # The gap is cut only where the lower track would touch.
    gap = band(under, lambda x: half(2.6)(x + under[0][0]))
    return [
        Polygon(gap, filled(ground)),
        Polygon(band(line, half(rim)), filled(_INK.line)),
        Polygon(band(line, half(-rim)), filled(_INK.ballast)),
        *_ties(line),
    ]


def _tunnel_mouth() -> list[Shape]:
    """An arch of stones around the dark, over the end of the track."""
    (x, y), radius = PORT_AT[UNDER], 11.5
    arch = arc_points((x, y), radius, 180, 360)
    stones = [
        Line(
            (
                (x + (radius - 0.2) * cos(angle), y + (radius - 0.2) * sin(angle)),
                (x + (radius + 3.2) * cos(angle), y + (radius + 3.2) * sin(angle)),
            ),
            stroked(_INK.ballast, 0.5),
        )
        for angle in (pi + pi * n / 8 for n in range(1, 8))
    ]
    return [
        Polygon(arc_points((x, y), radius + 3.0, 180, 360), filled(_INK.middle)),
        *stones,
        Polygon(arch, filled(_INK.line)),
        Line(((x - radius - 3, y), (x + radius + 3, y)), stroked(_INK.line, 1.2)),
    ]


def _half_turned(shape: Shape) -> Shape:
    """The shape on the card turned by half; track consists of lines and polygons only."""
    assert isinstance(shape, Line | Polygon)
    turned = tuple(map(_turned_point, shape.points))
    return Line(turned, shape.style) if isinstance(shape, Line) else Polygon(turned, shape.style)


def _turned_point(point: Point) -> Point:
    return _WIDTH - point[0], _HEIGHT - point[1]
