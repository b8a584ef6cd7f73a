"""Small charts as SVG. Every line has its seat's shape and its name beside it, never a colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from companion.games.kit.drawing import filled
from companion.games.kit.seat_marks import seat_shape
from companion.printing.svg import svg_shapes
from companion.table.seats import Player
from web.progress import Step

_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 130, 16, 32
_LABEL = 15  # least distance between two names
_MOST_MARKED = 16  # rounds


@dataclass(frozen=True)
class _Frame:
    """Where a value of a round lies in the picture."""

    low: int
    high: int
    rounds: int

    def x(self, number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) / max(self.rounds - 1, 1) * number

    def y(self, total: int) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (self.high - total) / (self.high - self.low)


def line_chart(steps: Sequence[Step], players: Mapping[int, Player]) -> Markup:
    """The totals round by round."""
    values = [total for step in steps for total in step.totals.values()]
    frame = _Frame(min([0, *values]), max([10, *values]), len(steps))
    last = steps[-1].totals
    label_y = _apart({seat: frame.y(last[seat]) for seat in players})
    lines = [
        _line(
            [(frame.x(n), frame.y(step.totals[seat])) for n, step in enumerate(steps)], player, label_y[seat]
        )
        for seat, player in players.items()
    ]
    rounds = [
        _round_label(step.label, frame.x(n)) for n, step in enumerate(steps) if n % _apart_by(len(steps)) == 0
    ]
    words = "; ".join(f"{player.name} {last[seat]}" for seat, player in players.items())
    return _PICTURE.format(_WIDTH, _HEIGHT, words, Markup("").join([*_rules(frame), *rounds, *lines]))


_PICTURE = Markup(
    '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="Points by round, at the end: {}">{}</svg>'
)
_RULE = Markup('<path class="rule" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" class="value">{}</text>')
_TRACE = Markup(
    '<g class="colour-{}"><g class="mark"><path class="trace" d="M{}"/>{}</g>'
    '<text x="{:.1f}" y="{:.1f}">{}</text></g>'
)


def _rules(frame: _Frame) -> list[Markup]:
    """Level lines at round numbers."""
    step = next(size for size in (5, 10, 20, 50, 100, 10**6) if (frame.high - frame.low) / size <= 6)
    values = range(-(-frame.low // step) * step, frame.high + 1, step)
    return [
        _RULE.format(_LEFT, frame.y(value), _WIDTH - _RIGHT, _LEFT - 8, frame.y(value) + 4, value)
        for value in values
    ]


def _apart_by(rounds: int) -> int:
    """Of a long match only every so many rounds are marked.

    >>> _apart_by(7), _apart_by(60)
    (1, 4)
    """
    return -(-rounds // _MOST_MARKED)


def _round_label(label: str, x: float) -> Markup:
    return Markup('<text x="{:.1f}" y="{}" class="label">{}</text>').format(x, _HEIGHT - 8, label)


def _line(points: list[tuple[float, float]], player: Player, label_y: float) -> Markup:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marked = points[-1 :: -_apart_by(len(points))]
    marks = svg_shapes([seat_shape(player.shape, point, 6, filled("currentColor")) for point in marked])
    return _TRACE.format(player.colour, path, Markup(marks), points[-1][0] + 14, label_y + 4, player.name)


def _apart(wanted: dict[int, float]) -> dict[int, float]:
    """Names do not lie on each other.

    >>> _apart({1: 50.0, 2: 52.0})
    {1: 50.0, 2: 65.0}
    """
    placed: dict[int, float] = {}
    lowest = float("-inf")
    for seat, y in sorted(wanted.items(), key=lambda pair: pair[1]):
        lowest = max(y, lowest + _LABEL)
        placed[seat] = lowest
    return dict(sorted(placed.items()))
