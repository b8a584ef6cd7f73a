"""Small charts as SVG. Every line has its seat's shape and its name beside it, never a colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.core.messages import joined, m
from companion.sheets.drawing import filled
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import seat_shape
from companion.table.coaching import Priced
from companion.table.match import Match
from companion.table.seats import COLOURS, SHAPES, Player
from web.pages.history import GameRecord
from web.pages.people import GameOfPerson, PersonRecord
from web.ui.progress import Step, progress
from web.ui.speaking import Markup

# Small, so that letters are still readable when a phone shows the whole of it.
_WIDTH, _HEIGHT = 480, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 134, 16, 34
_LABEL = 18  # least distance between two names
_NAME = 14  # letters of a name that fit beside the lines
_LETTER = 8  # its width
_STEPS = [size * 10**power for power in range(12) for size in (1, 2, 5)][2:]  # of the level lines
_EDGE = 14  # right of the lines where no names stand
_MOST_MARKS = 16  # of a line: with a hundred rounds they would lie on each other
MOST_CURVES = len(SHAPES)


@dataclass(frozen=True)
class _Frame:
    """Where a value of a round lies in the picture."""

    low: int
    high: int
    rounds: int
    right: int = _RIGHT

    def x(self, number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - self.right) / max(self.rounds - 1, 1) * number

    def y(self, total: int) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (self.high - total) / (self.high - self.low)


@dataclass(frozen=True)
class Curve:
    """One line: what it is called, its colour and shape, and its points. No two in a chart look alike."""

    name: str
    colour: str
    shape: str
    points: Sequence[tuple[int, int]]  # (which step, value); steps may be missing


def line_chart(steps: Sequence[Step], players: Mapping[int, Player]) -> Markup:
    """Chart the totals round by round, each curve labelled with its player's name."""
    curves = [
        Curve(
            player.name, player.colour, player.shape, [(n, step.totals[seat]) for n, step in enumerate(steps)]
        )
        for seat, player in players.items()
    ]
    return chart(m("Points by round"), curves, [step.label for step in steps])


def expected_chart(rounds: Sequence[Priced], players: Mapping[int, Player]) -> Markup:
    """Chart the points that each seat could expect at the end, after each of its rounds."""
    labels = sorted({one.told["round"] for one in rounds})
    curves = []
    for seat, player in players.items():
        points = [
            (labels.index(one.told["round"]), round(one.told["worth"] - one.told["cost"]))
            for one in rounds
            if one.seat == seat
        ]
        if points:
            curves.append(Curve(player.name, player.colour, player.shape, points))
    return chart(m("Expected points"), curves, [str(label) for label in labels])


def points_chart(match: Match) -> Markup:
    """Chart the totals round by round without names: the page lists them beside it with their marks."""
    steps = progress(match)
    curves = [
        Curve(one.name, one.colour, one.shape, [(n, step.totals[seat]) for n, step in enumerate(steps)])
        for seat, one in match.players.items()
    ]
    return chart(m("Points by round"), curves, [step.label for step in steps], names=False)


def results_chart(record: GameRecord) -> Markup:
    """Chart the results, match by match, of the players with the most matches."""
    shown = sorted(record.players, key=lambda one: -one.matches)[:MOST_CURVES]
    curves = [
        Curve(one.name, COLOURS[number], SHAPES[number], list(zip(one.numbers, one.totals, strict=True)))
        for number, one in enumerate(sorted(shown, key=record.players.index))
    ]
    return chart(m("{title}: points by match", title=record.title), curves, record.days)


def person_chart(record: PersonRecord, game: GameOfPerson) -> Markup:
    """Chart one person's results at a game, match by match."""
    points = [(number, result.total) for number, result in enumerate(game.results)]
    title = m("{title}: points by match", title=game.title)
    curve = Curve(record.name, COLOURS[0], SHAPES[0], points)
    return chart(title, [curve], [match.began[:10] for match in game.matches])


def _few(labels: Sequence[str], most: int) -> list[str]:
    """Blank out labels until they do not overlap, keeping the first and the last.

    >>> _few(["a", "b", "c", "d", "e", "f", "g"], 4)
    ['a', '', 'c', '', 'e', '', 'g']
    """
    last = len(labels) - 1
    gap = max(1, -(-last // (most - 1)))
    return [
        label if n == last or (n % gap == 0 and last - n >= gap) else "" for n, label in enumerate(labels)
    ]


def chart(title: str, curves: Sequence[Curve], labels: Sequence[str], *, names: bool = True) -> Markup:
    """Draw a line chart over steps; labels are left out where there is no room for all."""
    values = [value for curve in curves for _, value in curve.points]
    frame = _Frame(min([0, *values]), max([10, *values]), len(labels), _RIGHT if names else _EDGE)
    name_y = _apart({n: frame.y(curve.points[-1][1]) for n, curve in enumerate(curves)})
    lines = [_line(frame, curve, n, name_y[n] if names else None) for n, curve in enumerate(curves)]
    room = int((_WIDTH - _LEFT - frame.right) / (_LETTER * max(map(len, labels)) + _LABEL))
    steps = [_step_label(label, frame.x(n)) for n, label in enumerate(_few(labels, max(room, 2))) if label]
    results = joined("; ", (joined(" ", [curve.name, curve.points[-1][1]]) for curve in curves))
    words = m("{title}, at the end: {results}", title=title, results=results)
    return _PICTURE.format(_WIDTH, _HEIGHT, words, Markup("").join([*_rules(frame), *steps, *lines]))


_PICTURE = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
_RULE = Markup('<path class="rule" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" class="value">{}</text>')
_BARE_TRACE = Markup('<g class="colour-{}"><g class="mark"><path class="trace dash-{}" d="M{}"/>{}</g></g>')
_TRACE = Markup(
    '<g class="colour-{}"><g class="mark"><path class="trace dash-{}" d="M{}"/>{}</g>'
    '<text x="{:.1f}" y="{:.1f}">{}</text></g>'
)


def _rules(frame: _Frame) -> list[Markup]:
    """Draw grid lines at round numbers."""
    step = next(size for size in _STEPS if (frame.high - frame.low) / size <= 6)
    values = range(-(-frame.low // step) * step, frame.high + 1, step)
    return [
        _RULE.format(_LEFT, frame.y(value), _WIDTH - frame.right, _LEFT - 8, frame.y(value) + 4, value)
        for value in values
    ]


def _step_label(label: str, x: float) -> Markup:
    return Markup('<text x="{:.1f}" y="{}" class="label">{}</text>').format(x, _HEIGHT - 8, label)


def _line(frame: _Frame, curve: Curve, pattern: int, name_y: float | None) -> Markup:
    points = [(frame.x(step), frame.y(value)) for step, value in curve.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    gap = -(-len(points) // _MOST_MARKS)
    marked = points[::-gap]  # the last one always
    marks = svg_shapes([seat_shape(curve.shape, point, 6, filled("currentColor")) for point in marked])
    if name_y is None:
        return _BARE_TRACE.format(curve.colour, pattern, path, Markup(marks))
    name_x = _WIDTH - _RIGHT + 16
    if points[-1][0] < _WIDTH - _RIGHT:  # it ended earlier: whose name this is, is seen by the mark before it
        marks += svg_shapes([seat_shape(curve.shape, (name_x - 2, name_y), 6, filled("currentColor"))])
        name_x += 10
    return _TRACE.format(curve.colour, pattern, path, Markup(marks), name_x, name_y + 5, _short(curve.name))


def _short(name: str) -> str:
    """
    >>> _short("East"), _short("Maximilian the Great")
    ('East', 'Maximilian th…')
    """
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def _apart(wanted: dict[int, float]) -> dict[int, float]:
    """Move labels apart vertically so that they do not overlap.

    >>> _apart({1: 50.0, 2: 52.0})
    {1: 50.0, 2: 68.0}
    """
    placed: dict[int, float] = {}
    lowest = float("-inf")
    for seat, y in sorted(wanted.items(), key=lambda pair: pair[1]):
        lowest = max(y, lowest + _LABEL)
        placed[seat] = lowest
    return dict(sorted(placed.items()))
